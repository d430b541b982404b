import SettingsModel
import Testing

@testable import SettingsFormats

/// Documents that define options are edited in place: what the store does not have stays.
struct DocumentEditTests {
    /// The export over `present` of what was imported from `text` and changed.
    private func edited(
        _ format: any Format.Type, _ text: String, named name: String, over present: String? = nil, prunes: Bool = false,
        rewrites: Bool = false, note: ((String) -> Void)? = nil, _ change: (inout SettingsContent) throws -> Void
    ) throws -> String {
        var settings = try format.read([name: text]).settings
        try change(&settings)
        var request = WriteRequest()
        (request.present, request.name, request.part) = (Array((present ?? text).utf8), name, nil)
        (request.prunes, request.rewrites, request.note) = (prunes, rewrites, note)
        if format.name == .jsonSchema || format.name == .vscode { request.part = .definitions }
        return try format.text(settings, request)
    }

    private let flags = """
        {
          "$schema": "https://flagd.dev/schema/v0/flags.json",
          // owned by web
          "flags": {
            "banner": { "state": "ENABLED", "variants": { "on": true, "off": false }, "defaultVariant": "off" }, // b
            "size": {
              "defaultVariant": "s",   // small for now
              "variants": { "s": 1, "m": 2 },
              "state": "DISABLED"
            }
          }
        }

        """

    @Test func aFlagIsTheOnlyChange() throws {
        #expect(try edited(FlagdFormat.self, flags, named: "flags.json") { _ in } == flags)
        let result = try edited(FlagdFormat.self, flags, named: "flags.json") { settings in
            settings.set("banner", .bool(true))
            settings.set("size", .number(2))
        }
        #expect(
            result == flags.replacing("\"off\" }, // b", with: "\"on\" }, // b").replacing("\"s\",   //", with: "\"m\",   //"))
    }

    @Test func whatColleaguesAddStays() throws {
        let theirs =
            flags.replacing(
                "\"banner\":", with: "\"new\": { \"state\": \"ENABLED\", \"variants\": { \"x\": 1 } },\n    \"banner\":"
            )
            .replacing("\"m\": 2 }", with: "\"m\": 2, \"l\": 3 }, \"targeting\": { \"if\": [] }")
            .replacing("\"DISABLED\"", with: "\"ENABLED\", \"metadata\": { \"team\": \"web\" }")
        let change: (inout SettingsContent) throws -> Void = { settings in
            settings.set("size", .number(2))
            settings.options[try Key("banner")]?.help = "Shown at the top."
        }
        #expect(
            try edited(FlagdFormat.self, flags, named: "flags.json", over: theirs, change)
                == theirs.replacing("\"s\",   //", with: "\"m\",   //").replacing(
                    "\"defaultVariant\": \"off\" }",
                    with: "\"defaultVariant\": \"off\", \"metadata\": { \"description\": \"Shown at the top.\" } }"))
        let pruned = try edited(FlagdFormat.self, flags, named: "flags.json", over: theirs, prunes: true, change)
        #expect(!pruned.contains("\"new\"") && !pruned.contains("\"l\": 3") && pruned.contains("\"team\": \"web\""))
        #expect(pruned.contains("// owned by web") && pruned.contains("// small for now"))
    }

    @Test func newFlagsFollowTheirPredecessor() throws {
        let result = try edited(FlagdFormat.self, flags, named: "flags.json") { settings in
            settings.options[try Key("dark")] = SettingsOption(title: "Dark", type: .switch, value: .bool(true))
            settings.groups[.root]?.order = ["banner", "dark", "size"]
            settings.options[try Key("size")]?.value = nil
        }
        #expect(result.contains("// b\n    \"dark\": {\n") && result.contains("// owned by web"))
        #expect(!result.contains("\"s\",") && !result.contains("small for now"))
        #expect(try FlagdFormat.read(["flags.json": result]).settings["dark"]?.value == .bool(true))
    }

    @Test func listsAndYAML() throws {
        let list =
            #"{"flags": [ {"key": "a", "variants": {"on": true, "off": false}, "defaultVariant": "on", "mine": 1}, "#
            + #"{"key": "b", "variants": {"x": 1, "y": 2}, "defaultVariant": "x"} ] }"#
        #expect(
            try edited(FlagdFormat.self, list, named: "flags.json") { $0.set("b", .number(2)) }
                == list.replacing("\"x\"} ]", with: "\"y\"} ]"))
        let yaml =
            "# ours\nflags:\n  menu:   # top\n    variants:\n      on: true\n      off: false\n"
            + "    defaultVariant: off # for now\n    state: ENABLED\n"
        let theirs = yaml + "  new:\n    state: ENABLED\n    variants: {a: yes}\n"
        #expect(
            try edited(FlagdFormat.self, yaml, named: "flags.yaml", over: theirs) { $0.set("menu", .bool(true)) }
                == theirs.replacing("off # for", with: "\"on\" # for"))
    }

    @Test func unsuitableFilesAreRejected() throws {
        for text in ["[]", "{\"flags\": {\"z\": {\"variants\": {\"x\": 1}}}}", "{\"flags\": 1}", "{\"flags\": {"] {
            let refusal = #expect(throws: Refusal.self, "\(text)") {
                try edited(FlagdFormat.self, flags, named: "flags.json", over: text) { _ in }
            }
            #expect(refusal?.remedy == .rewriting, "\(text)")
        }
        var notes: [String] = []
        let theirs = flags.replacing("\"banner\":", with: "\"new\": { \"variants\": {} }, \"banner\":")
        _ = try edited(FlagdFormat.self, flags, named: "flags.json", over: theirs, rewrites: true, note: { notes.append($0) }) {
            _ in
        }
        #expect(notes == ["flags.json: rewritten without its comments and layout, and without 'flags.new'"])
    }

    private let schema = #"""
        {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "definitions": {"q": {"type": "string", "default": "x"}},
         "properties": {
            "a": {"type": "integer", "default": 1, "$comment": "mine"}, "b": {"$ref": "#/definitions/q"},
            "g": {"type": "object", "properties": {"c": {"enum": ["x", "y"]}}}
         }}

        """#

    @Test func schemasKeepWhatTheStoreLacks() throws {
        #expect(try edited(JSONSchemaFormat.self, schema, named: "s.json") { _ in } == schema)
        let theirs = schema.replacing("\"properties\": {\n", with: "\"properties\": {\"new\": {\"$ref\": \"#/definitions/q\"},\n")
            .replacing("\"c\": {", with: "\"d\": {\"type\": \"boolean\"}, \"c\": {\"examples\": [1], ")
        let change: (inout SettingsContent) throws -> Void = { settings in
            settings.options[try Key("a")]?.defaultValue = .number(2)
            settings.options[try Key("g.c")]?.help = "Why."
        }
        let result = try edited(JSONSchemaFormat.self, schema, named: "s.json", over: theirs, change)
        #expect(
            result
                == theirs.replacing("\"default\": 1", with: "\"default\": 2").replacing(
                    "\"examples\": [1], \"enum\"", with: "\"description\": \"Why.\", \"examples\": [1], \"enum\""))
        let pruned = try edited(JSONSchemaFormat.self, schema, named: "s.json", over: theirs, prunes: true, change)
        #expect(!pruned.contains("\"new\"") && !pruned.contains("\"d\":") && pruned.contains("\"examples\": [1]"))
        #expect(pruned.contains("draft-07") && pruned.contains("\"definitions\""))
    }

    @Test func schemasOfReferencesAreChangedBesideThem() throws {
        let result = try edited(JSONSchemaFormat.self, schema, named: "s.json") {
            $0.options[try Key("b")]?.defaultValue = "z"
        }
        #expect(try JSONSchemaFormat.read(["s.json": result]).settings["b"]?.defaultValue == "z")
        #expect(result.contains("\"$ref\": \"#/definitions/q\"") && result.contains("\"$comment\": \"mine\""))
    }

    /// What restricts values holds together with what a `$ref` names, so it can't be changed beside it. All else can.
    @Test func definitionsThatAreSharedStay() throws {
        let shared =
            ##"{"definitions": {"level": {"enum": ["low", "high"], "default": "low"}, "port": {"type": "integer", "minimum": 1}},"##
            + ##" "properties": {"a": {"$ref": "#/definitions/level"}, "b": {"$ref": "#/definitions/port", "default": 80}}}"##
        #expect(
            try edited(JSONSchemaFormat.self, shared, named: "s.json") { settings in
                settings.options[try Key("a")]?.defaultValue = "high"
                settings.options[try Key("b")]?.defaultValue = .number(8)
            }
                == shared.replacing(
                    ##"{"$ref": "#/definitions/level"}"##, with: ##"{"default": "high", "$ref": "#/definitions/level"}"##
                )
                .replacing("80", with: "8"))
        let refusal = #expect(throws: Refusal.self) {
            try edited(JSONSchemaFormat.self, shared, named: "s.json") { settings in
                settings.options[try Key("b")]?.range.minimum = Number(9)
            }
        }
        #expect(
            refusal?.reason
                == "'properties.b.minimum' can't be edited in place: its definition is elsewhere, in '#/definitions/port'")
    }

    /// A definition that refers to another gets what differs, or is refused by name.
    @Test func onlyWhatDiffersIsAddedBesideAReference() throws {
        let schema =
            ##"{"type": "object", "definitions": {"g": {"type": "object", "properties": {"c": {"type": "integer", "default": 1}, "##
            + ##""d": {"type": "string"}}}}, "properties": {"a": {"type": "boolean"}, "g": {"$ref": "#/definitions/g"}}}"##
        #expect(
            try edited(JSONSchemaFormat.self, schema, named: "s.json") { $0.groups[try Key("g")]?.footer = "Why." }
                == schema.replacing(
                    "{\"$ref\": \"#/definitions/g\"}", with: "{\"description\": \"Why.\", \"$ref\": \"#/definitions/g\"}"))
        let refusal = #expect(throws: Refusal.self) {
            try edited(JSONSchemaFormat.self, schema, named: "s.json") { $0.options[try Key("g.c")]?.defaultValue = .number(2) }
        }
        #expect(
            refusal?.reason.hasPrefix("'properties.g.properties") == true && refusal?.reason.contains("'#/definitions/g'") == true
        )
    }

    private let package = #"""
        {
          "name": "x", "version": "1.0.0",
          "contributes": {
            "commands": [],
            "configuration": [
              {"title": "X", "properties": {
                "x.a": {"type": "boolean", "default": true, "description": "%x.a%", "scope": "window"}
              }},
              {"title": "More", "properties": {"x.more.b": {"type": "number", "default": 1, "markdownDeprecationMessage": "Old."}}}
            ]
          }
        }

        """#

    @Test func packagesKeepWhatTheStoreLacks() throws {
        let theirs = package.replacing("\"x.a\":", with: "\"x.new\": {\"type\": \"string\"},\n        \"x.a\":")
        let texts = try VSCodeFormat.read(["x/package.json": package, "x/package.nls.json": #"{"x.a": "A."}"#]).settings
        #expect(texts["x.a"]?.help == "A.")
        var settings = texts
        settings.options[try Key("x.a")]?.defaultValue = .bool(false)
        var request = WriteRequest()
        (request.present, request.name) = (Array(theirs.utf8), "package.json")
        #expect(try VSCodeFormat.text(settings, request) == theirs.replacing("\"default\": true", with: "\"default\": false"))
        request.prunes = true
        #expect(try VSCodeFormat.text(texts, request) == package)
    }

    @Test func valuesOfASchemaAreEditedInPlace() throws {
        var settings = try JSONSchemaFormat.read(["s.json": schema]).settings
        settings.set("a", .number(3))
        settings.set("g.c", "y")
        var request = WriteRequest()
        request.part = .values
        for (name, text) in [
            ("v.yaml", "# mine\na: 1   # one\nother: x\ng: {c: x}\n"),
            ("v.json", "{ // mine\n  \"a\": 1, \"other\": \"x\", \"g\": {\"c\": \"x\"}\n}\n"),
        ] {
            (request.present, request.name) = (Array(text.utf8), name)
            let expected = text.replacing("c: x", with: "c: \"y\"").replacing("c\": \"x", with: "c\": \"y")
                .replacing("a: 1", with: "a: 3").replacing("\"a\": 1", with: "\"a\": 3")
            #expect(try JSONSchemaFormat.text(settings, request) == expected)
        }
    }

    @Test func prunedMembersAreNamed() throws {
        var notes: [String] = []
        let theirs = flags.replacing("\"banner\":", with: "\"new\": { \"variants\": {} }, \"banner\":")
        let result = try edited(
            FlagdFormat.self, flags, named: "flags.json", over: theirs, prunes: true, note: { notes.append($0) }
        ) { _ in }
        #expect(result == flags && notes == ["flags.json: removed 'flags.new'"])
        notes = []
        _ = try edited(
            JSONFormat.self, "{\"a\": 1}", named: "a.json", over: "{\"a\": 1, \"b\": {\"c\": 2}}", prunes: true,
            note: { notes.append($0) }
        ) { _ in }
        #expect(notes == ["a.json: removed 'b'"])
    }
}
