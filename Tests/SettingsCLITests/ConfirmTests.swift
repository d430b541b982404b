import Foundation
import Surroundings
import Testing

/// 'confirm' and '--confirm' through the program: exit statuses, what programs read, signatures, the process in the background.
@Suite struct ConfirmTests {
    static func office() throws -> Home {
        let home = try Home()
        for command in [
            "settings init -q", "settings add -q a --title A --number 1", "settings add -q b --title B --switch",
        ] { #expect(try home.run(command) == []) }
        return home
    }

    @Test(arguments: [
        ("10", "invalid duration '10': expected a number and a unit, such as 10m, 90s, 1h30m or '2 hours'"),
        ("soon", "invalid duration 'soon': expected a number and a unit, such as 10m, 90s, 1h30m or '2 hours'"),
        ("0m", "the duration '0m' is too short: expected at least 1 second"),
        ("5 weeks", "the duration '5 weeks' is too long: expected at most 30 days"),
    ])
    func badDurations(_ word: String, _ reason: String) throws {
        let home = try Self.office()
        for command in ["set a 2 --confirm '\(word)'", "confirm --extend '\(word)'", "undo --confirm='\(word)'"] {
            let lines = try home.run("settings \(command)")
            #expect(lines.first == "settings: \(reason)" && lines.last == "[exit status: 64]", "\(command): \(lines)")
        }
        #expect(try home.run("settings get a") == ["1"])
    }

    @Test func everyCommandThatRecordsTakesIt() throws {
        let home = try Self.office()
        for command in [
            "set a 2", "add c --title C --choice x y", "define c --title D", "label add c z", "rename c d", "unset a", "reset b",
            "revert HEAD", "restore a --from HEAD~1", "undo", "redo", "remove d", "import ~/n.json", "done",
        ] {
            if command == "import ~/n.json" { _ = try home.run("printf '{\"n\": 1}' > ~/n.json") }
            if command == "done" { _ = try home.run("sed -i 's/\"B\"/\"BB\"/' b.json") }
            if command == "reset b" { _ = try home.run("settings define b --default off -q; settings set b on -q") }
            let lines = try home.run("settings \(command) -q --confirm '2 hours'")
            #expect(lines == [], "\(command)")
            #expect(try home.run("git log -1 --format=%B | grep -c ^Confirm-by:") == ["1"], "\(command)")
        }
        #expect(try home.run("settings confirm -q; settings confirm --list") == ["nothing is waiting for confirmation"])
        for command in ["init ~/x --confirm 1m", "setup --confirm 1m", "tag t --confirm 1m", "confirm --confirm 1m"] {
            #expect(try home.run("settings \(command)").last == "[exit status: 64]", "\(command)")
        }
    }

    @Test func mergesWaitAsVersionsOfTheirOwn() throws {
        let home = try Self.office()
        let script = """
            git switch -q -c other; settings set a 5 -q; git switch -q main
            settings merge other -q --confirm 10m; git rev-list --parents -1 HEAD | wc -w
            """
        #expect(try home.run(script) == ["3"])
        #expect(try home.run("settings confirm --cancel -q; settings get a; git status --porcelain") == ["1"])
    }

    @Test func jsonTellsTheState() throws {
        let home = try Self.office()
        func python(_ expression: String) -> String {
            "python3 -c 'import json, sys; d = json.load(sys.stdin); print(\(expression))'"
        }
        let state = python("d[\"version\"][\"confirmBy\"], d[\"version\"][\"confirmation\"]")
        let recorded = try home.run("settings set a 2 --confirm 10m --json 2> ~/errors | tee ~/out | \(state)")
        #expect(recorded.count == 1 && recorded[0].contains("'state': 'waiting'"), "\(recorded)")
        #expect(try home.run("settings show HEAD --json | \(state)") == recorded)
        let list = python("[c[\"confirmation\"][\"state\"] for c in d[\"confirmations\"]]")
        let listed = try home.run("settings confirm --list --json | \(list); settings status --json | \(list)")
        #expect(listed == ["['waiting']", "['waiting']"])
        #expect(try home.run("SETTINGS_NOW=2027-01-01T00:00:00Z settings status --json 2> ~/errors | \(list)") == ["['expired']"])
        let elsewhere = "git clone -q . ~/clone; cd ~/clone; SETTINGS_NOW=2027-01-01T00:00:00Z settings status --json | \(list)"
        #expect(try home.run(elsewhere) == ["['unanswered']"])
        let history = try home.run("settings confirm -q; settings history --jsonl | grep -c '\"state\": *\"confirmed\"'")
        #expect(history == ["1"])
        #expect(try home.run("settings show a --json | grep -c confirmed") == ["1"])
    }

    @Test func completionOffersWhatWaits() throws {
        let home = try Self.office()
        let id = try home.run("settings set a 2 -q --confirm 10m; settings set b on -q; git rev-parse --short=7 HEAD~1")
        #expect(try home.run("settings ---complete bash -- confirm '' | cut -f 1") == id)
    }

    @Test func dryRunsWriteNothing() throws {
        let home = try Self.office()
        let before = try home.run("settings set b on --confirm 10h -q; git rev-parse HEAD")
        for command in ["set a 2 --confirm 10m", "confirm", "confirm --cancel", "confirm --extend 20h"] {
            let lines = try home.run("settings \(command) --dry-run")
            #expect(lines.first == "would record:", "\(lines)")
        }
        let later = try home.run("SETTINGS_NOW=2027-01-01T00:00:00Z settings set a 2 --dry-run")
        #expect(later == ["would record:", "    A (a): 1 → 2"], "\(later)")
        #expect(try home.run("git rev-parse HEAD") == before)
    }

    @Test func plainGitSeesOrdinaryCommits() throws {
        let home = try Self.office()
        let script = """
            settings set a 2 -q --confirm 10m -m 'Try it.'; SETTINGS_NOW=2027-01-01T00:00:00Z settings confirm --expire -q
            for key in Unconfirmed Confirm-by; do git log -2 --format="%(trailers:key=$key,valueonly,separator=)|"; done |
              sed -E 's/I[0-9a-f]{40}/ID/'
            """
        let lines = try home.run(script)
        #expect(
            lines.count == 4 && lines[0].hasPrefix("ID 20") && lines[1...2] == ["|", "|"] && lines[3].hasPrefix("20"), "\(lines)")
        #expect(try home.unsound() == "")
        #expect(try home.untidy() == nil)
    }

    @Test func unitsNameProgramAndStore() throws {
        let home = try Home()
        let lines = try home.run("mkdir 'my 100% store'; cd my*; settings init -q; settings doctor --systemd")
        #expect(lines.contains("# ~/.config/systemd/user/settings-confirm-my-100--store.service"))
        let command = "confirm --expire --quiet --store \"/home/ada/office/my 100%% store\""
        #expect(lines.contains { $0.hasPrefix("ExecStart=") && $0.hasSuffix(command) })
        #expect(lines.contains("OnCalendar=minutely") && lines.contains("Type=oneshot"))
    }

    // MARK: undo, redo and revert

    private let later = "SETTINGS_NOW=2027-01-01T00:00:00Z"

    @Test func undoLeavesAloneWhatWasTakenBack() throws {
        let home = try Self.office()
        #expect(
            try home.run("settings set b on -q; settings set a 99 -q --confirm 10m; \(later) settings confirm --expire -q") == [])
        let lines = try home.run("settings undo")
        #expect(lines[0].hasPrefix("settings: nothing to undo: your latest version, ") && lines[0].contains(" was not confirmed"))
        #expect(lines[1].hasPrefix("hint: 'settings undo 2' ") && lines[2] == "[exit status: 1]", "\(lines)")
        #expect(try home.run("settings get a b") == ["1", "true"])
        // What came before can be undone, and from then on as ever.
        #expect(try home.run("settings undo 2 -q; settings get a b") == ["1", "false"])
        #expect(try home.run("settings redo -q; settings get a b") == ["1", "true"])
        #expect(try home.run("settings set a 3 -q; settings undo -q; settings get a b") == ["1", "true"])
    }

    @Test func undoAfterACommandThatTakesBack() throws {
        let home = try Self.office()
        #expect(try home.run("settings set a 5 -q --confirm 10m") == [])
        let lines = try home.run("\(later) settings undo")
        #expect(lines[0].hasPrefix("warning: ") && lines[1].hasPrefix("settings: nothing to undo: "), "\(lines)")
        #expect(try home.run("settings get a; git log -1 --format=%s") == ["1", "not confirmed: a: 5 → 1"])
        // Somebody else's is no obstacle.
        let bob = "GIT_AUTHOR_NAME=Bob GIT_AUTHOR_EMAIL=bob@example.org"
        let script = "\(bob) settings set a 6 -q --confirm 10m; settings set b on -q; \(later) settings undo -q 2> /dev/null"
        #expect(try home.run("\(script); settings get a b") == ["1", "false"])
    }

    /// Every command that reads says in one line what is still in force, and changes nothing.
    @Test func readersWarnOfWhatHasExpired() throws {
        let home = try Self.office()
        let id = try home.run("settings set a 2 -q --confirm 10h; git rev-parse --short=7 HEAD")[0]
        #expect(try home.run("settings get a b") == ["2", "false"], "its time is not over")
        let warning = "warning: \(id) (a) expired at 2026-11-2"
        let hint = ", not yet reverted: 'settings confirm --expire' reverts it"
        let before = try home.run("git rev-parse HEAD; find . -newer ~/nothing -o -path ./.git/settings | sort")
        for command in [
            "get a", "get b", "is a 2", "is b", "list", "list --json", "show a", "show HEAD", "status", "history",
            "history --jsonl",
            "blame", "diff", "diff --from HEAD~1", "verify", "verify --deep", "verify HEAD~1..HEAD", "verify --signatures",
            "verify --merge HEAD~1 HEAD", "doctor", "tag", "conflicts", "export json",
        ] {
            let lines = try home.run("\(later) settings \(command) 2>&1 > /dev/null")
            let isSaid = lines.first.map { $0.hasPrefix(warning) && $0.hasSuffix(hint) }
            #expect(isSaid == true && lines.count { $0.hasPrefix("warning:") } == 1, "\(command): \(lines)")
            let quiet = try home.run("\(later) settings \(command) -q 2>&1 > /dev/null; true")
            #expect(!quiet.contains { $0.hasPrefix("warning:") }, "\(command): \(quiet)")
        }
        #expect(try home.run("\(later) settings get a --at HEAD") == ["2"], "a version is what it is")
        #expect(try home.run("git rev-parse HEAD; find . -newer ~/nothing -o -path ./.git/settings | sort") == before)
        let several = try home.run("settings set b on -q --confirm 20h; \(later) settings get a 2>&1 > /dev/null")
        #expect(
            several.count == 1 && several[0].hasSuffix("not yet reverted, and 1 more: 'settings confirm --expire' reverts them"),
            "\(several)")
        #expect(try home.run("\(later) settings confirm --expire -q; \(later) settings get a b") == ["1", "false"])
    }

    /// What a restart leaves is said when it is recorded.
    @Test func itIsSaidWhatSurvivesARestart() throws {
        let home = try Self.office()
        let timer = "settings-confirm-office.timer"
        let none = try home.run("settings set a 2 --confirm 10m")
        #expect(none.last?.contains("'settings doctor --systemd' prints a timer") == true, "\(none)")
        let enable = """
            units=~/.config/systemd/user; mkdir -p $units/timers.target.wants; ln -s ../\(timer) $units/timers.target.wants
            settings doctor --systemd | sed -n '/^.Unit/,/^# .*timer$/p' > $units/settings-confirm-office.service
            settings set a 3 --confirm 10m; settings doctor | grep '^restart'
            mv ~/office ~/elsewhere; mkdir ~/new; mv ~/elsewhere ~/new/office; cd ~/new/office; settings doctor | grep '^restart'
            """
        let enabled = try home.run(enable)
        #expect(enabled.count == 5 && enabled[2].hasPrefix("after a restart, \(timer) reverts it"), "\(enabled)")
        #expect(enabled[3].contains(timer) && enabled[4].contains("'settings doctor --systemd'"), "another store: \(enabled)")
    }

    /// The machine was restarted: nothing that waited is left.
    @Test func afterARestartTheTimerTakesBack() throws {
        let home = try Self.office()
        let script = """
            unset SETTINGS_NOW GIT_AUTHOR_DATE GIT_COMMITTER_DATE
            settings set a 2 -q --confirm 3s; kill -9 $(pgrep -f "[c]onfirm --await .*--store $PWD\\$"); sleep 4
            settings get a 2> ~/errors; grep -c 'not yet reverted' ~/errors
            $(settings doctor --systemd | sed -n 's/^ExecStart=//p'); settings get a
            """
        #expect(try home.run(script) == ["2", "1", "1"])
    }

    /// The first command is what takes the version back, the second one brings it back: whoever asks for that means it.
    @Test(arguments: [
        ("undo", "redo"), ("undo", "revert HEAD"), ("revert HEAD", "undo"), ("revert HEAD", "revert HEAD"),
        ("confirm --cancel", "revert HEAD"),
    ])
    func whatComesBackStays(_ away: String, _ back: String) throws {
        let home = try Self.office()
        let state = "ls .git/settings/confirm; settings confirm --list 2>&1; settings get a"
        let first = try home.run("settings set a 60 -q --confirm 1h; settings \(away) -q; \(state)")
        #expect(first == ["nothing is waiting for confirmation", "1"])
        // It had time left: that nothing reverts it now is said in one line.
        let lines = try home.run("settings \(back)")
        #expect(lines.count == 2 && lines[1].hasPrefix("warning: "), "\(lines)")
        #expect(lines.last?.contains("is in force again and does not revert itself") == true, "\(lines)")
        #expect(try home.run("\(later) settings confirm --expire -q; \(state)") == ["nothing is waiting for confirmation", "60"])
        let span = "settings undo -q; settings redo --confirm 5m -q; settings confirm --list | grep -c 'to be confirmed'"
        #expect(try home.run(span) == ["1"])
        #expect(try home.run("\(later) settings confirm --expire -q; settings get a") == ["1"])
    }

    @Test(arguments: [
        "settings confirm -q; settings undo -q; settings redo", "settings undo -q; settings redo --confirm 5m",
        "settings undo -q; SETTINGS_NOW=2027-01-01T00:00:00Z settings redo",
    ])
    func whatComesBackConfirmedOrLaterIsNoReasonToWarn(_ script: String) throws {
        let home = try Self.office()
        let warnings = "2>&1 > ~/out | grep -c warning; settings get a 2> ~/out"
        #expect(try home.run("settings set a 60 -q --confirm 1h; \(script) \(warnings)") == ["0", "60"])
    }

    @Test func extendingNamesWhatHasLonger() throws {
        let home = try Self.office()
        #expect(try home.run("settings set a 2 -q --confirm 2h; settings set b on -q --confirm 30m") == [])
        let lines = try home.run("settings confirm --extend 1h 2>&1")
        #expect(
            lines.count == 3 && lines[0].hasSuffix("extended: b: Off → On") && lines[2].contains("was not extended: "), "\(lines)"
        )
        let both = try home.run("settings confirm HEAD~1 HEAD~1 2>&1; git log -1 --format='%(trailers:key=Confirms)' | grep -c .")
        #expect(both.count == 2 && both[0].hasSuffix("confirmed: b: Off → On") && both[1] == "1", "\(both)")
    }

    @Test func whatWaitsIsNamedWhenItIsSet() throws {
        let home = try Self.office()
        let lines = try home.run("settings set a 2 -q --confirm 2h; settings set b on 2>&1; settings set a 3 2>&1")
        #expect(lines.count == 3 && lines[2].hasPrefix("warning: ") && lines[2].contains(" also set a: "), "\(lines)")
        let listed = try home.run("\(later) settings history --oneline -q | grep -c 'this history contains no confirmation'")
        #expect(listed == ["1"])
        // Nothing of it is in force.
        #expect(
            try home.run("settings confirm --cancel -q; settings history | grep -c 'expired in'; settings get a") == ["1", "3"])
    }

    @Test func deadlinesAreShownAsFarAsTheyMatter() throws {
        let home = try Self.office()
        let day = "SETTINGS_NOW=2026-12-31T18:00:00Z TZ=UTC0"
        for (span, words) in [
            ("30s", "today 18:00:30"), ("2m", "today 18:02"), ("12h", "tomorrow 06:00"), ("3 days", "3 Jan 2027 18:00"),
        ] {
            // 'human' is how a terminal shows it.
            let command = "export \(day); settings set a+=1 --confirm '\(span)' --date human 2>&1"
            let line = try home.run(command).dropLast().last ?? ""
            #expect(line.hasPrefix("to be confirmed by \(words): "), "\(line)")
        }
        // In the time zone of whoever reads it.
        let warnings = try home.run("SETTINGS_NOW=2027-02-01T00:00:00Z TZ=EST5 settings set b on 2>&1")
        #expect(warnings.contains { $0.contains(" was not confirmed by 2026-12-31 13:00:30") }, "\(warnings)")
        #expect(warnings.contains { $0.contains(" was not confirmed by 2027-01-03 13:00") })
    }

    // MARK: signatures

    @Test(.enabled(if: SigningKey.has("ssh-keygen"), "ssh-keygen is not installed"))
    func whatNobodyCanSignIsTakenBackUnsigned() throws {
        let home = try Self.office()
        try SigningKey.write(for: home)
        let setup = """
            git config --global gpg.format ssh; git config --global user.signingKey '~/.ssh/id_ed25519.pub'
            git config --global gpg.ssh.allowedSignersFile '~/allowed'; git config --global commit.gpgSign true
            printf 'ada@example.org %s' "$(cat ~/.ssh/id_ed25519.pub)" > ~/allowed
            settings set a 2 -q --confirm 10m
            """
        #expect(try home.run(setup) == [])
        let expire =
            "SETTINGS_NOW=2027-01-01T00:00:00Z settings confirm --expire -q < /dev/null 2>&1; git log -1 --format=%G?; "
            + "settings get a"
        #expect(try home.run(expire) == ["G", "1"])
        // The key has a passphrase, and a program that would ask for it waits for ever.
        let locked = """
            settings set a 3 -q --confirm 10m; ssh-keygen -q -p -f ~/.ssh/id_ed25519 -N secret > /dev/null
            printf '#!/bin/sh\\nexec sleep 1000\\n' > ~/ask; chmod +x ~/ask
            export SSH_ASKPASS=$HOME/ask SSH_ASKPASS_REQUIRE=force DISPLAY=:0
            """
        #expect(try home.run("\(locked)\ntimeout 60 setsid -w sh -c \"\(expire)\"") == ["N", "1"])
    }

    // MARK: the process in the background

    /// The processes that wait for a store, by their ids.
    private func waiters(_ home: Home) throws -> [String] {
        try home.run("pgrep -f \"[c]onfirm --await .*--store $PWD\\$\" || true")
    }

    @Test func itWaitsForNobodyAndNobodyWaitsForIt() throws {
        let home = try Self.office()
        // Neither a pipe, nor a lock on another descriptor, nor the folder is held.
        let script = """
            exec 9> ~/lock; flock 9
            out=$(env -u SETTINGS_NOW settings set a 2 --confirm 1h 2>&1); echo "$out" | grep -c 'to be confirmed by'
            """
        #expect(try home.run(script) == ["1"])
        let found = try waiters(home)
        let id = try #require(found.first)
        #expect(found.count == 1)
        defer { _ = try? home.run("kill \(id)") }
        // It may not have come that far yet.
        let settled = "for i in $(seq 1200); do [ \"$(readlink /proc/\(id)/cwd)\" = / ] && break; sleep 0.1; done"
        #expect(
            try home.run("\(settled); readlink /proc/\(id)/cwd; readlink /proc/\(id)/fd/[0-2] | sort -u") == ["/", "/dev/null"])
        #expect(try home.run("flock -n ~/lock true && echo free") == ["free"])
        #expect(try home.run("[ $(ps -o sid= -p \(id)) = \(id) ] && echo own; ps -o tty= -p \(id)") == ["own", "?"])
        // It sleeps.
        let time = "cut -d' ' -f14,15 /proc/\(id)/stat"
        #expect(try home.run("\(time) > ~/one; sleep 2; \(time) | cmp - ~/one && echo idle") == ["idle"])
    }

    /// Where the clock goes on, only how long this takes depends on it.
    @Test func itTakesBackWhatHasExpired() throws {
        let home = try Self.office()
        let script = """
            unset SETTINGS_NOW GIT_AUTHOR_DATE GIT_COMMITTER_DATE
            settings set b on -q --confirm 1h; settings set a 2 -q --confirm 1s
            for i in $(seq 1200); do [ $(settings get a 2> /dev/null) = 1 ] && break; sleep 0.1; done
            settings get a b; git log --format=%s | grep '^not confirmed'; git status --porcelain
            settings confirm --list --json | grep -c waiting
            """
        #expect(try home.run(script) == ["1", "true", "not confirmed: a: 2 → 1", "1"])
        for id in try waiters(home) { _ = try home.run("kill \(id)") }
    }

    /// Once nothing waits for their moment any more, the processes end.
    @Test(arguments: ["undo", "revert HEAD", "confirm", "confirm --cancel", "confirm --extend 3h"])
    func itEndsWithWhatItWaitsFor(_ command: String) throws {
        let home = try Self.office()
        #expect(try home.run("unset SETTINGS_NOW; settings set a 2 -q --confirm 2h") == [])
        let old = try #require(try waiters(home).first)
        // Another version is no reason to end.
        #expect(try home.run("settings set b on -q; sleep 2; kill -0 \(old) && echo waits; settings undo -q") == ["waits"])
        let gone = "for i in $(seq 1200); do kill -0 \(old) 2> /dev/null || { echo gone; break; }; sleep 0.1; done"
        let wait = try home.run(
            "unset SETTINGS_NOW; settings \(command == "revert HEAD" ? "revert HEAD~2" : command) -q; \(gone)")
        #expect(wait == ["gone"])
        let rest = try waiters(home)
        #expect(rest.count == (command.contains("extend") ? 1 : 0))
        for id in rest { _ = try home.run("kill \(id)") }
    }

    @Test func aStoreThatIsGoneNeedsNothing() throws {
        let home = try Self.office()
        let script = """
            unset SETTINGS_NOW; settings set a 2 -q --confirm 6s; mv ~/office ~/elsewhere; cd ~/elsewhere
            waits() { pgrep -f "[c]onfirm --await .*--store $HOME/office\\$" > /dev/null; }
            for i in $(seq 1200); do waits || break; sleep 0.1; done
            ls ~; settings get a
            """
        #expect(try home.run(script) == ["elsewhere", "2"])
    }
}
