import SettingsModel
import Testing

@testable import SettingsFormats

/// Key files that are read, and edited in place.
struct KeyFileTests {
    private func edited(
        _ format: any Format.Type, _ text: String, named name: String = "a", prunes: Bool = false,
        _ change: (inout SettingsContent) throws -> Void
    ) throws -> String {
        let laws = try EditedFileLaws(format, name, Array(text.utf8))
        var settings = laws.settings
        try change(&settings)
        return String(decoding: try laws.written(settings, into: laws.bytes, prunes: prunes), as: UTF8.self)
    }

    private func ini(_ text: String, prunes: Bool = false, _ change: (inout SettingsContent) throws -> Void) throws -> String {
        try edited(INIFormat.self, text, named: "setup.cfg", prunes: prunes, change)
    }

    private func git(_ text: String, prunes: Bool = false, _ change: (inout SettingsContent) throws -> Void) throws -> String {
        try edited(GitConfigFormat.self, text, named: ".gitconfig", prunes: prunes, change)
    }

    private func refusal(_ body: () throws -> String) -> Refusal? { #expect(throws: Refusal.self) { try body() } }

    private let setup = """
        # The package.
        [metadata]
        name = a ; not a comment
        Version: 1.2
        long_description =
            one
            # between
            two

            three
        zip-safe=False

        [options]
        #python = 3
        install_requires = x

        # Tools.
        [flake8]
        max-line-length = 100
        enabled = On
        """

    @Test func typesAreProposedFromWords() throws {
        let settings = try INIFormat.read(["setup.cfg": setup]).settings
        #expect(settings["metadata.name"]?.value == "a ; not a comment" && settings["metadata.name"]?.type == .text)
        #expect(settings["metadata.Version"]?.type == .number)
        #expect(settings["metadata.long_description"]?.value == .array(["one", "two", "three"]))
        let safe = try #require(settings["metadata.zip-safe"])
        #expect(safe.type == .switch && safe.value == "False" && safe.offOn == ("False", "True"))
        #expect(settings["flake8.max-line-length"]?.value == .number(100))
        #expect(settings["flake8.enabled"]?.offOn.off == "Off")
        let words = "[a]\nb = 007\nc = +5\nd = 1e3\ne = 1.50\nf = 0x10\ng = 1_000\nh = 128M\ni = oN\nj = t\n"
        for (key, option) in try INIFormat.read(["a.ini": words]).settings.options { #expect(option.type == .text, "\(key)") }
    }

    @Test func onlySpansOfValuesChange() throws {
        #expect(try ini(setup) { _ in } == setup)
        let result = try ini(setup) { settings in
            settings.set("metadata.name", "b")
            settings.set("metadata.Version", .number(2))
            settings.set("metadata.long_description", .array(["one", "new", "two"]))
            settings.set("metadata.zip-safe", "True")
            settings.set("options.install_requires", "x\ny")
            settings.set("flake8.enabled", "Off")
        }
        let edits = [
            ("a ; not a comment", "b"), ("1.2", "2"), ("    one\n", "    one\n    new\n"), ("    three\n", ""),
            ("=False", "=True"),
            ("requires = x", "requires = x\n    y"), ("On", "Off"),
        ]
        #expect(result == edits.reduce(setup) { text, edit in text.replacing(edit.0, with: edit.1) })
        let windows = setup.replacing("\n", with: "\r\n")
        #expect(
            try ini(windows) { $0.set("metadata.name", "b\nc") } == windows.replacing("a ; not a comment", with: "b\r\n    c"))
    }

    @Test func keysAndSectionsAreAddedAndRemoved() throws {
        let new = SettingsOption(title: "", type: .text, value: "v")
        let added = try ini(setup) { settings in
            settings.options[try Key("metadata.url")] = new
            settings.options[try Key("options.python")] = new
            settings.options[try Key("tool.x")] = new
            settings.options[try Key("tool.list")] = SettingsOption(title: "", type: .data, value: .array(["p", "q"]))
        }
        #expect(
            added
                == setup.replacing("zip-safe=False\n", with: "zip-safe=False\nurl=v\n")
                .replacing("#python = 3\n", with: "#python = 3\npython = v\n") + "\n\n[tool]\nlist =\n    p\n    q\nx = v")
        let removed = try ini(setup, prunes: true) { settings in
            for key in ["metadata.long_description", "flake8.enabled", "flake8.max-line-length", "options.install_requires"] {
                settings.options[try Key(key)] = nil
            }
        }
        #expect(
            removed
                == "# The package.\n[metadata]\nname = a ; not a comment\nVersion: 1.2\nzip-safe=False\n\n"
                + "[options]\n#python = 3\n\n# Tools."
        )
        for (text, name) in [
            (setup, "metadata.n"), (setup, "fresh.n"), ("[a]\nb = 1\n", "c.n"), ("[a]\nb = 1", "a.n"), ("[a]\nb=1\n\n\n", "c.n"),
        ] {
            try EditedFileLaws(INIFormat.self, "setup.cfg", Array(text.utf8)).checkAddition(Key(name), "v")
        }
    }

    /// What readers would read otherwise is refused by name, all of it at once.
    @Test func valuesThatCannotBeWritten() throws {
        for text in [" a", "a ", "\ta", "a\n", "\na", "a\n#b", "a\n;b", "a\r", "a\u{0}", "a\n b", "a\u{A0}"] {
            let found = refusal { try ini(setup) { $0.set("metadata.name", .string(ExactText(text))) } }
            #expect(found?.reason.contains("'metadata.name'") == true, "\(text.debugDescription): \(found?.reason ?? "")")
        }
        for text in ["a = b", "a # b", "%(x)s %", "\"a\"", "é😀", "", "true", "null", "a\n\nb", "[x]", "#a"] {
            let result = try ini(setup) { $0.set("metadata.name", .string(ExactText(text))) }
            #expect(try INIFormat.read(["setup.cfg": result]).settings["metadata.name"]?.value?.bare == text)
        }
        let all = refusal {
            try ini(setup) { settings in
                settings.set("metadata.name", " a")
                settings.set("metadata.long_description", .array(["x", "#y"]))
                settings.options[try Key("top")] = SettingsOption(title: "", type: .text, value: "v")
                settings.options[try Key("a.b.c")] = SettingsOption(title: "", type: .text, value: "v")
                settings.options[try Key("metadata.o")] = SettingsOption(
                    title: "", type: .data, value: .object([.init("a", "b")]))
            }
        }
        for name in ["metadata.name", "metadata.long_description", "top", "a.b.c"] {
            #expect(all?.all.contains { $0.reason.contains("'\(name)'") } == true, "\(name)")
        }
    }

    private let config = """
        [Core]
        \tautoCRLF = input ; why
        \tbare
        \tpager = "less # x"
        [color]
        \tbranch = auto
        [color "branch"]
        \tcurrent = yellow \\
          bold
        [remote "a.b"]
        \tfetch = +refs/heads/*
        \tfetch = +refs/tags/*
        [core]
        \teditor = vi
        """

    @Test func gitSections() throws {
        let settings = try GitConfigFormat.read([".gitconfig": config]).settings
        #expect(settings["core.autoCRLF"]?.value == "input" && settings["core.editor"]?.value == "vi")
        #expect(settings["core.bare"]?.type == .switch && settings["core.bare"]?.value == "true")
        #expect(settings["color.branch"]?.value == "auto")
        #expect(settings.options.values.contains { $0.value == "yellow   bold" })
        #expect(settings["remote.a-b.fetch"]?.value == .array(["+refs/heads/*", "+refs/tags/*"]))
        let result = try git(config) { settings in
            settings.set("core.autoCRLF", "a;b")
            settings.set("core.bare", .bool(false))
            settings.set("core.pager", "a\"b\\")
            settings.set("remote.a-b.fetch", .array(["+refs/heads/*", "x", "+refs/tags/*"]))
            settings.options[try Key("core.new")] = SettingsOption(title: "", type: .text, value: " v")
            settings.options[try Key("alias.st")] = SettingsOption(title: "", type: .text, value: "status")
        }
        let edits = [
            ("input", "\"a;b\""), ("\tbare\n", "\tbare = false\n"), ("less # x", "a\\\"b\\\\"),
            ("heads/*\n", "heads/*\n\tfetch = x\n"), ("editor = vi", "editor = vi\n\tnew = \" v\"\n[alias]\n\tst = status"),
        ]
        #expect(result == edits.reduce(config) { text, edit in text.replacing(edit.0, with: edit.1) })
        #expect(try git(config) { $0.set("core.bare", "true") } == config)
        #expect(
            try git("[a] k = 1 # c\n[b]\n\tx = 2\n", prunes: true) { $0.options[try Key("a.k")] = nil }
                == "[a] # c\n[b]\n\tx = 2\n")
    }

    @Test func aNewFileHasEverySection() throws {
        let settings = try GitConfigFormat.read([".gitconfig": config]).settings
        let text = try GitConfigFormat.text(settings)
        #expect(text.contains("[remote \"a.b\"]\n\tfetch = +refs/heads/*\n\tfetch = +refs/tags/*\n"))
        #expect(
            try GitConfigFormat.read([".gitconfig": text]).settings.options.mapValues(\.value)
                == settings.options.mapValues(\.value))
        let other = try INIFormat.text(INIFormat.read(["setup.cfg": setup]).settings)
        #expect(other.hasPrefix("[metadata]\nname = a ; not a comment\n") && other.contains("\n\n[options]\n"))
    }

    @Test func namesThatSeveralDialectsUse() throws {
        func format(_ name: String, _ text: String) throws -> FormatName {
            try Formats.recognised(Source(files: [(path: name, bytes: Array(text.utf8))])).name
        }
        #expect(try format("setup.cfg", "[a]\nb = 1\n") == .ini)
        #expect(try format("x.ini", "[a]\nb = 1\n") == .ini)
        #expect(try format(".gitmodules", "[a]\nb\n") == .gitConfig)
        #expect(try format("x.cfg", "[a]\nb\n") == .ini)
        #expect(try format("x.cnf", "[mysqld]\nskip-name-resolve\n") == .mySQL)
        let refusal = #expect(throws: Refusal.self) { try format("x.ini", "[a]\nb = 1 # c\n") }
        #expect(refusal?.reason == "can be read as ini and as git-config, which differ")
        #expect(refusal?.remedy == .choosingFormat(.ini, .gitConfig))
        // What only a reader takes that refuses little is nothing that is known; comments alone tell nothing.
        for text in ["[a]\nflag\nk = v # c\n", "[Peer]\nA = 1\n[Peer]\nA = 2\n", "# c\n", ""] {
            let refusal = #expect(throws: Refusal.self, "\(text.debugDescription)") { try format("x.conf", text) }
            #expect(refusal?.remedy == .namingFormat)
        }
        #expect(try format("php.ini", "[a]\nb = 1\n") == .php)
    }

    @Test func filesThatReadersRefuse() throws {
        let files = [
            "k = 1\n", "[a]\nk\n", "[a]\nk=1\nK=2\n", "[a]\nk=1\n[a]\nl=2\n", "\u{FEFF}[a]\nk=1\n", "[a]\nk=1\u{0}\n",
            "[a]\nk = {{ x }}\n",
            "[a]\nk=1\rl=2\n", "[a]\n= 1\n", "[a]\n<<<<<<< x\nk=1\n",
        ]
        for text in files {
            let found = refusal { try INIFormat.text(INIFormat.read(["a.ini": text]).settings) }
            #expect(found?.file == "a.ini", "\(text.debugDescription)")
        }
    }

    @Test func supervisorHasComments() throws {
        let text = "[program:x]\ncommand = a ; c\n"
        #expect(try INIFormat.read(["supervisord.conf": text]).settings["program-x.command"]?.value == "a")
        #expect(
            try edited(INIFormat.self, text, named: "supervisord.conf") { $0.set("program-x.command", "b") }
                == "[program:x]\ncommand = b ; c\n")
        #expect(
            refusal { try edited(INIFormat.self, text, named: "supervisord.conf") { $0.set("program-x.command", "b ;c") } } != nil
        )
    }

    /// Names that differ by case are two where the file's reader tells them apart.
    @Test func namesByCase() throws {
        let text = "[pytest]\nAddopts = -v\naddopts = -q\n"
        #expect(try INIFormat.read(["pytest.ini": text]).settings.options.count == 2)
        #expect(throws: Refusal.self) { try INIFormat.read(["setup.cfg": text]) }
        var request = WriteRequest()
        (request.present, request.name) = (Array(text.utf8), "pytest.ini")
        var settings = try INIFormat.read(["pytest.ini": text]).settings
        let key = try #require(settings.options.keys.first { settings.options[$0]?.value == "-q" })
        settings.options[key]?.value = "-x"
        #expect(try INIFormat.text(settings, request) == text.replacing("-q", with: "-x"))
    }

    /// Files that are included are not read, and an import says so once.
    @Test func includes() throws {
        let git = "[a]\n\tk = v\n[include]\n\tpath = b\n[includeIf \"gitdir:x\"]\n\tpath = c\n"
        let notes = try GitConfigFormat.read([".gitconfig": git]).repairs
        #expect(notes.map(\.kind) == [.noted] && notes.first?.line == 3)
        #expect(try INIFormat.read(["setup.cfg": "[include]\nfiles = x\n"]).repairs == [])
        #expect(try INIFormat.read(["supervisord.conf": "[include]\nfiles = x\n"]).repairs.count == 1)
    }

    /// The items of a list of git's keep their order, also where new ones precede the first.
    @Test func itemsBeforeTheFirst() throws {
        for text in ["[a]\n\tk = v # first\n\tk = w\n\tl = x\n", "[a] k = v\n\tk = w\n[b]\n\tl = x\n"] {
            var settings = try GitConfigFormat.read([".gitconfig": text]).settings
            for list in [["n", "v", "w"], ["n", "m", "v", "o"], ["o", "w"], ["v", "n", "w"]] {
                settings.options[try Key("a.k")]?.value = .array(list.map { .string(ExactText($0)) })
                var request = WriteRequest()
                (request.present, request.name) = (Array(text.utf8), ".gitconfig")
                let result = try GitConfigFormat.text(settings, request)
                #expect(
                    try GitConfigFormat.read([".gitconfig": result]).settings["a.k"]?.value?.compact
                        == JSON.array(list.map { .string(ExactText($0)) }).compact)
                #expect(result.contains("v # first") || !text.contains("# first") || !list.contains("v"))
            }
        }
    }

    /// A value that was quoted, even in part, is quoted again.
    @Test func quotesInParts() throws {
        for (old, new) in [(#"a "b;c" d"#, #""new""#), (#"say \"a\""#, "new"), (#"a\\"b""#, #""new""#)] {
            #expect(try git("[a]\n\tk = \(old)\n") { $0.set("a.k", "new") } == "[a]\n\tk = \(new)\n")
        }
    }
}
