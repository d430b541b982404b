import SettingsFormats
import SettingsModel
import Testing

/// Values with a schema, folders of schemas, and exports.
struct JSONSchemaValuesTests {
    private let schema = #"""
        {"title": "Demo", "properties": {
          "on": {"type": "boolean", "default": true}, "size": {"type": "integer", "maximum": 9},
          "user": {"properties": {"name": {"type": "string"}, "mode": {"enum": ["a", null]},
            "Deep er": {"properties": {"x": {"type": "number"}}}}},
          "list": {"type": "array"}}}
        """#

    private func read(_ text: String) throws -> Imported {
        var request = ReadRequest()
        request.values = Source(files: [("values.json", Array(text.utf8))]).files.first
        let imported = try JSONSchemaFormat.read(["a.json": schema], request)
        try expectWhole(imported)
        #expect(imported.givesValues)
        return imported
    }

    private let values = """
        {
          // mine
          "user": {"name": "Ada", "mode": null, "Deep er": {"x": 1.0}},
          "list": ["1", 1, 1.0],
          "size": 4,
        }

        """

    @Test func readsValues() throws {
        var settings = try read(values).settings
        #expect(settings["user.name"]?.value == "Ada" && settings["user.mode"]?.value == .null)
        #expect(settings["user.Deep-er.x"]?.value?.compact == "1.0" && settings["on"]?.value == nil)
        #expect(settings["list"]?.value?.compact == #"["1",1,1.0]"#)
        #expect(try JSONSchemaFormat.written(settings, into: values, .values) == values)
        #expect(
            try JSON(parsing: JSONSchemaFormat.written(settings, into: nil, .values)).compact
                == #"{"size":4,"user":{"name":"Ada","mode":null,"Deep er":{"x":1.0}},"list":["1",1,1.0]}"#)
        settings.set("user.name", "Bob")
        settings.set("size", nil)
        settings.set("on", .bool(false))
        #expect(
            try JSONSchemaFormat.written(settings, into: values, .values)
                == values.replacing("Ada", with: "Bob").replacing("  \"size\": 4,", with: "  \"on\": false,"))
    }

    @Test func valuesInYAML() throws {
        var request = ReadRequest()
        let text = "on: false # really\nuser:\n  name: 'yes'\n  Deep er: {x: 1.50}\nlist: &l [a, 1]\n"
        request.values = Source(files: [("config.yml", Array(text.utf8))]).files.first
        let imported = try JSONSchemaFormat.read(["a.json": schema], request)
        try expectWhole(imported)
        #expect(imported.settings["on"]?.value == .bool(false) && imported.settings["user.name"]?.value == "yes")
        #expect(imported.settings["user.Deep-er.x"]?.value?.compact == "1.50")
        #expect(imported.repairs.allSatisfy { $0.line == nil && $0.kind == .kept })
        var writing = WriteRequest()
        writing.part = .values
        writing.name = "config.yml"
        let written = try JSONSchemaFormat.text(imported.settings, writing)
        request.values = Source(files: [("config.yml", Array(written.utf8))]).files.first
        #expect(try JSONSchemaFormat.read(["a.json": schema], request).settings == imported.settings)
    }

    @Test func valuesThatDoNotFit() throws {
        let text = #"{"$schema": "./a.json", "on": 1, "size": 10, "user": "me", "new": {"a": [true], "b": {}}, "z": null}"#
        let imported = try read(text)
        #expect(imported.settings["on"]?.value == nil && imported.settings["new.a"]?.type == .data)
        #expect(imported.settings["new.b"]?.value == .object([]) && imported.settings.group("new")?.order == ["a", "b"])
        #expect(imported.repairs.map(\.key) == ["on", "size", "user", "new", "new.a", "new.b", "z"])
        #expect(imported.repairs.map(\.kind) == [.repaired, .repaired, .repaired, .kept, .kept, .kept, .kept])
        #expect(try JSON(parsing: JSONSchemaFormat.written(imported.settings, into: text, .values)) == JSON(parsing: text))
        #expect(
            try JSON(parsing: JSONSchemaFormat.written(imported.settings, into: nil, .values)).compact
                == #"{"$schema":"./a.json","on":1,"size":10,"user":"me","new":{"a":[true],"b":{}},"z":null}"#)
    }

    @Test func aFolderOfSchemas() throws {
        let imported = try JSONSchemaFormat.read([
            "ext-a/one.json":
                ##"{"title": "One!", "type": "object", "properties": {"l": {"items": {"$ref": "#/definitions/d"}}}, "##
                + ##""definitions": {"d": {"type": "string"}}}"##,
            "ext-a/two.json": #"{"type": "object", "properties": {}}"#, "ext b/three.json": #"{"type": "object"}"#,
            "ext b/x/note.txt": "x",
        ])
        try expectWhole(imported)
        #expect(imported.settings.options.keys.map(\.description) == ["ext-a.one.l"])
        #expect(
            imported.settings.group("ext-a")?.order == ["one", "two"] && imported.settings.group("ext-a.one")?.title == "One!")
        #expect(
            imported.settings.group("ext-b")?.other["key"] == "ext b" && imported.settings.group("ext-b.three")?.title == "Three")
        #expect(imported.settings.groups[.root]?.order == ["ext-a", "ext-b"])
        let text = try JSONSchemaFormat.written(imported.settings)
        #expect(text.contains(#""$id": "settings:ext-a/one""#))
        let again = try JSONSchemaFormat.reread(imported.settings, as: "all.json")
        #expect(differences(imported.settings, again.settings) == [])
    }

    @Test func storeThatWasNotImported() throws {
        var settings = SettingsContent()
        settings.groups[.root] = SettingsGroup(title: "Mine", order: ["b", "a"])
        settings.groups[try Key("a")] = SettingsGroup(title: "", style: .section, footer: "f", other: ["x": "y"])
        settings.options[try Key("a.s")] = SettingsOption(
            title: "Sound", type: .switch, value: "ja", defaultValue: "nein", other: ["values": .array(["nein", "ja"])])
        settings.options[try Key("a")] = SettingsOption(title: "An option too", type: .text, other: ["placeholder": "p"])
        settings.options[try Key("b.c")] = SettingsOption(
            title: "C", type: .choice, defaultValue: .number(2),
            labels: Labels([
                ChoiceLabel(value: .number(1), text: "One", long: "The one"), ChoiceLabel(value: .number(2), text: "2"),
            ]))
        settings.options[try Key("b.d")] = SettingsOption(title: "D", type: .data, defaultValue: "text", help: "any")
        settings.options[try Key("b.n")] = SettingsOption(
            title: "N", type: .number, range: SettingsOption.Range(minimum: Number("0.5"), maximum: Number(3), step: Number(1)))
        let again = try JSONSchemaFormat.reread(settings, as: "a.json").settings
        for (key, option) in settings.definitions.options { #expect(again.options[key] == option, "\(key)") }
        #expect(again.group("a")?.title == "" && again.group("a")?.footer == "f" && again.group("a")?.style == .section)
        #expect(again.group("a")?.other["x"] == "y" && again.groups[.root]?.order == ["b", "a"])
        let text = try JSONSchemaFormat.written(settings)
        #expect(text.contains(#""$schema": "https://json-schema.org/draft/2020-12/schema""#))
        #expect(text.contains(#""description": "The one""#))
        let refusal = #expect(throws: Refusal.self) { try JSONSchemaFormat.written(settings, into: nil, .values) }
        #expect(refusal?.reason.contains("a is an option and a group") == true)
    }
}
