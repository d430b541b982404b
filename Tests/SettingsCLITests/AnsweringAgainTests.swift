import Testing

/// Answers during a merge, a rebase or a pick by git: until its commit they can be changed, and given for every option.
@Suite struct AnsweringAgainTests {
    /// In `~/base`, with a branch `theirs`; both sides have changed the language and the size.
    private func store() throws -> Home {
        let home = try Home()
        let script = """
            settings init -q base --title Shop; cd base
            settings add -q general.language --title Language --choice en=English fr=French es=Spanish --section General
            settings add -q general.size --title Size --number 5 --range 0..10
            settings add -q general.mute --title Mute --switch
            git tag start; git branch theirs; settings set -q general.language Spanish general.size 6
            git switch -q theirs; settings label remove -q general.language Spanish
            settings set -q general.size 7; settings set -q general.mute on; git switch -q main
            """
        #expect(try home.run("{ \(script)\n} 2>&1") == [])
        #expect(try home.run("cd base") == [])
        return home
    }

    private static let marked = "hint: marked as resolved in git; finish with 'git commit'"

    @Test func aMerge() throws {
        let home = try store()
        _ = try home.run("git merge -q theirs > ../log 2>&1")
        for (answer, change) in [
            ("8", "Size (general.size): 6 → 8"), ("9", "Size (general.size): 6 → 9"),
            ("--theirs", "Size (general.size): 6 → 7"), ("--ours", "general.size stays as on our side"),
            ("4", "Size (general.size): 6 → 4"),
        ] {
            #expect(try home.run("settings resolve general.size \(answer) 2>&1") == [change, Self.marked], "\(answer)")
        }
        // The label that the other side removed is that of our side.
        let spanish = try home.run("settings resolve general.language Spanish 2>&1")
        #expect(spanish == ["general.language stays as on our side", Self.marked])
        let french = try home.run("settings resolve general.language French 2>&1")
        #expect(
            french == [
                "Language (general.language): Spanish → French", "Language (general.language): label removed: Spanish",
                Self.marked,
            ])
        let back = try home.run("settings resolve general.language Spanish 2>&1")
        #expect(back == ["general.language stays as on our side", Self.marked])
        // An option that was in no conflict.
        #expect(
            try home.run("settings resolve general.mute --ours 2>&1") == [
                "settings: general.mute has no conflict, so there is no side to take",
                "hint: 'settings resolve general.mute VALUE' chooses its value in this merge", "[exit status: 64]",
            ])
        #expect(
            try home.run("settings resolve general.mute off 2>&1") == ["general.mute stays as on our side", Self.marked])
        #expect(
            try home.run("settings set general.mute off 2>&1").contains {
                $0.hasSuffix("; until then, 'settings resolve KEY VALUE' chooses a value in it")
            })
        #expect(try home.run("git commit -q --no-edit; settings verify -q start..HEAD; git status --short") == [])
        #expect(try home.run("settings get general.language general.size general.mute") == ["es", "4", "false"])
        #expect(
            try home.run("git log -1 --format='%(trailers:key=Resolves)'") == [
                "Resolves: general.size value", "Resolves: general.language value", "Resolves: general.mute value", "",
            ])
    }

    @Test func edited() throws {
        let home = try store()
        _ = try home.run("git merge -q theirs > ../log 2>&1; settings resolve -q general.size 8; sed -i s/8/9/ general/size.json")
        let found = try home.run("settings resolve general.size 4 2>&1")
        #expect(found.first == "settings: general/size.json was edited by hand meanwhile, which would be lost", "\(found)")
        #expect(try home.run("settings get general.size") == ["9"])
    }

    @Test func names() throws {
        let home = try store()
        let script = """
            git switch -qC other start; settings rename -q general.size general.big
            git switch -qC here start; settings rename -q general.size general.small; git merge -q other > ../log 2>&1
            settings resolve -q general.size --theirs; settings resolve -q general.size --ours
            """
        _ = try home.run("{ \(script)\n} 2>&1")
        #expect(try home.run("grep -E '^(Resolves|Renamed)' .git/MERGE_MSG") == ["Resolves: general.small key"])
        _ = try home.run("settings resolve -q general.small --theirs; git commit -q --no-edit")
        #expect(
            try home.run("git log -1 --format=%B | grep -E '^(Resolves|Renamed)'") == [
                "Renamed: general.small general.big", "Resolves: general.big key",
            ])
        #expect(try home.run("ls general; git status --short") == ["_group.json", "big.json", "language.json", "mute.json"])
    }

    @Test(arguments: ["cherry-pick", "rebase"]) func aPick(command: String) throws {
        let home = try store()
        let script = """
            git switch -qC other start; settings set -q general.size 7; git switch -qC here start; settings set -q general.size 6
            git \(command) other > ../log 2>&1
            for answer in 9 8 --ours 4; do settings resolve -q general.size $answer; done
            git -c core.editor=true \(command) --continue >> ../log 2>&1
            """
        _ = try home.run("{ \(script)\n} 2>&1")
        let former = command == "rebase" ? 7 : 6
        #expect(try home.run("git log -1 --format=%s; git status --short") == ["general.size: \(former) → 4"])
        #expect(try home.run("settings get general.size") == ["4"])
    }

    /// Where git waits for the last version to be amended, nothing of it is left to merge.
    @Test func anEditStop() throws {
        let home = try store()
        _ = try home.run("git switch -q main; GIT_SEQUENCE_EDITOR='sed -i s/^pick/edit/' git rebase -qi start > ../log 2>&1")
        let found = try home.run("settings resolve general.size 4 2>&1")
        #expect(found.first == "settings: a rebase is in progress in this repository", "\(found)")
    }
}
