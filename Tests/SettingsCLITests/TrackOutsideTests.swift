import Foundation
import Surroundings
import Testing

/// Files outside the work tree: which side wins, and what is said of it.
@Suite struct TrackOutsideTests {
    /// `~/one.toml`, tracked for the group `app`, in which the store has other values than at first.
    private static func outside() throws -> Home {
        let home = try TrackTests.office(tracking: false)
        try TrackTests.write("theme = \"light\"\nsize = 3\n", "../one.toml", home)
        #expect(
            try home.run("settings track ~/one.toml --into app -q && settings set app.theme dark app.size 4 -q; cat ~/one.toml")
                == [
                    "theme = \"dark\"", "size = 4",
                ])
        return home
    }

    @Test func anExportSaysWhatItKeepsAndWrites() throws {
        let home = try Self.outside()
        #expect(
            try home.run("sed -i 's/4/9/' ~/one.toml; settings export 2>&1; settings export --check > /dev/null 2>&1") == [
                "nothing to do: the tracked file is in step, except for the kept values",
                "kept: /home/ada/one.toml: Size (app.size): 4 → 9, which nobody recorded",
                "hint: 'settings import' takes them, --overwrite writes the store's values", "[exit status: 1]",
            ])
        #expect(
            try home.run("settings export -n --overwrite; tail -1 ~/one.toml; settings export --overwrite; tail -1 ~/one.toml")
                == [
                    "nothing to record", "would write /home/ada/one.toml: Size (app.size): 9 → 4", "size = 9",
                    "nothing to record",
                    "wrote /home/ada/one.toml: Size (app.size): 9 → 4", "size = 4",
                ])
        #expect(try home.run("settings export; settings export --check") == ["nothing to do: the tracked file is in step"])
    }

    @Test func aMissingFileIsWrittenAgain() throws {
        let home = try Self.outside()
        #expect(try home.run("rm ~/one.toml; settings status 2> /dev/null") == ["/home/ada/one.toml is missing"])
        #expect(try home.run("settings set app.size 5 -q 2> /dev/null; ls ~/one.toml 2> /dev/null") == ["[exit status: 2]"])
        #expect(
            try home.run("settings export -n; ls ~/one.toml 2> /dev/null; settings export; cat ~/one.toml; stat -c %a ~/one.toml")
                == [
                    "nothing to record", "would write /home/ada/one.toml, readable only by you", "nothing to record",
                    "wrote /home/ada/one.toml, readable only by you", "theme = \"dark\"", "size = 5", "600",
                ])
        #expect(try home.run("settings track") == ["/home/ada/one.toml  app  toml  in step"])
    }

    @Test func aFileWithOtherValuesIsAQuestion() throws {
        let home = try Self.outside()
        try TrackTests.write("theme = \"blue\"\nsize = 4\n", "../two.toml", home)
        let (file, name) = ("/home/ada/two.toml", "settings track ~/two.toml --into app")
        let question = [
            "settings: \(file) has values that differ from the store's: Theme (app.theme): \"dark\" → \"blue\"",
            "hint: 'settings import \(file) --format toml --into app --overwrite' takes the file's values, "
                + "'settings export toml app -o \(file) --overwrite' writes the store's values; then track it",
            "[exit status: 2]",
        ]
        #expect(try home.run("\(name) 2>&1") == question)
        #expect(try home.run("\(name) -n 2>&1") == question)
        #expect(try home.run("settings track | wc -l; cat ~/two.toml") == ["1", "theme = \"blue\"", "size = 4"])
        // Both commands settle it.
        #expect(
            try home.run(
                "settings untrack ~/one.toml -q; settings export toml app -o ~/two.toml --overwrite; \(name) -n; \(name)") == [
                    "would be tracked; no options were added", "tracked; no options were added",
                ])
        #expect(try home.run("settings untrack ~/two.toml -q; sed -i s/dark/blue/ ~/two.toml") == [])
        #expect(
            try home.run(
                "settings import ~/two.toml --format toml --into app --overwrite -q; \(name); settings get app.theme; settings track"
            )
                == ["tracked; no options were added", "blue", "\(file)  app  toml  in step"])
        #expect(
            try home.run("settings track ~/three.toml --into app 2>&1") == [
                "settings: /home/ada/three.toml does not exist",
                "hint: name an existing file, or 'settings export toml app -o /home/ada/three.toml' writes it from the options",
                "[exit status: 66]",
            ])
    }

    /// A value of another type is no edit that 'done' can record, and is dropped or taken all the same.
    @Test func aValueOfAnotherType() throws {
        let home = try Self.outside()
        let edit = "sed -i 's/size = 4/size = \"auto\"/' ~/one.toml"
        let status = try home.run("\(edit); settings status 2>&1")
        #expect(
            status == [
                "/home/ada/one.toml: app.size: 'auto' is not a number",
                "hint: 'settings discard app.size' drops it, 'settings import /home/ada/one.toml --format toml --into app "
                    + "--overwrite' imports it with its type",
            ])
        #expect(
            try home.run("settings discard app.size -q; tail -1 ~/one.toml; settings track | grep -c step") == ["size = 4", "1"])
        #expect(
            try home.run(
                """
                \(edit); settings import ~/one.toml --format toml --into app --overwrite -q; settings get app.size
                settings track | grep -c step
                """) == ["auto", "1"])
    }

    @Test func aDiffHasEditsOfTrackedFiles() throws {
        let home = try Self.outside()
        _ = try home.run("settings set app.size 5 -q; sed -i 's/5/7/' ~/one.toml")
        #expect(
            try home.run("settings diff; settings diff app.theme 2> /dev/null; settings diff --from HEAD~1 app.size") == [
                "Size (app.size): 5 → 7", "Size (app.size): 4 → 7",
            ])
    }

    @Test func allThatIsWrongIsNamed() throws {
        let home = try Self.outside()
        try TrackTests.write("w: &w hello\nv: *w\nu: *w\n", "config/alias.yaml", home)
        _ = try home.run("settings track config/alias.yaml --into a -q; cp config/alias.yaml config/b.yaml")
        _ = try home.run("settings track config/b.yaml --into b -q")
        let refused = try home.run("settings set a.v=2 a.u=3 b.v=4 2>&1")
        #expect(
            refused.count { $0.contains("can't be edited in place") } == 3 && refused.last == "[exit status: 65]", "\(refused)")
        #expect(
            try home.run("settings track no.yaml config/no.yaml 2>&1") == [
                "settings: found 2 problems with tracked files", "    no.yaml does not exist",
                "    config/no.yaml does not exist",
                "hint: name an existing file, or 'settings export yaml -o no.yaml' writes it from the options",
                "[exit status: 66]",
            ])
        let unknown = try home.run("settings set app.sizes=1 app.none=2 app.size=9 2>&1; settings get app.size")
        #expect(unknown.first == "settings: found 2 problems" && unknown.count == 4 && unknown.last == "4", "\(unknown)")
    }

    /// The file goes with its group, by whatever command that is renamed; what plain git renames leaves it alone.
    @Test func aRenamedGroupKeepsItsFile() throws {
        let home = try Self.outside()
        let own = "theme = \"dark\""
        func track(_ group: String) -> String { "/home/ada/one.toml  \(group)  toml  in step" }
        #expect(try home.run("settings rename app prog -q; cat ~/one.toml; settings track") == [own, "size = 4", track("prog")])
        #expect(
            try home.run("settings set prog.size 5 -q; settings undo 2 -q; cat ~/one.toml; settings track") == [
                own, "size = 4", track("app"),
            ])
        #expect(
            try home.run(
                "git mv conf/app conf/other; settings done -q; settings set other.size 6 -q; cat ~/one.toml; settings track")
                == [own, "size = 6", track("other")])
        let lines = try home.run(
            "git mv conf/other conf/third; git commit -q -m Moved; settings set third.size 7 2>&1; cat ~/one.toml; settings track"
        )
        #expect(
            lines.contains { $0.contains("one.toml is tracked for the group other, which has none of its options") }, "\(lines)")
        #expect(lines.suffix(3) == [own, "size = 6", "/home/ada/one.toml  other  toml  without options"])
        #expect(
            try home.run(
                "settings export 2>&1 | head -2; settings untrack ~/one.toml -q; settings track ~/one.toml --into third 2>&1 | head -1"
            ) == [
                "settings: /home/ada/one.toml is tracked for the group other, which has none of its options",
                "hint: if the group was renamed, run 'settings untrack /home/ada/one.toml', then 'settings track /home/ada/one.toml "
                    + "--into GROUP'; 'settings import' adds the options again",
                "settings: /home/ada/one.toml has values that differ from the store's: Size (third.size): 7 → 6",
            ])
    }

    /// Also where somebody else renames it.
    @Test func aGroupThatASyncRenamesKeepsItsFile() throws {
        let home = try Self.outside()
        let lines = try home.run(
            """
            settings clone -q --bare . ../hub.git && settings remote add origin ../hub.git -q && settings sync -q
            settings clone -q ../hub.git ../two > /dev/null; cd ../two; settings rename app prog -q && settings sync -q
            cd ../office; settings sync -q; cat ~/one.toml; settings track
            """)
        #expect(lines == ["theme = \"dark\"", "size = 4", "/home/ada/one.toml  prog  toml  in step"])
    }

    /// A file that is tracked for the whole store is no home for what another one brings.
    @Test func theOptionsOfAFileOutsideAreInNoOtherFile() throws {
        let home = try TrackTests.office()
        try TrackTests.write("[net]\nhost = \"intranet\"\n", "../c.toml", home)
        #expect(
            try home.run("settings track ~/c.toml --into mine -q; git log -1 --format=%b | grep from:; git status --porcelain")
                == ["Imported-from: toml ~/c.toml"])
        #expect(try TrackTests.app(home) == TrackTests.app)
        #expect(try home.run("settings set mine.net.host x -q; tail -1 ~/c.toml") == ["host = \"x\""])
        #expect(try TrackTests.app(home) == TrackTests.app)
    }

    /// What the file and the store both changed can't be recorded by the command that records edits.
    @Test func aSetNamesWhatBothChanged() throws {
        let home = try Self.outside()
        let lines = try home.run(
            """
            settings clone -q --bare . ../hub.git && settings remote add origin ../hub.git -q && settings sync -q
            settings clone -q ../hub.git ../two > /dev/null; cd ../two; settings set app.size 6 -q && settings sync -q
            cd ../office; sed -i 's/size = 4/size = 7/' ~/one.toml; settings sync -q 2> /dev/null; settings set app.size 8 2>&1
            """)
        #expect(
            lines.first == "settings: app.size changed in /home/ada/one.toml and in the store since they were last in step",
            "\(lines)")
    }
}
