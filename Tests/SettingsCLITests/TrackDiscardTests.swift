import Foundation
import Surroundings
import Testing

/// What becomes of edits of tracked files that somebody drops.
@Suite struct TrackDiscardTests {
    /// A store with an ignored `.env`, of which the password is no option.
    private static func ignored() throws -> Home {
        let home = try TrackTests.office(tracking: false)
        try TrackTests.write("A=1\nB=2 # bee\nPASSWORD=old-one\n# note\n", ".env", home)
        let script = "echo .env > .gitignore; git add . && git commit -q -m More && settings track .env --into app -q"
        #expect(try home.run("{ \(script); } 2> /dev/null") == [])
        return home
    }

    /// In a file that no version has, what is no option is nothing to the store.
    @Test func otherLinesOfAFileOutsideAreItsOwn() throws {
        let home = try Self.ignored()
        #expect(
            try home.run("sed -i 's/# note/# mine/; s/old-one/new-one/' .env; settings status --exit-code -q; settings track")
                == [
                    "/home/ada/office/.env  app  env  in step"
                ])
        #expect(try home.run("settings done -m x") == ["nothing to record: there are no unrecorded edits"])
        #expect(try home.run("settings discard") == ["nothing to discard: there are no unrecorded edits"])
        #expect(
            try home.run("sed -i 's/A=1/A=5/; s/B=2/B=3/' .env; settings discard; cat .env") == [
                "discarded:", #"    A (app.A): "1" → "5" (in /home/ada/office/.env)"#,
                #"    B (app.B): "2" → "3" (in /home/ada/office/.env)"#, "hint: 'settings discard --undo' restores them", "A=1",
                "B=2 # bee", "PASSWORD=new-one", "# mine",
            ])
        #expect(try home.run("settings discard --list | grep -c '/office/.env)$'") == ["2"])
        // The app may have written what is its own since.
        #expect(
            try home.run("sed -i 's/new-one/newest/' .env; settings discard --undo -q; cat .env") == [
                "A=5", "B=3 # bee", "PASSWORD=newest", "# mine",
            ])
        // Of an option alone, that one alone is named.
        #expect(
            try home.run("settings discard app.A; head -2 .env") == [
                "discarded:", #"    A (app.A): "1" → "5" (in /home/ada/office/.env)"#,
                "hint: 'settings discard --undo' restores them", "A=1", "B=3 # bee",
            ])
    }

    @Test func aCommentBesideAnOptionStays() throws {
        let home = try TrackTests.office()
        try TrackTests.write(
            TrackTests.app.replacingOccurrences(of: "debug: false", with: "# by hand\ndebug: true"), "config/app.yaml", home)
        #expect(
            try home.run("settings discard debug -q; tail -2 config/app.yaml; settings discard --list | tail -1") == [
                "# by hand", "debug: false", "    Debug (debug): Off → On (in config/app.yaml)",
            ])
        #expect(
            try home.run("settings set debug on -q; sed -i 's/true/false/' config/app.yaml; settings discard").dropLast() == [
                "discarded:", "    Debug (debug): On → Off (in config/app.yaml)", "    other lines of config/app.yaml",
            ])
        #expect(try home.run("settings discard --undo -q; tail -2 config/app.yaml") == ["# by hand", "debug: false"])
    }

    /// Nothing can be told of such a file, so that it is put back as a whole, and kept.
    @Test(arguments: [
        ("echo 'a: [' > config/app.yaml", "    all of config/app.yaml, which cannot be read", ["a: ["]),
        ("rm config/app.yaml", "    config/app.yaml removed", ["[exit status: 1]"]),
    ])
    func aFileThatCannotBeReadIsPutBack(_ edit: String, _ line: String, _ held: [String]) throws {
        let home = try TrackTests.office()
        let status = try home.run("\(edit); settings status 2> /dev/null")
        #expect(status.count == 1 && status.first?.hasPrefix("config/app.yaml") == true, "\(status)")
        #expect(
            try home.run("settings discard -n; settings discard -q | head -2; git status --porcelain") == [
                "would discard:", line,
            ])
        #expect(try home.run("settings discard --list | tail -1 | cut -c5-").map { "    " + $0 } == [line])
        #expect(try home.run("settings discard --undo -q; cat config/app.yaml 2> /dev/null") == held)
    }

    @Test func aLinkInThePlaceOfAFileIsNamed() throws {
        let home = try TrackTests.office()
        let lines = try home.run("rm config/app.yaml; ln -s nowhere config/app.yaml; settings discard 2>&1")
        #expect(
            lines == [
                "settings: config/app.yaml is behind a symbolic link",
                "hint: remove it, then restore the file with 'settings discard'", "[exit status: 65]",
            ])
        #expect(try home.run("rm config/app.yaml; settings discard -q; git status --porcelain") == [])
    }
}
