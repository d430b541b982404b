import Surroundings
import Testing

/// Whoever chose a value has it again once it is given back, also where git squashed that, or names changed on the way.
struct GivenBackTests {
    /// `m` was set to 5 by Dan and to 2 by Ada, which is where `side` begins.
    private func store() throws -> Home {
        let home = try Home()
        _ = try home.run(
            "settings init -q .; settings add m --title M --number 0 -q; settings set m 5 -q --author 'Dan <dan@example.org>';"
                + " settings set m 2 -q --author 'Ada <ada@example.org>'; git switch -q -c side")
        return home
    }

    private func chosen(_ home: Home, _ key: String) throws -> [String] {
        let words = "settings get \(key); settings blame \(key) | grep -oE 'Dan|Ada|Bob'"
        return try home.run("\(words); settings maintain -q; \(words)")
    }

    private let squash =
        "git switch -q main; git merge -q --squash side > ~/out; git commit -q --no-edit --author 'Bob <bob@example.org>'"

    /// The squash has the old name in its message, and the new one in its files.
    @Test func underANameFromBelowTheSquash() throws {
        let home = try store()
        _ = try home.run(
            "settings revert HEAD -m wrong -q; git switch -q main; settings rename m n -q; \(squash)")
        #expect(try home.run("git log -1 --format=%B | grep -c Reverts:") == ["1"])
        #expect(try chosen(home, "n") == ["5", "Dan", "5", "Dan"])
    }

    /// Of what git renamed no message tells, and the group's new name is told.
    @Test func underANameThatGitAndThenItsGroupGave() throws {
        let home = try store()
        _ = try home.run(
            "settings add g.x --title X --number 0 -q; git mv m.json g/y.json; git commit -q -m Move; settings rename g h -q;"
                + " settings set h.x 3 -q; \(squash)")
        #expect(try chosen(home, "h.y") == ["2", "Ada", "2", "Ada"])
        #expect(try home.run("settings show h.y | grep -c Ada; settings history h.y -q | tail -n 1 | grep -c M") == ["1", "1"])
    }

    /// What is reverted had no part in the value, so that the revert chose it: `blame` and `diff --who` say the same.
    @Test func unlessItWasNotThere() throws {
        let home = try store()
        _ = try home.run(
            "git switch -q main; settings add k --title K --number 0 -q; git switch -q -c other; settings set m=7 k=7 -q;"
                + " settings revert HEAD -m wrong -q; git switch -q main; settings set m 7 -q; git cherry-pick -x main..other > ~/out"
        )
        let words = "settings get m; settings blame m | grep -oE '[0-9a-f]{7}'"
        let found = try home.run("\(words); git rev-parse --short=7 HEAD")
        #expect(found.first == "2")
        #expect(found.dropFirst().first == found.last)
        #expect(try home.run("settings diff --from HEAD~6 --who m | grep -oE '[0-9a-f]{7}' | tail -n 1") == [found.last ?? ""])
    }
}
