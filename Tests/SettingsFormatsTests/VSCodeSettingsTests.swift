import Seeds
import SettingsFormats
import SettingsModel
import Testing

/// Reads and edits a settings.json.
struct VSCodeSettingsTests {
    private let package = #"""
        {"contributes": {"configuration": {"title": "Demo", "properties": {
          "demo.size": {"type": "integer", "minimum": 1, "maximum": 9, "default": 2},
          "demo.mode": {"enum": ["a", "b", null], "default": "a"},
          "demo.name": {"type": "string"}, "demo.on": {"type": "boolean", "default": true},
          "demo.files": {"type": "object"}}}}}
        """#

    private func values(_ text: String) throws -> Imported {
        var request = ReadRequest()
        request.values = Source(files: [("settings.json", Array(text.utf8))]).files.first
        let imported = try VSCodeFormat.read(["package.json": package], request)
        try expectWhole(imported)
        #expect(imported.givesValues)
        return imported
    }

    private let file = """
        // mine
        {
            "demo.size": 5, // large
            "demo.mode": "b",
            "[markdown]": { "demo.size": 1, },
            /* what I like */
            "demo.files": { "**/*.x": true },
            "other.thing": [1],
        }

        """

    @Test func readsValues() throws {
        let imported = try values(file)
        #expect(imported.settings["demo.size"]?.value == .number(5))
        #expect(imported.settings["demo.mode"]?.value == "b" && imported.settings["demo.on"]?.value == nil)
        #expect(imported.settings["demo.files"]?.value?.compact == #"{"**/*.x":true}"#)
        #expect(imported.settings["other.thing"]?.value?.compact == "[1]")
        #expect(imported.settings.groups[.root]?.other["vscode"]?.compact == #"{"overrides":{"[markdown]":{"demo.size":1}}}"#)
        #expect(imported.repairs.map(\.key) == ["[markdown]", "other.thing"])
        #expect(imported.repairs.map(\.line) == [5, 8] && imported.repairs.allSatisfy { $0.kind == .kept })
        #expect(try VSCodeFormat.written(imported.settings, into: file) == file)
    }

    @Test func onlyChangedValuesChange() throws {
        var settings = try values(file).settings
        settings.set("demo.size", .number(7))
        settings.set("demo.name", "x")
        settings.set("demo.on", .bool(true))
        settings.set("other.thing", nil)
        #expect(
            try VSCodeFormat.written(settings, into: file)
                == file.replacing("size\": 5", with: "size\": 7").replacing("    \"other.thing\": [1],\n", with: "")
                .replacing("true },\n", with: "true },\n    \"demo.name\": \"x\",\n"))
    }

    @Test func newFileHasOnlyNonDefaultValues() throws {
        var settings = try values(file).settings
        settings.set("demo.mode", "a")
        #expect(
            try VSCodeFormat.written(settings) == """
                {
                    "demo.size": 5,
                    "demo.files": {
                        "**/*.x": true
                    },
                    "other.thing": [
                        1
                    ],
                    "[markdown]": {
                        "demo.size": 1
                    }
                }

                """)
        // A default that is already in the file is kept.
        #expect(try VSCodeFormat.written(settings, into: file).contains("\"demo.mode\": \"a\""))
    }

    @Test func valuesThatDoNotFit() throws {
        let text = #"{"demo.size": 50, "demo.mode": null, "demo.name": null, "demo.on": "yes", "demo.on": 1}"#
        let imported = try values(text)
        #expect(imported.settings["demo.size"]?.value == nil && imported.settings["demo.on"]?.value == nil)
        #expect(imported.settings["demo.mode"]?.value == .null && imported.settings["demo.name"]?.value == nil)
        #expect(imported.repairs.map(\.key) == ["demo.on", "demo.size", "demo.on"])
        #expect(imported.repairs.allSatisfy { $0.kind == .repaired })
        #expect(try VSCodeFormat.written(imported.settings, into: text) == text)
        #expect(try VSCodeFormat.written(imported.settings).contains("\"demo.size\": 50"))
        let again = try VSCodeFormat.reread(imported.settings, as: "package.json")
        #expect(again.settings["demo.size"]?.other["vscode"] == nil)
    }

    @Test func withoutDefinitions() throws {
        var request = ReadRequest()
        var existing = try values(#"{"demo.size": 3, "demo.name": "x"}"#).settings
        existing.options[try Key("general.language")] = SettingsOption(title: "Language", type: .text, value: "fr")
        request.existing = existing
        let imported = try VSCodeFormat.read(
            [".vscode/settings.json": #"{"demo.size": 4, "editor.tab.size": 2, "a": null, "demo.new": "n"}"#], request)
        try expectWhole(imported)
        let settings = imported.settings
        #expect(settings["demo.size"]?.value == .number(4) && settings["demo.size"]?.title == "Size")
        // A value that is no longer in the file is unset; settings of other formats are unaffected.
        #expect(settings["demo.name"]?.type == .text && settings["demo.name"]?.value == nil)
        #expect(settings["general.language"] == nil)
        #expect(settings["editor.tab.size"]?.type == .number && settings.group("editor")?.style == .page)
        #expect(settings["demo.new"]?.value == "n" && settings.group("demo")?.order?.last == "new")
        #expect(settings["a"]?.type == .data && settings["a"]?.value == nil)
        request.existing = settings
        let again = try VSCodeFormat.read([".vscode/settings.json": "{}"], request).settings
        #expect(again["editor.tab.size"]?.value == nil && again["editor.tab.size"]?.type == .number)
    }

    @Test func manySettings() throws { #expect(try processorTime { try readAndChangeMany() } < .seconds(60)) }

    private func readAndChangeMany() throws {
        let lines = (0..<5000).map { "  \"g\($0 % 50).s\($0)\": \($0), // \($0)" }
        let text = "{\n" + lines.joined(separator: "\n") + "\n}\n"
        var settings = try VSCodeFormat.read(["settings.json": text]).settings
        #expect(settings.options.count == 5000)
        for key in settings.options.keys { settings.options[key]?.value = .number(-1) }
        let changed = try VSCodeFormat.written(settings, into: text)
        #expect(changed == text.replacing(/: \d+,/, with: ": -1,"))
        for key in settings.options.keys { settings.options[key]?.value = nil }
        #expect(try VSCodeFormat.written(settings, into: text) == "{\n}\n")
    }

    @Test func groupsKeepTheirNames() throws {
        let imported = try values(#"{"demo.size": 3}"#)
        let moved = try imported.moved(into: Key("editor.mine"))
        #expect(try VSCodeFormat.written(moved.settings) == "{\n    \"demo.size\": 3\n}\n")
        let group = try moved.settings.relative(to: Key("editor.mine.demo"))
        #expect(try VSCodeFormat.written(group) == "{\n    \"demo.size\": 3\n}\n")
        let again = try VSCodeFormat.reread(group, as: "package.json")
        #expect(differences(imported.settings.definitions, again.settings) == [])
    }

    @Test func recognisedByNameAndComments() throws {
        for (path, text, expected) in [
            ("settings.json", #"{"a.b": 1}"#, true), ("settings.json", #"{"a": 1}"#, false), ("settings.json", "{/**/}", true),
            ("x/.vscode/settings.json", "{}", true), ("other.json", #"{"a.b": 1}"#, false), ("settings.json", "[1]", false),
            ("settings.json", #"{"a": "#, false), ("package.json", package, true),
        ] {
            let source = Source(files: [(path, Array(text.utf8))])
            #expect(try VSCodeFormat.recognises(source) == expected, "\(path) \(text)")
        }
    }

    @Test func topLevelMustBeAnObject() {
        for text in ["[1]", "1", "{\"a\": }"] {
            #expect(throws: Refusal.self) { try values(text) }
            #expect(throws: Refusal.self) { try VSCodeFormat.written(SettingsContent(), into: text) }
        }
    }

    @Test func packageIsEditedInPlace() throws {
        let imported = try VSCodeFormat.read(["package.json": package])
        var request = WriteRequest()
        request.name = "package.json"
        let present =
            "{\n  // the demo\n  \"name\": \"demo\",\n  \"contributes\": {\n    \"commands\": [],\n"
            + "    \"configuration\": {}\n  }\n}\n"
        request.present = Array(present.utf8)
        let text = try VSCodeFormat.text(imported.settings, request)
        #expect(text.hasPrefix("{\n  // the demo\n  \"name\": \"demo\",\n  \"contributes\": {\n    \"commands\": [],\n"))
        let again = try VSCodeFormat.read(["package.json": text])
        #expect(differences(imported.settings, again.settings) == [])
    }
}
