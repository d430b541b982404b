import Testing

/// A store at an app's root, among JSON files that are no options.
struct OtherProgramsFilesTests {
    private static let others = ["list.json", "package.json", "src/data.json", "tsconfig.json"]

    private static func app() throws -> Home {
        let home = try Home()
        _ = try home.run(
            """
            git init -q; mkdir src; echo '{"name": "app", "version": "1", "type": "module"}' > package.json
            printf '// with comments\\n{"compilerOptions": {}}\\n' > tsconfig.json
            echo '[{"title": "none"}]' > list.json; echo '{"a": 1}' > src/data.json; git add .; git commit -qm app
            settings init > ~/out 2>&1; settings add ui.theme --title Theme --choice Light Dark -q
            """)
        return home
    }

    /// What a command prints, without ids, and its exit status.
    private func told(_ home: Home, _ command: String) throws -> [String] {
        try home.run("o=$(\(command) 2>&1); s=$?; echo \"$o\" | sed -E 's/[0-9a-f]{7,}/ID/g'; echo $s")
    }

    @Test func theyAreSaidOnceAndNotListed() throws {
        let home = try Self.app()
        let note = " here are not options and stay as they are; 'settings init config/settings' creates a store apart from them"
        #expect(try home.run("tail -n 1 ~/out") == ["hint: list.json and 3 other JSON files" + note])
        #expect(try told(home, "settings list") == ["ui", "  ui.theme  Theme  Light", "0"])
        let found =
            ": this file and 3 other files have neither the title nor the type of an option, so they are not part of the store"
        #expect(
            try told(home, "settings verify") == ["list.json" + found, "6 files checked, no problems found", "0"])
        #expect(try told(home, "settings verify HEAD~2..HEAD") == ["2 versions checked, no problems found", "0"])
        #expect(try told(home, "settings get packag").first == "settings: there is no option 'packag'")
        let missing = "settings: there is no option 'package'"
        #expect(try told(home, "settings get package") == [missing, "hint: 'settings list' lists the options", "66"])
        #expect(try home.run("git status --porcelain") == [])
    }

    @Test func theyAreNeitherRecordedNorRemovedNorReplaced() throws {
        let home = try Self.app()
        _ = try home.run(
            "echo '{\"version\": \"2\"}' > package.json; echo '{}' > ui/new.json; md5sum package.json ui/new.json > ~/sums")
        let version = try home.run("git rev-parse HEAD")
        for command in [
            "settings done", "settings done package", "settings discard", "settings remove package", "settings remove -r src",
            "settings add package --title P --text x", "settings add ui.new --title N --switch",
            "settings rename ui.theme package",
            "settings define src.data --title D --number 1",
        ] {
            _ = try told(home, command)
            #expect(try home.run("git rev-parse HEAD; md5sum -c ~/sums 2>&1 | grep -v ': OK' || true") == version, "\(command)")
        }
        #expect(
            try told(home, "settings add package --title P --text x") == [
                "settings: package.json exists, but is not an option: it has neither a title nor a type",
                "hint: choose another key",
                "2",
            ])
        #expect(try told(home, "settings status").first?.hasPrefix("no unrecorded edits") == true)
        // A group beside them goes and comes.
        _ = try home.run("settings rename ui src -q; settings undo -q; settings remove -r ui -q; settings undo -q")
        #expect(try home.run("settings get ui.theme; ls src; ls ui") == ["light", "data.json", "new.json", "theme.json"])
    }

    @Test func aMergeBringsThemAlong() throws {
        let home = try Self.app()
        _ = try home.run(
            """
            git switch -qc other; settings set ui.theme dark -q; echo '{"version": "2"}' > package.json; git commit -qam app
            git switch -q -; settings add ui.size --title Size --number 1 -q; settings merge other -q
            """)
        #expect(
            try home.run("settings get ui.theme; cat package.json; git status --porcelain") == ["dark", #"{"version": "2"}"#])
        // Changed on both sides, it is git's to merge.
        _ = try home.run("git switch -qc third HEAD~1; echo '[]' > package.json; git commit -qam third; git switch -q -")
        #expect(try told(home, "settings merge third").first?.contains("package.json") == true)
    }

    /// An option that lost its title and its type in an edit is not another program's file: the edit is not taken for a removal.
    @Test func anOptionStaysOne() throws {
        let home = try Self.app()
        for file in ["{\\\"x\\\": 1}", "", "[]", "// none"] {
            let words = try told(home, "echo \"\(file)\" > ui/theme.json; settings status; settings done")
            #expect(words.contains("cannot be read:") && words.last == "65", "\(words)")
            #expect(try home.run("settings discard -q; settings get ui.theme") == ["light"])
        }
        // Committed by plain git, it can be had again.
        _ = try home.run("echo '{\"x\": 1}' > ui/theme.json; git commit -qam lost; settings restore ui.theme --from HEAD~1 -q")
        #expect(try home.run("settings get ui.theme; git status --porcelain") == ["light"])
    }
}
