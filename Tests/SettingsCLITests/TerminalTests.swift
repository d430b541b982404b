import Foundation
import Surroundings
import Testing

/// Behaviour at a terminal: questions, the pager, short keys, the editor.
@Suite(.enabled(if: Terminal.isThere, "python3 has a module pty here"))
struct TerminalTests {
    private func office() throws -> Home {
        let home = try Home()
        for command in [
            "settings init -q",
            "settings add -q general.language --title Language --choice en=English fr=French de=German",
            "settings add -q display.dark --title 'Dark mode' --switch",
            "settings add -q sound.dark --title 'Dark sound' --switch",
        ] { #expect(try home.run(command) == []) }
        return home
    }

    @Test func asksForAReasonIfThePolicyRequiresIt() throws {
        let home = try office()
        _ = try home.run("settings define -q / --require-why required")
        let screen = try Terminal(home).run("settings set general.language French", [("Why? ", "The Paris office opens.\n")])
        #expect(screen.contains("Language (general.language): English → French"))
        #expect(screen.contains("Why? The Paris office opens."))
        #expect(try home.run("git log -1 --format=%b | head -n 1") == ["The Paris office opens."])
    }

    @Test func noAnswerRecordsNothing() throws {
        let home = try office()
        _ = try home.run("settings define -q / --require-why required")
        for answer in ["\n", "  \n"] {
            let screen = try Terminal(home).run(
                "settings set general.language French",
                [("Why? ", answer), ("requires an answer; Ctrl-C cancels\r\nWhy? ", "\u{4}")])
            #expect(screen.contains("canceled; nothing was recorded") && screen.contains("[exit status: 77]"), "\(screen)")
        }
        let screen = try Terminal(home).run("settings set general.language French", [("Why? ", "\u{4}")])
        #expect(screen.contains("[exit status: 77]"), "\(screen)")
        #expect(try home.run("settings get general.language") == ["en"])
    }

    @Test func optionalReasonMayBeLeftOut() throws {
        let home = try office()
        _ = try home.run("settings define -q / --require-why asked")
        let screen = try Terminal(home).run("settings set general.language French", [("Why? ", "\n")])
        #expect(!screen.contains("exit status"), "\(screen)")
        #expect(try home.run("settings get general.language") == ["fr"])
    }

    @Test func asksForEverythingThatThePolicyWants() throws {
        let home = try office()
        _ = try home.run("settings define -q / --require-why required --require-requested-by asked --require-ticket required")
        let answers = [
            ("Why? ", "Paris opens.\n"), ("Requested by? (Enter for none) ", "Marie\n"), ("Ticket? ", "FEAT-12, FEAT-13\n"),
        ]
        let screen = try Terminal(home).run("settings set general.language French", answers)
        #expect(!screen.contains("exit status"), "\(screen)")
        #expect(
            try home.run("git log -1 --format='%b' | grep -v ^Change-Id").filter { !$0.isEmpty }
                == ["Paris opens.", "Requested-by: Marie", "Ticket: FEAT-12", "Ticket: FEAT-13", "Via: cli"])
        // Only what is missing is asked for; what is merely asked for may be left out.
        let rest = try Terminal(home).run(
            "settings set general.language German -m why --ticket X", [("Requested by? (Enter for none) ", "\n")])
        #expect(!rest.contains("Why?") && !rest.contains("Ticket?") && !rest.contains("exit status"), "\(rest)")
        #expect(try home.run("git log -1 --format='%(trailers:key=Requested-by)'").allSatisfy { $0.isEmpty })
        // Nobody is asked elsewhere, nor for what records nothing.
        #expect(try home.run("settings set general.language English -m why < /dev/null").last == "[exit status: 77]")
        #expect(try !Terminal(home).run("settings set general.language English --dry-run").contains("?"))
        #expect(try !Terminal(home).run("settings undo").contains("?"))
    }

    @Test func endOfInputCancelsWhereNothingIsRequired() throws {
        let home = try office()
        _ = try home.run("settings define -q / --require-ticket asked")
        let screen = try Terminal(home).run("settings set general.language French", [("Ticket? ", "\u{4}")])
        #expect(screen.contains("canceled; nothing was recorded") && screen.contains("[exit status: 77]"), "\(screen)")
        #expect(try home.run("settings get general.language") == ["en"])
    }

    @Test func theEditorTakesTheReasonAndQuestionsTheRest() throws {
        let home = try office()
        _ = try home.run("settings define -q / --require-why asked --require-ticket required")
        let screen = try Terminal(home).run(
            "GIT_EDITOR='printf Paris >' settings set general.language French -e", [("Ticket? ", "FEAT-12\n")])
        #expect(!screen.contains("Why?") && !screen.contains("exit status"), "\(screen)")
        #expect(
            try home.run("git log -1 --format='%b' | grep -v ^Change-Id").filter { !$0.isEmpty } == [
                "Paris", "Ticket: FEAT-12", "Via: cli",
            ])
    }

    @Test func nothingIsAskedIfNothingChanges() throws {
        let home = try office()
        _ = try home.run("settings define -q / --require-why required")
        #expect(try Terminal(home).run("settings set general.language English") == "nothing to do: already set\n")
        #expect(try Terminal(home).run("settings set general.language Klingon").contains("[exit status: 65]"))
    }

    @Test func uniqueLastPartSuffices() throws {
        let home = try office()
        #expect(try Terminal(home).run("settings get language") == "en\n")
        #expect(try Terminal(home).run("settings set language fr").contains("English → French"))
        let ambiguous = try Terminal(home).run("settings get dark")
        #expect(ambiguous.contains("'dark' is ambiguous: display.dark, sound.dark"), "\(ambiguous)")
        #expect(ambiguous.contains("[exit status: 66]"))
    }

    @Test func uniqueTitleSuffices() throws {
        let home = try office()
        #expect(try Terminal(home).run("settings get Language") == "en\n")
        #expect(try Terminal(home).run("settings get LANGUAGE") == "en\n")
        #expect(try Terminal(home).run("settings set 'dark Mode' on").contains("Off → On"))
        #expect(try Terminal(home).run("settings show 'Dark sound'").contains("sound.dark"))
        // In a script, keys are written in full.
        #expect(try home.run("settings get Language </dev/null").first == "settings: there is no option 'Language'")

        // An exact title counts before one in another case, a last part before a title, and a key before both.
        _ = try home.run("settings add -q menu.tongue --title language --number 7")
        #expect(try Terminal(home).run("settings get Language") == "en\n")
        let ambiguous = try Terminal(home).run("settings get LANGUAGE")
        #expect(ambiguous.contains("'LANGUAGE' is ambiguous: general.language, menu.tongue"), "\(ambiguous)")
        #expect(ambiguous.contains("[exit status: 66]"))
        #expect(try Terminal(home).run("settings get language") == "en\n")
        _ = try home.run("settings add -q Tongue --title Other --number 8")
        #expect(try Terminal(home).run("settings get Tongue") == "8\n")
        #expect(try Terminal(home).run("settings get tongue") == "7\n")

        // A file that can't be read has no title, and a version is meant rather than a title.
        _ = try home.run("settings tag 'Other' HEAD; echo '{' >sound/dark.json")
        #expect(try Terminal(home).run("settings get Language") == "en\n")
        #expect(try Terminal(home).run("settings show Other").contains("version"))
    }

    @Test func uniqueTitleOfAGroupSuffices() throws {
        let home = try office()
        _ = try home.run("settings define -q sound --title 'Sound and noise'")
        #expect(try Terminal(home).run("settings list 'Sound and noise'").contains("Dark sound"))
        #expect(try Terminal(home).run("settings history 'sound and noise' --oneline").contains("Dark sound"))
        let ambiguous = try Terminal(home).run("settings history dark")
        #expect(ambiguous.contains("'dark' is ambiguous: display.dark, sound.dark"), "\(ambiguous)")
    }

    @Test func historyGoesThroughThePager() throws {
        let home = try office()
        let screen = try Terminal(home).run("PAGER='sed s/^/page:/' settings history -n 1")
        #expect(screen.contains("page:") && screen.contains("Dark sound"), "\(screen)")
        #expect(try !Terminal(home).run("PAGER='sed s/^/page:/' settings history --no-pager").contains("page:"))
        let early = try Terminal(home).run("PAGER='head -n 1' settings history")
        #expect(early.split(separator: "\n").count == 1, "\(early)")
    }

    /// As with git, Ctrl-C is the pager's, and the shell comes back once that has ended.
    @Test(.enabled(if: Tmux.isThere)) func interruptsLeaveThePagerTheTerminal() throws {
        let home = try office()
        let tmux = try Tmux(home)
        try tmux.type("export PAGER='trap \"\" INT; cat; echo open; read line < /dev/tty; echo got $line'")
        try tmux.type("unset GIT_PAGER; settings history -n 1")
        try tmux.wait(for: "\nopen")
        try tmux.press("C-c")
        try tmux.type("more")
        try tmux.wait(for: "\ngot")
        try tmux.type("echo status $?")
        try tmux.wait(for: "\nstatus 130")
    }

    @Test func listsGoThroughThePagerOfGitsConfiguration() throws {
        let home = try office()
        _ = try home.run("git config --global core.pager 'sed s/^/git:/'")
        for command in ["list", "list --long", "list --at HEAD", "history", "blame", "show HEAD"] {
            let screen = try Terminal(home).run("unset PAGER; settings \(command)")
            #expect(screen.contains("git:"), "\(command): \(screen)")
            #expect(try !Terminal(home).run("unset PAGER; settings \(command) --no-pager").contains("git:"))
        }
        #expect(
            try Terminal(home).run("unset PAGER; git -c core.pager='sed s/^/own:/' -c alias.x='!settings list' x").contains(
                "own:"))
        #expect(try !home.run("settings list").contains { $0.contains("git:") })
    }

    @Test func gitsConfigurationTurnsColoursOff() throws {
        let home = try office()
        let list = "unset PAGER NO_COLOR; export TERM=xterm; settings history"
        #expect(try Terminal(home).run("\(list) --no-pager").contains("\u{1B}["))
        _ = try home.run("git config --global color.pager false")
        #expect(try !Terminal(home).run("export GIT_PAGER='sed s/^/x/'; \(list)").contains("\u{1B}["))
        #expect(try Terminal(home).run("\(list) --no-pager").contains("\u{1B}["))
        _ = try home.run("git config --global color.ui never")
        #expect(try !Terminal(home).run("\(list) --no-pager").contains("\u{1B}["))
        #expect(try Terminal(home).run("\(list) --no-pager --color always").contains("\u{1B}["))
    }

    @Test func withoutAPagerEverythingIsPrinted() throws {
        let home = try office()
        _ = try home.run("mkdir ~/programs; for each in settings sh; do ln -s \"$(command -v $each)\" ~/programs; done")
        let plain = try Terminal(home).run("unset PAGER LESS; PATH=~/programs settings history -n 1")
        #expect(plain.contains("Dark sound") && !plain.contains("less"), "\(plain)")
        for pager in ["most -x", "/nowhere/less"] {
            let screen = try Terminal(home).run("PAGER='\(pager)' settings history -n 1")
            #expect(screen.contains("Dark sound") && screen.contains("cannot run the pager '\(pager)'"), "\(screen)")
        }
        #expect(try Terminal(home).run("PAGER='exec sed s/^/page:/' settings history -n 1").contains("page:"))
    }

    @Test func editorSetsTheReason() throws {
        let home = try office()
        let editor = """
            #!/bin/sh
            cp "$1" ~/seen
            printf 'Because.\\n\\nOf Paris.\\n# not this\\n' >"$1"

            """
        try Data(editor.utf8).write(to: URL(fileURLWithPath: home.path + "/editor"))
        #expect(try home.run("chmod +x ~/editor") == [])
        #expect(try home.run("GIT_EDITOR=~/editor settings set -q general.language French -e") == [])
        #expect(try home.run("git log -1 --format=%b | grep -v ^Change-Id") == ["Because.", "", "Of Paris.", "", "Via: cli", ""])
        #expect(try home.run("grep -c 'Language (general.language): English → French' ~/seen") == ["1"])
        #expect(try home.run("GIT_EDITOR=true settings set general.language German -e").last == "[exit status: 77]")
        #expect(try home.run("GIT_EDITOR=false settings set general.language German -e").last == "[exit status: 77]")
        #expect(try home.untidy() == nil)
    }

    /// A reason that was typed is not lost where the version cannot be recorded, whatever is in the way.
    @Test func aReasonOfNoVersionIsSaved() throws {
        let home = try office()
        _ = try home.run("settings define -q / --require-ticket required -m x")
        let run = "GIT_EDITOR=\"printf 'Paris.\\n\\nOpens.\\n' >\" settings set general.language French -e 2>&1"
        let saved = "the reason was saved in /home/ada/office/.git/settings/reason"
        #expect(
            try home.run(run) == [
                "settings: a ticket is required; \(saved)", "hint: add --ticket ID", "[exit status: 77]",
            ])
        #expect(try home.run("cat .git/settings/reason") == ["Paris.", "", "Opens."])
        let screen = try Terminal(home).run(run.replacing("Paris", with: "Lyon"), [("Ticket? ", "\u{4}")])
        #expect(screen.contains("canceled; nothing was recorded; \(saved)"), "\(screen)")
        #expect(try home.run("head -n 1 .git/settings/reason") == ["Lyon."])
        let lines = try home.run("rm .git/settings/reason; mkdir .git/settings/reason; \(run)")
        #expect(lines.contains("warning: the reason could not be saved; it was:") && lines.contains("    Opens."), "\(lines)")
        #expect(try home.run("rmdir .git/settings/reason; \(run) --ticket X -q") == [])
        #expect(try home.run("ls .git/settings | grep reason") == ["[exit status: 1]"])
    }

    @Test func outputAtATerminalIsColoured() throws {
        let home = try office()
        #expect(try Terminal(home).run("unset NO_COLOR; settings list --no-pager").contains("\u{1B}["))
        #expect(try !Terminal(home).run("settings list --no-pager").contains("\u{1B}["))
        #expect(try Terminal(home).run("settings list --no-pager --color always").contains("\u{1B}["))
    }
}

/// Runs commands in a pseudoterminal.
struct Terminal {
    let home: Home

    init(_ home: Home) { self.home = home }

    static let isThere = (try? Surroundings.run(["python3", "-c", "import pty"], in: "/", [:]).status) == 0

    /// The content of the screen. Each answer is typed once its question is shown.
    func run(_ command: String, _ answers: [(question: String, answer: String)] = []) throws -> String {
        let words = try JSONEncoder().encode(["export NO_COLOR=1; " + command] + answers.flatMap { [$0.question, $0.answer] })
        let file = home.path + "/terminal.py"
        try Data(Self.script.utf8).write(to: URL(fileURLWithPath: file))
        try words.write(to: URL(fileURLWithPath: home.path + "/terminal.json"))
        let lines = try home.run("python3 '\(file)' '\(home.path)/terminal.json'")
        return lines.map { $0 + "\n" }.joined()
    }

    private static let script = """
        import json, os, pty, select, sys
        command, *answers = json.load(open(sys.argv[1]))
        child, terminal = pty.fork()
        if child == 0:
            os.execvp("sh", ["sh", "-c", command])
        screen = seen = b""
        while True:
            if not select.select([terminal], [], [], 60)[0]:
                os.kill(child, 9)
                break
            try:
                some = os.read(terminal, 65536)
            except OSError:
                break
            if not some:
                break
            screen += some
            seen += some
            if answers and answers[0].encode() in seen:
                seen = b""
                os.write(terminal, answers[1].encode())
                answers = answers[2:]
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        sys.stdout.buffer.write(screen.replace(b"\\r\\n", b"\\n"))
        sys.stdout.flush()
        sys.exit(status)
        """
}
