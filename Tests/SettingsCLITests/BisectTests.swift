import Foundation
import Surroundings
import Testing

/// 'bisect' and its surroundings: what its command sees, and what is left behind.
@Suite struct BisectTests {
    /// A store in which the volume went from 50 to 90 between v1 and now, among `more` other changes.
    private func office(more: Int = 5) throws -> Home {
        let home = try Home()
        func write(_ value: Int) -> String {
            "for i in $(seq 0 \(more - 1)); do echo '{\"title\": \"N\", \"type\": \"number\", \"value\": \(value)}' > n$i.json; done"
        }
        for command in [
            "settings init -q", "settings add -q volume --title Volume --number 50", "mkdir ~/tmp", write(0), "settings done -q",
            "settings tag -q v1", "settings set -q volume 90", write(1), "settings done -q",
        ] { #expect(try home.run(command) == []) }
        return home
    }

    private let found = "1 of 6 changes makes the command fail:"

    @Test func theCommandSeesACopyWithoutARepository() throws {
        let home = try office()
        let check = """
            test "$PWD" = "$SETTINGS_STORE" -a "$PWD" = "{}" -a ! -e .git || exit 126
            env -u SETTINGS_STORE settings get volume >> ~/seen
            settings get volume --store "$SETTINGS_STORE" >> ~/seen
            git rev-parse --git-dir 2> /dev/null && exit 126
            settings list > /dev/null || exit 126
            settings set volume 1 2> /dev/null && exit 126
            test "$(settings get volume)" = 50
            """
        // As in a hook of git, and within another repository.
        let settings = "TMPDIR=~/tmp GIT_DIR=$PWD/.git GIT_WORK_TREE=$PWD settings"
        #expect(try home.run("git init -q ~/tmp && \(settings) bisect --good v1 -- sh -c '\(check)' 2>&1").first == found)
        #expect(try home.run("sort -u ~/seen") == ["50", "90"])
        #expect(try home.run("ls ~/tmp; settings get volume") == ["90"])
        #expect(try home.untidy() == nil)
    }

    @Test func eachStateIsTriedInFreshFiles() throws {
        let home = try office()
        let check =
            "test -e rubbish && exit 126; touch rubbish; mkdir -p a/b; test $(settings get volume) = 50; s=$?; rm -r volume.json; exit $s"
        #expect(try home.run("TMPDIR=~/tmp settings bisect --good v1 -- sh -c '\(check)'").first == found)
        #expect(try home.run("ls ~/tmp") == [])
    }

    @Test func theOutputOfTheCommandGoesToStandardError() throws {
        let home = try office()
        let command = "settings bisect --good v1 --json -- sh -c 'echo out; echo err >&2; test $(settings get volume) = 50'"
        #expect(
            try home.run("\(command) 2> ~/errors | python3 -c 'import json, sys; print(json.load(sys.stdin)[\"changes\"])'") == [
                "6"
            ])
        let errors = try home.run("sort ~/errors | uniq")
        #expect(errors == ["err", "out"])
        #expect(try home.run("\(command) --quiet 2>&1 > /dev/null | head -n 1").count == 1, "the flag belongs to the command")
        #expect(try home.run(command.replacingOccurrences(of: "--json", with: "--quiet") + " 2>&1 > /dev/null") == [])
    }

    @Test func theProgramMayBeNextToThePerson() throws {
        let home = try office()
        #expect(try home.run("printf 'test $(settings get volume) = 50\\n' > ~/check && chmod +x ~/check && mkdir sub") == [])
        for place in ["../check", "./../check", "~/check"] {
            #expect(try home.run("settings bisect --good v1 -- \(place)").first == found, "\(place)")
        }
    }

    @Test(arguments: ["INT", "TERM", "HUP"])
    func anInterruptLeavesNothingBehind(_ signal: String) throws {
        let home = try office()
        let script = """
            import os, signal, subprocess, sys, time
            home = os.environ["HOME"]
            check = "test $(settings get volume) = 50 && exit 0; echo $$ > ~/started; trap '' INT; sleep 600"
            run = subprocess.Popen(["settings", "bisect", "--good", "v1", "--", "sh", "-c", check],
                                   env=dict(os.environ, TMPDIR=home + "/tmp"), stdin=subprocess.DEVNULL)
            while not os.path.exists(home + "/started") or not open(home + "/started").read().strip(): time.sleep(0.01)
            group = int(open(home + "/started").read())
            run.send_signal(signal.SIG\(signal))
            print(run.wait(30) - signal.SIG\(signal))
            print(os.listdir(home + "/tmp"))
            # What is dead but was not waited for by anybody doesn't count.
            rows = subprocess.run(["ps", "-eo", "pgid=,stat="], capture_output=True, text=True).stdout.splitlines()
            print([row for row in rows if row.split()[:1] == [str(group)] and "Z" not in row])
            """
        try Data(script.utf8).write(to: URL(fileURLWithPath: home.path + "/interrupt.py"))
        let lines = try home.run("python3 ~/interrupt.py")
        #expect(lines == ["128", "[]", "[]"])
        #expect(try home.untidy() == nil)
    }

    @Test(.enabled(if: Terminal.isThere, "python3 has a module pty here"))
    func aTerminalShowsProgressAndMayInterrupt() throws {
        let home = try office(more: 1200)
        let screen = try Terminal(home).run("settings bisect --good v1 -- sh -c 'test $(settings get volume) = 50'")
        #expect(
            screen.hasPrefix("trying the good state, about 13 runs left\ntrying the bad state, about 12 runs left\n"), "\(screen)"
        )
        #expect(screen.contains("trying 600 of 1,201 changes, about 11 runs left\n"), "\(screen)")
        #expect(screen.contains("1 of 1,201 changes makes the command fail:"))
        let command = "export TMPDIR=$HOME/tmp; exec settings bisect --good v1 -- sh -c 'echo asks; read answer'"
        let interrupted = try Terminal(home).run(command, [("asks", "\u{3}")])
        #expect(interrupted.hasSuffix("[exit status: 130]\n"), "\(interrupted)")
        #expect(try home.run("ls ~/tmp") == [])
        // The command may ask the person.
        let asked = try Terminal(home).run(
            "settings bisect --good v1 volume -- sh -c 'echo good?; read answer; test $answer = y'",
            [("good?", "y\n"), ("good?", "n\n")])
        #expect(asked.contains("1 of 1 change makes the command fail:"), "\(asked)")
    }

    @Test func whatIsSuggestedTakesTheChangesBack() throws {
        let home = try office()
        for command in [
            "settings set -q volume 95 n1=7 -m 'Two at once.'", "settings rename -q n2 m2", "settings define -q n3 --range 0..9",
            "settings add -q late --title Late --number 1", "settings set -q late 2", "settings remove -q n4",
            "settings tag -q v2",
        ] { #expect(try home.run(command) == []) }
        for (check, expected, version) in [
            ("test $(settings get volume) -lt 95", "settings restore volume --from ", "v1"),
            ("test $(settings get n1) != 7", "settings restore n1 --from ", "v1"),
            ("test -e n2.json", "settings revert ", "v2~4"),
            ("! grep -q maximum n3.json", "settings revert ID --only n3", "v2~3"),
            ("! test -e late.json", "settings remove late", "v2"),
            ("test ! -e late.json || test $(settings get late) = 1", "settings revert ", "v2~1"),
            ("test -e n4.json", "settings restore n4 --from ", "v1"),
        ] {
            let json = "settings bisect --good v1 --json -- sh -c '\(check)'"
            let read = "python3 -c 'import json, sys; print(*json.load(sys.stdin)[\"takeBack\"], sep=\"\\n\")'"
            let suggested = try home.run("\(json) 2> /dev/null | \(read)")
            let id = try home.run("git rev-parse --short=7 \(version)^0").joined()
            let command = expected.hasSuffix(" ") ? expected + id : expected.replacingOccurrences(of: "ID", with: id)
            #expect(suggested == [command], "\(check)")
            let taken = try home.run("(\(suggested.joined(separator: " && "))) > /dev/null && (\(check)); git reset -q --hard v2")
            #expect(taken == [], "\(check)")
        }
    }
}
