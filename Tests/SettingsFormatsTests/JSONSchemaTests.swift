import SettingsFormats
import SettingsModel
import Testing

/// Settings read from a JSON Schema.
struct JSONSchemaTests {
    private func read(_ text: String) throws -> Imported {
        let imported = try JSONSchemaFormat.read(["a.json": text])
        try expectWhole(imported)
        let again = try JSONSchemaFormat.reread(imported.settings, as: "a.json")
        #expect(differences(imported.settings, again.settings) == [])
        #expect(imported.givesValues == false)
        return imported
    }

    /// As in prettier's schema: the whole configuration may also be the name of another file.
    @Test func onlyAlternativeThatIsAnObject() throws {
        let imported = try JSONSchemaFormat.read([
            "s.json": """
            {"$schema": "http://json-schema.org/draft-07/schema#", "title": "P",
             "definitions": {"options": {"properties": {"semi": {"type": "boolean", "default": true}}}},
             "anyOf": [{"type": "object", "allOf": [{"$ref": "#/definitions/options"}]}, {"type": "string"}]}
            """
        ])
        #expect(imported.settings["semi"]?.type == .switch)
        #expect(imported.repairs.contains { $0.kind == .kept && $0.done == "only the object is read" })
    }

    @Test func groupsAndTypes() throws {
        let imported = try read(
            #"""
            {"$schema": "http://json-schema.org/draft-07/schema#", "title": "Demo", "description": "All of it.", "type": "object",
             "required": ["on"], "additionalProperties": false, "properties": {
              "on": {"type": "boolean", "default": true, "description": "Whether."},
              "font size": {"type": "integer", "title": "Size", "minimum": 1, "maximum": 9, "default": 3, "examples": [4]},
              "ratio": {"type": "number", "multipleOf": 0.25, "exclusiveMaximum": 1},
              "user": {"type": "object", "properties": {
                "name": {"type": ["string", "null"], "pattern": "^a", "default": null},
                "secret": {"type": "string", "format": "password"}, "key": {"type": "string", "writeOnly": true},
                "id": {"type": "string", "readOnly": true},
                "deep": {"properties": {"x": {"const": 5}}}}},
              "list": {"type": "array", "items": {"type": "string"}, "default": ["a"]},
              "map": {"type": "object", "additionalProperties": {"type": "string"}}}}
            """#)
        #expect(imported.repairs == [])
        let settings = imported.settings
        #expect(settings.groups[.root]?.title == "Demo" && settings.groups[.root]?.footer == "All of it.")
        #expect(settings.groups[.root]?.order == ["on", "font-size", "ratio", "user", "list", "map"])
        #expect(settings.groups[.root]?.other["json-schema"]?.compact == #"{"required":["on"],"additionalProperties":false}"#)
        #expect(settings["font-size"]?.importedKey == "font size" && settings["font-size"]?.title == "Size")
        #expect(settings["font-size"]?.range == SettingsOption.Range(minimum: Number(1), maximum: Number(9), step: Number(1)))
        #expect(settings["ratio"]?.range.step?.text == "0.25" && settings["ratio"]?.range.maximum?.text == "1")
        #expect(settings.group("user")?.style == .page && settings.group("user.deep")?.style == .section)
        #expect(settings["user.name"]?.type == .text && settings["user.name"]?.defaultValue == nil)
        #expect(settings["user.secret"]?.isMasked == true && settings["user.key"]?.isMasked == true)
        #expect(settings["user.id"]?.isReadOnly == true)
        #expect(settings["user.deep.x"]?.labels.map(\.value) == [.number(5)])
        #expect(settings["list"]?.type == .data && settings["list"]?.defaultValue?.compact == #"["a"]"#)
        #expect(settings["map"]?.type == .data)
    }

    @Test func labels() throws {
        let imported = try read(
            #"""
            {"properties": {
              "mode": {"type": "string", "default": "n", "oneOf": [
                {"const": "n", "title": "None", "description": "Nothing at all"}, {"const": "", "title": "Default"}]},
              "any": {"anyOf": [{"const": 1, "title": "One"}, {"enum": [1.0, "x"]}, {"type": "boolean"}, {"type": "null"}]},
              "plain": {"enum": ["a", "b"], "default": "c"},
              "names": {"enum": [1, 2], "enumNames": ["One", "Two"]},
              "bits": {"enum": [[1], [2]], "default": [1]},
              "hints": {"anyOf": [{"enum": ["a"]}, {"type": "string"}], "default": "b"},
              "maybe": {"oneOf": [{"type": "boolean"}, {"type": "null"}], "title": "Perhaps"},
              "key": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}], "default": "q"}}}
            """#)
        let settings = imported.settings
        #expect(settings["mode"]?.labels.map(\.text) == ["None", "Default"] && settings["mode"]?.defaultValue == "n")
        #expect(settings["mode"]?.labels.map(\.long) == ["Nothing at all", "Default"])
        #expect(settings["any"]?.labels.map(\.value.compact) == ["1", "1.0", #""x""#, "true", "false"])
        #expect(settings["any"]?.labels.map(\.text) == ["One", "1.0", "x", "true", "false"])
        #expect(settings["plain"]?.defaultValue == nil)
        #expect(settings["names"]?.labels.map(\.text) == ["One", "Two"])
        #expect(settings["bits"]?.type == .data && settings["hints"]?.type == .text && settings["hints"]?.defaultValue == "b")
        #expect(settings["maybe"]?.type == .switch && settings["maybe"]?.title == "Perhaps")
        #expect(settings["key"]?.type == .data && settings["key"]?.defaultValue == "q")
        #expect(imported.repairs.map(\.key) == ["plain", "bits"])
    }

    @Test func bounds() throws {
        let settings = try read(
            #"""
            {"properties": {
              "a": {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10},
              "b": {"type": "integer", "minimum": 0, "exclusiveMinimum": true},
              "c": {"type": "number", "minimum": 0, "exclusiveMinimum": true},
              "d": {"type": "integer", "multipleOf": 5, "minimum": 10}, "e": {"type": "integer", "multipleOf": 5, "minimum": 11},
              "f": {"type": "integer", "minimum": 0.5}, "g": {"type": ["integer", "number"], "maximum": 18446744073709551615}}}
            """#
        ).settings
        #expect(settings["a"]?.range == SettingsOption.Range(minimum: Number(1), maximum: Number(9), step: Number(1)))
        #expect(settings["b"]?.range == SettingsOption.Range(minimum: Number(1), step: Number(1)))
        #expect(settings["c"]?.range == SettingsOption.Range(minimum: Number(0)))
        #expect(settings["d"]?.range.step == Number(5) && settings["e"]?.range.step == Number(1))
        #expect(settings["f"]?.range.step == nil && settings["g"]?.range.maximum?.text == "18446744073709551615")
    }

    @Test func references() throws {
        let imported = try read(
            ##"""
            {"$id": "https://example.org/s", "$ref": "#/$defs/Root", "$defs": {
              "Root": {"title": "R", "type": "object", "properties": {
                "mode": {"$ref": "#/$defs/Mode", "default": "b", "description": "here"},
                "other": {"$ref": "https://example.org/s#mode"},
                "user": {"$ref": "#/$defs/User~1x"}, "again": {"$ref": "#/$defs/User~1x"},
                "first": {"$ref": "#/$defs/Root/properties/list/items/0"},
                "list": {"type": "array", "items": [{"type": "boolean"}, {"$ref": "#/$defs/Used"}]},
                "far": {"$ref": "other.json#/x", "title": "Far"}, "gone": {"$ref": "#/$defs/Gone"},
                "branch": {"oneOf": [{"$ref": "#/$defs/Mode"}, {"const": "z"}]}}},
              "Mode": {"$anchor": "mode", "enum": ["a", "b"], "description": "there"},
              "User/x": {"properties": {"name": {"type": "string"}}},
              "Used": {"items": {"$ref": "#/$defs/Chain"}}, "Chain": {"type": "string"}, "Unused": {"type": "string"}}}
            """##)
        let settings = imported.settings
        #expect(settings["mode"]?.labels.count == 2 && settings["mode"]?.defaultValue == "b" && settings["mode"]?.help == "here")
        #expect(settings["other"]?.type == .choice && settings["other"]?.help == "there")
        #expect(settings["user.name"]?.type == .text && settings["again.name"]?.type == .text)
        #expect(settings["first"]?.type == .switch)
        #expect(settings["far"]?.type == .data && settings["far"]?.title == "Far" && settings["gone"]?.type == .data)
        #expect(settings["branch"]?.labels.map(\.value) == ["a", "b", "z"])
        #expect(imported.repairs.map(\.key) == ["far", "gone"])
        #expect(imported.repairs.allSatisfy { $0.kind == .repaired && $0.page == "R" })
        let kept = settings.groups[.root]?.other["json-schema"]
        guard case .object(let definitions)? = kept?["$defs"] else { return #expect(Bool(false)) }
        #expect(definitions.map(\.name) == ["Used", "Chain"])
    }

    @Test func cyclesEnd() throws {
        let imported = try read(
            ##"""
            {"$ref": "#/definitions/A", "definitions": {
              "A": {"properties": {"on": {"type": "boolean"}, "next": {"$ref": "#/definitions/A"},
                "self": {"$ref": "#/definitions/Self"}, "all": {"allOf": [{"$ref": "#/definitions/Loop"}]}}},
              "Self": {"$ref": "#/definitions/Self"}, "Loop": {"allOf": [{"$ref": "#/definitions/Loop"}]}}}
            """##)
        #expect(imported.settings["on"]?.type == .switch && imported.settings["next"]?.type == .data)
        #expect(imported.settings["self"]?.type == .data && imported.settings["all"]?.type == .data)
        #expect(imported.repairs.map(\.key).contains("next"))
    }

    @Test func embeddedSchemasWithTheirOwnId() throws {
        let imported = try read(
            ##"""
            {"properties": {"a": {"$id": "https://example.org/a", "properties": {
                "x": {"$ref": "#/$defs/X"}, "l": {"items": {"$ref": "#/$defs/X"}}},
              "$defs": {"X": {"type": "boolean"}}}, "b": {"$ref": "#/$defs/X"}}, "$defs": {"X": {"type": "string"}}}
            """##)
        #expect(imported.settings["a.x"]?.type == .switch && imported.settings["b"]?.type == .text)
    }

    @Test func compositions() throws {
        let imported = try read(
            ##"""
            {"allOf": [{"properties": {"a": {"type": "boolean"}}}, {"$ref": "#/$defs/B"}], "title": "T", "properties": {
              "n": {"allOf": [{"type": "integer", "minimum": 1, "title": "inner"}, {"minimum": 3, "maximum": 9}], "title": "N!"},
              "no": {"allOf": [{"type": "string"}, {"type": "number"}]},
              "maybe": {"anyOf": [{"$ref": "#/$defs/B"}, {"type": "null"}]}},
             "$defs": {"B": {"properties": {"b": {"type": "string"}}}}}
            """##)
        let settings = imported.settings
        #expect(settings["a"]?.type == .switch && settings["b"]?.type == .text && settings["maybe.b"]?.type == .text)
        #expect(
            settings["n"]?.title == "N!" && settings["n"]?.range.minimum == Number(3) && settings["n"]?.range.maximum == Number(9)
        )
        #expect(settings["no"]?.type == .data)
    }

    @Test func defaultsOfAGroup() throws {
        let settings = try read(
            #"""
            {"properties": {
              "g": {"default": {"a": 5, "b": 6}, "properties": {
                "a": {"type": "integer"}, "b": {"type": "integer", "default": 7}}},
              "map": {"type": "object", "default": {"x y": {}}, "properties": {"[a-z]+": {"type": "object"}}}}}
            """#
        ).settings
        #expect(settings["g.a"]?.defaultValue == .number(5) && settings["g.b"]?.defaultValue == .number(7))
        #expect(settings["map"]?.type == .data)
    }

    @Test func unusualSchemas() throws {
        let imported = try read(
            #"""
            {"properties": {"yes": true, "no": false, "text": "string", "list": [], "empty": {},
              "x.y": {"type": "string", "pattern": "("},
              "object": {"type": "object"}, "unknown": {"type": "boolean", "x-thing": 1},
              "both": {"type": ["object", "boolean"], "properties": {"a": {}}}}}
            """#)
        #expect(imported.settings["yes"]?.type == .data && imported.settings["text"]?.type == .data)
        #expect(imported.settings["both"]?.type == .data && imported.settings["both"]?.other["json-schema"]?["properties"] != nil)
        #expect(imported.repairs.map(\.key) == ["text", "list", "x.y", "unknown"])
        #expect(imported.repairs.map(\.kind) == [.repaired, .repaired, .repaired, .kept])
        #expect(imported.settings["x-y"]?.importedKey == "x.y")
    }

    @Test func recognised() throws {
        for (text, expected) in [
            (#"{"$schema": "https://json-schema.org/draft/2020-12/schema"}"#, true),
            (#"{"type": "object", "properties": {}}"#, true),
            (#"{"properties": {"a": {"type": "string"}}}"#, true), (#"{"properties": {"a": 1}}"#, false), ("[]", false),
            (##"{"$ref": "#/definitions/A", "definitions": {}}"##, true), (#"{"$schema": "./x.schema.json", "a": 1}"#, false),
            (#"{"flags": {}}"#, false), ("{", false),
        ] {
            #expect(try JSONSchemaFormat.recognises(Source(files: [("a.json", Array(text.utf8))])) == expected, "\(text)")
        }
    }

    @Test func schemaWithoutSettings() {
        for text in ["{}", "[]", "true", #"{"properties": {}}"#, ##"{"$ref": "#"}"##, ""] {
            #expect(throws: Refusal.self) { try JSONSchemaFormat.read(["a.json": text]) }
        }
    }
}
