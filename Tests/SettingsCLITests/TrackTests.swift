import Foundation
import Surroundings
import Testing

/// Files that are kept in step with options, through the program.
@Suite struct TrackTests {
    static let app = """
        # the app
        server:
          port: 8080   # the port
          host: "localhost"
        debug: false

        """

    /// A repository with `config/app.yaml` and a store in `conf`, which tracks it.
    static func office(tracking: Bool = true) throws -> Home {
        let home = try Home()
        #expect(try home.run("git init -q . && mkdir config") == [])
        try write(app, "config/app.yaml", home)
        let script = "git add . && git commit -q -m App && settings init -q conf && git config settings.store conf"
        #expect(try home.run("{ \(script); } 2>&1") == [])
        if tracking { #expect(try home.run("settings track config/app.yaml -q -m 'One place.'") == []) }
        return home
    }

    static func write(_ text: String, _ path: String, _ home: Home) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: home.folder + "/" + path))
    }

    static func app(_ home: Home) throws -> String {
        try String(contentsOfFile: home.folder + "/config/app.yaml", encoding: .utf8)
    }

    private func plain(_ home: Home, _ command: String) throws -> [String] { SyncTests.plain(try home.run("\(command) 2>&1")) }

    /// Nothing is left to record, and plain git finds nothing wrong.
    private func check(_ home: Home) throws {
        #expect(try home.run("git status --porcelain") == [])
        #expect(try home.unsound() == "")
    }

    @Test func trackingBringsTheOptionsInAndLeavesTheFile() throws {
        let home = try Self.office(tracking: false)
        let lines = try plain(home, "settings track config/app.yaml -m 'One place.'")
        #expect(
            lines.first == "ID  Settings (the store): now tracks config/app.yaml"
                || lines.first?.contains("now tracks config/app.yaml") == true)
        #expect(try home.run("settings get server.port server.host debug") == ["8080", "localhost", "false"])
        #expect(try Self.app(home) == Self.app)
        #expect(try home.run("settings track") == ["config/app.yaml  -  yaml  in step"])
        #expect(
            try home.run("git show HEAD:conf/_store.json | grep -A4 files") == [
                #"  "files": ["#, "    {", #"      "file": "../config/app.yaml","#, #"      "format": "yaml","#,
                #"      "group": """#,
            ])
        #expect(try home.run("settings track config/app.yaml 2>&1") == ["nothing to do: already tracked"])
        try check(home)
    }

    /// What the store exported is in step with it, whatever defines the options.
    @Test func whatWasExportedIsTracked() throws {
        let home = try Self.office(tracking: false)
        _ = try home.run(
            "settings add g.a --title A --number 5 --default 4 --range 0..9 -q; settings add g.b --title B --choice One Two -q;"
                + " settings export yaml g -o g.yaml; settings track g.yaml --into g -q")
        #expect(
            try home.run("settings track; settings set g.b two -q; cat g.yaml") == ["g.yaml  g  yaml  in step", "a: 5", "b: two"])
        _ = try home.run("settings export yaml g -o h.yaml; settings set g.a 6 -q")
        #expect(
            try home.run("settings track h.yaml --into g 2>&1").first
                == "settings: h.yaml has values that differ from the store's: A (g.a): 6 → 5")
    }

    @Test func everyVersionChangesTheFileInTheSameCommit() throws {
        let home = try Self.office()
        func file() throws -> [String] { try home.run("git show HEAD:config/app.yaml | grep -v '^#' | tr -d '\\n'; echo") }
        for (command, port) in [
            ("set server.port 9090", "9090"), ("undo", "8080"), ("redo", "9090"), ("set server.port 1", "1"),
            ("revert HEAD -m no", "9090"), ("restore server.port --from HEAD~3 -m then", "8080"), ("unset server.port", "null"),
            ("set server.port 7", "7"),
        ] {
            #expect(try home.run("settings \(command) -q") == [])
            #expect(try Self.app(home).contains("  port: \(port)   # the port\n"), "\(command)")
            #expect(try home.run("git show HEAD:config/app.yaml") == Self.app(home).split(separator: "\n").map(String.init))
        }
        #expect(try home.run("settings add server.extra --title Extra --number 3 -q && settings remove server.host -q") == [])
        #expect(try Self.app(home) == "# the app\nserver:\n  port: 7   # the port\n  extra: 3\ndebug: false\n")
        #expect(try home.run("settings rename server backend -q && settings set backend.port 8 -q") == [])
        #expect(try home.run("settings undo 2 -q && settings set server.port 5 -q") == [])
        #expect(try Self.app(home).contains("server:\n  port: 5   # the port\n"))
        try check(home)
    }

    @Test func otherEditsStayUnrecorded() throws {
        let home = try Self.office()
        try Self.write(Self.app.replacingOccurrences(of: "# the app", with: "# the APP"), "config/app.yaml", home)
        #expect(try home.run("settings set server.port 9090 -q") == [])
        #expect(try Self.app(home).hasPrefix("# the APP\nserver:\n  port: 9090   # the port\n"))
        #expect(try home.run("git show HEAD:config/app.yaml | head -3") == ["# the app", "server:", "  port: 9090   # the port"])
        #expect(try home.run("settings status").first == "edited in config/app.yaml: other lines")
        #expect(
            try plain(home, "settings done -m x") == [
                "also recorded other edited lines of config/app.yaml", "ID  config/app.yaml: other lines",
            ])
        try check(home)
    }

    @Test func editsByHandAreDrafts() throws {
        let home = try Self.office()
        let edited = Self.app.replacingOccurrences(of: "8080", with: "9090").replacingOccurrences(of: "false", with: "true")
        try Self.write(edited, "config/app.yaml", home)
        #expect(
            try home.run("settings status 2>&1") == [
                "edited in config/app.yaml: Debug (debug): Off → On",
                "edited in config/app.yaml: Port (server.port): 8080 → 9090",
                "hint: 'settings done -m REASON' records them, and 'settings discard' drops them",
            ])
        #expect(try home.run("settings get server.port") == ["8080"])
        #expect(
            try home.run("settings set server.port 1 2>&1") == [
                "settings: server.port was edited in config/app.yaml, and that edit is not recorded yet",
                "hint: 'settings done server.port' records it, 'settings discard server.port' drops it",
                "[exit status: 2]",
            ])
        #expect(try home.run("settings set server.host other -q") == [])
        #expect(try Self.app(home) == edited.replacingOccurrences(of: "localhost", with: "other"))
        #expect(try plain(home, "settings done server.port -m Hand") == ["ID  Port (server.port): 8080 → 9090"])
        #expect(try home.run("git show HEAD:config/app.yaml | tail -1") == ["debug: false"])
        #expect(
            try home.run("settings discard debug 2>&1") == [
                "discarded:", "    Debug (debug): Off → On (in config/app.yaml)",
                "hint: 'settings discard --undo' restores them",
            ])
        #expect(try home.run("settings get server.port debug") == ["9090", "false"])
        try check(home)
        #expect(
            try home.run("settings discard --undo") == [
                "restored as unrecorded edits:", "    Debug (debug): Off → On (in config/app.yaml)",
            ])
        #expect(try Self.app(home).hasSuffix("debug: true\n"))
        try Self.write("# another app\n" + Self.app(home), "config/app.yaml", home)
        #expect(try home.run("settings discard -q; git status --short; settings discard --undo -q") == [])
        #expect(try Self.app(home).hasPrefix("# another app\n"))
        // What somebody edited since stays, and so does what is kept.
        #expect(
            try home.run("settings discard -q; echo '# mine' >> config/app.yaml; settings discard --undo -q 2>&1").last
                == "[exit status: 2]")
        #expect(try Self.app(home).hasSuffix("# mine\n"))
        #expect(try home.run("settings discard -q; settings discard --undo -q; tail -n 1 config/app.yaml") == ["# mine"])
    }

    @Test func aCommitOfSomebodyElseIsTakenInAsTheirs() throws {
        let home = try Self.office()
        try Self.write(Self.app.replacingOccurrences(of: "8080", with: "9090"), "config/app.yaml", home)
        #expect(try home.run("git -c user.name=Bob commit -q --author 'Bob <bob@example.org>' -a -m Port") == [])
        let ahead = "config/app.yaml is ahead of the store since ID (Bob): Port (server.port): 8080 → 9090"
        #expect(try plain(home, "settings status").first == ahead)
        let verified = try plain(home, "settings verify")
        #expect(verified.first == ahead && verified.last == "[exit status: 65]")
        #expect(try home.run("settings set server.port 5 2>&1").last == "[exit status: 2]")
        #expect(try home.run("settings set debug on -q") == [])
        #expect(try Self.app(home).contains("  port: 9090   # the port\n") && Self.app(home).contains("debug: true"))
        #expect(try plain(home, "settings done -m 'Taken in.'") == ["ID  Port (server.port): 8080 → 9090"])
        #expect(try home.run("git log -1 --format='%an, %cn'") == ["Bob, Ada Example"])
        #expect(try home.run("settings verify -q") == [])
        try check(home)
    }

    @Test func theStoreCanBeAhead() throws {
        let home = try Self.office()
        #expect(try home.run("sed -i 's/8080/9090/' conf/server/port.json && git commit -q -a -m 'By hand.'") == [])
        let behind = "the store is ahead of config/app.yaml since ID (Ada Example): Port (server.port): 8080 → 9090"
        #expect(try plain(home, "settings status").first == behind)
        #expect(try home.run("settings export --check > /dev/null 2>&1") == ["[exit status: 1]"])
        #expect(try home.run("settings set debug on -q") == [])
        #expect(try Self.app(home).contains("port: 9090"), "the next version of the group writes it")
        #expect(try home.run("sed -i 's/9090/7070/' conf/server/port.json && git commit -q -a -m 'By hand.'") == [])
        #expect(try home.run("settings export -q && settings export --check") == [])
        #expect(try Self.app(home).contains("port: 7070"))
        try check(home)
    }

    @Test func importAndExportWithoutArgumentsHaveThreeSides() throws {
        let home = try Self.office()
        try Self.write(Self.app.replacingOccurrences(of: "8080", with: "9090") + "extra: 1\n", "config/app.yaml", home)
        #expect(
            try home.run("settings export 2>&1") == [
                "nothing to do: the tracked file is in step, except for the kept values",
                "kept: config/app.yaml: Port (server.port): 8080 → 9090, which nobody recorded",
                "hint: 'settings import' takes them, --overwrite writes the store's values",
            ])
        #expect(try home.run("settings import -n | head -1") == ["would record:"])
        #expect(try home.run("settings import -q -m Taken && settings get server.port extra") == ["9090", "1"])
        try check(home)
        try Self.write(Self.app, "config/app.yaml", home)
        #expect(try home.run("settings export --overwrite -q; settings import -q; settings get server.port") == ["9090"])
        #expect(try Self.app(home).contains("9090"))
    }

    @Test(arguments: [
        "../../outside.yaml", ".git/config", "../.GIT/config", "../config/../config/app.yaml", "/etc/passwd", "debug.json",
        "../config//app.yaml", "../.gitattributes",
    ])
    func anEntryFromElsewhereIsRefused(_ file: String) throws {
        let home = try Self.office()
        #expect(try home.run("sed -i 's|../config/app.yaml|\(file)|' conf/_store.json && git commit -q -a -m Evil") == [])
        let lines = try home.run("settings set debug on 2>&1")
        #expect(lines.last == "[exit status: 65]" && lines.first?.contains(file) == true, "\(lines)")
        #expect(try home.run("settings get debug; settings list > /dev/null") == ["false"])
        #expect(try home.run("settings untrack '\(file)' -q; settings set debug on -q; settings get debug").last == "true")
    }

    @Test func aFileThatTheHistoryDoesNotHaveIsLeftAlone() throws {
        let home = try Self.office()
        try Self.write("debug: false\nsecret: x\n", "config/private.yaml", home)
        #expect(try home.run("sed -i 's|config/app|config/private|' conf/_store.json && git commit -q -a -m Evil") == [])
        #expect(try home.run("settings set debug on -q") == [])
        #expect(try home.run("git ls-files config; cat config/private.yaml") == ["config/app.yaml", "debug: false", "secret: x"])
        #expect(
            try home.run("settings status 2>&1").prefix(2) == [
                "config/private.yaml is named by _store.json but not in the history",
                "hint: 'settings track config/private.yaml' adds it",
            ])
    }

    @Test func aThirdTextInTheIndexIsRefused() throws {
        let home = try Self.office()
        try Self.write(Self.app + "# staged\n", "config/app.yaml", home)
        #expect(try home.run("git add config/app.yaml && settings set debug on -q") == [])
        #expect(try home.run("git diff --cached | grep '^[+-]' | tail -1") == ["+# staged"])
        try Self.write(Self.app + "# other\n", "config/app.yaml", home)
        #expect(try home.run("settings set debug off 2>&1").last == "[exit status: 2]")
    }

    @Test func anExportOverwritesNothingThatItDidNotBring() throws {
        let home = try Self.office(tracking: false)
        #expect(
            try home.run(
                "settings import config/app.yaml -q && settings set debug on -q && settings export yaml -o config/app.yaml") == []
        )
        try Self.write(Self.app.replacingOccurrences(of: "8080", with: "1"), "config/app.yaml", home)
        let lines = try home.run("settings export yaml -o config/app.yaml 2>&1")
        #expect(lines.last == "[exit status: 2]" && lines.first?.contains("server.port") == true, "\(lines)")
        #expect(try home.run("settings export yaml -o config/app.yaml --check") == ["[exit status: 1]"])
        #expect(try home.run("settings export yaml -o config/app.yaml --overwrite") == [])
        #expect(try Self.app(home).contains("8080"))
        // Which name was renamed is not known to a file that isn't tracked.
        let renamed = try home.run("settings rename server.port server.listen -q; settings export yaml -o config/app.yaml 2>&1")
        #expect(renamed.first?.contains("app.yaml still has server.port, which was renamed to server.listen: --prune") == true)
        #expect(try Self.app(home).contains("  listen: 8080\n"))
        #expect(try home.run("settings export yaml -o config/app.yaml --prune -q") == [])
        #expect(try !Self.app(home).contains("  port: 8080"))
    }

    @Test func aFileOutsideIsWrittenOnceAVersionIsRecorded() throws {
        let home = try Self.office(tracking: false)
        try Self.write("theme = \"light\"  # t\nsize = 3\n", "../app.toml", home)
        #expect(
            try home.run("chmod 640 ~/app.toml && ln -s app.toml ~/link && settings track ~/link --format toml --into app -q")
                == [])
        #expect(try home.run("settings track") == ["/home/ada/link  app  toml  in step"])
        #expect(try home.run("git grep -l app.toml HEAD; ls -l ~/.config/settings/files | cut -c1-10") == ["-rw-------"])
        #expect(
            try home.run("settings set app.theme dark -q; cat ~/app.toml; ls -l ~/app.toml | cut -c1-10") == [
                "theme = \"dark\"  # t", "size = 3", "-rw-r-----",
            ])
        #expect(try home.run("sed -i 's/3/4/' ~/app.toml && settings set app.size 5 2>&1").last == "[exit status: 2]")
        #expect(try home.run("settings set app.theme blue -q; cat ~/app.toml") == ["theme = \"blue\"  # t", "size = 4"])
        #expect(
            try home.run("settings done -q -m Hand && settings get app.size && settings undo -q && cat ~/app.toml") == [
                "4", "theme = \"blue\"  # t", "size = 3",
            ])
        #expect(
            try home.run("cp -r . ../copy && cd ../copy && settings track 2>&1").first?.hasPrefix("no file is tracked") == true)
        try check(home)
    }

    /// Two clones that set disjoint options of one file, and sync: nobody is asked anything.
    @Test func twoClonesOfOneFileSyncWithoutQuestions() throws {
        let home = try Self.office()
        let script = """
            git init -q --bare ../bare.git && git remote add origin ../bare.git && settings push -q
            git clone -q ../bare.git ../b && cd ../b && settings setup -q && git config settings.store conf
            """
        #expect(try home.run("{ \(script)\n} 2>&1") == [])
        for round in 0..<4 {
            #expect(try home.run("settings set server.port \(round + 10) -q && settings sync -q") == [])
            let other =
                "set server.host h\(round) -q && settings add x\(round) --title X --number \(round) -q && settings sync -q"
            #expect(try home.run(":; cd ../b && settings \(other)") == [])
        }
        #expect(try home.run("settings sync -q; cmp config/app.yaml ../b/config/app.yaml; git status --porcelain") == [])
        let last =
            "# the app\nserver:\n  port: 13   # the port\n  host: \"h3\"\ndebug: false\nx0: 0\nx1: 1\nx2: 2\nx3: 3\n"
        #expect(try Self.app(home) == last)
        #expect(try home.unsound() == "")
    }
}
