import SettingsFormats
import SettingsModel
import Testing

/// Settings read from an extension's package.json.
struct VSCodeTests {
    private func package(_ properties: String, title: String = "Demo") -> String {
        #"{"displayName": "Demo Extension", "contributes": {"configuration": {"title": "\#(title)", "#
            + #""properties": \#(properties)}}}"#
    }

    private func read(_ properties: String) throws -> Imported {
        let imported = try VSCodeFormat.read(["package.json": package(properties)])
        try expectWhole(imported)
        let again = try VSCodeFormat.reread(imported.settings, as: "package.json")
        #expect(differences(imported.settings, again.settings) == [])
        #expect(imported.givesValues == false)
        return imported
    }

    @Test func theFourTypes() throws {
        let imported = try read(
            #"""
            {"demo.isOn": {"type": "boolean", "default": true, "description": "On or off."},
             "demo.fontSize": {"type": "integer", "minimum": 6, "maximum": 100, "default": 12},
             "demo.lineHeight": {"type": "number", "exclusiveMinimum": 0, "default": 1.50},
             "demo.user.name": {"type": "string", "pattern": "^[a-z]*$", "editPresentation": "multilineText"},
             "demo.rules": {"type": "array", "items": {"type": "string"}},
             "demo.map": {"type": "object"}}
            """#)
        #expect(imported.repairs == [])
        let settings = imported.settings
        #expect(settings["demo.isOn"]?.type == .switch && settings["demo.isOn"]?.defaultValue == .bool(true))
        #expect(settings["demo.isOn"]?.title == "Is On" && settings["demo.isOn"]?.help == "On or off.")
        let size = try #require(settings["demo.fontSize"])
        #expect(size.range == SettingsOption.Range(minimum: Number(6), maximum: Number(100), step: Number(1)))
        #expect(size.defaultValue == .number(12) && size.value == nil)
        #expect(settings["demo.lineHeight"]?.defaultValue?.compact == "1.50")
        #expect(settings["demo.lineHeight"]?.range.minimum == Number(0) && settings["demo.lineHeight"]?.range.step == nil)
        #expect(settings["demo.user.name"]?.pattern == "^[a-z]*$")
        #expect(settings["demo.user.name"]?.other["vscode"]?.compact == #"{"implied":true,"editPresentation":"multilineText"}"#)
        #expect(settings["demo.rules"]?.type == .data && settings["demo.map"]?.type == .data)
        #expect(settings.group("demo")?.title == "Demo" && settings.group("demo")?.style == .page)
        #expect(settings.group("demo")?.order == ["isOn", "fontSize", "lineHeight", "user", "rules", "map"])
        #expect(settings.group("demo.user")?.title == "User" && settings.group("demo.user")?.style == .section)
    }

    @Test func missingDefaultIsThatOfTheType() throws {
        let settings = try read(
            #"""
            {"d.b": {"type": "boolean"}, "d.n": {"type": "integer", "minimum": 1}, "d.s": {"type": "string"},
             "d.a": {"type": "array"}, "d.o": {"type": "object"}, "d.e": {"type": "string", "enum": ["x", "y"]},
             "d.f": {"type": "string", "enum": ["", "y"]}, "d.any": {}, "d.list": {"type": ["string", "array"]},
             "d.nullable": {"type": ["null", "string"]}}
            """#
        ).settings
        #expect(settings["d.b"]?.defaultValue == .bool(false))
        #expect(settings["d.n"]?.defaultValue == .number(0))
        #expect(settings["d.s"]?.defaultValue == "")
        #expect(settings["d.a"]?.defaultValue == .array([]))
        #expect(settings["d.o"]?.defaultValue == .object([]))
        #expect(settings["d.e"]?.type == .choice && settings["d.e"]?.defaultValue == nil)
        #expect(settings["d.f"]?.defaultValue == "")
        #expect(settings["d.any"]?.type == .data && settings["d.any"]?.defaultValue == nil)
        #expect(settings["d.list"]?.type == .data && settings["d.list"]?.defaultValue == "")
        #expect(settings["d.nullable"]?.type == .text && settings["d.nullable"]?.defaultValue == nil)
    }

    @Test func nullAsTheDefault() throws {
        let imported = try read(
            #"{"d.b": {"type": "boolean", "default": null}, "d.s": {"type": "string", "default": null}}"#)
        #expect(imported.repairs == [])
        #expect(imported.settings["d.b"]?.type == .switch && imported.settings["d.b"]?.defaultValue == nil)
        #expect(imported.settings["d.s"]?.defaultValue == nil)
    }

    @Test func aDefaultThatIsNotAnEntry() throws {
        let imported = try read(
            #"{"d.e": {"enum": ["a", "b"], "default": "c"}, "d.b": {"type": "boolean", "default": "true"}}"#)
        #expect(imported.settings["d.e"]?.defaultValue == nil && imported.settings["d.b"]?.defaultValue == nil)
        #expect(imported.settings["d.e"]?.other["vscode"]?["default"] == "c")
        #expect(imported.repairs.map(\.key) == ["d.e", "d.b"])
        #expect(imported.repairs.allSatisfy { $0.kind == .repaired && $0.file == "package.json" && $0.page == "Demo" })
    }

    @Test func enumsOfAllKinds() throws {
        let imported = try read(
            #"""
            {"d.version": {"type": ["string", "null"], "enum": [null, "1.1", 1, 1.5, 2], "default": 1.5},
             "d.named": {"type": "string", "enum": ["l", "r"], "enumItemLabels": ["Left", "Right"],
               "markdownEnumDescriptions": ["To the *left*", ""]},
             "d.short": {"enum": ["a", "b", "c"], "enumDescriptions": ["Only a"]},
             "d.long": {"enum": ["a"], "enumDescriptions": ["Only a", "and b"]},
             "d.twice": {"enum": ["a", "b", "a"]}}
            """#)
        let version = try #require(imported.settings["d.version"])
        #expect(version.labels.map(\.value.compact) == ["null", #""1.1""#, "1", "1.5", "2"])
        #expect(version.labels.map(\.text) == ["null", "1.1", "1", "1.5", "2"])
        #expect(version.defaultValue?.compact == "1.5")
        let named = try #require(imported.settings["d.named"])
        #expect(named.labels.map(\.text) == ["Left", "Right"] && named.labels.map(\.long) == ["To the *left*", "Right"])
        #expect(imported.settings["d.short"]?.labels.map(\.long) == ["Only a", "b", "c"])
        #expect(imported.settings["d.long"]?.labels.map(\.long) == ["Only a"])
        #expect(imported.settings["d.twice"]?.labels.map(\.value) == ["a", "b"])
        #expect(imported.repairs.map(\.key) == ["d.short", "d.long", "d.twice"])
        #expect(imported.repairs.first?.found == #"there are 3 values in "enum" and 1 in "enumDescriptions""#)
    }

    @Test func alternativesAreData() throws {
        let imported = try read(
            ##"""
            {"d.any": {"anyOf": [{"type": "boolean"}, {"enum": ["auto"]}], "default": "auto"},
             "d.list": {"type": ["boolean", "string"], "default": true}, "d.ref": {"$ref": "#/x"},
             "d.deep": {"type": "object", "properties": {"a": {"type": "string"}}, "default": {"a": "b"}}}
            """##)
        #expect(imported.repairs == [])
        #expect(imported.settings.options.values.allSatisfy { $0.type == .data })
        #expect(imported.settings["d.any"]?.defaultValue == "auto")
        #expect(imported.settings["d.ref"]?.other["vscode"]?.compact == ##"{"$ref":"#/x"}"##)
    }

    @Test func membersWithoutMeaningAreKept() throws {
        let imported = try read(
            #"""
            {"d.x": {"type": "string", "title:": "typo", "scope": "resource", "tags": ["a"], "deprecationMessage": "gone",
              "markdownDescription": "*x*", "description": "x", "order": 3}}
            """#)
        let option = try #require(imported.settings["d.x"])
        #expect(option.title == "X" && option.help == "*x*")
        #expect(
            option.other["vscode"]?.compact
                == #"{"markdown":["description"],"implied":true,"title:":"typo","scope":"resource","tags":["a"],"#
                + #""deprecationMessage":"gone","description":"x","order":3}"#)
        #expect(imported.repairs.map(\.kind) == [.kept])
        #expect(imported.repairs.first?.found.contains("title:") == true)
    }

    @Test func unsupportedPattern() throws {
        let imported = try read(#"{"d.x": {"type": "string", "pattern": "([a-z"}}"#)
        #expect(imported.settings["d.x"]?.pattern == nil)
        #expect(imported.settings["d.x"]?.other["vscode"]?.compact == #"{"implied":true,"pattern":"([a-z"}"#)
        #expect(imported.repairs.map(\.kind) == [.repaired])
    }

    @Test func impossibleBounds() throws {
        let imported = try read(
            #"{"d.x": {"type": "number", "minimum": 5, "maximum": 1}, "d.y": {"type": "number", "minimum": "1", "default": 0}}"#)
        #expect(imported.settings["d.x"]?.range.isEmpty == true && imported.settings["d.y"]?.range.isEmpty == true)
        #expect(imported.repairs.map(\.key) == ["d.x", "d.y"])
        let outside = try read(#"{"d.x": {"type": "integer", "minimum": 5, "default": 1}}"#)
        #expect(outside.settings["d.x"]?.defaultValue == .number(1))
        #expect(outside.repairs.map(\.kind) == [.kept])
    }

    @Test func optionAndGroupWithTheSameName() throws {
        let imported = try read(#"{"a.b": {"type": "boolean"}, "a.b.c": {"type": "string"}, "a..d": {}, "A.x": {}, "bare": {}}"#)
        #expect(imported.settings["a.b"]?.type == .switch && imported.settings["a.b.c"]?.type == .text)
        #expect(imported.settings.options.count == 5)
        let keys = Set(imported.settings.options.keys.map { $0.folded })
        #expect(keys.count == 5)
    }

    @Test func moreDotsThanAKeyAllows() throws {
        let id = (1...20).map { "p\($0)" }.joined(separator: ".")
        let imported = try read(#"{"\#(id)": {"type": "string", "default": "x"}}"#)
        let option = try #require(imported.settings.options.values.first)
        #expect(option.importedKey == "p16.p17.p18.p19.p20")
        var settings = imported.settings
        for key in settings.options.keys { settings.options[key]?.value = "y" }
        #expect(try VSCodeFormat.written(settings) == "{\n    \"\(id)\": \"y\"\n}\n")
    }

    @Test func duplicateNames() throws {
        let text = #"""
            {"contributes": {"configuration": [
              {"title": "One", "properties": {"d.x": {"type": "boolean"}, "d.x": {"type": "string"}}},
              {"title": "Two", "properties": {"d.x": {"type": "number"}}}]}}
            """#
        let imported = try VSCodeFormat.read(["package.json": text])
        #expect(imported.settings["d.x"]?.type == .text)
        #expect(imported.repairs.map(\.done) == ["the last one counts", "the first one counts"])
    }

    @Test func changesApplyToTheKeptSchema() throws {
        let imported = try read(
            #"{"d.e": {"enum": ["a", "b", "a"], "enumDescriptions": ["A", "B", "C"], "default": "c", "scope": "window"}}"#)
        var settings = imported.settings
        let key = try Key("d.e")
        var option = try #require(settings.options[key])
        option.labels.insert(ChoiceLabel(value: "c", text: "See"), at: 1)
        option.defaultValue = "c"
        settings.options[key] = option
        let again = try #require(try VSCodeFormat.reread(settings, as: "package.json").settings.options[key])
        #expect(again.labels.map(\.value) == ["a", "c", "b"] && again.labels.map(\.text) == ["a", "See", "b"])
        #expect(again.defaultValue == "c")
        #expect(again.other["vscode"]?["scope"] == "window")
    }

    @Test func fileWithAnyName() throws {
        let text = package(#"{"d.x": {"type": "boolean"}}"#)
        #expect(try VSCodeFormat.read(["extension.json": text]).settings["d.x"]?.type == .switch)
    }

    @Test func filesThatAreNotExtensions() throws {
        for text in [#"{"name": "x"}"#, #"{"contributes": {}}"#, "[]"] {
            let refusal = #expect(throws: Refusal.self) { try VSCodeFormat.read(["package.json": text]) }
            #expect(refusal?.reason == "contributes no configuration")
        }
        let refusal = #expect(throws: Refusal.self) { try VSCodeFormat.read(["package.json": "{\"contributes\": {,}}"]) }
        #expect(refusal?.position == BadFile.Position(line: 1, column: 18))
        let source = Source(files: [("package.json", Array(#"{"name": "x"}"#.utf8))])
        #expect(try VSCodeFormat.recognises(source) == false)
    }

    @Test func modelOnlyPropertiesRoundTrip() throws {
        var settings = SettingsContent()
        settings.groups[try Key("a")] = SettingsGroup(
            title: "Ahh", style: .section, footer: "below", order: ["p", "s"], other: ["x": "y"])
        settings.options[try Key("a.s")] = SettingsOption(
            title: "Sound", type: .switch, defaultValue: "ja", other: ["values": .array(["nein", "ja"])])
        settings.options[try Key("a.p")] = SettingsOption(
            title: "", type: .text, help: "h", other: ["masked": .bool(true), "placeholder": "…", "readOnly": .bool(true)])
        settings.options[try Key("a.n")] = SettingsOption(
            title: "N", type: .number, range: SettingsOption.Range(minimum: Number(1), step: Number(2)))
        settings.options[try Key("a.c")] = SettingsOption(title: "C", type: .choice)
        settings.groups[try Key("a")]?.order = ["p", "s", "n", "c"]
        let again = try VSCodeFormat.reread(settings, as: "package.json")
        #expect(differences(settings, again.settings) == [])
    }
}
