import Foundation
import Surroundings
import Testing

/// Tracked files that plain git merges, where `settings setup` has installed the driver.
@Suite struct TrackMergeTests {
    private static let lines = "# the app\nserver:\n  port: 8080\n  host: \"localhost\"\n  tries: 3\ndebug: false\n"

    /// A file outside of the store's folder, whose name needs quoting, and one of JSON. The branches `a` and `b` have set
    /// options whose lines are next to each other, and have added one each.
    private static func office(driver: Bool = true) throws -> Home {
        let home = try TrackTests.office(tracking: false)
        try TrackTests.write(lines, "config/the app*.yaml", home)
        try TrackTests.write("{\"x\": 1,\n \"y\": 2}\n", "config/tool.json", home)
        let script = """
            \(driver ? "" : "settings setup --undo -q")
            git add . && git commit -q -m More
            settings track 'config/the app*.yaml' --into app -q && settings track config/tool.json --into tool -q
            git switch -q -c a && settings set app.server.port 1 -q && settings set tool.x 5 -q
            settings add app.server.m --title M --number 7 -q
            git switch -q -c b main && settings set app.server.host other -q && settings set tool.y 6 -q
            settings add app.server.n --title N --number 8 -q
            """
        #expect(try home.run("{ \(script)\n} 2>&1") == [])
        return home
    }

    private static func expectMerged(_ home: Home) throws {
        let text = try String(contentsOfFile: home.folder + "/config/the app*.yaml", encoding: .utf8)
        let start = "# the app\nserver:\n  port: 1\n  host: \"other\"\n  tries: 3\n"
        #expect(
            [start + "  m: 7\n  \"n\": 8\ndebug: false\n", start + "  \"n\": 8\n  m: 7\ndebug: false\n"].contains(text), "\(text)"
        )
        #expect(try home.run("cat config/tool.json") == [#"{"x": 5,"#, #" "y": 6}"#])
        #expect(
            try home.run("settings get app.server.port app.server.host tool.x tool.y app.server.m app.server.n")
                == ["1", "other", "5", "6", "7", "8"])
        #expect(
            try home.run("settings verify -q; settings status -q --exit-code; settings export --check; git status --porcelain")
                == [])
    }

    @Test(arguments: [
        "git merge -q --no-edit a", "git rebase -q a", "git switch -q a; git rebase -q b",
        "git switch -q a; git cherry-pick main..b > /dev/null", "git cherry-pick main..a > /dev/null", "settings merge a -q",
    ])
    func linesNextToEachOtherAreNoConflict(_ command: String) throws {
        let home = try Self.office()
        #expect(try home.run("{ \(command); } 2>&1").filter { !$0.hasPrefix("Auto-merging") } == [])
        try Self.expectMerged(home)
    }

    @Test func aStashIsAppliedByMeaning() throws {
        let home = try Self.office()
        #expect(
            try home.run(
                """
                : && sed -i 's/tries: 3/tries: 4/' config/the*.yaml && git stash -q && git merge -q --no-edit a 2> /dev/null
                settings set app.debug on app.server.host third -q && git stash pop -q 2>&1
                """
            ).filter { !$0.hasPrefix("Auto-merging") } == [])
        #expect(
            try home.run("settings status 2> /dev/null")
                == ["edited in config/the app*.yaml: Tries (app.server.tries): 3 → 4"])
    }

    /// In a clone the configuration and the attributes come with `settings clone`, or with `settings setup`; a file that somebody
    /// else tracks is named with the next version.
    @Test func clonesNameTheDriver() throws {
        let home = try Self.office()
        let lines = [#""/config/the\040app\\*.yaml" merge=settings"#]
        #expect(try home.run("grep -v tool.json .git/info/attributes") == lines)
        #expect(try home.run("git check-attr merge -- config/the*.yaml") == ["config/the app*.yaml: merge: settings"])
        #expect(
            try home.run(
                """
                : && git clone -q . ../c 2>&1; cd ../c && git config settings.store conf; settings setup -q
                grep -v tool.json .git/info/attributes; git check-attr merge -- config/the*.yaml
                """) == lines + ["config/the app*.yaml: merge: settings"])
        #expect(
            try home.run(
                """
                : && settings clone -q . ../d 2>&1; cd ../d && grep -v tool.json .git/info/attributes
                echo '/config/own merge=union' >> .git/info/attributes
                settings untrack config/the*.yaml --store conf -q; grep -v tool.json .git/info/attributes
                settings track config/app.yaml -q --store conf; settings setup --undo -q --store conf; cat .git/info/attributes
                """) == lines + ["/config/own merge=union", "/config/own merge=union"])
    }

    /// Whoever names another driver for a file means that one; 'doctor' and 'verify --deep' say so.
    @Test func anotherDriverStays() throws {
        let home = try TrackTests.office(tracking: false)
        #expect(
            try home.run(
                """
                : && echo 'config/* merge=union' > .gitattributes && git add . && git commit -q -m Union
                settings track config/app.yaml -q; cat .git/info/attributes 2> /dev/null; git check-attr merge config/app.yaml
                """) == ["config/app.yaml: merge: union"])
        let line = "config/app.yaml: git's attributes do not name the merge driver for it, so git merges it as text"
        #expect(try home.run("settings verify --deep 2>&1").contains(line))
        #expect(try home.run("settings doctor 2>&1").contains { $0.contains("config/app.yaml") })
    }

    @Test func aConflictOfOptionsIsResolvedInTheFileToo() throws {
        let home = try Self.office()
        let script = """
            settings set app.server.port 2 -q; git merge -q --no-edit a > /dev/null 2>&1; git status --porcelain | grep ^UU
            """
        #expect(
            try home.run(script) == ["UU conf/app/server/port.json", #"UU "config/the app*.yaml""#])
        #expect(
            try home.run("grep -c '^<<<<<<<' config/the*.yaml; grep port: config/the*.yaml") == ["1", "  port: 2", "  port: 1"])
        #expect(try home.run("settings status 2> /dev/null").contains("git could not merge config/the app*.yaml"))
        #expect(
            try home.run("settings resolve app.server.port 1 -q; git status --porcelain | grep ^U; git commit -q --no-edit") == []
        )
        try Self.expectMerged(home)
    }

    /// Without the driver git merges texts; what a host would do is said before.
    @Test func aHostIsNotAsked() throws {
        let home = try Self.office(driver: false)
        #expect(
            try home.run("ls .git/info/attributes 2> /dev/null; settings verify --merge a b 2> /dev/null | grep -v '^    '") == [
                "config/tool.json: a host cannot merge the text; by meaning there is no conflict",
                "config/the app*.yaml: a host cannot merge the text; by meaning there is no conflict",
                "app/server/_group.json: a host cannot merge the text; by meaning there is no conflict",
            ].sorted() + ["7 files of the merge checked, no problems found"])
        // One side moves the line, the other one changes it: two lines are left.
        let twice = """
            git switch -q -c c main && sed -i '/tries/d; 1a tries: 3' config/the*.yaml && git commit -q -a -m Move
            git switch -q -c d main && settings set app.server.port 9 -q && sed -i 's/9/10/' conf/app/server/port.json
            git commit -q -a -m Hand && settings verify --merge c d
            """
        let lines = try home.run("{ \(twice)\n} 2>&1")
        #expect(lines.first == "config/the app*.yaml: after a host's merge, it differs from app.server.port", "\(lines)")
        #expect(lines.last == "[exit status: 65]")
    }

    /// What a plain commit changed in a file stays there, ahead of its option, on whichever side that commit is.
    @Test(arguments: ["settings merge -q b", "git switch -q b; settings merge -q a"])
    func whatAFileIsAheadWithStays(_ merge: String) throws {
        let home = try Self.office()
        let start = """
            : && git switch -q a && sed -i 's/tries: 3/tries: 4/' config/the*.yaml && git commit -q -a -m Tries
            settings set app.server.port 2 -q
            """
        #expect(try home.run(start) == [])
        let ahead = SyncTests.plain(
            try home.run("{ \(merge)\n} 2>&1; grep tries config/the*.yaml; settings get app.server.tries"))
        #expect(ahead.suffix(2) == ["  tries: 4", "3"], "\(ahead)")
        #expect(try home.run("settings get app.server.port app.server.host") == ["2", "other"])
        #expect(try home.run("settings track | cut -d' ' -f2- | grep -o 'ahead$'") == ["ahead"])
        #expect(
            try home.run("settings done -q; settings get app.server.tries; settings verify -q; git status --porcelain") == ["4"])
    }

    @Test func plainCommitsOfBothSidesOnOneMemberAreAQuestion() throws {
        let home = try Self.office()
        let script = """
            : && git switch -q a && sed -i 's/tries: 3/tries: 4/' config/the*.yaml && git commit -q -a -m Four
            git switch -q b && sed -i 's/tries: 3/tries: 5/' config/the*.yaml && git commit -q -a -m Five
            """
        #expect(try home.run(script) == [])
        let before = try home.run("git rev-parse HEAD; cat config/the*.yaml")
        let lines = try home.run("settings merge a 2>&1")
        #expect(lines.contains { $0.contains("both sides changed app.server.tries in config/the app*.yaml") }, "\(lines)")
        #expect(lines.last == "[exit status: 2]")
        #expect(try home.run("git rev-parse HEAD; cat config/the*.yaml; git status --porcelain") == before)
        #expect(try home.run("settings merge a --theirs -q 2> /dev/null; grep tries config/the*.yaml") == ["  tries: 4"])
    }

    /// Comments on lines that touch, beside options that either side set or added.
    @Test(arguments: ["settings merge -q b", "git merge -q --no-edit b", "git rebase -q b"])
    func commentsNextToEachOtherAreNoConflict(_ command: String) throws {
        let home = try Self.office()
        let script = """
            : && git switch -q a && sed -i 's/^  host.*/& # by a/' config/the*.yaml && settings done -q
            git switch -q b && sed -i 's/^  tries.*/& # by b/; s/^  port/  # the port\\n&/' config/the*.yaml && settings done -q
            git switch -q a; { \(command)
            } 2>&1
            """
        #expect(try home.run(script).filter { !$0.hasPrefix("Auto-merging") } == [])
        #expect(
            try home.run("head -6 config/the*.yaml; settings verify -q; settings export --check; git status --porcelain") == [
                "# the app", "server:", "  # the port", "  port: 1", "  host: \"other\" # by a", "  tries: 3 # by b",
            ])
    }

    @Test func commentsOfBothSidesOnOneLineAreGits() throws {
        let home = try Self.office()
        for branch in ["a", "b"] {
            _ = try home.run(
                "git switch -q \(branch) && sed -i 's/^  tries.*/& # by \(branch)/' config/the*.yaml && settings done -q")
        }
        let before = try home.run("git rev-parse HEAD; cat config/the*.yaml")
        #expect(
            try home.run("settings merge a 2>&1").first
                == "settings: both sides changed the same lines of config/the app*.yaml that are not "
                + "options; they must be merged with git")
        #expect(try home.run("git rev-parse HEAD; cat config/the*.yaml; git status --porcelain") == before)
    }

    /// What is decided counts in the file too where only the other side changed it.
    @Test(arguments: [
        ("settings merge other app.server.tries=5 -q", "5"), ("settings merge other app.server.tries=3 -q", "3"),
        ("settings merge other -q", "9"),
    ])
    func aDecisionIsWrittenIntoTheFile(command: String, tries: String) throws {
        let home = try Self.office()
        let script = """
            : && git switch -q -c other main && settings set app.server.tries 9 -q && git switch -q main
            settings set tool.x 8 -q; \(command)
            """
        #expect(try home.run("{ \(script)\n} 2>&1") == [])
        #expect(
            try home.run(
                "settings get app.server.tries; grep tries config/the*.yaml; settings export --check; settings verify -q")
                == [tries, "  tries: \(tries)"])
    }

    /// The side that is named wins over the other one, also where it is the one that only changed the file.
    @Test(arguments: [("a", "b", "--theirs"), ("b", "a", "--ours")])
    func aSideThatIsNamedWinsInTheFile(ours: String, theirs: String, side: String) throws {
        let home = try Self.office()
        let script = """
            : && git switch -q a && settings set app.server.tries 9 -q
            git switch -q b && sed -i 's/tries: 3/tries: 8/' config/the*.yaml && git commit -q -a -m Eight
            git switch -q \(ours) && settings merge \(theirs) \(side) -q
            """
        #expect(try home.run("{ \(script)\n} 2>&1") == [])
        #expect(
            try home.run("grep tries config/the*.yaml; settings export --check > /dev/null 2>&1; echo $?") == ["  tries: 8", "1"])
        #expect(try home.run("settings import --overwrite -q; settings get app.server.tries; settings verify -q") == ["8"])
    }

    /// An edit of what a merge changes is one that 'done' records.
    @Test func aMergeOverAnEdit() throws {
        let home = try Self.office()
        _ = try home.run("git switch -q a; sed -i 's/host: .*/host: mine/' config/the*.yaml")
        #expect(
            try home.run("settings merge b 2>&1") == [
                "settings: app.server.host was edited in config/the app*.yaml, and that edit is not recorded yet",
                "hint: 'settings done app.server.host' records it, 'settings discard app.server.host' drops it",
                "[exit status: 2]",
            ])
    }
}
