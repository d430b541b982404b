import Foundation
import Surroundings
import Testing

/// Which file an option belongs to, and what happens to files that lack it.
@Suite struct TrackOwnerTests {
    /// Two files of one group.
    private static func pair() throws -> Home {
        let home = try TrackTests.office(tracking: false)
        try TrackTests.write("Y=1\n", "a.env", home)
        try TrackTests.write("T=x # t\nM=2\n", "b.env", home)
        #expect(
            try home.run("git add . && git commit -q -m Files && settings track -q a.env b.env --into app 2> /dev/null") == [])
        return home
    }

    @Test(arguments: [
        ("settings unset app.T -q; settings undo -q", ["T=x # t", "M=2"]),
        ("settings unset app.T -q; settings set app.T x -q", ["T=x # t", "M=2"]),
        ("settings rm app.T -q; settings undo -q", ["T=x # t", "M=2"]),
    ])
    func aMemberComesBackToTheFileThatHadIt(_ script: String, _ lines: [String]) throws {
        let home = try Self.pair()
        #expect(try home.run("\(script); cat a.env") == ["Y=1"])
        #expect(try home.run("sort b.env; settings get app.T") == lines.sorted() + ["x"])
        #expect(try home.run("settings export --check; settings verify -q; git status --porcelain") == [])
    }

    @Test func aNewOptionGoesToTheFirstFileThatCanHoldIt() throws {
        let home = try Self.pair()
        #expect(
            try home.run("settings add app.NEW --title N --text q -q; cat a.env b.env") == ["Y=1", "NEW=q", "T=x # t", "M=2"])
        // A .env file has no sections.
        let yaml = try TrackTests.office(tracking: false)
        try TrackTests.write("A=1\n", "a.env", yaml)
        try TrackTests.write("x:\n  y: 1\n", "b.yaml", yaml)
        #expect(
            try yaml.run(
                """
                : && git add . && git commit -q -m Files && settings track -q a.env b.yaml --into app
                settings add app.u --group U -q 2> /dev/null; settings add app.x.z --title Z --number 3 -q; cat a.env b.yaml
                """) == ["A=1", "x:", "  y: 1", "  z: 3"])
    }

    /// A file that git ignores, beside one of the same group that it doesn't.
    @Test func ignoredFilesHaveTheirOwnOptions() throws {
        let home = try TrackTests.office(tracking: false)
        try TrackTests.write("x:\n  y: 1\nz: 1\n", "a.yaml", home)
        try TrackTests.write("A=1\n", ".env", home)
        #expect(
            try home.run(
                """
                : && echo .env > .gitignore && git add . && git commit -q -m Files && settings track -q a.yaml .env --into app
                settings set app.A 2 -q 2>&1; settings set app.z 2 -q 2>&1; settings set app.x.y 3 -q 2>&1; cat .env a.yaml
                """) == ["A=2", "x:", "  y: 3", "z: 2"])
        #expect(
            try home.run("settings unset app.A -q 2>&1; settings undo -q 2>&1; cat .env; grep -c A a.yaml")
                == ["A=2", "0", "[exit status: 1]"])
        #expect(try home.run("settings status -q --exit-code; settings export --check") == [])
    }

    @Test func aMemberThatWasRemovedIsADraft() throws {
        let home = try Self.pair()
        #expect(
            try home.run("sed -i /M/d b.env; settings status 2> /dev/null") == [#"edited in b.env: M (app.M): "2" → not set"#])
        #expect(try home.run("settings set app.M 3 2>&1").last == "[exit status: 2]")
        #expect(
            try home.run("settings done app.M -q; settings get app.M 2>&1; cat b.env; git status --porcelain")
                == ["app.M is not set", "T=x # t"])
        #expect(try home.run("settings set app.M 4 -q; cat a.env b.env") == ["Y=1", "T=x # t", "M=4"])
        #expect(try home.run("sed -i /M/d b.env; settings discard -q; cat b.env") == ["T=x # t", "M=4"])
        #expect(try home.run("sed -i /M/d b.env; settings export --overwrite -q; cat b.env") == ["T=x # t", "M=4"])
    }

    @Test func aPlainCommitThatRemovedAMemberIsAhead() throws {
        let home = try Self.pair()
        let status = SyncTests.plain(try home.run("sed -i /M/d b.env; git commit -q -a -m Less; settings status 2> /dev/null"))
        #expect(status.first?.hasSuffix(#"(Ada Example): M (app.M): "2" → not set"#) == true, "\(status)")
        #expect(try home.run("settings set app.M 3 2>&1").last == "[exit status: 2]")
        #expect(try home.run("settings export --check > /dev/null 2>&1") == ["[exit status: 1]"])
        #expect(
            try home.run("settings done -q; settings get app.M 2>&1; settings track | grep -c step") == ["app.M is not set", "2"])
        #expect(try home.run("settings undo -q; cat a.env b.env; settings verify -q") == ["Y=1", "T=x # t", "M=2"])
        #expect(
            try home.run("sed -i /M/d b.env; git commit -q -a -m Less; settings export --overwrite -q; cat b.env")
                == ["T=x # t", "M=2"])
    }

    /// What tracked the file is undone together with what was set since.
    @Test(arguments: ["settings undo 2 -q", "settings revert HEAD~2..HEAD -q -m no"])
    func undoingTheTrackingToo(_ command: String) throws {
        let home = try TrackTests.office(tracking: false)
        try TrackTests.write("n=5 # five\n", "d.env", home)
        #expect(
            try home.run(
                """
                : && git add . && git commit -q -m Files && settings track -q d.env --into d && settings set d.n 7 -q; cat d.env
                \(command); cat d.env; settings track -q; git status --porcelain
                """) == ["n=7 # five", "n=5 # five"])
    }

    @Test func aFileThatWasRenamedIsNamed() throws {
        let home = try TrackTests.office()
        let lines = try home.run("git mv config/app.yaml config/b.yaml; git commit -q -m Move; settings status 2> /dev/null")
        #expect(
            lines.first
                == "config/app.yaml is named by _store.json but does not exist, so changes of options are not written to it")
        #expect(
            try home.run("settings set debug on -q 2>&1").first?.hasPrefix(
                "warning: config/app.yaml is named by _store.json but does not exist") == true)
        #expect(
            try home.run(
                """
                : && settings undo -q 2> /dev/null; settings track config/b.yaml -q 2> /dev/null; settings untrack config/app.yaml -q
                settings set debug on -q 2>&1; tail -1 config/b.yaml; settings verify -q
                """) == ["debug: true"])
    }

    /// Only the executable bit is part of a version.
    @Test(arguments: ["600", "640", "444", "755"])
    func modesStay(_ mode: String) throws {
        let home = try TrackTests.office(tracking: false)
        let lines = try home.run(
            """
            : && chmod \(mode) config/app.yaml && git commit -q -a -m Mode > /dev/null; settings track config/app.yaml -q --with-secrets
            settings set debug on -q; stat -c %a config/app.yaml; settings undo -q; stat -c %a config/app.yaml
            chmod u+w config/app.yaml; echo 'x: 1' >> config/app.yaml; settings discard -q; stat -c %a config/app.yaml
            git status --porcelain
            """)
        #expect(lines == [mode, mode, mode == "444" ? "644" : mode])
    }
}
