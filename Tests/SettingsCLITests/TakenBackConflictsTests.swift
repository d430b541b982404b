import Surroundings
import Testing

/// Who chose a value where what takes a side of an open conflict back, or restores an earlier value, resolves that conflict: it
/// gives the value to whoever had chosen it, as it does where there is no conflict.
struct TakenBackConflictsTests {
    /// `m` was set to 5 by Dan; Ada set it to 1 on the branch `side`, Bob to 2 here, which a merge left in force.
    private func openConflict() throws -> Home {
        let home = try Home()
        let by = ["Dan", "Ada", "Bob", "Cyd"].map { "--author '\($0) <\($0.lowercased())@example.org>' -q" }
        _ = try home.run(
            "settings init -q .; settings add m --title M --number 0 -q; settings set m 5 \(by[0]); git tag dan; git switch -q -c side;"
                + " settings set m 1 \(by[1]); git switch -q main; settings set m 2 \(by[2]);"
                + " settings merge side --keep --in-force ours \(by[3])")
        #expect(try home.run("settings conflicts 2>&1 | grep -c 'ours is 2, theirs is 1, and 2 is in force'") == ["1"])
        return home
    }

    private func chosen(_ home: Home) throws -> [String] {
        let words = "settings get m; settings blame m | grep -oE 'Dan|Ada|Bob|Cyd'"
        return try home.run("settings conflicts; \(words); settings maintain -q; \(words)")
    }

    @Test func aRevertDecidesNothing() throws {
        let home = try openConflict()
        _ = try home.run("git branch other; settings revert side -m 'no need' -q")
        #expect(try home.run("git log -1 --format='%(trailers:key=Resolves,valueonly)'").first == "m value")
        #expect(try chosen(home) == ["there are no open conflicts", "2", "Bob", "2", "Bob"])
        // Both sides of a merge did so.
        _ = try home.run("git switch -q other; settings revert side -m 'no need' -q; settings merge main -q; git switch -q main")
        _ = try home.run("git merge -q other")
        #expect(try chosen(home) == ["there are no open conflicts", "2", "Bob", "2", "Bob"])
    }

    @Test func aRestoreDecidesNothing() throws {
        let home = try openConflict()
        _ = try home.run("settings restore m --from dan -m 'as it was' -q")
        #expect(try home.run("git log -1 --format='%(trailers:key=Resolves,valueonly)'").first == "m value")
        #expect(try chosen(home) == ["there are no open conflicts", "5", "Dan", "5", "Dan"])
        // What came since and is taken back leaves it with him.
        _ = try home.run("settings set m 7 -q; settings revert HEAD -m wrong -q")
        #expect(try chosen(home) == ["there are no open conflicts", "5", "Dan", "5", "Dan"])
    }
}
