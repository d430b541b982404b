import Foundation
import Surroundings
import Testing

/// Files that stayed as they were when the branch was moved without them: in another work tree, by a push, by plain git.
struct BehindTests {
    /// A store with two work trees of one branch: the second one, `t`, does not have the last version.
    private func office() throws -> Home {
        let home = try Home()
        let lines = try home.run(
            """
            git init -q . && settings init -q conf && cd conf && settings add -q a.v --title V --number 40 &&
            settings add -q a.w --title W --number 1 && settings add -q a.gone --title Gone --switch &&
            git worktree add -q -f ../../t main && settings set -q a.v 50 -m loud && settings remove -q a.gone &&
            settings add -q b.new --title New --text x && git -C ../../t status --porcelain | wc -l
            """)
        #expect(lines == ["3"])
        return home
    }

    private let behind = [
        "behind the last version, and not edited:", "    a/gone.json", "    a/v.json", "    b/new.json",
    ]

    @Test func statusSaysSoAndNothingOfItIsADraft() throws {
        let home = try office()
        _ = try home.run("cd ../t/conf")
        let lines = try home.run("settings status")
        #expect(lines.starts(with: behind))
        #expect(lines.contains { $0.hasPrefix("no unrecorded edits") })
        #expect(try home.run("settings diff") == ["nothing differs"])
        #expect(
            try home.run("settings status --json | grep -A3 behind | tr -d ' \\n'") == [
                #""behind":["a/gone.json","a/v.json","b/new.json"[no newline at the end]"#
            ].map { $0.replacingOccurrences(of: "[no newline at the end]", with: "") } + ["[no newline at the end]"])
        #expect(try home.run("settings status -q --exit-code; echo $?") == ["1"])
        #expect(try home.run("settings set a.v 51 --dry-run 2>/dev/null") == ["would record:", "    V (a.v): 50 → 51"])
    }

    @Test(arguments: [
        "settings done -q -m old", "settings set -q a.w 2", "settings set -q a.v 60", "settings discard -q",
        "settings set -q a.v 50",
        "settings undo -q", "settings label add a.w x 2>/dev/null",
    ])
    func theNextCommandThatWritesBringsThemUpToDate(_ command: String) throws {
        let home = try office()
        _ = try home.run("cd ../t/conf")
        let lines = try home.run("\(command) 2>&1 | grep -c 'now have the content of the last version'")
        #expect(lines == ["1"])
        let last = command.contains("a.v 60") ? "60" : "50"
        #expect(try home.run("settings get a.v; settings get a.v --at HEAD") == [last, last])
        #expect(try home.run("git status --porcelain; settings status -q --exit-code; echo $?") == ["0"])
        #expect(try home.run("git log --format=%s -- a/v.json | grep -c 'a.v: 50 → 40'")[0] == "0")
        #expect(try home.run("settings set -q a.w 7 2>&1") == [])
        #expect(try home.unsound() == "")
    }

    @Test func anEditOfAFileThatIsBehindIsLaidOnTheLastVersion() throws {
        let home = try office()
        _ = try home.run("cd ../t/conf")
        _ = try home.run("sed -i 's/\"V\"/\"Loudness\"/' a/v.json")
        let before = try home.run("settings status 2>&1")
        #expect(before.contains(#"    Loudness (a.v): title "V" → "Loudness""#), "\(before)")
        #expect(!before.contains { $0.contains("50 → 40") })
        let done = try home.run("settings done -m 'a better name' 2>/dev/null")
        #expect(done.count == 1 && done[0].hasSuffix(#"Loudness (a.v): title "V" → "Loudness""#), "\(done)")
        #expect(try home.run("settings get a.v; git status --porcelain") == ["50"])
    }

    @Test func aPushToTheBranchLeavesThemBehind() throws {
        let home = try office()
        let lines = try home.run(
            """
            git config receive.denyCurrentBranch ignore; git worktree remove --force ../t
            git clone -q . ../c; cd ../c; settings --store conf set -q a.v 70; git push -q; cd ../office/conf
            settings status 2>/dev/null | head -2; settings done -q -m x 2>/dev/null; settings get a.v; settings get a.v --at HEAD
            git -C ../../c rev-parse HEAD > ../../there; git rev-parse HEAD | cmp - ../../there; git status --porcelain
            """)
        #expect(lines == [behind[0], "    a/v.json", "70", "70"])
    }

    @Test func whatSomebodyPutBackOnPurposeIsADraft() throws {
        let home = try office()
        let old = "git checkout -q HEAD~3 -- a/v.json"
        let draft = ["edits not recorded yet:", "    V (a.v): 50 → 40"]
        let status = "settings status 2>/dev/null | head -2"
        #expect(try home.run("(cd conf; \(old); \(status); git checkout -q HEAD -- .)") == draft)
        #expect(
            try home.run("(cd conf; git reset -q --soft HEAD~3; git commit -qm all; \(status))")[0].hasPrefix("no unrecorded"))
        // A branch that goes back leaves what it had as a draft, as 'git reset --soft' does.
        let back = "(cd conf; git update-ref refs/heads/main HEAD~1; settings status 2>/dev/null | head -1)"
        #expect(try home.run(back) == ["edits not recorded yet:"])
    }

    /// A store on `main` with X at 2 and Y at 3, a branch that has another label of L, and a second work tree, `t`, of `main`.
    private func office(then work: String) throws -> Home {
        let home = try Home()
        let lines = try home.run(
            """
            settings init -q && settings add -q a.x --title X --number 1 && settings add -q a.y --title Y --number 1 &&
            settings add -q a.l --title L --choice A B C && settings set -q a.x 2 -m q && git branch feat &&
            settings set -q a.y 3 -m q && git checkout -q feat && settings set -q a.l B -m q && git checkout -q main &&
            git worktree add -q -f ../t main && git config receive.denyCurrentBranch ignore && export GIT_EDITOR=: &&
            git config advice.skippedCherryPicks false && (\(work)) 2>&1
            """)
        #expect(lines == [])
        return home
    }

    private static let movesElsewhere = [
        "cd ../t; git commit -q --amend -m 'better words'; settings set -q a.x 88 -m night",
        "cd ../t; git rebase -q feat; settings set -q a.x 88 -m night",
        "cd ../t; git reset -q --hard HEAD~1; settings set -q a.x 88 -m night",
        "cd ../t; git reset -q --hard feat; settings set -q a.x 88 -m night",
        "cd ../t; git reset -q --hard feat",
        "cd ../t; git checkout -q feat; git update-ref refs/heads/main feat; git checkout -q --ignore-other-worktrees main",
        "cd ../t; git checkout -q --detach; git switch -q --ignore-other-worktrees -C main HEAD~1; settings set -q a.x 88 -m night",
        "cd ../t; settings set -q a.x 88 -m n; git commit -q --allow-empty --fixup HEAD~1; git rebase -q -i --autosquash HEAD~3",
        "git worktree remove -f ../t; git clone -q . ../c; cd ../c; git commit -q --amend -m w; settings set -q a.x 88; git push -q -f",
        "git worktree remove -f ../t; git clone -q . ../c; cd ../c; git reset -q --hard HEAD~1; settings set -q a.x 7; git push -q -f",
        "cd ../t; git commit -q --amend -m w; cd ..; git clone -q office c; cd c; settings set -q a.x 88; git push -q -f",
        "cd ../t; git commit -q --amend -m w; for n in 4 5 6; do settings set -q a.x $n; done; git branch -m main trunk",
        "cd ../t; settings set -q a.x 88 -m night; git update-ref refs/heads/main HEAD~2; settings --store ../t discard -q",
        "git clone -q . ../c; cd ../c; settings set -q a.x 5; git push -q -f . HEAD:up; cd ../t; settings set -q a.y 6; "
            + "git pull -q --rebase ../c main; git commit -q --amend -m w",
        "git init -q --bare ../up; git remote add up ../up; git push -q up main; git clone -q ../up ../c; cd ../c; settings set -q a.x 5;"
            + "git push -q; cd ../t; git commit -q --amend -m w; settings set -q a.y 6; git pull -q --rebase up main; settings -q sync up",
    ]

    @Test(arguments: movesElsewhere)
    func aBranchThatWasMovedElsewhereAnyWayLeavesThemBehind(_ work: String) throws {
        let home = try office(then: work)
        let recorded = "for key in a.x a.y a.l; do settings get $key --at HEAD; done"
        let before = try home.run(recorded)
        let status = try home.run("settings status")
        #expect(status.first == behind[0], "\(status)")
        #expect(status.contains { $0.hasPrefix("no unrecorded edits") }, "\(status)")
        #expect(try home.run("settings set a.l C --dry-run 2>/dev/null").count == 2)
        // An edit on top is kept, and nothing else is recorded.
        _ = try home.run(#"sed -i 's/"X"/"Xx"/' a/x.json"#)
        let done = try home.run("settings done -m edit 2>/dev/null")
        #expect(done.count == 1 && done[0].hasSuffix(#"Xx (a.x): title "X" → "Xx""#), "\(done)")
        #expect(try home.run(recorded) == before)
        #expect(try home.run("for key in a.x a.y a.l; do settings get $key; done; git status --porcelain") == before)
        #expect(try home.run("settings set -q a.l C 2>&1; git status --porcelain; settings verify -q") == [])
    }

    @Test(arguments: [
        "git reset -q --soft HEAD~1", "git reset -q --mixed HEAD~1", "git reset -q --soft feat", "git reset -q feat",
        "git update-ref refs/heads/main HEAD~1", "git checkout -q HEAD~1 -- a", "git restore -q -s HEAD~1 -S -W a",
        "git restore -q -s feat a", "git symbolic-ref HEAD refs/heads/feat", "git reset -q --soft HEAD~1; git switch -q -c new",
        "git commit -q --amend -m w; git checkout -q HEAD~1 -- a", "git commit -q --amend -m w; git reset -q --soft HEAD~1",
        "(cd ../t; git commit -q --amend -m w); settings set -q a.x 9 2>/dev/null; git checkout -q HEAD~1 -- a",
        "(cd ../t; git reset -q --hard feat); git reset -q; git update-index -q --refresh",
        "(cd ../t; git reset -q --hard feat); git reset -q --soft HEAD",
        "git config receive.denyCurrentBranch updateInstead; git clone -q . ../c; (cd ../c; settings set -q a.x 9; git push -q); "
            + "git checkout -q HEAD~1 -- a",
    ])
    func whatSomebodyDidHereStaysADraft(_ work: String) throws {
        let home = try office(then: work + " || true")
        let status = try home.run("settings status 2>/dev/null")
        #expect(status.contains("edits not recorded yet:"), "\(status)")
        #expect(!status.contains(behind[0]), "\(status)")
        let staged = "git diff HEAD -- a"
        let before = try home.run(staged)
        _ = try home.run("settings add -q b.z --title Z --number 1")
        #expect(try home.run(staged) == before)
    }

    @Test func aDraftStaysOneWhereOtherFilesAreBehind() throws {
        let home = try office(then: "git reset -q --soft HEAD~1; cd ../t; git reset -q --hard; settings set -q a.x 9")
        let status = try home.run("settings status 2>/dev/null")
        #expect(status.prefix(4) == [behind[0], "    a/x.json", "edits not recorded yet:", "    Y (a.y): 1 → 3"])
        let done = try home.run("settings done -m y 2>/dev/null; settings get a.x --at HEAD; git status --porcelain")
        #expect(done.count == 2 && done[0].hasSuffix("Y (a.y): 1 → 3") && done[1] == "9", "\(done)")
    }

    private static let withoutReflogs = [
        "cd ../t; settings set -q a.x 88 -m night; git reflog expire --expire=now --all",
        "cd ../t; settings set -q a.x 88 -m night; git reflog expire --expire=now --all; git -C ../office status -s >../status",
        "rm -rf .git/logs .git/worktrees/t/logs; git config core.logAllRefUpdates false; cd ../t; settings set -q a.x 88 -m night",
        "cd ../t; git commit -q --amend -m w; settings set -q a.x 88 -m night; git reflog expire --expire=now --all",
        "cd ../t; git reset -q --hard feat; settings set -q a.x 88 -m night; git reflog expire --expire=now --all",
        "cd ../t; settings set -q a.x 88 -m night; git reflog expire --expire=now --all; git gc -q --prune=now",
    ]

    @Test(arguments: withoutReflogs)
    func withoutReflogsWhatWasNotedCounts(_ work: String) throws {
        // What plain git checked out is noted by whoever compares the files.
        let home = try office(then: "settings status >../status; " + work)
        let status = try home.run("settings status")
        #expect(status.first == behind[0] && status.contains { $0.hasPrefix("no unrecorded edits") }, "\(status)")
        _ = try home.run(#"sed -i 's/"X"/"Xx"/' a/x.json"#)
        let done = try home.run("settings done -m edit 2>/dev/null; settings get a.x; git status --porcelain")
        #expect(done.count == 2 && done[0].hasSuffix(#"Xx (a.x): title "X" → "Xx""#) && done[1] == "88", "\(done)")
    }

    @Test func reflogsOlderThanGitKeepsThem() throws {
        let home = try Home()
        let lines = try home.run(
            """
            export GIT_COMMITTER_DATE=2020-07-01T10:00:00 GIT_AUTHOR_DATE=2020-07-01T10:00:00
            settings init -q; settings add -q a.x --title X --number 1; settings set -q a.x 5; git worktree add -q -f ../t main
            unset GIT_COMMITTER_DATE GIT_AUTHOR_DATE; (cd ../t; settings set -q a.x 9; git gc -q)
            settings done -q -m x 2>/dev/null; settings get a.x; git status --porcelain
            """)
        #expect(lines == ["9"])
    }

    /// A store whose file is behind, where neither a reflog nor this program says so.
    private func unknown(then work: String = ":") throws -> Home {
        try office(
            then: "cd ../t; settings set -q a.x 88 -m night; rm ../office/.git/settings/pending; "
                + "git reflog expire --expire=now --all; cd ../office; \(work)")
    }

    @Test(arguments: ["done -m x", "done a -m x", "done a.y a -m x"])
    func whatAnEarlierVersionHadIsRecordedByNameAlone(_ command: String) throws {
        let home = try unknown()
        let status = try home.run("settings status 2>/dev/null")
        #expect(
            status == [
                "edited, or left behind when the branch was moved:", "    a/x.json", "edits not recorded yet:",
                "    X (a.x): 88 → 2",
            ])
        #expect(
            try home.run("settings status --json | tr -d ' \\n' | grep -o 'mayBeBehind[^]]*'") == [#"mayBeBehind":["a/x.json""#])
        let refusal = try home.run("settings \(command) 2>&1; echo $?")
        #expect(refusal[0].hasPrefix("settings: a/x.json may not have been edited, but left behind"), "\(refusal)")
        #expect(refusal.last == "2")
        #expect(
            try home.run("settings get a.x --at HEAD; settings discard -q; settings get a.x; git status --porcelain") == [
                "88", "88",
            ])
        #expect(try home.run("settings set -q a.x 5; settings get a.x") == ["5"])
    }

    /// Whatever is recorded besides.
    @Test func thatIsNotForgottenWhenAnotherKeyIsRecorded() throws {
        let home = try unknown()
        #expect(
            try home.run("settings set -q a.y 7; settings undo -q; settings set -q a.y 8; settings get a.y --at HEAD") == ["8"])
        let refusal = try home.run("settings done -m x 2>&1; echo $?")
        #expect(refusal[0].hasPrefix("settings: a/x.json may not have been edited, but left behind"), "\(refusal)")
        #expect(refusal.last == "2")
        #expect(
            try home.run(
                "settings discard -q; settings get a.x; settings status | grep -c moved; settings set -q a.x 5; git status --porcelain"
            )
                == ["88", "0"])
        let other = try unknown()
        #expect(
            try other.run(
                "settings set -q a.y 7; settings done -q a.x -m x; settings get a.x --at HEAD; settings set -q a.y 8; "
                    + "sed -i s/2/77/ a/x.json; settings done -q -m x; settings get a.x --at HEAD; git status --porcelain")
                == ["2", "77"])
    }

    @Test func theStoreIsNamedByItsFile() throws {
        let title = #"sed -i 's/"title": ".*"/"title": "New"/' _store.json"#
        func unknown() throws -> Home {
            try office(
                then: "cd ../t; \(title); settings done -q -m x; rm ../office/.git/settings/pending; "
                    + "git reflog expire --expire=now --all; cd ../office")
        }
        let home = try unknown()
        let refusal = try home.run("settings done -m x 2>&1; echo $?")
        #expect(refusal.contains { $0.contains("'settings done _store.json' records it as it is") }, "\(refusal)")
        #expect(refusal.last == "2")
        #expect(
            try home.run("settings done _store.json -q -m x; git log -1 --format=%s; git status --porcelain")
                == [#"Settings: title "New" → "Settings""#])
        let other = try unknown()
        #expect(
            try other.run(
                "settings diff _store.json; settings discard -q _store.json; git status --porcelain; grep -c New _store.json")
                == [#"Settings (the store): title "New" → "Settings""#, "1"])
        #expect(
            try other.run("settings discard --undo -q _store.json; git status --porcelain; grep title _store.json")
                == [" M _store.json", #"  "title": "Settings","#])
        #expect(
            try other.run("sed -i s/2/77/ a/x.json; settings done -q -m x _store.json; git status --porcelain") == [" M a/x.json"]
        )
    }

    /// On the page of what is staged, as in `done --staged`.
    @Test(arguments: ["", "--plain"]) func thePagesDoNotRecordWhatMayBeBehind(_ options: String) throws {
        let home = try unknown()
        let script =
            "commit\n:expect 1 staged\ndone\nWhy = x\nDone\n:expect a/x.json may not have been edited\n:refuse Recorded"
        try Data(script.utf8).write(to: URL(fileURLWithPath: home.path + "/script"))
        #expect(try home.run("settings edit \(options) --script ~/script") == [])
        #expect(try home.run("settings get a.x --at HEAD; git status --porcelain") == ["88", "M  a/x.json"])
    }

    @Test func whatComesInDoesNotReplaceWhatMayBeBehind() throws {
        let home = try office(
            then:
                "git clone -q --bare . ../bare.git; git clone -q ../bare.git ../other; settings remote add -q origin ../bare.git; "
                + "settings sync -q; (cd ../other; settings set -q a.x 7; git push -q); cd ../t; settings set -q a.x 88 -m night; "
                + "rm ../office/.git/settings/pending; git reflog expire --expire=now --all; cd ../office")
        let version = try home.run("git rev-parse HEAD")
        for command in ["sync", "pull"] {
            let refusal = try home.run("settings \(command) 2>&1; echo $?")
            #expect(refusal.contains { $0.hasPrefix("settings: a/x.json may not have been edited") }, "\(refusal)")
            #expect(refusal.last == "2", "\(refusal)")
            let after = try home.run("git rev-parse HEAD; settings get a.x; git status --porcelain")
            #expect(after == version + ["2", "M  a/x.json"])
        }
        #expect(try home.run("settings discard -q a.x; settings sync >/dev/null 2>&1; settings get a.x") == ["7"])
        #expect(try home.unsound() == "")
    }

    @Test func recordingItByName() throws {
        let home = try unknown()
        #expect(try home.run("settings done -q a.x -m x; settings get a.x --at HEAD; git status --porcelain") == ["2"])
    }

    @Test func anEditOnTopOfWhatMayBeBehind() throws {
        let home = try unknown(then: #"sed -i 's/"X"/"Xx"/' a/x.json"#)
        #expect(try home.run("settings done -q -m x 2>/dev/null; echo $?; settings get a.x --at HEAD") == ["2", "88"])
    }

    @Test(arguments: [
        "sed -i s/2/77/ a/x.json; git add a", "sed -i s/2/77/ a/x.json", "git reset -q --soft HEAD~1",
        "git checkout -q HEAD~2 -- a/x.json",
        "git checkout -q --detach; sed -i s/2/77/ a/x.json; git add a; git commit -qm x; git checkout -q HEAD~1 -- a",
    ])
    func editsWithoutReflogsAreEdits(_ work: String) throws {
        let home = try office(then: "rm -rf .git/logs; git config core.logAllRefUpdates false; \(work)")
        let status = try home.run("settings status 2>/dev/null")
        #expect(status.contains("edits not recorded yet:") && !status.contains(behind[0]), "\(status)")
        let before = try home.run("git diff HEAD -- a")
        _ = try home.run("settings add -q b.z --title Z --number 1")
        #expect(try home.run("git diff HEAD -- a") == before)
    }
}
