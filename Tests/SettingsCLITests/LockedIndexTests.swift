import Foundation
import Surroundings
import Testing

/// While another process has git's index locked: what a version would have to write there is not written, so nothing is recorded.
struct LockedIndexTests {
    /// Every command that records, each with what it needs first.
    private static let recording: [(command: String, before: String)] = [
        ("settings set sound.volume 60 -m x", ""),
        ("settings set sound.volume 60 -m x --durability strict", ""),
        ("settings set sound.volume 60 --confirm 10m -m x", ""),
        ("settings unset sound.volume", ""),
        ("settings reset sound.muted", "settings set -q sound.muted on"),
        ("settings add sound.balance --title Balance --number 1", ""),
        ("settings define sound.volume --title Loudness", ""),
        ("settings define sound --title Sounds", ""),
        ("settings label add general.language Spanish", ""),
        ("settings label remove general.language French", ""),
        ("settings label rename general.language French Français", ""),
        ("settings label move general.language French 0", ""),
        ("settings rename sound.muted sound.quiet", ""),
        ("settings remove sound.muted", ""),
        ("settings undo", ""),
        ("settings redo", "settings undo -q"),
        ("settings revert HEAD", ""),
        ("settings restore sound.volume --from HEAD~1", ""),
        ("settings done -m x", "sed -i 's/: 50/: 70/' sound/volume.json"),
        ("settings done", "printf '\\n' >> sound/volume.json; sed -i 's/Volume/Loud/' sound/volume.json"),
        ("settings discard", "sed -i 's/: 50/: 70/' sound/volume.json"),
        ("settings discard", "sed -i 's/: 50/: 70/' sound/volume.json; git add sound; git checkout -q HEAD~0 2>/dev/null"),
        ("settings import ../../import.json --into new", ""),
        ("settings merge other", ""),
        ("settings merge ahead", ""),
        ("settings sync", ""),
        ("settings sync", "git reset -q --hard HEAD~1"),
        ("settings pull", "git reset -q --hard HEAD~1; sed -i 's/French/Français/' general/language.json"),
        ("settings resolve sound.volume --theirs", "settings merge -q --keep clash"),
        ("settings resolve sound.volume --theirs", "git merge -q clash >/dev/null"),
        ("settings confirm", "settings set -q sound.volume 60 --confirm 10m"),
        ("settings confirm --cancel", "settings set -q sound.volume 60 --confirm 10m"),
        ("settings init ../more", ""),
        ("settings setup", "git rm -q .gitattributes; git commit -qm x"),
    ]

    private func office() throws -> Home {
        let home = try Home()
        let lines = try home.run(
            """
            mkdir s; cd s; git init -q .; settings init -q config; git config settings.store config; cd config
            settings add -q sound.volume --title Volume --number 40; settings add -q sound.muted --title Muted --switch
            settings define -q sound.muted --default off
            settings add -q general.language --title Language --choice English French
            git clone -q --bare .. ../../hub.git; git remote add origin "$PWD/../../hub.git"; git push -q -u origin main
            git branch other; git branch clash
            settings set -q sound.volume 50; git branch ahead; git push -q
            git checkout -q other; settings set -q sound.muted on
            git checkout -q clash; settings set -q sound.volume 55
            git checkout -q ahead; settings set -q sound.volume 65; git checkout -q main
            git clone -q ../../hub.git ../../o; cd ../../o; settings --store config set -q sound.muted on; git push -q
            echo '{"x": 1}' > ../import.json
            """)
        #expect(lines == [])
        return home
    }

    @Test func nothingIsRecorded() throws {
        let home = try office()
        var script = """
            state() { git rev-parse HEAD; git status --porcelain; head -c 3 .git/settings/pending; cat config/*/*.json | sha1sum
              git diff --cached | sha1sum; git for-each-ref refs/settings refs/heads; }
            try() { cp -r s try$1; cd try$1/config; eval "$3"; cd ..; state > ../before$1; : > .git/index.lock; cd config
              eval "$2" > ../../out$1 2>&1 < /dev/null; echo "$1 $?" > ../../status$1; cd ..; rm .git/index.lock
              state > ../after$1; }

            """
        for (number, (command, before)) in Self.recording.enumerated() {
            script += "try \(number) '\(command)' \(before.shellQuoted) > log\(number) 2>&1 &\n"
        }
        let lines = try home.run(script + "wait")
        #expect(lines == [])
        for (number, (command, before)) in Self.recording.enumerated() {
            let status = try home.run("cat status\(number)")
            let words = try home.run("cat log\(number) out\(number)")
            #expect(status == ["\(number) 75"], "\(command) after \(before): \(words)")
            #expect(words.contains { $0.contains("git's index is still locked after 10 seconds") }, "\(command): \(words)")
            #expect(try home.run("diff before\(number) after\(number)") == [], "\(command) after \(before)")
        }
    }

    /// What has expired cannot be reverted first, and that is not waited for twice.
    @Test func nothingIsRecordedBeforeWhatHasExpired() throws {
        let home = try office()
        let lines = try home.run(
            """
            (cd s; settings set -q sound.volume 60 --confirm 10m; git rev-parse HEAD > ../before; : > .git/index.lock
            SETTINGS_TRACE="$PWD/../trace" SETTINGS_NOW=2027-01-01T00:00:00Z settings set sound.muted on 2> ../out; echo $?
            grep -c "waiting for git's lock" ../trace; grep -c "git's index is still locked after 10 seconds" ../out
            rm .git/index.lock; git rev-parse HEAD | cmp - ../before; settings get sound.muted
            SETTINGS_NOW=2027-01-01T00:00:00Z settings set -q sound.muted on 2> ../out; settings get sound.volume sound.muted)
            """)
        #expect(lines == ["75", "1", "1", "false", "50", "true"])
    }

    @Test func readersDoNotWait() throws {
        let home = try office()
        let commands = [
            "get sound.volume", "is sound.volume 50", "list", "show sound.volume", "status", "history", "diff", "blame", "verify",
            "conflicts", "set sound.volume 50", "set sound.volume 70 --dry-run", "tag", "doctor",
        ]
        var script = "(cd s/config; : > ../.git/index.lock; export SETTINGS_TRACE=$PWD/../../trace\n"
        for command in commands {
            script += "settings \(command) > ../../out 2>&1 || { echo \"\(command) $?\"; cat ../../out; }\n"
        }
        let lines = try home.run(script + "grep -c 'exit status' ../../trace; grep 'waiting for' ../../trace)")
        #expect(lines == ["\(commands.count)", "[exit status: 1]"])
    }

    @Test func aCommitThatEndsMeanwhileIsWaitedFor() throws {
        let home = try office()
        let lines = try home.run(
            """
            (cd s; echo a > note; git add note; git commit -qm note; echo b > note
            printf '#!/bin/sh\\n: > waiting; sleep 2; echo edited > "$1"\\n' > ../editor; chmod +x ../editor
            GIT_EDITOR="$PWD/../editor" git commit -qa & while ! test -e waiting; do sleep 0.1; done
            settings set sound.volume 60 -q; echo $?; wait
            echo c > note; git add note; git commit -qm 'another note'
            settings get sound.volume --at HEAD; git log --format=%s -n 3; git status --porcelain)
            """)
        #expect(lines == ["0", "60", "another note", "sound.volume: 50 → 60", "edited", "?? waiting"])
    }

    /// git waits for the hook, and the hook would wait for git.
    @Test(arguments: ["-a", "note"]) func inAHookOfThisVeryCommitNothingIsWaitedFor(_ commit: String) throws {
        let home = try office()
        let lines = try home.run(
            """
            (cd s; echo a > note; git add note; git commit -qm note; echo b > note
            printf '#!/bin/sh\\ntimeout 100 settings set sound.volume 60 -m x; echo $?\\n' > .git/hooks/pre-commit
            sed 's/60/61/' .git/hooks/pre-commit > .git/hooks/post-commit; chmod +x .git/hooks/*-commit
            git commit -qm noted \(commit) 2>&1; git log --format=%s -n 2; git status --porcelain)
            """)
        #expect(
            lines == [
                "settings: git is committing here, and its index stays locked until this hook has ended",
                "hint: nothing was changed; run this command when git is done, for example in a post-commit hook", "75",
                "\(try home.run("git -C s rev-parse --short=7 HEAD").joined())  Volume (sound.volume): 50 → 61", "0",
                "sound.volume: 50 → 61", "noted",
            ])
    }

    @Test func pagesKeepWhatIsPending() throws {
        let home = try EditTests.office()
        let script = """
            Display
            Larger Text
            done
            Done
            :expect index is still locked
            :expect 1 change
            """
        try Data(script.utf8).write(to: URL(fileURLWithPath: home.path + "/script"))
        #expect(try home.run(": > .git/index.lock; settings edit --script ~/script; rm .git/index.lock") == [])
        try Data("Continue with the Changes\ndone\nDone\n:expect Recorded".utf8).write(
            to: URL(fileURLWithPath: home.path + "/script"))
        #expect(try home.run("settings edit --script ~/script; settings get display.larger --at HEAD") == ["true"])
    }
}

extension String {
    fileprivate var shellQuoted: String { "'\(replacingOccurrences(of: "'", with: "'\\''"))'" }
}
