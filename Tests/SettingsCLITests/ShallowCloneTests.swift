import Surroundings
import Testing

/// What depends on versions that a shallow clone doesn't have says so.
struct ShallowCloneTests {
    /// A clone with the last two versions of each branch, which both come from the version with `n` 2.
    private func clone(depth: Int = 2) throws -> Home {
        let home = try Home()
        for command in [
            "settings init -q", "settings add -q n --title N --number 1", "settings add -q m --title M --number 1",
            "settings add -q k --title K --number 1",
            "settings set -q n 2 --ticket OLD-1",
            "git switch -qc branch", "settings set -q m 2 --ticket OLD-1", "settings set -q m 3", "git switch -q main",
            "settings set -q n 3 k 9 --ticket NEW-1",
            "settings set -q n 4 --ticket NEW-1",
            "git clone -q --depth \(depth) --no-single-branch \"file://$PWD\" ../clone",
        ] { #expect(try home.run(command) == [], "\(command)") }
        _ = try home.run("cd ../clone")
        return home
    }

    private static let hint = "hint: 'git fetch --unshallow' fetches the rest"

    @Test func showClaimsNothingAboutTheFirstVersion() throws {
        let home = try clone()
        let shown = try home.run("settings show HEAD~1 2>&1")
        #expect(!shown.contains { $0.contains("added") })
        #expect(
            shown.last
                == "what this version changed is not known: this is a shallow clone; 'git fetch --unshallow' fetches the rest")
        #expect(try home.run("settings show HEAD~1 --json").contains("  \"complete\": false"))
        #expect(try home.run("settings show HEAD --json").contains("  \"complete\": true"))
        #expect(try home.run("settings show HEAD 2>&1").contains("    N (n): 3 → 4"))
        // m was last changed before.
        #expect(try home.run("settings show m | grep chosen") == ["chosen  before this shallow clone"])
        #expect(try home.run("settings show m --json").contains("  \"complete\": false"))
        #expect(try home.run("settings show n --json").contains("  \"complete\": true"))
    }

    /// The merge that left it open lies before the clone.
    @Test func conflictsOfEarlierMergesAreNotKnown() throws {
        let home = try Home()
        for command in [
            "settings init -q", "settings add -q n --title N --number 1", "git switch -qc branch", "settings set -q n 2",
            "git switch -q main", "settings set -q n 3", "settings merge -q branch --keep",
            "settings add -q m --title M --switch",
            "git clone -q --depth 1 \"file://$PWD\" ../clone",
        ] { _ = try home.run(command) }
        #expect(try home.run("settings conflicts --json").contains("  \"complete\": true"))
        #expect(try home.run("settings conflicts 2>&1").first == "N (n): ours is 3, theirs is 2, and 1 is in force")
        _ = try home.run("cd ../clone")
        #expect(
            try home.run("settings conflicts 2>&1").suffix(2) == [
                "there are no open conflicts",
                "conflicts that earlier merges left open are not known: this is a shallow clone; 'git fetch --unshallow' fetches the rest",
            ])
        #expect(try home.run("settings conflicts --json").contains("  \"complete\": false"))
    }

    /// The merge is in the clone, and what it merged is not; or that too, but not what both come from.
    @Test(arguments: [2, 3]) func conflictsOfAMergeAtTheEdge(depth: Int) throws {
        let home = try Home()
        for command in [
            "settings init -q", "settings add -q n --title N --number 1", "git switch -qc branch", "settings set -q n 2",
            "git switch -q main", "settings set -q n 3", "settings merge -q branch --keep",
            "settings add -q m --title M --switch", "git clone -q --depth \(depth) \"file://$PWD\" ../clone", "cd ../clone",
        ] { _ = try home.run(command) }
        let open = try home.run("settings conflicts")
        if depth == 2 {
            #expect(open.contains("N (n): 1 is in force; the two sides are not in this history"), "\(open)")
            #expect(try home.run("settings conflicts 2>&1").contains("hint: 'settings resolve KEY VALUE' resolves a conflict"))
            for side in ["--ours", "--theirs"] {
                #expect(
                    try home.run("settings resolve n \(side) 2>&1") == [
                        "settings: the two sides of n:value are not in this history",
                        "hint: 'settings resolve n VALUE' chooses a value, which may be the present one", "[exit status: 66]",
                    ])
            }
            #expect(try home.run("settings resolve n 1 -q; settings conflicts -q").isEmpty)
        } else {
            #expect(open.contains("N (n): ours is 3, theirs is 2, and 1 is in force"), "\(open)")
            #expect(try home.run("settings status").contains("1 conflict is open"))
        }
    }

    /// A value that a version gives back to somebody before the clone was not chosen by that version.
    @Test(arguments: ["settings revert -q HEAD -m again", "settings redo -q", "settings restore -q n --from HEAD~1"])
    func whoChoseBeforeTheCloneIsNotKnown(_ command: String) throws {
        let home = try Home()
        let first = command.contains("redo") ? "settings undo -q" : "settings revert -q HEAD -m back"
        for command in [
            "settings init -q", "settings add -q n --title N --number 1", "settings set -q n 2", first, command,
        ] { _ = try home.run(command) }
        let chosen = try home.run("git rev-parse --short=7 HEAD~2")[0]
        #expect(try home.run("settings blame n | grep -c '2  \(chosen)'") == ["1"])
        for depth in 1...3 {
            _ = try home.run(":; git clone -q --depth \(depth) \"file://$PWD\" ../clone\(depth)")
            let found = try home.run("settings --store ../clone\(depth) blame n")
            #expect(found == ["n  2  before this shallow clone"], "\(depth)")
        }
    }

    /// What a filter does not find may lie before the clone.
    @Test func historyThatFindsNothingSaysThatItIsCutOff() throws {
        let home = try clone()
        let nothing = "no version matches: this is a shallow clone; 'git fetch --unshallow' fetches the rest"
        #expect(try home.run("settings history m") == [nothing])
        #expect(try home.run("settings history --ticket OLD-1 --graph") == [nothing])
        #expect(try home.run("settings history n | tail -1").first?.hasPrefix("the history ends here: ") == true)
        _ = try home.run("git fetch -q --unshallow")
        #expect(try home.run("settings history --ticket NONE") == ["no version matches"])
    }

    @Test func revertRefusesTheFirstVersion() throws {
        let home = try clone()
        let refused = try home.run("settings revert HEAD~1 2>&1")
        #expect(refused.count == 3)
        #expect(refused[0].hasPrefix("settings: cannot revert ") && refused[0].hasSuffix("does not have the version before"))
        #expect(refused[1...] == [Self.hint, "[exit status: 66]"])
        #expect(try home.run("git status --porcelain; settings get n") == ["4"])
        #expect(try home.run("settings revert HEAD -q; settings get n") == ["3"])
        let byTicket = try home.run("git reset -q --hard HEAD~1; settings revert --ticket NEW-1 2>&1")
        #expect(byTicket.contains { $0.hasPrefix("warning: earlier versions with that ticket may be missing") })
        #expect(try home.run("settings get n") == ["3"])
    }

    @Test func aVersionBeforeTheCloneMayBeMissing() throws {
        let home = try clone()
        for command in ["diff --from HEAD~3", "get n --at HEAD~4", "show HEAD^^^", "revert HEAD~3", "list --at 1234567"] {
            let refused = try home.run("settings \(command) 2>&1")
            #expect(refused[0].hasPrefix("settings: there is no version '") && refused[0].hasSuffix("' in this shallow clone"))
            #expect(refused[1...] == [Self.hint, "[exit status: 66]"], "\(command)")
        }
        #expect(try home.run("settings get n --at nonsense 2>&1")[0] == "settings: there is no version 'nonsense'")
        let undo = try home.run("settings undo 5 2>&1")
        let words = "only 1 of your latest versions can be undone: the history is cut off in this shallow clone"
        #expect(undo == ["settings: \(words)", Self.hint + "; 'settings undo 1' undoes what is there", "[exit status: 1]"])
        #expect(try home.run("settings undo -q; settings undo 2>&1 | tail -1") == [Self.hint])
        // Nothing stands where the changes would.
        #expect(try !home.run("settings show HEAD~2 2>&1").contains(""))
    }

    @Test func aTimeBeforeTheCloneIsAnError() throws {
        let home = try clone()
        for command in ["diff --from 2020-01-01", "restore n --from 2020-01-01", "list --at 2020-01-01"] {
            let refused = try home.run("settings \(command) 2>&1")
            #expect(
                refused[0].hasPrefix("settings: this shallow clone has no version from '2020-01-01': it begins at "), "\(command)"
            )
            #expect(refused[1...] == [Self.hint, "[exit status: 66]"])
        }
    }

    @Test func diffSaysWhatItCannotTell() throws {
        let home = try clone()
        #expect(try home.run("settings diff HEAD~1..HEAD --json").contains("  \"complete\": true"))
        // The branches come from a version that is not there.
        _ = try home.run("git branch -q other origin/branch")
        let lines = try home.run("settings diff other..HEAD --who 2>&1")
        #expect(lines.contains("    before this shallow clone"))
        #expect(
            lines.last
                == "some of the versions behind these changes are missing: this is a shallow clone; "
                + "'git fetch --unshallow' fetches the rest")
        #expect(try home.run("settings diff other..HEAD --who --json").contains("  \"complete\": false"))
        _ = try home.run("git fetch -q --unshallow")
        #expect(try home.run("settings diff other..HEAD --who --json").contains("  \"complete\": true"))
        #expect(try !home.run("settings diff other..HEAD --who 2>&1").contains { $0.contains("shallow") })
    }

    @Test func mergeRefusesWithoutTheBase() throws {
        let home = try clone()
        for options in ["", "--allow-unrelated-histories", "--keep", "--dry-run"] {
            let refused = try home.run("settings merge origin/branch \(options) 2>&1")
            #expect(
                refused == [
                    "settings: cannot merge origin/branch: this shallow clone does not have the versions that both branches come from",
                    Self.hint, "[exit status: 66]",
                ])
        }
        #expect(try home.run("git status --porcelain; git log --oneline | wc -l") == ["2"])
        _ = try home.run("git fetch -q --unshallow; settings merge -q origin/branch")
        #expect(try home.run("settings get n m") == ["4", "3"])
    }

    /// Where the base is there, nothing is missing.
    @Test func mergeWithTheBaseInTheClone() throws {
        let home = try clone(depth: 1)
        for command in [
            "git switch -qc mine", "settings set -q m 5", "git switch -q main", "settings set -q n 6", "settings merge -q mine",
        ] { #expect(try home.run(command) == [], "\(command)") }
        #expect(try home.run("settings get n m") == ["6", "5"])
        #expect(try home.run("settings merge mine 2>&1") == ["nothing to do: mine is already merged"])
    }
}
