import Foundation
import SettingsFormats
import SettingsModel
import Testing

struct FlagdFormatTests {
    private func imported(_ text: String, _ path: String = "flags.json") throws -> Imported {
        try FlagdFormat.read([path: text])
    }

    /// Reads a file with one flag of that name.
    private func flag(_ members: String, _ name: String = "a") throws -> (option: SettingsOption, repairs: [Repair]) {
        let imported = try imported("{\"flags\":{\"\(name)\":{\(members)}}}")
        return (try #require(imported.settings.options.values.first), imported.repairs)
    }

    private func written(_ settings: SettingsContent, _ name: String? = nil) throws -> String {
        var request = WriteRequest()
        request.name = name
        guard case .text(let bytes) = try FlagdFormat.write(settings, request) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func again(_ text: String) throws -> String {
        try JSON(parsing: written(imported(text).settings)).compact
    }

    @Test func aChoiceAmongVariants() throws {
        let (option, repairs) = try flag(
            #""state":"ENABLED","variants":{"b":1.0,"a":1,"c":"1","d":null},"defaultVariant":"a""#, "new-menu")
        #expect(option.title == "New Menu" && option.type == .choice && option.value == .number(1))
        #expect(option.labels.map(\.text) == ["b", "a", "c", "d"])
        #expect(option.labels.map(\.value.compact) == ["1.0", "1", "\"1\"", "null"])
        #expect(repairs.map(\.kind) == [.kept])
    }

    @Test func switchKeepsVariantNames() throws {
        let named = #"{"flags":{"a":{"state":"ENABLED","variants":{"non":false,"oui":true},"defaultVariant":"oui"}}}"#
        var settings = try imported(named).settings
        #expect(try settings.options[Key("a")]?.type == .switch && settings.options[Key("a")]?.value == .bool(true))
        #expect(try again(named) == named)
        settings.options[try Key("a")]?.value = .bool(false)
        #expect(try written(settings).contains("\"defaultVariant\": \"non\""))
        let (plain, _) = try flag(#""state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off""#)
        #expect(plain.other.isEmpty && plain.value == .bool(false))
    }

    @Test func objectsAndEqualValuesAreIdentifiedByName() throws {
        for variants in [#"{"x":{"k":[1.50]},"y":{}}"#, #"{"x":"same","y":"same","z":"other"}"#] {
            let text = "{\"flags\":{\"a\":{\"state\":\"ENABLED\",\"variants\":\(variants),\"defaultVariant\":\"y\"}}}"
            let option = try #require(imported(text).settings.options.values.first)
            #expect(option.value == "y" && option.labels.first?.value == "x" && option.faults().isEmpty)
            #expect(try again(text) == text)
        }
    }

    @Test(arguments: [
        #""defaultVariant":null"#, #""defaultVariant":"gone""#, #""defaultVariant":"""#, #""metadata":{"team":"x","n":1.0}"#,
        #""metadata":{"description":"Why.","n":1.0}"#, #""metadata":5"#, #""targeting":{}"#,
        #""targeting":{"if":[{"==":[{"var":"a"},1.0]},"x","y"]}"#, #""mine":{"z":1,"a":[]}"#,
    ])
    func membersWithoutMeaningAreKept(_ member: String) throws {
        let text = "{\"flags\":{\"a\":{\"state\":\"DISABLED\",\"variants\":{\"x\":\"1\",\"y\":\"2\"},\(member)}}}"
        #expect(try again(text) == text)
        let option = try #require(imported(text).settings.options.values.first)
        #expect(option.value == nil && option.faults().isEmpty)
        #expect(try SettingsOption(file: option.file) == option)
    }

    @Test func restOfTheFileIsKept() throws {
        let text = #"""
            {"$schema":"https://flagd.dev/schema/v0/flags.json",
            "flags":{"a.b/c":{"state":"ENABLED","variants":{"x":"1"}},"":{"variants":{}},"z":{"state":"ENABLED"}},
            "$evaluators":{"r":{"in":["@",{"var":["e"]}]}},"metadata":{"version":"1"}}
            """#
        #expect(try again(text) == text.replacing("\n", with: ""))
        let imported = try imported(text)
        let key = try Key("a-b-c")
        #expect(imported.settings.options[key]?.importedKey == "a.b/c" && imported.settings.options[key]?.title == "A B C")
        #expect(imported.settings.groups[.root]?.order?.count == 3)
        #expect(imported.repairs.contains { $0.key == "$evaluators" && $0.kind == .kept })
    }

    @Test func listsOfFlags() throws {
        let text =
            #"{"flags":[{"key":"b","state":"ENABLED","variants":{"x":1}},{"key":"a","state":"ENABLED","variants":{"y":2}}]}"#
        #expect(try again(text) == text)
        #expect(throws: Refusal.self) { try imported(#"{"flags":[{"state":"ENABLED"}]}"#) }
        #expect(throws: Refusal.self) { try imported(text.replacing("\"b\"", with: "\"a\"")) }
    }

    @Test func yamlIsReadAsInFlagd() throws {
        let text = """
            flags:
              menu:
                state: ENABLED
                variants:
                  on: true
                  off: false
                defaultVariant: off
              word:
                state: ENABLED
                variants:
                  a: yes
                  b: 010
                  c: 1.0
                defaultVariant: a

            """
        let settings = try imported(text, "flags.yaml").settings
        #expect(try settings.options[Key("menu")]?.type == .switch && settings.options[Key("menu")]?.value == .bool(false))
        #expect(try settings.options[Key("word")]?.labels.map(\.value.compact) == ["\"yes\"", "8", "1.0"])
        let yaml = try written(settings, "x/flags.YAML")
        #expect(yaml.contains("\"on\": true\n      \"off\": false\n    defaultVariant: \"off\"\n"))
        #expect(try imported(yaml, "flags.yml").settings == settings)
        #expect(try imported(written(settings)).settings == settings)
    }

    @Test func wrongIndentationIsReported() throws {
        let beside = "flags:\n  a:\n    state: ENABLED\n    variants: {x: 1}\nb:\n  state: ENABLED\n  variants: {x: 1}\n"
        #expect(try imported(beside, "f.yaml").repairs.contains { $0.kind == .repaired && $0.key == "b" })
        #expect(try imported(beside, "f.yaml").settings.options.count == 1)
        let within =
            "flags:\n  a:\n    state: ENABLED\n    variants: {x: 1}\n    b:\n      state: ENABLED\n      variants: {x: 1}\n"
        #expect(
            try imported(within, "f.yaml").repairs.contains { $0.kind == .repaired && $0.found.contains("contains a flag 'b'") })
        for text in [
            "flags:\n  a:\n  state: ENABLED\n", "flags:\n  a: {state: ENABLED}\n  variants:\n    x: 1\n", "flags: 1\n", "a: 1\n",
        ] {
            let refusal = #expect(throws: Refusal.self) { try imported(text, "f.yaml") }
            #expect(refusal?.file == "f.yaml")
        }
        #expect(throws: Refusal.self) { try flag(#""state":"ENABLED","variants":["x"]"#) }
    }

    @Test func nameThatIsNotAStringIsRepaired() throws {
        let (option, repairs) = try flag(#""state":"ENABLED","variants":{"true":"x","1":"y"},"defaultVariant":true"#)
        #expect(option.value == "x" && repairs.map(\.kind) == [.repaired])
    }

    @Test func renamedAndNewLabels() throws {
        let plain = #"{"flags":{"a":{"state":"ENABLED","variants":{"x":"1","y":"2"},"defaultVariant":"x"}}}"#
        var settings = try imported(plain).settings
        let key = try Key("a")
        settings.options[key]?.labels.rename("1", to: "Ex")
        settings.options[key]?.labels.insert(ChoiceLabel(value: "3", text: "Ex"), at: 2)
        #expect(
            try JSON(parsing: written(settings)).compact
                == #"{"flags":{"a":{"state":"ENABLED","variants":{"Ex":"1","y":"2","3":"3"},"defaultVariant":"Ex"}}}"#)
        // Targeting can still find the variant that it names.
        let targeted = plain.replacing("\"x\"}}}", with: "\"x\",\"targeting\":{\"if\":[true,\"x\",\"y\"]}}}}")
        settings = try imported(targeted).settings
        settings.options[key]?.labels.rename("1", to: "Ex")
        #expect(try JSON(parsing: written(settings)).compact == targeted)

        let objects = #"{"flags":{"a":{"state":"ENABLED","variants":{"x":{},"y":{"k":1}}}}}"#
        settings = try imported(objects).settings
        settings.options[key]?.labels.insert(ChoiceLabel(value: "z", text: "z"), at: 0)
        #expect(throws: Refusal.self) { try written(settings) }
    }

    @Test func settingsThatWereNotFlags() throws {
        var settings = SettingsContent()
        settings.options[try Key("a.number")] = SettingsOption(title: "", type: .number, value: .number(5), help: "How many.")
        settings.options[try Key("a.switch")] = SettingsOption(title: "", type: .switch, defaultValue: .bool(true))
        settings.options[try Key("unset")] = SettingsOption(title: "", type: .text)
        #expect(
            try JSON(parsing: written(settings)).compact == #"""
                {"flags":{"unset":{"state":"ENABLED","variants":{}},\#
                "a.number":{"state":"ENABLED","variants":{"value":5},"defaultVariant":"value","metadata":{"description":"How many."}},\#
                "a.switch":{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"on"}}}
                """#)
        settings.options[try Key("list")] = SettingsOption(title: "", type: .data, value: .array([]))
        #expect(throws: Refusal.self) { try written(settings) }
    }

    @Test func recognised() throws {
        func format(_ path: String, _ text: String) throws -> FormatName {
            try Formats.recognised(Source(files: [(path: path, bytes: Array(text.utf8))])).name
        }
        #expect(try format("a.json", #"{"flags":{"a":{"state":"ENABLED"}}}"#) == .flagd)
        #expect(try format("a.yaml", "flags:\n  a:\n    variants: {x: 1}\n") == .flagd)
        #expect(try format("a.json", #"{"flags":{"a":true}}"#) == .json)
        #expect(try format("a.yaml", "flags: [a, b]\n") == .yaml)
    }

    @Test(.enabled(if: Inputs.areThere, "needs ../shared/inputs")) func realFiles() throws {
        let folder = Inputs.path("flags")
        // Numbers of options, switches, labels and flags without a default.
        var counts: [String: [Int]] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init() where name.hasSuffix(".json") {
            let path = "\(folder)/\(name)"
            let source = try Source(paths: [path])
            guard try FlagdFormat.recognises(source) else { continue }
            let imported = try FlagdFormat.read(source, ReadRequest())
            let options = imported.settings.options.values
            #expect(options.allSatisfy { $0.faults().isEmpty && (try? SettingsOption(file: $0.file)) == $0 })
            #expect(!imported.repairs.contains { $0.kind == .repaired })
            counts[String(name.split(separator: "/").last ?? "")] = [
                options.count, options.count { $0.type == .switch }, options.reduce(0) { $0 + $1.labels.count },
                options.count { $0.value == nil },
            ]
            let original = try JSON(parsing: source.files[0].bytes())
            for name in [nil, "a.yaml"] {
                let text = try written(imported.settings, name)
                let path = name ?? "a.json"
                #expect(try self.imported(text, path).settings == imported.settings)
                if name == nil { #expect(try JSON(parsing: text).sorted == original.sorted, "\(path)") }
            }
        }
        #expect(
            counts == [
                "changing-flag.json": [1, 0, 2, 0], "custom-ops.json": [19, 0, 82, 0],
                "disabled-flags.json": [6, 2, 8, 0], "edge-case-flags.json": [16, 0, 42, 0],
                "evaluator-refs.json": [6, 0, 18, 0], "example_flags.json": [8, 2, 16, 0],
                "metadata-flags.json": [2, 1, 2, 0], "selector-flag-combined-metadata.json": [2, 2, 0, 0],
                "selector-flags.json": [2, 1, 2, 0], "testing-flags.json": [13, 2, 23, 4],
                "zero-flags.json": [8, 2, 12, 0],
            ])
    }
}

extension JSON {
    /// The members of all objects except variants, in byte order.
    fileprivate var sorted: JSON {
        switch self {
        case .object(let members):
            .object(
                members.map { member in
                    guard member.name == "variants", case .object(let variants) = member.value else {
                        return Member(member.name, member.value.sorted)
                    }
                    return Member(member.name, .object(variants.map { Member($0.name, $0.value.sorted) }))
                }.sorted { $0.name < $1.name })
        case .array(let elements): .array(elements.map(\.sorted))
        default: self
        }
    }
}
