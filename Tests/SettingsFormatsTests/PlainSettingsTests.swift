import SettingsFormats
import SettingsModel
import Testing

struct PlainSettingsTests {
    private func imported(_ text: String) throws -> Imported {
        try PlainSettings.settings(of: PlainTree(JSON(parsing: text)), in: "a.json", as: .json)
    }

    private func again(_ text: String) throws -> String {
        try PlainSettings.tree(of: imported(text).settings, as: .json).root.compact
    }

    @Test func eachKindOfValue() throws {
        let settings = try imported(
            #"{"fontSize":15.0,"on":true,"name":"YES","list":[1,"1"],"none":null,"empty":{},"window":{"size":{"width":1}}}"#
        ).settings
        func option(_ key: String) throws -> SettingsOption { try #require(settings.options[Key(key)]) }
        #expect(
            try option("fontSize") == SettingsOption(title: "Font Size", type: .number, value: .number(#require(Number("15.0")))))
        #expect(try option("on") == SettingsOption(title: "On", type: .switch, value: .bool(true)))
        #expect(try option("name") == SettingsOption(title: "Name", type: .text, value: "YES"))
        #expect(try option("list") == SettingsOption(title: "List", type: .data, value: .array([.number(1), "1"])))
        #expect(try option("none") == SettingsOption(title: "None", type: .data))
        #expect(try option("empty") == SettingsOption(title: "Empty", type: .data, value: .object([])))
        #expect(try option("window.size.width").value == .number(1))
        #expect(settings.groups[.root]?.order == ["fontSize", "on", "name", "list", "none", "empty", "window"])
        #expect(settings.groups[try Key("window")] == SettingsGroup(title: "Window", style: .section))
        #expect(settings.options.values.allSatisfy { $0.faults().isEmpty && (try? SettingsOption(file: $0.file)) == $0 })
    }

    @Test(arguments: [
        "{}",
        #"{"z":1,"a":{"y":[],"b":{"c":null,"a":1e400}},"":{"":""},"é":1,"e\u0301":2,"A":1,"a b":{"a":1,"A":2},".5":1,"é.b":2}"#,
        #"{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":{"i":{"j":{"k":{"l":{"m":{"n":{"o":{"p":{"q":1}}}}}}}}}}}}}}}}}"#,
        #"{"x":18446744073709551616,"y":-0.0,"z":1.50,"~/":{"/~":[{"a":{}}]}}"#,
    ])
    func treesRoundTrip(_ text: String) throws {
        #expect(try again(text) == text.replacing("e\\u0301", with: "e\u{301}"))
    }

    @Test func nameThatIsNotAValidKeyIsKept() throws {
        let settings = try imported(#"{"a.b":{"c d":1}}"#).settings
        #expect(try settings.groups[Key("a-b")]?.other["key"] == "a.b")
        #expect(try settings.options[Key(parts: ["a-b", "c-d"])]?.importedKey == "c d")
    }

    @Test func deeplyNestedValuesAreData() throws {
        let text = String(repeating: #"{"a":"#, count: 18) + "1" + String(repeating: "}", count: 18)
        let imported = try imported(text)
        let (key, option) = try #require(imported.settings.options.first)
        #expect(key.parts.count == 16 && option.type == .data && option.value?.compact == #"{"a":{"a":1}}"#)
        #expect(imported.repairs.map(\.kind) == [.kept])
        #expect(try again(text) == text)
    }

    @Test func marksRoundTrip() throws {
        let root = try JSON(parsing: #"{"when":"2020-01-01","many":[{"x/y":"2021-01-01"}],"1":{"2":"yes"},"bin":{"a":"b"}}"#)
        let many = PlainTree.Pointer.root.member("many")
        let one = PlainTree.Pointer.root.member("1")
        let tree = PlainTree(
            root,
            marks: [
                PlainTree.Pointer.root.member("when"): "date", many.element(0).member("x/y"): "date",
                PlainTree.Pointer.root.member("bin"): "!special",
            ],
            nameMarks: [one: "int", one.member("2"): "int"])
        let settings = try PlainSettings.settings(of: tree, in: "a.yaml", as: .yaml).settings
        #expect(try settings.options[Key("when")]?.type == .data)
        #expect(try settings.options[Key("bin")]?.type == .data)
        #expect(try settings.options[Key("many")]?.other["yaml"]?.compact == #"{"within":{"/0/x~1y":"date"}}"#)
        #expect(try PlainSettings.tree(of: settings, as: .yaml) == tree)
        #expect(try PlainSettings.tree(of: settings, as: .json).marks.isEmpty)
    }

    @Test func effectiveValuesAreWritten() throws {
        var settings = SettingsContent()
        settings.options[try Key("a.choice")] = SettingsOption(
            title: "", type: .choice, defaultValue: .number(5), labels: Labels([ChoiceLabel(value: .number(5), text: "Five")]))
        settings.options[try Key("a.switch")] = SettingsOption(
            title: "", type: .switch, value: "off", other: ["values": .array(["off", "on"])])
        settings.options[try Key("a.unset")] = SettingsOption(title: "", type: .text)
        settings.options[try Key("a.flat")] = SettingsOption(
            title: "", type: .number, value: .number(1), other: ["key": "x.a.flat"])
        settings.groups[try Key("b")] = SettingsGroup()
        #expect(
            try PlainSettings.tree(of: settings, as: .json).root.compact
                == #"{"a":{"choice":5,"flat":1,"switch":"off","unset":null},"b":{}}"#)
        #expect(
            try PlainSettings.tree(of: settings, as: .toml, unset: nil).root.compact
                == #"{"a":{"choice":5,"flat":1,"switch":"off"},"b":{}}"#)
    }

    @Test func duplicateNamesAreRejected() throws {
        var settings = SettingsContent()
        settings.options[try Key("a.b")] = SettingsOption(title: "", type: .number)
        settings.options[try Key("a.b.c")] = SettingsOption(title: "", type: .number)
        let refusal = #expect(throws: Refusal.self) { try PlainSettings.tree(of: settings, as: .json) }
        #expect(refusal?.reason.contains("'a.b' is an option and a group") == true)
    }

    @Test func sizeLimitErrorsNameTheSetting() throws {
        let long = JSON.string(String(repeating: "x", count: JSON.sizeLimit))
        let deep = (0..<127).reduce(JSON.array([])) { inner, _ in .array([inner]) }
        for value in [long, deep] {
            let tree = PlainTree(.object(["a": .object(["b": value])]))
            let refusal = #expect(throws: Refusal.self) { try PlainSettings.settings(of: tree, in: "f", as: .json) }
            #expect(refusal?.reason.contains("'a.b'") == true && refusal?.file == "f")
        }
        #expect(throws: Refusal.self) { try imported("[1]") }
    }
}
