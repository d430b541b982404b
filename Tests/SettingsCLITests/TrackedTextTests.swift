import Foundation
import Surroundings
import Testing

/// What stays as it is in the text of a tracked file, whatever its format. `Scripts/torture formats` tries this at random.
@Suite struct TrackedTextTests {
    /// A store in `conf` that tracks one file in the group `g`.
    private func store(tracking file: String, _ text: String, _ options: String = "") throws -> Home {
        let home = try Home()
        #expect(try home.run("git init -q . && settings init -q conf && git config settings.store conf") == [])
        try TrackTests.write(text, file, home)
        let script = "git add . && git commit -q -m App && settings track \(file) --into g -q \(options)"
        #expect(try home.run("{ \(script); } 2>&1") == [])
        return home
    }

    private func text(_ home: Home, _ file: String) throws -> String {
        try String(contentsOfFile: home.folder + "/" + file, encoding: .utf8)
    }

    static let renamed: [(file: String, key: String, text: String)] = [
        ("a.json", "s.port", "{\n  \"s\": { \"port\" : 80, // why\n    \"on\": true }\n}\n"),
        ("a.yaml", "s.port", "s:\n  \"port\": 80   # why\n  on: yes\n"),
        ("a.toml", "s.port", "[s] # table\nport = 80 # why\n'on' = true\n"),
        ("b.toml", "s.port", "s.port = 0x50 # why\nt = { a = 1 }\n"),
        ("a.env", "port", "port=80 # why\nON=1\n"),
        ("a.strings", "port", "/* Above */\n\"port\" = \"80\"; // why\non = yes;\n"),
        ("setup.cfg", "s.port", "[s]\nport : 80\n; c\non = yes\n"),
        ("a.gitconfig", "s.port", "[s]\n\tport=\"80\" ; why\n\ton\n"),
        (
            "a.plist", "s.port",
            "<plist version=\"1.0\"><dict>\n\t<key>s</key>\n\t<dict>\n\t\t<!-- why -->\n\t\t<key>port</key> <integer>0x50</integer>"
                + "\n\t</dict>\n</dict></plist>\n"
        ),
        ("a.dconf", "org.x.port", "# c\n[org/x]\nport=uint32 80\n\non=true\n"),
    ]

    static let unsayable: [(file: String, text: String, key: String, value: String, words: String)] = [
        (
            "a.gitconfig", "[s]\n\tfetch = a\n\tfetch = b\n", "s.fetch", "[\"a\"]",
            "'s.fetch' can't be [\"a\"] in a file of this format, where it is read as \"a\"\n"
                + "hint: a single item is no list there: set it to \"a\""
        ),
        (
            "setup.cfg", "[flake8]\nmax = 5\nignore =\n    E203,\n    D102,\n", "flake8.ignore", "[]",
            "'flake8.ignore' can't be [] in a file of this format, where it is read as \"\""
        ),
        (
            "a.yaml", "labels: {}\ns: x\n", "labels", "{\"env\":\"prod\"}",
            "'labels' can't be {\"env\":\"prod\"}: in the file it is a mapping, whose members are separate options"
        ),
        (
            "a.json", "{\"l\": [1]}\n", "l", "{\"k\":1}",
            "'l' can't be {\"k\":1}: in the file it is a mapping, whose members are separate options"
        ),
    ]

    /// A value that the program would read as another one, or as options of its own, would never be in step again.
    @Test(arguments: unsayable)
    func aValueThatTheFileCannotSayIsRefused(file: String, text old: String, key: String, value: String, words: String) throws {
        let home = try store(tracking: file, old)
        #expect(
            try home.run("settings set g.\(key) '\(value)' 2>&1; echo $?; git status --short; settings track")
                == "settings: \(file): \(words)".split(separator: "\n").map(String.init) + [
                    "65", try home.run("settings track")[0],
                ])
        #expect(try text(home, file) == old)
    }

    @Test func filesOfGitsOwnSurroundingsAreFilesLikeOthers() throws {
        for (file, section) in [(".gitconfig", "s."), (".gitlab-ci.yml", "")] {
            let old = section.isEmpty ? "x1: 1\n" : "[s]\n\tx1 = 1\n"
            let home = try store(tracking: file, old, section.isEmpty ? "" : "--format git-config")
            #expect(
                try home.run("settings set g.\(section)x1=2 -q 2>&1; settings add g.\(section)x2 --title X --number 3 -q 2>&1")
                    == [])
            #expect(try text(home, file) == (section.isEmpty ? "x1: 2\nx2: 3\n" : "[s]\n\tx1 = 2\n\tx2 = 3\n"))
        }
    }

    @Test(arguments: renamed) func aRenameChangesTheNameAlone(file: String, key: String, text old: String) throws {
        let home = try store(tracking: file, old)
        #expect(try home.run("settings rename g.\(key) g.\(key.replacing("port", with: "hook")) -q 2>&1") == [])
        #expect(try text(home, file) == old.replacing("port", with: "hook"))
        #expect(try home.run("settings rename g.\(key.replacing("port", with: "hook")) g.\(key) -q 2>&1") == [])
        #expect(try text(home, file) == old)
        #expect(try home.run("git status --porcelain; settings export --check") == [])
    }

    @Test func aRenamedGroupKeepsItsPlaceUnlessOnlyAPartOfItMoves() throws {
        let old = "top:\n  # in\n  a: 1 # one\n  b: 2\nlast: 3\n"
        let home = try store(tracking: "a.yaml", old)
        #expect(try home.run("settings rename g.top g.head -q 2>&1") == [])
        #expect(try text(home, "a.yaml") == old.replacing("top", with: "head"))
        #expect(try home.run("settings rename g.head.a g.other.a -q 2>&1") == [])
        #expect(
            try home.run("settings get g.other.a g.head.b; grep -c 'b: 2' a.yaml; settings export --check") == ["1", "2", "1"])
    }

    @Test func anUndoGivesTheFirstBytesBack() throws {
        for (file, old, keys) in [
            ("a.toml", "# top\n[s]\na = 0x1F # why\n# above\nb = 'x'\n", ["s.a", "s.b"]),
            ("a.json", "{\n  \"a\": 1\n  , \"b\": \"\\u0062\" /* why */\n}", ["a", "b"]),
            ("setup.cfg", "[s]\na = 1\n# why\nb : x\n\n[t]\nc=1\n", ["s.b", "t.c"]),
            ("a.strings", "/* why */\n\"a\" = \"1\";\n'b' = '2';\n", ["a", "b"]),
        ] {
            let home = try store(tracking: file, old)
            for key in keys {
                #expect(try home.run("settings remove g.\(key) -q && settings undo -q 2>&1") == [])
                #expect(try text(home, file) == old, "\(file): \(key)")
            }
            #expect(
                try home.run("settings remove g.\(keys[0]) -q; settings set g.\(keys[1]) 5 -q; settings undo 2 -q 2>&1") == [])
            #expect(try text(home, file) == old, "\(file)")
            #expect(try home.run("git status --porcelain") == [])
        }
    }

    /// A comment that somebody wrote after the version that is undone stays.
    @Test func anUndoKeepsWhatWasWrittenSince() throws {
        let home = try store(tracking: "a.toml", "a = 1 # why\nb = 2\n")
        #expect(try home.run("settings unset g.a -q; echo '# mine' >> a.toml; settings done -q; settings undo -q 2>&1") == [])
        #expect(try text(home, "a.toml").hasSuffix("\n# mine\n"))
        #expect(try home.run("settings get g.a g.b; git status --porcelain") == ["1", "2"])
    }

    @Test func anOptionEditedByHandKeepsItsSpelling() throws {
        for (file, old, line, key, value) in [
            ("a.toml", "# top\na = 1 # why\nb = 2\n", "a = 0x1F # why", "a", "31"),
            ("a.yaml", "# top\na: x # why\nb: 2\n", "a: \"y\" # why", "a", "y"),
            ("a.dconf", "[org/x]\na='x'\nb=2\n", "a=\"y\"", "org.x.a", "y"),
        ] {
            let home = try store(tracking: file, old)
            let edited =
                old.split(separator: "\n").map { $0.hasPrefix("a") ? Substring(line) : $0 }.joined(separator: "\n") + "\n"
            try TrackTests.write(edited, file, home)
            #expect(try home.run("settings done g.\(key) -q 2>&1; git status --porcelain; settings get g.\(key)") == [value])
            #expect(try text(home, file) == edited)
            try TrackTests.write(old, file, home)
            #expect(try home.run("settings discard g.\(key) -q 2>&1; git status --porcelain") == [])
            #expect(try text(home, file) == edited)
        }
    }

    /// In a file that defines options an edit changes a default, and a value that somebody chose is no difference.
    @Test func aFileOfDefinitionsHasDefaults() throws {
        let old = #"{"contributes": {"configuration": {"properties": {"x.a": {"type": "string",  "default": "q"}}}}}"# + "\n"
        let home = try store(tracking: "package.json", old)
        #expect(
            try home.run("settings set g.x.a mine -q; settings track; settings export --check") == [
                "package.json  g  vscode  in step"
            ])
        #expect(try text(home, "package.json") == old)
        try TrackTests.write(old.replacing("\"q\"", with: "\"w\""), "package.json", home)
        #expect(try home.run("settings status 2>&1 | grep edited") == [#"edited in package.json: A (g.x.a): default "q" → "w""#])
        #expect(
            try home.run("settings done -q; settings get g.x.a; settings unset g.x.a -q; settings get g.x.a") == ["mine", "w"])
        #expect(try home.run("settings define g.x.a --default z -q; settings track") == ["package.json  g  vscode  in step"])
        #expect(try text(home, "package.json") == old.replacing("\"q\"", with: "\"z\""))
    }

    @Test func aSchemaOfGSettingsIsEditedInPlace() throws {
        let old = """
            <?xml version="1.0"?>
            <!-- top -->
            <schemalist>
              <schema path="/org/x/" id="org.x">
                <key type="s" name="name">
                  <default>"text"</default> <!-- why -->
                </key>
                <key name="count" type="i"><range max="9" min="0"/><default> 5 </default></key>
              </schema>
            </schemalist>

            """
        let home = try store(tracking: "own.gschema.xml", old)
        func run(_ command: String, _ new: String) throws {
            #expect(try home.run("settings \(command) -q 2>&1; git status --porcelain") == [])
            #expect(try text(home, "own.gschema.xml") == new, "\(command)")
        }
        try run("set g.org.x.name mine", old)
        let named = old.replacing("\"text\"", with: "\"it &lt; 2\"")
        try run("define g.org.x.name --default 'it < 2'", named)
        try run("define g.org.x.count --default 7", named.replacing(" 5 ", with: " 7 "))
        let ranged = named.replacing(" 5 ", with: " 7 ").replacing(
            #"<range max="9" min="0"/>"#, with: #"<range max="20" min="0"/>"#)
        try run("define g.org.x.count --range 0..20", ranged)
        let titled = ranged.replacing("<!-- why -->", with: "<!-- why -->").replacing(
            "\"it &lt; 2\"</default>", with: "\"it &lt; 2\"</default>\n      <summary>The name</summary>")
        try run("define g.org.x.name --title 'The name'", titled)
        try run("remove g.org.x.name", titled.replacing(#/    <key type="s"(.|\n)*?</key>\n/#, with: ""))
        try run("undo", titled)
        #expect(try home.run("glib-compile-schemas --strict --dry-run . 2>&1") == [])
    }

    @Test func binaryPropertyListsAreMergedByTheirValues() throws {
        let home = try store(tracking: "a.json", "{}")
        let make =
            "python3 -c 'import plistlib; print(plistlib.dumps({\"a\": 1, \"b\": \"x\", \"c\": True}, fmt=plistlib.FMT_BINARY).hex())'"
        let script = "\(make) | xxd -r -p > b.plist; git add .; git commit -qm B; settings track b.plist --into b -q"
        #expect(try home.run("{ \(script); } 2>&1") == [])
        let sides =
            "git switch -q -c side; settings set b.a 2 b.b long -q; git switch -q main; settings set b.c off -q; settings merge side -q"
        #expect(try home.run("{ \(sides); } 2>&1") == [])
        let read = "python3 -c 'import plistlib; print(plistlib.load(open(\"b.plist\", \"rb\")))'"
        #expect(
            try home.run("\(read); git status --porcelain; settings get b.a b.b b.c") == [
                "{'a': 2, 'b': 'long', 'c': False}", "2", "long", "false",
            ])
    }

    /// A value that is what it was before the last version is spelled as it was.
    @Test func anEarlierSpellingComesBack() throws {
        for (file, old, key, values) in [
            ("a.toml", "a = 0x1F # why\nb = 2\n", "a", ("5", "31")),
            ("a.gitconfig", "[s]\n\ta = x \"b;c\" d # why\n", "s.a", ("new", "x b;c d")),
            ("a.gitconfig", "[s]\n\ta = one \\\n  two # why\n\tb = 1\n", "s.a", ("new", "one   two")),
            (
                "a.plist", "<plist version=\"1.0\"><dict>\n<key>a</key><string>&#65; &quot;</string>\n</dict></plist>\n", "a",
                ("x", "A \"")
            ),
        ] {
            let home = try store(tracking: file, old)
            #expect(try home.run("settings set g.\(key) '\(values.0)' -q 2>&1") == [])
            #expect(try text(home, file) != old)
            #expect(try home.run("settings set g.\(key) '\(values.1)' -q 2>&1") == [])
            #expect(try text(home, file) == old)
        }
    }

    /// Types of GSettings hold when a value is set: a tuple, a dictionary and the words that it offers.
    @Test func valuesHaveTheTypesOfGSettings() throws {
        let schema =
            "<schemalist><flags id=\"x.F\"><value nick=\"a\" value=\"1\"/><value nick=\"b\" value=\"2\"/></flags>"
            + "<schema id=\"x\" path=\"/x/\"><key name=\"place\" type=\"(ii)\"><default>(0, 0)</default></key>"
            + "<key name=\"map\" type=\"a{ss}\"><default>{}</default></key><key name=\"some\" flags=\"x.F\"><default>['a']</default></key>"
            + "<key name=\"way\" type=\"o\"><default>'/'</default></key></schema></schemalist>\n"
        let home = try store(tracking: "x.gschema.xml", schema)
        for (key, word, reason) in [
            ("place", "\"(1, 2, 3)\"", "its type in GSettings is '(ii)'"),
            ("place", "\"(1, \"", "its type in GSettings is '(ii)'"),
            ("place", "5", "its type in GSettings is '(ii)'"), ("map", "\"{1: 2}\"", "its type in GSettings is 'a{ss}'"),
            ("some", "[\"a\", \"c\"]", "'c' is not among the choices"), ("way", "x y", "not an object path"),
        ] {
            let lines = try home.run("settings set g.x.\(key) '\(word)' 2>&1; echo $?")
            #expect(lines.first?.contains(reason) == true && lines.last == "65", "\(key): \(lines)")
        }
        let both = try home.run("settings set g.x.place 5 'g.x.way=x y' 2>&1")
        for reason in ["its type in GSettings is '(ii)'", "not an object path"] {
            #expect(both.contains { $0.contains(reason) }, "\(both)")
        }
        let fine =
            "settings set g.x.place '\"(1, 2)\"' g.x.map '\"{'\"'\"'k'\"'\"': '\"'\"'v'\"'\"'}\"' g.x.some '[\"b\"]' g.x.way /a -q"
        #expect(try home.run("\(fine) 2>&1; git status --porcelain") == [])
    }

    /// What can't be edited in place is rewritten by the command that the hint names.
    @Test func aFileIsRewrittenByTheCommandOfTheHint() throws {
        let home = try store(tracking: "a.yaml", "x: &k 1\n'y': *k\n")
        #expect(
            try home.run("settings set g.y 2 2>&1; echo $?") == [
                "settings: a.yaml:2:1: 'y' can't be edited in place: it is the alias '*k'",
                "hint: change it in the file by hand; 'settings export yaml g -o a.yaml --rewrite' rewrites the whole file, without its "
                    + "comments and layout",
                "65",
            ])
        #expect(try text(home, "a.yaml") == "x: &k 1\n'y': *k\n")
        #expect(
            try home.run("settings export yaml g -o a.yaml --rewrite 2>&1") == [
                "a.yaml: rewritten without its comments and layout"
            ])
        #expect(try home.run("settings done -q; settings set g.y 2 -q; cat a.yaml") == ["x: 1", "\"y\": 2"])
    }

    @Test func anExportKnowsTheFormatOfItsFile() throws {
        let home = try store(tracking: "a.yaml", "x: 1\n")
        _ = try home.run("mkdir ~/out; printf '[g]\nx = 1 # one\n' > ~/out/setup.cfg; settings set g.x 2 -q")
        #expect(try home.run("settings export -o ~/out/new.toml; cat ~/out/new.toml") == ["[g]", "x = 2"])
        #expect(
            try home.run("settings export -o ~/out/new.toml --rewrite 2>&1; settings export -o ~/out/what 2>&1; echo $?") == [
                "new.toml: rewritten without its comments and layout", "settings: can't tell the format of what",
                "hint: name it before -o: one of settings-bundle, gsettings, vscode, json-schema, flagd, json, yaml, toml, "
                    + "plist, env, ini, git-config, properties, systemd, keyfile, postgresql, my-cnf, npmrc, editorconfig, php-ini",
                "64",
            ])
    }

    /// Which program reads a key file, and so what its lines mean, may be in the name of its folder.
    @Test func theFolderOfAKeyFileTellsItsDialect() throws {
        let home = try TrackTests.office(tracking: false)
        let lines = try home.run(
            """
            : && mkdir -p etc/fail2ban etc/nova && printf '[sshd]\\nport = 22 ; the port\n' > etc/fail2ban/jail.local
            printf '[DEFAULT]\nworkers = 1\nworkers = 2\n' > etc/nova/nova.conf; git add . && git commit -q -m Etc
            settings import etc/fail2ban/jail.local --into imported -q; settings get imported.sshd.port
            settings track etc/fail2ban/jail.local --into ban -q; settings track etc/nova/nova.conf --into nova -q
            settings set ban.sshd.port 2222 'nova.DEFAULT.workers=["1","3"]' -q
            cat etc/fail2ban/jail.local etc/nova/nova.conf; settings export --check; settings verify -q
            """)
        #expect(lines == ["22", "[sshd]", "port = 2222 ; the port", "[DEFAULT]", "workers = 1", "workers = 3"])
    }
}
