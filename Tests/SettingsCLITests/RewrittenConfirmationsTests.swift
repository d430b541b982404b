import Surroundings
import Testing

/// Versions that had to be confirmed here and that plain git rewrote.
struct RewrittenConfirmationsTests {
    private let later = "SETTINGS_NOW=2027-01-01T00:00:00Z"

    /// Plain git made the version again, without its trailers: it never reverts itself, and until somebody answers that is said.
    @Test(arguments: [
        ("git commit -q --amend -m 'Better words'", "confirm $id"), ("git commit -q --amend -m 'Better words'", "confirm"),
        ("git reset -q --soft HEAD~1; git commit -q -m again", "confirm $id"),
        ("git reset -q --soft HEAD~2; git commit -q -m both", "confirm $id"),
        ("git reset -q HEAD~1; settings done -q -m again", "confirm $id"),
        ("git branch -q old; git reset -q --hard HEAD~1; git merge -q --squash old > ~/out; git commit -q -m s", "confirm $id"),
        ("git commit -q --amend -m x; settings rename a c -q", "confirm $id"),
        ("git commit -q --amend -m x", "set a 3"), ("git commit -q --amend -m x", "undo"),
    ])
    func whatLostItsTrailersIsAskedAbout(_ rewriting: String, _ answer: String) throws {
        let home = try ConfirmTests.office()
        let id = try home.run(
            "settings set b on -q; settings set a 2 -q --confirm 1h; git rev-parse --short=7 HEAD; \(rewriting)")[0]
        let words = "be confirmed by .*; it was rewritten and does not revert itself: 'settings confirm \(id)' keeps it"
        for command in ["status", "confirm --list"] {
            #expect(try home.run("settings \(command) | grep -c \" to \(words)\"") == ["1"], "\(command)")
            #expect(try home.run("\(later) settings \(command) | grep -c \"was to \(words)\"") == ["1"], "\(command)")
        }
        #expect(try home.run("\(later) settings confirm --expire -q; settings get a 2> ~/out || settings get c") == ["2"])
        for command in ["confirm --cancel \(id)", "confirm --extend 2h \(id)"] {
            let lines = try home.run("settings \(command)")
            #expect(lines[0] == "settings: \(id) was rewritten, so it does not revert itself", "\(lines)")
            #expect(lines.last == "[exit status: 1]", "\(lines)")
        }
        #expect(try home.run("id=\(id); settings \(answer) -q") == [])
        #expect(try home.run("\(later) settings confirm --list") == ["nothing is waiting for confirmation"])
        #expect(try home.run("\(later) settings status | grep -c confirmed || true") == ["0"])
    }

    /// With its trailers, it is found under its new id, also before its time is over.
    @Test(arguments: [
        "git commit -q --amend --no-edit", "git rebase -q --force-rebase HEAD~1",
        "git commit -q --amend -m x -m \"$(git log -1 --format=%B)\"",
    ])
    func whatKeptItsTrailersIsAskedAboutAtOnce(_ rewriting: String) throws {
        let home = try ConfirmTests.office()
        let old = try home.run("settings set a 2 -q --confirm 1h; git rev-parse --short=7 HEAD")[0]
        let rewrite = "GIT_COMMITTER_DATE='2026-11-21T12:00:00Z' sh -c '\(rewriting)'; git rev-parse --short=7 HEAD"
        let id = try #require(try home.run(rewrite).last)
        #expect(id != old)
        let listed = try home.run("settings confirm --list")
        #expect(listed.count == 3 && listed[0].hasPrefix(id), "\(listed)")
        #expect(listed.last?.hasSuffix("it was rewritten and does not revert itself: 'settings confirm \(id)' keeps it") == true)
        #expect(try home.run("settings status --json | grep -c unanswered") == ["1"])
        #expect(try home.run("\(later) settings confirm --expire -q; settings get a") == ["2"])
        #expect(try home.run("settings confirm -q; \(later) settings confirm --list") == ["nothing is waiting for confirmation"])
    }

    /// Whoever drops a version, or records another one with --confirm in its place, is not asked about the first.
    @Test func whatIsNotInForceIsNotAskedAbout() throws {
        let home = try ConfirmTests.office()
        let state = "settings confirm --list 2>&1 | grep -cE 'confirm(ed|ation)'"
        #expect(try home.run("settings set a 2 -q --confirm 1h; git reset -q --hard HEAD~1; \(state)") == ["1"])
        #expect(try home.run("settings confirm --list") == ["nothing is waiting for confirmation"])
        #expect(
            try home.run("settings set a 2 -q --confirm 2h; \(state); settings confirm -q; settings confirm --list") == [
                "1", "nothing is waiting for confirmation",
            ])
        #expect(try home.run("git switch -q -c other HEAD~2; settings confirm --list") == ["nothing is waiting for confirmation"])
    }
}
