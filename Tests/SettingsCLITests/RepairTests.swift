import Testing

/// An option that git's merge of texts left invalid is repaired by a command, and each hint names one that works.
@Suite struct RepairTests {
    /// A store in `office/s`, in the state `broken`; `sides` are the changes of the branch `other` and of `main`.
    private static func store(_ other: String, _ main: String, merge: String = "git merge -q --no-edit other") throws -> Home {
        let home = try Home()
        _ = try home.run("settings init -q s")
        _ = try home.run("cd s")
        let script = """
            settings add -q language --title Language --choice English French German Spanish
            settings add -q volume --title Volume --number 40 --range 0..100:5
            settings add -q host --title Host --text alpha
            echo '*.json merge=text' > .git/info/attributes; git tag start; git branch other
            git switch -q other; settings \(other) -q; git switch -q main; settings \(main) -q
            \(merge); git tag broken
            """
        _ = try home.run("{ \(script)\n} > log 2>&1; rm log")
        #expect(try home.run("settings verify -q 2>&1 | tail -n 1") == ["settings: found 1 problem"])
        return home
    }

    private static func outOfBounds() throws -> Home { try store("set volume 80", "define volume --range 0..50:5") }

    private static func withoutValue() throws -> Home {
        try store(
            "label move language French 3", "label rename language French Français", merge: "git merge -q --no-edit -X ours other"
        )
    }

    private static func withoutDefault() throws -> Home {
        try store("define language --default German", "label remove language German")
    }

    /// What each command prints, without the version, in the state `broken`. What it records leaves nothing to repair.
    private static func repairs(_ home: Home, _ commands: [String]) throws -> [[String]] {
        try commands.map { command in
            _ = try home.run("git reset -q --hard broken")
            let lines = try home.run("settings \(command) 2>&1 | sed -E 's/^[0-9a-f]{7}  //; s/version [0-9a-f]{7}/version ID/'")
            #expect(try home.run("settings verify -q 2>&1") == [], "\(command)")
            #expect(try home.run("settings verify start..HEAD -q 2>&1") == [], "\(command)")
            #expect(
                try home.run("settings status 2>/dev/null | head -n 1 | cut -d ';' -f 1") == ["no unrecorded edits"], "\(command)"
            )
            return lines
        }
    }

    /// The last line of what a command prints that fails.
    private static func hint(_ home: Home, _ command: String) throws -> String? {
        _ = try home.run("git reset -q --hard broken")
        return try home.run("settings \(command) 2>&1 | tail -n 1").first
    }

    @Test func aValueOutOfBounds() throws {
        let home = try Self.outOfBounds()
        let found = try Self.repairs(
            home,
            [
                "set volume 50", "define volume --range 0..100:5", "unset volume", "remove volume", "restore volume --from start",
                "restore volume --exact --from start", "restore --all --from start", "revert HEAD", "resolve volume 30",
            ])
        let expected = [
            "80 → 50", "maximum 50 → 100", "80 → not set", "removed (was 80)", "80 → 40", "80 → 40; maximum 50 → 100", "80 → 40",
            "80 → 40", "80 → 30",
        ]
        #expect(found.count == expected.count)
        for (lines, words) in zip(found, expected) {
            #expect(
                lines.joined(separator: "; ").replacing("         Volume (volume): ", with: "") == "Volume (volume): \(words)")
        }
    }

    @Test func hintsForAValueOutOfBounds() throws {
        let home = try Self.outOfBounds()
        let hint =
            "'settings set volume VALUE' sets a valid value; 'settings restore volume --exact --from WHEN' restores an earlier file"
        for command in ["define volume --title Loud", "define volume --default 20", "rename volume loud"] {
            #expect(try Self.hint(home, command) == "hint: \(hint)", "\(command)")
        }
        #expect(try home.run("settings status 2>&1 | grep hint") == ["hint: \(hint)"])
        #expect(try home.run("settings verify 2>&1 | sed -n 2p") == ["    \(hint)"])
        #expect(try home.run("settings verify start..HEAD 2>&1 | sed -n 2p") == ["    \(hint)"])
        _ = try home.run("settings set volume 50 -q")
        #expect(try home.run("settings restore volume --exact --from broken 2>&1 | grep hint") == ["hint: \(hint)"])
    }

    @Test func aRepairByHandIsToldAsWhatItChanges() throws {
        let home = try Self.outOfBounds()
        _ = try home.run("sed -i 's/80/45/' volume.json")
        #expect(try home.run("settings status 2>/dev/null | sed -n 2p") == ["    Volume (volume): 80 → 45"])
        #expect(try home.run("settings done | cut -c 10-") == ["Volume (volume): 80 → 45"])
        #expect(
            try home.run("settings undo 2>&1") == [
                "settings: the changes conflict with later ones",
                "    Volume (volume): value is 45, would become 80 (80 is above the maximum, 50)",
                "hint: nothing was changed; use 'settings set' to choose a value", "[exit status: 2]",
            ])
    }

    @Test func aFileThatCannotBeUnderstood() throws {
        let home = try Self.withoutValue()
        let found = try Self.repairs(
            home,
            [
                "restore language --from start", "restore language --exact --from other", "restore --all --from start",
                "revert HEAD",
                "remove language",
            ])
        #expect(found.dropLast().allSatisfy { $0 == ["Language (language): repaired (English)"] }, "\(found)")
        #expect(found.last == ["language.json removed"])
        let hint =
            "hint: 'settings restore language --exact --from WHEN' restores an earlier file; 'settings remove language' removes it"
        for command in [
            "set language German", "define language --default German", "unset language", "label add language Italian",
        ] {
            #expect(try Self.hint(home, command) == hint, "\(command)")
        }
        #expect(try home.run("settings status 2>&1 | grep hint") == [hint])
        // A version that repairs it leads back to nothing that could be read.
        _ = try home.run("git show other:language.json > language.json")
        #expect(try home.run("settings status 2>/dev/null | sed -n 2p") == ["    Language (language): repaired (English)"])
        #expect(try home.run("settings done | cut -c 10-") == ["Language (language): repaired (English)"])
        #expect(try home.run("git log -1 --format=%s") == ["language: repaired (English)"])
        for command in ["undo", "revert HEAD"] {
            #expect(
                try home.run("settings \(command) 2>&1 | tail -n 1") == [
                    "hint: this cannot be undone; 'settings restore language --exact --from WHEN' restores an earlier file"
                ])
        }
    }

    @Test func aDefaultThatIsGone() throws {
        let home = try Self.withoutDefault()
        let found = try Self.repairs(
            home,
            [
                "define language --default Spanish", "define language --default ''", "remove language",
                "restore language --exact --from main~1", "revert HEAD", "label add language German",
            ])
        let change = "Language (language): default \"german\" →"
        #expect(
            found == [
                ["\(change) Spanish"], ["\(change) none"], ["Language (language): removed (was English)"], ["\(change) none"],
                ["\(change) none"], ["Language (language): label added: German"],
            ])
        let hint =
            "hint: 'settings define language --default VALUE' sets a valid default; "
            + "'settings restore language --exact --from WHEN' restores an earlier file"
        for command in ["set language French", "unset language", "reset language", "restore language --from start"] {
            #expect(try Self.hint(home, command) == hint, "\(command)")
        }
        #expect(try home.run("settings verify 2>&1 | sed -n 2p") == [hint.replacing("hint: ", with: "    ")])
    }

    /// Commands that read name the same repair.
    @Test func hintsOfCommandsThatRead() throws {
        let home = try Self.outOfBounds()
        let repair =
            "hint: 'settings set volume VALUE' sets a valid value; 'settings restore volume --exact --from WHEN' restores an earlier file"
        for command in ["get volume", "is volume 80", "show volume", "list", "get volume host"] {
            #expect(try home.run("settings \(command) 2>&1 | grep hint") == [repair], "\(command)")
        }
        _ = try home.run("git reset -q --hard start; echo '{' > volume.json")
        for command in ["get volume", "show volume", "list"] {
            #expect(
                try home.run("settings \(command) 2>&1 | grep hint") == [
                    "hint: 'settings discard volume' restores the last version"
                ], "\(command)")
        }
        #expect(try home.run("settings get volume --at start") == ["40"])
    }

    /// What may not be set can only be restored.
    @Test func aReadOnlyOption() throws {
        let home = try Self.outOfBounds()
        _ = try home.run("sed -i 's/\"maximum\"/\"readOnly\": true, \"maximum\"/' volume.json; git commit -qam fixed")
        let repair = "'settings restore volume --exact --from WHEN' restores an earlier file"
        for command in ["status", "get volume", "define volume --no-read-only"] {
            #expect(try home.run("settings \(command) 2>&1 | grep hint") == ["hint: \(repair)"], "\(command)")
        }
        #expect(try home.run("settings verify 2>&1 | sed -n 2p") == ["    \(repair)"])
        _ = try home.run("settings restore -q volume --exact --from start")
        #expect(try home.run("settings verify -q; settings get volume") == ["40"])
    }

    /// A group's file, and the store's own.
    @Test func filesOfNoOption() throws {
        let home = try Home()
        _ = try home.run("settings init -q s")
        _ = try home.run("cd s")
        _ = try home.run("settings add -q g.a --title A --number 1 --section G; git tag start")
        _ = try home.run("echo '{' > g/_group.json; git commit -qam broken")
        let hint =
            "hint: 'settings restore g --exact --from WHEN' restores the group and all that is in it, or fix it by hand, and "
            + "record that with 'settings done'"
        #expect(try home.run("settings status 2>&1 | grep hint; settings list 2>&1 | grep hint") == [hint, hint])
        _ = try home.run("settings restore -q g --exact --from start")
        #expect(try home.run("settings verify -q; settings list") == ["G", "  g.a  A  1"])

        _ = try home.run(": > _store.json")
        let doctor = try home.run("settings doctor > ../log; echo $?; grep -E 'not checked|^files|^draft' ../log")
        #expect(
            doctor == [
                "65", "not checked  ! _store.json: the file is empty",
                "files        ! 1 of 3 cannot be read; 'settings verify' lists them",
                "draft        no unrecorded edits",
            ])
        _ = try home.run("git commit -qam empty")
        let restore = "hint: 'git restore --source=VERSION _store.json' restores an earlier file; record that with 'git commit'"
        #expect(try home.run("settings set g.a 2 2>&1 | grep hint; settings status 2>&1 | grep hint") == [restore, restore])
        _ = try home.run("git restore --source=start _store.json; git commit -qam fixed; settings set -q g.a 2")
        #expect(try home.run("settings verify -q; settings get g.a") == ["2"])
    }

    /// While git's merge is in progress, 'resolve' alone changes a file of the store.
    @Test func duringAMerge() throws {
        let home = try Self.outOfBounds()
        _ = try home.run("git reset -q --hard main~1; git merge -q --no-commit other > ../log 2>&1")
        #expect(
            try home.run("settings verify 2>&1") == [
                "volume.json:4:12: \"value\" is invalid: 80 is above the maximum, 50",
                "    a merge is in progress in this repository: 'settings resolve volume VALUE' sets a valid value, "
                    + "then finish it with 'git commit', or abort it with 'git merge --abort'",
                "settings: found 1 problem", "[exit status: 65]",
            ])
        _ = try home.run("settings resolve -q volume 50; git commit -qm merge")
        #expect(try home.run("settings verify -q; settings get volume") == ["50"])
    }

    /// git takes an option for a removed one renamed, and brings what the other side chose there into it: as long as the merge is
    /// the last version, 'status' says so.
    @Test func whatGitTookForARename() throws {
        let home = try Home()
        _ = try home.run("settings init -q s")
        _ = try home.run("cd s")
        let words = "--title 'Host name of the server' --text alpha --help-text 'Where the shop sends its orders.'"
        let script = """
            settings add -q net.host \(words); git tag start; git switch -qc theirs; settings set -q net.host beta
            git switch -q main; settings remove -q net.host; settings add -q net.mirror \(words)
            """
        _ = try home.run("{ \(script)\n} > ../log 2>&1")
        let isFine = "settings status 2>&1 | grep -c 'no unrecorded edits'; settings status 2>&1 | grep -c mirror"
        #expect(try home.run(isFine) == ["1", "0", "[exit status: 1]"])
        _ = try home.run("git merge -q --no-edit theirs > ../log 2>&1")
        #expect(
            try home.run("settings status 2>&1 | head -n 3") == [
                "merged by git, but chosen by nobody:",
                "    net/mirror.json: the merge left \"beta\" selected, which neither side selected there: expected \"alpha\"",
                "hint: choose the value with 'settings set net.mirror VALUE', or keep the present one with "
                    + "'settings resolve net.mirror VALUE'",
            ])
        #expect(try home.run("settings status --json | grep -c 'left .*beta.* selected'") == ["1"])
        _ = try home.run("settings resolve -q net.mirror beta")
        #expect(try home.run(isFine) == ["1", "0", "[exit status: 1]"])
    }

    /// Whoever wants what a person decided between the markers says so.
    @Test func nobodysChoiceIsKept() throws {
        let home = try Home()
        _ = try home.run("settings init -q s")
        _ = try home.run("cd s")
        let script = """
            settings add -q volume --title Volume --number 40 --range 0..100:5
            echo '*.json merge=text' > .git/info/attributes
            git tag start; git switch -qc other; settings set -q volume 60; git switch -q main; settings set -q volume 50
            git merge -q other; git show main:volume.json > volume.json
            sed -i 's/50/55/' volume.json; git commit -qam merge; git tag broken
            """
        _ = try home.run("{ \(script)\n} > ../log 2>&1")
        #expect(
            try home.run("settings verify start..HEAD 2>&1 | sed -n 2p") == [
                "    choose the value with 'settings set volume VALUE', or keep the present one with 'settings resolve volume VALUE'"
            ])
        #expect(try home.run("settings resolve volume 55 | cut -c 10-") == ["Volume (volume): decided: 55"])
        #expect(try home.run("git log -1 --format='%(trailers:key=Resolves)'") == ["Resolves: volume value", ""])
        #expect(try home.run("settings verify start..HEAD -q") == [])
        #expect(try home.run("settings verify --deep > ../log") == [])
        for (command, isOpen) in [("undo", true), ("redo", false)] {
            _ = try home.run("settings \(command)")
            let found = try home.run("settings verify start..HEAD -q 2>&1")
            #expect(found.isEmpty != isOpen, "\(command)")
        }
        #expect(
            try home.run("settings resolve volume 60 2>&1") == [
                "settings: volume has no open conflict", "hint: 'settings conflicts' lists the open conflicts",
                "[exit status: 66]",
            ])
        for command in ["resolve volume 60", "set volume 60"] {
            _ = try home.run("git reset -q --hard broken")
            #expect(try home.run("settings \(command) | cut -c 10-") == ["Volume (volume): 55 → 60"])
            #expect(try home.run("settings verify start..HEAD -q") == [])
        }
    }

    @Test func theOthersAreBlamedAndListed() throws {
        let home = try Self.outOfBounds()
        let problem = "volume.json (in version ID):4:12: \"value\" is invalid: 80 is above the maximum, 50"
        #expect(
            try home.run("settings blame 2>&1 | sed -E 's/version [0-9a-f]{7}/version ID/; s/ .* 2026-.*//'") == [
                "host", "language", "settings: \(problem)",
            ])
        #expect(
            try home.run("settings list --at HEAD 2>&1 | sed -E 's/version [0-9a-f]{7}/version ID/'") == [
                "  language  Language  English", "  host      Host      \"alpha\"", "settings: \(problem)",
            ])
        #expect(try home.run("settings blame > ../log 2>&1") == ["[exit status: 65]"])
        #expect(try home.run("settings list --at HEAD > ../log 2>&1") == ["[exit status: 65]"])
    }
}
