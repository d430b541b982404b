import Testing

/// Options that somebody made by hand and did not record yet, which every command knows.
struct NewFileTests {
    @Test(arguments: [
        ("settings set a.w 5", "W (a.w): added (5)"), ("settings set a.w 5 a.v 6", "W (a.w): added (5)"),
        ("settings set a.w 5 --if a.w=40", "W (a.w): added (5)"), ("settings unset a.w", "W (a.w): added"),
        ("settings reset a.w", "W (a.w): added (7)"), ("settings define a.w --title Loud", "Loud (a.w): added (40)"),
        ("settings label add a.c Third", "C (a.c): added (A)"),
    ])
    func isRecordedWithWhatChanges(_ command: String, _ sentence: String) throws {
        let home = try Self.home()
        let lines = try home.run(command)
        #expect(lines.contains { $0.hasSuffix(sentence) }, "\(lines)")
        #expect(try home.run("git log --format=%s | wc -l").first == "4")
        #expect(try home.run("settings verify -q; git status --porcelain -- $(git ls-files)").isEmpty)
        // The other files stay as they are.
        #expect(try home.run("git status --porcelain | wc -l") == ["2"])
        #expect(try home.unsound() == "")
    }

    @Test(arguments: [
        "history a.w", "blame a.w", "remove a.w", "rename a.w a.z", "get a.w --at HEAD", "set a.w 5 --confirm 10m",
        "restore a.w --from HEAD",
    ])
    func itIsSaidThatItIsNotRecorded(_ command: String) throws {
        let home = try Self.home()
        #expect(
            try home.run("settings \(command)") == [
                "settings: the option 'a.w' is not recorded yet",
                "hint: 'settings done a.w' records it, and 'settings discard a.w' removes its file", "[exit status: 66]",
            ])
        _ = try home.run(":; settings done a.w -q")
        #expect(try home.run("settings history a.w --oneline").count == 1)
    }

    @Test(arguments: ["history new", "blame new", "remove -r new", "rename new old"]) func groupsToo(_ command: String) throws {
        let home = try Self.home()
        #expect(try home.run("settings \(command)").first == "settings: the group 'new' is not recorded yet")
    }

    /// What git ignores and what is no option is not part of the store.
    @Test func whatIsNotTheStoresIsNotRecorded() throws {
        let home = try Self.home()
        _ = try home.run(":; echo a/i.json > .gitignore; cp a/v.json a/i.json; echo '{\"x\":1}' > a/x.json; echo '{' > a/y.json")
        for key in ["a.i", "a.x", "a.y"] {
            #expect(try home.run("settings set \(key) 3").first == "settings: there is no option '\(key)'")
        }
    }

    /// A store that nobody recorded is more than an option.
    @Test func aStoreThatIsNotRecordedIsNotRecordedInPart() throws {
        let home = try Self.home()
        _ = try home.run(":; rm -rf .git; git init -q")
        for command in ["set a.v 3", "label add a.c X", "unset a.v"] {
            let lines = try home.run("settings \(command)")
            #expect(lines.first?.hasSuffix("is not recorded yet") == true && lines.last == "[exit status: 66]", "\(lines)")
            #expect(lines.dropFirst().first == "hint: 'settings done' records the store", "\(lines)")
        }
        #expect(try home.run("settings done -q; settings set a.v 3 -q; settings get a.v --at HEAD") == ["3"])
    }

    /// A store with an option, and three more that are files alone.
    private static func home() throws -> Home {
        let home = try Home()
        _ = try home.run(
            """
            :; settings init -q; settings add a.v --title V --number 40 --default 7 -q; settings add a.z.q --title Q --switch -q
            sed 's/"V"/"W"/' a/v.json > a/w.json; mkdir new; cp a/v.json new/x.json
            printf '{"title":"C","type":"choice","value":"a","labels":["A","B"],"values":["a","b"]}' > a/c.json
            """)
        return home
    }
}
