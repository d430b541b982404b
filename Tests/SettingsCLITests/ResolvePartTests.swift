import Surroundings
import Testing

/// 'resolve' during a merge, a rebase or a pick by git, where one facet of an option is answered, or one side is asked for whole.
@Suite struct ResolvePartTests {
    enum Operation: String, CaseIterable {
        case merge = "git merge -q side", rebase = "git switch -q side; git rebase -q main"
        case pick = "git cherry-pick side"
        case stash = "git switch -q side; git reset -q --soft HEAD~1; git stash -q; git switch -q main; git stash pop"
    }

    /// In conflict in the title, and the value if both sides change that.
    private func store(_ operation: Operation, driver: Bool, ours: String = "") throws -> Home {
        let home = try Home()
        let script = """
            settings init -q s; cd s
            settings add -q general.language --title Language --choice English French German
            \(driver ? ":" : "git config --remove-section merge.settings"); git switch -qc side
            settings define -q general.language --title B
            settings set -q general.language German; git reset -q --soft main; git commit -qm Side
            git switch -q main; settings define -q general.language --title A; \(ours)
            \(operation.rawValue)
            """
        _ = try home.run("{ \(script)\n} > /dev/null 2>&1")
        #expect(try home.run("cd s") == [])
        return home
    }

    @Test(arguments: ["''", "':'", "general.language:"]) func emptyPlaces(place: String) throws {
        let home = try Home()
        _ = try home.run("settings init -q; settings add -q general.language --choice English French")
        #expect(try home.run("settings resolve \(place) French").last == "[exit status: 64]")
    }

    private static let state = "settings get general.language; sed -n 's/.*title.: .\\(.\\).,/\\1/p' general/language.json"

    @Test(arguments: Operation.allCases, [true, false])
    func aSideIsTakenWhole(operation: Operation, driver: Bool) throws {
        for (side, state) in [("ours", ["english", "A"]), ("theirs", ["german", "B"])] {
            let home = try store(operation, driver: driver)
            let lines = try home.run("settings resolve general.language --\(side) -q 2>&1; git ls-files -u; \(Self.state)")
            #expect(lines == state, "\(operation) \(side)")
        }
    }

    @Test(arguments: Operation.allCases, [true, false])
    func oneFacetAfterTheOther(operation: Operation, driver: Bool) throws {
        let home = try store(operation, driver: driver, ours: "settings set -q general.language French")
        let first = try home.run("settings resolve general.language:title --ours 2>&1")
        #expect(
            first == [
                "general.language:title stays as on our side",
                "note: general.language:value is still in conflict; 'settings resolve' resolves it, too",
            ])
        #expect(try home.run("git ls-files -u | wc -l | tr -d ' '") == ["3"])
        #expect(
            try home.run("settings conflicts 2> /dev/null") == [
                "A (general.language): base English, ours French, theirs German", "[exit status: 2]",
            ])
        let lines = try home.run("settings resolve general.language:value --theirs -q; git ls-files -u; \(Self.state)")
        #expect(lines == ["german", "A"])
    }

    @Test(arguments: ["general.language:value --ours", "general.language English"])
    func aValueWhereTheTitleIsInConflict(words: String) throws {
        let home = try store(.merge, driver: true)
        #expect(try home.run("settings resolve \(words) -q 2> /dev/null") == [])
        let lines = try home.run(
            "settings resolve general.language:title --theirs -q; \(Self.state); git commit -q --no-edit; "
                + "git log -1 --format=%B | grep Resolves | sort; settings verify -q && git fsck --strict --no-dangling")
        #expect(
            lines == [
                "english", "B", "Resolves: general.language title", "Resolves: general.language value",
            ])
    }

    @Test func aFacetWithoutAConflictIsNotTheOneThatIsOpen() throws {
        let home = try Home()
        let script = """
            settings init -q; settings add -q l --title L --choice English French German; git switch -qc side
            settings set -q l German; git switch -q main; settings set -q l French; settings merge -q --keep side
            """
        _ = try home.run("{ \(script)\n} > /dev/null 2>&1")
        #expect(
            try home.run("settings resolve l:title --ours") == [
                "settings: l:title has no open conflict", "hint: l has an open conflict in value: name it as l:value",
                "[exit status: 66]",
            ])
        #expect(try home.run("settings resolve -q l:value --ours") == [])
        #expect(
            try home.run("settings resolve l:value --ours") == [
                "settings: l:value has no open conflict", "hint: 'settings conflicts' lists the open conflicts",
                "[exit status: 66]",
            ])
    }
}
