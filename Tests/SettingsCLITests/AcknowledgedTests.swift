import Foundation
import Testing

/// Acknowledged changes stay, whatever happens at the same time, and the exit status says whether a command succeeded.
struct Acknowledged: CustomTestStringConvertible, Sendable {
    var name: String
    /// Shell lines that are run in `store`; each line that they print is a failure.
    var lines: String

    var testDescription: String { name }

    private static let functions = #"""
        broken() { echo "$*"; }
        expect() { [ "$2" = "$3" ] || broken "$1: '$2', not '$3'"; }
        # Keeps all writers waiting until `let_go`; `waiting N` returns when N of them wait.
        hold() { inode=$(stat -c %i .git/settings/lock); exec 9<>.git/settings/lock; flock 9; }
        waiting() { until [ "$(grep -c -- "-> FLOCK.*:$inode " /proc/locks)" -ge "$1" ]; do sleep 0.02; done; }
        let_go() { exec 9>&-; }
        # A branch `side` that is ahead of this one.
        side() { settings set display.dark on -q; git branch -f side; git reset -q --hard HEAD~1; }
        # Reads the last command's note as if the system had been restarted.
        restart() {
          printf '%-255s\n' "$(printf 'was %s\nnew %s\nboot 0' "$(git rev-parse HEAD~1)" "$(git rev-parse HEAD)")" >.git/settings/pending
        }
        """#

    static let all: [Acknowledged] = [
        Acknowledged(
            name: "a merge that could have been a fast-forward before it had the lock",
            lines: #"""
                side
                hold
                settings set sound.volume 95 -q 9>&- & first=$!
                waiting 1
                settings merge side -q 9>&- & second=$!
                waiting 2
                let_go
                wait $first || broken "set: exit $?"
                wait $second || broken "merge: exit $?"
                expect 'what was set' "$(settings get sound.volume --at HEAD)" 95
                expect 'what was merged' "$(settings get display.dark --at HEAD)" true
                expect status "$(git status --porcelain)" ''
                """#),
        Acknowledged(
            name: "--if-version of a merge that is a fast-forward",
            lines: #"""
                side
                before=$(git rev-parse HEAD)
                settings merge side --if-version HEAD~1 -q 2>/dev/null
                expect 'exit status' $? 2
                expect HEAD "$(git rev-parse HEAD)" "$before"
                settings merge side --if-version HEAD -q || broken "merge: exit $?"
                expect HEAD "$(git rev-parse HEAD)" "$(git rev-parse side)"
                """#),
        Acknowledged(
            name: "two that make the same store at once",
            lines: #"""
                git init -q ../new && cd ../new && mkdir .git/settings && : >.git/settings/lock
                hold
                settings init -q 9>&- & first=$!
                settings init -q 9>&- & second=$!
                waiting 2
                let_go
                wait $first || broken "init: exit $?"
                wait $second || broken "init: exit $?"
                expect versions "$(git rev-list --count HEAD)" 1
                """#),
        Acknowledged(
            name: "two that take back the same ticket",
            lines: #"""
                settings set sound.volume 60 --ticket T-1 -q
                hold
                settings revert --ticket T-1 -q 9>&- 2>/dev/null & first=$!
                settings revert --ticket T-1 -q 9>&- 2>/dev/null & second=$!
                waiting 2
                let_go
                wait $first; one=$?
                wait $second; other=$?
                expect 'exit statuses' "$(printf '%s\n' $one $other | sort -n | xargs)" '0 66'
                expect value "$(settings get sound.volume)" 50
                """#),
        Acknowledged(
            name: "a tag of the last version names the one that is the last when it is made",
            lines: #"""
                hold
                settings set sound.volume 95 -q 9>&- & first=$!
                waiting 1
                settings tag loud -q 9>&- & second=$!
                waiting 2
                let_go
                wait $first $second
                expect tag "$(git rev-parse 'loud^{commit}')" "$(git rev-parse HEAD)"
                """#),
        Acknowledged(
            name: "a hand edit back to what was there before, after a restart",
            lines: #"""
                settings set sound.volume 60 -q
                restart
                printf '\nsettled %s\n' "$(git rev-parse HEAD)" >>.git/settings/pending
                git show HEAD~1:sound/volume.json >sound/volume.json
                settings list >/dev/null 2>../errors || broken "list: exit $?"
                expect 'what it says' "$(cat ../errors)" ''
                expect 'the edit' "$(settings get sound.volume)" 50
                expect status "$(git status --porcelain)" ' M sound/volume.json'
                """#),
        Acknowledged(
            name: "a file that is put in step after a restart is kept",
            lines: #"""
                settings set sound.volume 60 -q
                restart
                git show HEAD~1:sound/volume.json >sound/volume.json
                settings list >/dev/null 2>../errors || broken "list: exit $?"
                grep -q '^warning: .*sound/volume.json.*discard --undo' ../errors || broken "nothing is said: $(cat ../errors)"
                expect 'in step' "$(settings get sound.volume)" 60
                settings list >/dev/null 2>../errors
                expect 'said once' "$(cat ../errors)" ''
                settings discard --undo -q || broken "discard --undo: exit $?"
                expect 'had back' "$(settings get sound.volume)" 50
                git fsck --strict --no-dangling 2>&1
                """#),
        Acknowledged(
            name: "references are waited for",
            lines: #"""
                expect 'core.fsync' "$(git config core.fsync)" committed,reference
                git config --unset core.fsync
                settings doctor 2>&1 | grep -q "reference.*settings setup" || broken 'doctor says nothing'
                git config --global core.fsync none
                settings setup -q && expect 'core.fsync of who wants none' "$(git config --local core.fsync)" \
                  none,commit-graph,loose-object,pack,pack-metadata,reference
                settings doctor 2>&1 | grep -q "settings setup" && broken 'doctor still says so'
                git config --global core.fsync all
                git config --local --unset core.fsync
                settings setup -q
                expect 'core.fsync of who has all' "$(git config --local core.fsync)" ''
                """#),
        Acknowledged(
            name: "a branch that a loss of power took",
            lines: #"""
                last=$(git rev-parse HEAD)
                git pack-refs --all
                : >.git/packed-refs
                for words in history 'set sound.volume 60' 'show HEAD' status undo init; do
                  settings $words >/dev/null 2>../errors
                  expect "exit status of $words" $? 65
                  grep -q "^hint: .*git update-ref refs/heads/[a-z]* $last" ../errors || broken "no hint: $(cat ../errors)"
                done
                eval "$(sed -n "s/^hint: '\(git update-ref [^']*\)'.*/\1/p" ../errors)"
                settings set sound.volume 60 -q || broken "set: exit $?"
                expect 'the version before' "$(git rev-parse HEAD~1)" "$last"
                """#),
        Acknowledged(
            name: "somebody else's words do not steer an undo",
            lines: #"""
                settings set sound.volume 60 -q
                mine=$(git rev-parse HEAD)
                sed -i 's/"value": false/"value": true/' display/dark.json
                GIT_AUTHOR_NAME=Bob GIT_AUTHOR_EMAIL=bob@example.org git commit -qam "dark

                Undoes: $mine"
                settings undo -q 2>../errors
                expect 'exit status' $? 1
                grep -q 'but Bob has recorded' ../errors || broken "$(cat ../errors)"
                # Nor do those of the same process if nothing was undone.
                sed -i 's/"value": true/"value": false/' display/dark.json
                git commit -qam "light

                Undoes: $mine"
                settings undo -q || broken "undo: exit $?"
                expect 'what is undone' "$(settings get display.dark sound.volume | xargs)" 'true 60'
                """#),
        Acknowledged(
            name: "undo after undo and redo",
            lines: #"""
                settings set sound.volume 60 -q
                settings set sound.volume 70 -q
                settings undo -q && settings redo -q && settings undo -q && settings undo -q || broken "exit $?"
                expect value "$(settings get sound.volume)" 50
                settings redo 2 -q || broken "redo: exit $?"
                expect value "$(settings get sound.volume)" 70
                settings rename sound.volume sound.loudness -q && settings undo -q && settings redo -q && settings undo -q
                expect name "$(settings get sound.volume)" 70
                """#),
        Acknowledged(
            name: "a clock before 1970",
            lines: #"""
                before=$(git rev-parse HEAD)
                for words in 'set sound.volume 60' undo 'tag x' 'define x --title X --switch'; do
                  env -u GIT_AUTHOR_DATE -u GIT_COMMITTER_DATE SETTINGS_NOW=1965-03-01T12:00:00Z settings $words >/dev/null 2>../errors
                  expect "exit status of $words" $? 75
                  grep -q 'before 1970' ../errors || broken "$(cat ../errors)"
                done
                expect HEAD "$(git rev-parse HEAD)" "$before"
                settings list >/dev/null || broken "list: exit $?"
                """#),
        Acknowledged(
            name: "no larger files are allowed",
            lines: #"""
                before=$(git rev-parse HEAD)
                said=$( (ulimit -f 0; settings set sound.volume 60 -q 2>&1; echo "exit $?") | cat)
                case $said in *'settings: '*'File too large'*'exit 74') ;; *) broken "$said" ;; esac
                expect HEAD "$(git rev-parse HEAD)" "$before"
                settings set sound.volume 60 -q || broken "set: exit $?"
                """#),
        Acknowledged(
            name: "two drivers are configured",
            lines: #"""
                git config --add merge.settings.driver 'old merge-driver'
                settings setup -q || broken "setup: exit $?"
                expect drivers "$(git config --get-all merge.settings.driver | grep -c merge-driver)" 1
                """#),
        Acknowledged(
            name: "times that are none",
            lines: #"""
                for time in 24:00 25:00 18:60 2026-13-01 '2026-11-20 24:00'; do
                  settings list --at "$time" >/dev/null 2>../errors
                  expect "exit status of $time" $? 66
                  grep -qF "invalid time '$time'" ../errors || broken "$(cat ../errors)"
                done
                """#),
    ]

    func check() throws {
        let store = try BadInputStore.make()
        let run = try store.run(Self.functions + "\n" + lines, within: 30)
        #expect(run.output.isEmpty && run.status != 124, "\(run.output)\(run.errors.suffix(1000))[exit status: \(run.status)]")
    }
}

@Suite struct AcknowledgedTests {
    @Test(arguments: Acknowledged.all) func acknowledged(_ row: Acknowledged) throws { try row.check() }
}
