import Foundation
import Surroundings
import Testing

/// The completion scripts, in the shells that are installed: a command line is typed with tabs in it, and the shell says
/// which words came out.
@Suite(.enabled(if: Terminal.isThere, "python3 has a module pty here"))
struct CompletionTests {
    static let cases: [(typed: String, words: String)] = [
        ("set gen\t", "<set><general.X>"),
        ("set general.lan\t", "<set><general.language><X>"),
        ("get com\t", "<get><com.example.app.X>"),
        ("get ./com/e\t", "<get><./com/example/app/X>"),
        ("get com/\t", "<get><com/example/app/X>"),
        ("rm disp\t\t", "<rm><display.dark><X>"),
        ("mv disp\tda\t", "<mv><display.dark><X>"),
        ("set general.language Fr\t", "<set><general.language><French><X>"),
        ("set general.language fr\t", "<set><general.language><French><X>"),
        ("set general.language es\t", "<set><general.language><es><X>"),
        ("set general.language=Fr\t", "<set><general.language=French><X>"),
        ("set general.language Sp\t", "<set><general.language><Spanish (Mexico)><X>"),
        ("set general.language \"Fr\t", "<set><general.language><French><X>"),
        ("set display.dark on general.lev\t", "<set><display.dark><on><general.level><X>"),
        ("set display.dark=on general.lev\t", "<set><display.dark=on><general.level><X>"),
        ("set -m 'For Paris' display.dark t\t", "<set><-m><For Paris><display.dark><toggle><X>"),
        ("set --if general.lang\tFr\t", "<set><--if><general.language=French><X>"),
        ("set general.language --label E\t", "<set><general.language><--label><English><X>"),
        ("merge lap\t", "<merge><laptop><X>"),
        ("merge ori\t", "<merge><origin/main><X>"),
        ("merge laptop general.language=F\t", "<merge><laptop><general.language=French><X>"),
        ("get general.level --at ope\t", "<get><general.level><--at><opening><X>"),
        ("get general.level --at=18\t", "<get><general.level><--at=18:00><X>"),
        ("list --at 18:\t", "<list><--at><18:00><X>"),
        ("log --since=yes\t", "<log><--since=yesterday><X>"),
        ("restore --all --from yes\t", "<restore><--all><--from><yesterday><X>"),
        ("bisect --good ope\t", "<bisect><--good><opening><X>"),
        ("discard --undo arch\t", "<discard><--undo><archive.X>"),
        ("discard gen\t", "<discard><general.X>"),
        ("tag x lap\t", "<tag><x><laptop><X>"),
        ("show ope\t", "<show><opening><X>"),
        ("revert ope\t", "<revert><opening><X>"),
        ("revert opening..HE\t", "<revert><opening..HEAD><X>"),
        ("history ope\tlap\t", "<history><opening..laptop><X>"),
        ("diff opening..HE\t", "<diff><opening..HEAD><X>"),
        ("log --author=Ad\t", "<log><--author=Ada Lovelace <ada@example.org>><X>"),
        ("log --requested-by mar\t", "<log><--requested-by><Marie Curie <marie@example.org>><X>"),
        ("set --ticket F\t", "<set><--ticket><FEAT-1><X>"),
        ("com\t--dry\t", "<commit><--dry-run><X>"),
        ("help stat\t", "<help><status><X>"),
        ("help label rem\t", "<help><label><remove><X>"),
        ("label remove general.language E\t", "<label><remove><general.language><English><X>"),
        ("--store ../off\tlist gen\t", "<--store><../office/list><genX>"),
    ]

    @Test(.enabled(if: Shell.bash.isThere, "bash is not installed")) func bash() throws { try completes(in: .bash) }
    @Test(.enabled(if: Shell.zsh.isThere, "zsh is not installed")) func zsh() throws { try completes(in: .zsh) }
    @Test(.enabled(if: Shell.fish.isThere, "fish is not installed")) func fish() throws { try completes(in: .fish) }

    private func completes(in shell: Shell) throws {
        let home = try Self.office()
        let found = try shell.words(of: Self.cases.map { "settings " + $0.typed }, in: home)
        #expect(found.count == Self.cases.count)
        for (one, words) in zip(Self.cases, found) {
            #expect(words == "<settings>" + one.words, "\(shell): \(one.typed)")
        }
    }

    /// A name is quoted for the shell, so that nothing in it is run.
    @Test(arguments: Shell.allCases.filter(\.isThere)) func namesAreNotRun(shell: Shell) throws {
        let home = try Self.office()
        _ = try home.run("settings label add general.language 'Zulu$(touch ran)`touch ran`' -q")
        _ = try home.run("git branch 'zero$(touch${IFS}ran)'")
        let words = try shell.words(of: ["settings set general.language Zu\t", "settings merge zer\t"], in: home)
        #expect(words[0] == "<settings><set><general.language><Zulu$(touch ran)`touch ran`><X>")
        #expect(words[1] == "<settings><merge><zero$(touch${IFS}ran)><X>")
        #expect(!FileManager.default.fileExists(atPath: home.folder + "/ran"))
    }

    @Test func isQuietAboutWhatFails() throws {
        let home = try Self.office()
        for words in [
            "bash", "", "tcsh -- set ''", "zsh -- set --store /nowhere ''", "zsh -- nonsense ''", "zsh -- merge --store / ''",
            "fish -- get nothing --at zzz", "zsh -- set nothing ''", "zsh -- set nothing=", "zsh -- label nonsense ''",
            "zsh -- help set ''", "zsh -- set -m ''", "zsh --",
        ] {
            #expect(try home.run("settings ---complete \(words) 2>&1") == [], "\(words)")
        }
        #expect(
            try home.run("printf '{' > general/language.json; settings ---complete zsh -- set general.language '' 2>&1") == [])
        #expect(try home.run("rm -rf .git; settings ---complete zsh -- merge '' 2>&1") == [])
    }

    @Test func whatAnOptionBecame() throws {
        let home = try Self.office()
        let values = try home.run("settings ---complete zsh -- history general.language --became '' | cut -f 1")
        #expect(values == ["English", "French", "Spanish (Mexico)"])
        #expect(try home.run("settings ---complete zsh -- history --became ''") == [])
        #expect(try home.run("settings ---complete fish -- help t | cut -f 1") == ["tag", "track", "times"])
    }

    /// Every time that 'help times' explains is understood.
    @Test func theTimesOfTheHelp() throws {
        let home = try Self.office()
        let page = try home.run("settings help times").joined(separator: "\n")
        for time in [
            "18:00", "6pm", "noon", "today", "yesterday", "yesterday 18:00", "18:00 yesterday", "fri 18:00", "last week",
            "3 days ago", "1 hour ago", "2.weeks.ago", "10 minutes ago", "2026-11-20", "2026-11-20 18:00", "last night",
            "this morning",
            "2026-11-20T18:00:00+01:00", "@1794038400",
        ] {
            #expect(page.contains(time), "\(time)")
            let until = try home.run("SETTINGS_NOW=2026-12-20T09:00:00Z settings history -n 0 --until '\(time)' 2>&1")
            #expect(until == ["no version matches"], "\(time)")
        }
    }

    /// Every time that is offered is one.
    @Test func timesAreUnderstood() throws {
        let home = try Self.office()
        let lines = try home.run("settings ---complete zsh -- history --until ''")
        let names = lines.map { $0.split(separator: "\t").map(String.init)[0] }
        #expect(names.contains("yesterday") && names.contains("18:00") && names.contains("today"))
        for name in names {
            #expect(try home.run("settings history -n 0 --until '\(name)' 2>&1") == ["no version matches"], "\(name)")
        }
    }

    private static func office() throws -> Home {
        let home = try Home()
        try home.become("Ada Lovelace", at: "2026-11-20 10:00")
        for command in [
            "settings init -q",
            "settings add -q general.language --title Language --choice en=English fr=French 'es=Spanish (Mexico)'",
            "settings add -q general.level --title Level --number 3",
            "settings add -q display.dark --title 'Dark mode' --switch",
            "settings add -q com.example.app.one --title One --switch",
            "settings add -q com.example.app.two --title Two --switch",
            "settings set -q general.language fr --requested-by 'Marie Curie <marie@example.org>' --ticket FEAT-1",
            "mkdir archive; for k in a b; do echo '{\"title\":\"A\",\"type\":\"switch\",\"value\":true}' > archive/$k.json; done",
            "settings discard -q",
            "git branch laptop; git tag opening; git update-ref refs/remotes/origin/main HEAD",
        ] { #expect(try home.run(command) == []) }
        return home
    }
}

enum Shell: String, CaseIterable {
    case bash, zsh, fish

    var isThere: Bool { SigningKey.has(rawValue) }

    /// Types each line, then an X, at a terminal; the words that the shell makes of it, each in angle brackets.
    func words(of lines: [String], in home: Home) throws -> [String] {
        let file = home.path + "/shell.py"
        try Data(Self.script.utf8).write(to: URL(fileURLWithPath: file))
        try JSONEncoder().encode([rawValue] + lines).write(to: URL(fileURLWithPath: home.path + "/shell.json"))
        return try home.run("python3 '\(file)' '\(home.path)/shell.json'")
    }

    private static let script = #"""
        import fcntl, json, os, pty, re, select, struct, sys, termios
        shell, *lines = json.load(open(sys.argv[1]))
        child, terminal = pty.fork()
        if child == 0:
            os.environ.update(TERM="dumb" if shell == "bash" else "xterm", PS1="> ")
            quiet = {"bash": ["--norc", "--noprofile"], "zsh": ["-f"], "fish": ["--no-config"]}
            os.execvp(shell, [shell, *quiet[shell], "-i"])
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 250, 0, 0))

        def type_in(text, end):
            os.write(terminal, text.encode())
            screen = b""
            while not re.search(end, screen, re.S):
                if not select.select([terminal], [], [], 30)[0]:
                    sys.exit(f"no answer to {text!r}: {screen!r}")
                screen += os.read(terminal, 65536)
            return re.search(end, screen, re.S)

        script = "settings --generate-completion-script " + shell
        type_in({
            "bash": f"source <({script})",
            "zsh": f"autoload -Uz compinit; compinit -D; source <({script})",
            "fish": f"{script} | source",
        }[shell] + "; printf 'rea%s' 'dy.'\n", rb"ready\.")
        for number, line in enumerate(lines):
            # What is typed ahead waits until the completion is done.
            words = type_in(f"{line}X\x01printf '<%s>' done{number} \n", rb"<done%d>(.*?X>)" % number)
            print(words[1].decode())
        os.write(terminal, b"exit\n")
        """#
}
