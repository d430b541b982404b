import Foundation
import SettingsFormats
import SettingsModel
import Testing

/// Bundles whose content is given in tests.
enum Bundles {
    /// A page in the old text form, which is short, with the given rows.
    static func page(_ rows: String..., members: String = "") -> String {
        "{ \(members) PreferenceSpecifiers = ( \(rows.map { "{ \($0) }" }.joined(separator: ",\n")) ); }"
    }

    /// A page in XML, for rows where the types of numbers and booleans matter.
    static func xml(_ rows: String..., members: String = "") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>\(members)<key>PreferenceSpecifiers</key><array>
        \(rows.map { "<dict>\($0)</dict>" }.joined(separator: "\n"))
        </array></dict></plist>
        """
    }

    static func row(_ type: String, _ members: KeyValuePairs<String, String>) -> String {
        "<key>Type</key><string>\(type)</string>" + members.map { "<key>\($0.key)</key>\($0.value)" }.joined()
    }

    static func choice(_ members: KeyValuePairs<String, String>) -> String { row("PSMultiValueSpecifier", members) }

    static func strings(_ texts: [String]) -> String { "<array>" + texts.map { "<string>\($0)</string>" }.joined() + "</array>" }
    static func integers(_ numbers: [Int]) -> String {
        "<array>" + numbers.map { "<integer>\($0)</integer>" }.joined() + "</array>"
    }

    static func read(
        _ files: KeyValuePairs<String, String>, existing: SettingsContent = SettingsContent(), language: String? = nil
    ) throws -> Imported {
        var request = ReadRequest()
        request.existing = existing
        request.language = language
        let files = files.map { (path: "App/Settings.bundle/\($0.key)", bytes: Array($0.value.utf8)) }
        let imported = try SettingsBundleFormat.read(Source(files: files), request)
        for (key, option) in imported.settings.options {
            #expect(option.faults().isEmpty, "\(key)")
            #expect(try SettingsOption(file: option.file) == option, "\(key)")
        }
        return imported
    }

    /// The exported files, by path.
    static func write(_ settings: SettingsContent, _ part: WriteRequest.Part? = nil) throws -> [String: String] {
        var request = WriteRequest()
        request.part = part
        guard case .folder(let files) = try SettingsBundleFormat.write(settings, request) else { return [:] }
        return Dictionary(uniqueKeysWithValues: files.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) })
    }

    static func value(_ text: String) throws -> PropertyList {
        var repairs: [Repair] = []
        return sorted(try PropertyList.read(Array(text.utf8), in: "a", &repairs))
    }

    /// The order of members has no meaning.
    private static func sorted(_ value: PropertyList) -> PropertyList {
        switch value {
        case .dictionary(let members):
            let entries = members.entries.map { PropertyList.Members.Entry(name: $0.name, value: sorted($0.value)) }
            return .dictionary(.init(entries.sorted { $0.name < $1.name }))
        case .array(let elements): return .array(elements.map(sorted))
        default: return value
        }
    }

    /// Reads a bundle and expects equivalent pages in the export.
    @discardableResult
    static func expectRoundTrip(_ files: KeyValuePairs<String, String>) throws -> Imported {
        let imported = try read(files)
        let written = try write(imported.settings)
        for (path, text) in files where path.hasSuffix(".plist") {
            #expect(try value(written[path] ?? "{}") == value(text), "\(path)")
        }
        return imported
    }
}

/// Imports and exports of each type of row.
struct SettingsBundleTests {
    private func only(_ row: String) throws -> (option: SettingsOption, found: [String]) {
        let imported = try Bundles.expectRoundTrip(["Root.plist": Bundles.xml(row)])
        return (
            try #require(imported.settings.options.values.first), imported.repairs.filter { $0.kind == .repaired }.map(\.found)
        )
    }

    @Test func sectionsPagesAndOrder() throws {
        let imported = try Bundles.expectRoundTrip([
            "Root.plist": Bundles.page(
                "Type = PSToggleSwitchSpecifier; Title = First; Key = first;",
                "Type = PSGroupSpecifier; Title = \"Sound & Light\"; FooterText = \"Both.\nAnd more.\";",
                "Type = PSTextFieldSpecifier; Title = Name; Key = \"user.name\";",
                "Type = PSTitleValueSpecifier; Title = Version; Key = version; DefaultValue = 1.0;",
                "Type = PSGroupSpecifier; FooterText = \"Only a footer.\";",
                "Type = PSToggleSwitchSpecifier; Title = Z; Key = zed;",
                "Type = PSGroupSpecifier;", "Type = PSChildPaneSpecifier; Title = More; File = Advanced;", members: "Title = App;"
            ),
            "Advanced.plist": Bundles.page(
                "Type = PSGroupSpecifier; Title = Sound;",
                "Type = PSTextFieldSpecifier; Title = Port; Key = port; DefaultValue = 80;"),
        ])
        let settings = imported.settings
        #expect(imported.repairs.isEmpty && !imported.givesValues)
        #expect(
            settings.options.keys.sorted().map(\.description)
                == ["Advanced.sound.port", "first", "sound-light.user-name", "sound-light.version", "zed.zed"])
        #expect(settings.groups[.root]?.title == "App" && settings.groups[.root]?.style == .page)
        #expect(settings.groups[.root]?.order == ["first", "sound-light", "zed", "Advanced"])
        let section = try #require(settings.groups[Key("sound-light")])
        #expect(section.title == "Sound & Light" && section.footer == "Both.\nAnd more." && section.style == .section)
        #expect(section.order == ["user-name", "version"])
        #expect(try settings.groups[Key("Advanced")]?.title == "More" && settings.groups[Key("Advanced")]?.style == .page)
        let name = try #require(settings.options[Key("sound-light.user-name")])
        #expect(name.importedKey == "user.name" && name.defaultValue == "" && name.value == nil && name.type == .text)
        #expect(try settings.options[Key("sound-light.version")]?.isReadOnly == true)
    }

    // Defaults of choices

    @Test(arguments: [
        ("<integer>2</integer>", "2", [String]()),
        ("<real>2.0</real>", "2", ["the default 2.0 is a number of another type"]),
        ("<string>2</string>", "2", ["the default \"2\" is of another type"]),
        ("<string>Two</string>", "2", ["the default \"Two\" is a title, not a value"]),
        ("<string>Four</string>", nil, ["the default \"Four\" is not one of its values"]),
        ("<integer>0</integer>", nil, ["the default 0 is not one of its values"]),
        ("<true/>", nil, ["the default true is not one of its values"]),
        ("<array/>", nil, ["the default [] is not one of its values"]),
    ])
    func defaultsOfChoices(_ value: String, _ expected: String?, _ found: [String]) throws {
        let (option, repairs) = try only(
            Bundles.choice([
                "Key": "<string>k</string>", "Title": "<string>K</string>", "DefaultValue": value,
                "Titles": Bundles.strings(["One", "Two", "Three"]), "Values": Bundles.integers([1, 2, 3]),
            ]))
        #expect(option.defaultValue?.compact == expected && repairs == found)
        #expect(
            option.labels.map(\.text) == ["One", "Two", "Three"]
                && option.labels.map(\.value) == [.number(1), .number(2), .number(3)])
    }

    @Test func numericDefaultAmongTexts() throws {
        let (option, found) = try only(
            Bundles.choice([
                "Key": "<string>k</string>", "DefaultValue": "<integer>-1</integer>", "Titles": Bundles.strings(["On", "Off"]),
                "Values": Bundles.strings(["1", "-1"]),
            ]))
        #expect(option.defaultValue == "-1" && found == ["the default -1 is of another type"])
        #expect(option.title == "K")
    }

    @Test func valuesKeepTheirTypes() throws {
        let (option, found) = try only(
            Bundles.choice([
                "Key": "<string>k</string>", "DefaultValue": "<real>15.0</real>",
                "Titles": Bundles.strings(["a ", "", "c", "d", "e"]),
                "Values":
                    "<array><real>15.0</real><string>2</string><integer>2</integer><string></string><real>2147484163</real></array>",
            ]))
        #expect(found.isEmpty)
        #expect(option.labels.map(\.value.compact) == ["15.0", "\"2\"", "2", "\"\"", "2147484163.0"])
        #expect(option.labels.map(\.text) == ["a ", "", "c", "d", "e"] && option.defaultValue?.compact == "15.0")
    }

    @Test func shortTitlesAreTheLabels() throws {
        let (option, found) = try only(
            Bundles.choice([
                "Key": "<string>k</string>", "Titles": Bundles.strings(["One (long)", "Two (long)"]),
                "Values": Bundles.integers([1, 2]),
                "ShortTitles": Bundles.strings(["1"]), "DisplaySortedByTitle": "<true/>",
            ]))
        #expect(option.labels.map(\.text) == ["1", "Two (long)"] && option.labels.map(\.long) == ["One (long)", "Two (long)"])
        #expect(found == ["there are 2 Titles and 1 ShortTitles"] && option.defaultValue == nil)
    }

    @Test func unusualLists() throws {
        let (unequal, found) = try only(
            Bundles.choice([
                "Key": "<string>k</string>", "Titles": Bundles.strings(["a", "b", "c"]), "Values": Bundles.integers([1, 2]),
                "DefaultValue": "<integer>2</integer>",
            ]))
        #expect(unequal.labels.count == 2 && unequal.defaultValue == .number(2) && found == ["there are 3 Titles and 2 Values"])
        let (twice, again) = try only(
            Bundles.choice([
                "Key": "<string>k</string>", "Titles": Bundles.strings(["a", "b", "c"]),
                "Values": "<array><integer>1</integer><integer>1</integer><dict/></array>",
            ]))
        #expect(twice.labels.map(\.text) == ["a"] && again == ["the value 1 appears twice", "the value 3 is a dictionary"])
        let (none, missing) = try only(Bundles.choice(["Key": "<string>k</string>", "DefaultValue": "<string>x</string>"]))
        #expect(none.labels.isEmpty && none.defaultValue == nil && missing == ["it has no Values"])
        let (wrong, kinds) = try only(
            Bundles.choice(["Key": "<string>k</string>", "Titles": "<string>a</string>", "Values": Bundles.integers([1])]))
        #expect(wrong.labels.isEmpty && kinds == ["the Titles are a string, not an array", "there are 0 Titles and 1 Values"])
    }

    // Switches

    @Test(arguments: [
        ("", "", nil, 0), ("<true/>", "", "true", 0), ("<string>YES</string>", "", "true", 1),
        ("<string>no</string>", "", "false", 1),
        ("<integer>1</integer>", "", "true", 1), ("<string>maybe</string>", "", nil, 1), ("<integer>7</integer>", "", nil, 1),
        ("<true/>", "<key>TrueValue</key><true/><key>FalseValue</key><false/>", "true", 0),
        ("<true/>", "<key>TrueValue</key><false/><key>FalseValue</key><true/>", "true", 0),
        (
            "<string>foo</string>", "<key>TrueValue</key><string>foo</string><key>FalseValue</key><string>bar</string>",
            "\"foo\"", 0
        ),
        ("<true/>", "<key>TrueValue</key><integer>1</integer><key>FalseValue</key><integer>2</integer>", "1", 1),
        ("<real>2</real>", "<key>TrueValue</key><integer>1</integer><key>FalseValue</key><integer>2</integer>", "2", 1),
        ("<string>YES</string>", "<key>TrueValue</key><string>YES</string>", "\"YES\"", 0),
        ("<string>64</string>", "<key>TrueValue</key><string>128</string><key>FalseValue</key><string>64</string>", "\"64\"", 0),
        ("<true/>", "<key>TrueValue</key><integer>1</integer><key>FalseValue</key><integer>1</integer>", "true", 1),
        ("<true/>", "<key>TrueValue</key><dict/>", "true", 1),
    ])
    func switches(_ value: String, _ values: String, _ expected: String?, _ repairs: Int) throws {
        let members = (value.isEmpty ? "" : "<key>DefaultValue</key>\(value)") + values
        let (option, found) = try only(Bundles.row("PSToggleSwitchSpecifier", ["Key": "<string>k</string>"]) + members)
        #expect(option.type == .switch && option.defaultValue?.compact == expected && found.count == repairs, "\(found)")
    }

    @Test func anInvertedSwitchWithDefaultTrueIsOff() throws {
        let (option, _) = try only(
            Bundles.row(
                "PSToggleSwitchSpecifier",
                ["Key": "<string>k</string>", "DefaultValue": "<true/>", "TrueValue": "<false/>", "FalseValue": "<true/>"]))
        #expect(option.offOn == (.bool(true), .bool(false)))
        #expect(option.label(of: try #require(option.defaultValue)) == "Off")
    }

    // Sliders

    @Test func sliders() throws {
        let imported = try Bundles.expectRoundTrip([
            "Root.plist": Bundles.xml(
                Bundles.row("PSGroupSpecifier", ["Title": "<string>Sound</string>"]),
                Bundles.row(
                    "PSSliderSpecifier",
                    [
                        "Key": "<string>volume</string>", "MinimumValue": "<integer>0</integer>",
                        "MaximumValue": "<integer>1</integer>",
                        "DefaultValue": "<real>0.5</real>", "MinimumValueImage": "<string>a.png</string>",
                    ]),
                Bundles.row("PSTitleValueSpecifier", ["Title": "<string>Speed</string>", "DefaultValue": "<string>👇</string>"]),
                Bundles.row(
                    "PSSliderSpecifier",
                    [
                        "Key": "<string>speed</string>", "MinimumValue": "<string> 1 </string>",
                        "MaximumValue": "<string>9.5</string>",
                    ]),
                Bundles.row(
                    "PSSliderSpecifier",
                    [
                        "Key": "<string>tooLarge</string>", "MinimumValue": "<integer>1</integer>",
                        "MaximumValue": "<integer>5</integer>", "DefaultValue": "<integer>7</integer>",
                    ]),
                Bundles.row(
                    "PSSliderSpecifier",
                    [
                        "Key": "<string>turned</string>", "MinimumValue": "<integer>5</integer>",
                        "MaximumValue": "<integer>1</integer>",
                    ]),
                Bundles.row("PSSliderSpecifier", ["Key": "<string>bare</string>", "DefaultValue": "<string>x</string>"]))
        ])
        func option(_ name: String) throws -> SettingsOption { try #require(imported.settings.options[Key("sound.\(name)")]) }
        #expect(try option("volume").title == "Sound" && option("speed").title == "Speed")
        #expect(try option("volume").range == .init(minimum: Number(0), maximum: Number(1)))
        #expect(try option("volume").defaultValue?.compact == "0.5" && option("speed").defaultValue == nil)
        #expect(try option("speed").range.maximum?.text == "9.5")
        #expect(try option("tooLarge").defaultValue == .number(7))
        #expect(try option("turned").range.isEmpty && option("bare").defaultValue == nil)
        #expect(
            imported.repairs.map { "\($0.kind.rawValue) \($0.key ?? "") \($0.found)" } == [
                "kept Speed a row of type PSTitleValueSpecifier without a Key",
                "repaired speed the MinimumValue \" 1 \" is a string", "repaired speed the MaximumValue \"9.5\" is a string",
                "kept tooLarge the default is outside: 7 is above the maximum, 5",
                "repaired turned the minimum 5 is above the maximum 1", "repaired bare the DefaultValue \"x\" is not a number",
            ])
    }

    // Texts and read-only rows

    @Test func textFields() throws {
        let (secure, none) = try only(
            Bundles.row(
                "PSTextFieldSpecifier",
                [
                    "Key": "<string>k</string>", "IsSecure": "<true/>", "KeyboardType": "<string>Alphabet</string>",
                    "DefaultValue": "<string>x</string>",
                ]))
        #expect(secure.isMasked && secure.defaultValue == "x" && none.isEmpty)
        let (number, found) = try only(
            Bundles.row(
                "PSTextFieldSpecifier",
                ["Key": "<string>k</string>", "DefaultValue": "<integer>7076</integer>", "IsSecure": "<false/>"]))
        #expect(number.defaultValue == "7076" && !number.isMasked && found == ["the default is the number 7076"])
        let (odd, kinds) = try only(
            Bundles.row(
                "PSTextFieldSpecifier",
                ["Key": "<string>k</string>", "DefaultValue": "<true/>", "IsSecure": "<string>YES</string>"]))
        #expect(odd.defaultValue == nil && odd.isMasked && kinds == ["IsSecure is a string", "the default is a boolean"])
    }

    @Test(arguments: [
        ("<string>1.0</string>", SettingsOption.Kind.text, "\"1.0\""), ("<integer>3</integer>", .number, "3"),
        ("<real>3</real>", .number, "3.0"),
        ("<true/>", .switch, "true"), ("<date>2011-11-04T08:00:00Z</date>", .data, "{\"$date\":\"2011-11-04T08:00:00Z\"}"),
        ("<array><integer>1</integer></array>", .data, "[1]"),
    ])
    func titleRows(_ value: String, _ type: SettingsOption.Kind, _ expected: String) throws {
        let (option, found) = try only(
            Bundles.row("PSTitleValueSpecifier", ["Key": "<string>k</string>", "DefaultValue": value]))
        #expect(option.type == type && option.isReadOnly && option.defaultValue?.compact == expected && found.isEmpty)
    }

    @Test func titleRowsWithLabels() throws {
        let (option, _) = try only(
            Bundles.row(
                "PSTitleValueSpecifier",
                [
                    "Key": "<string>k</string>", "DefaultValue": "<integer>2</integer>", "Values": Bundles.integers([1, 2]),
                    "Titles": Bundles.strings(["One", "Two"]),
                ]))
        #expect(option.type == .choice && option.isReadOnly && option.labels.label(of: .number(2))?.text == "Two")
    }

    @Test func aRadioGroupIsASectionAndAChoice() throws {
        let imported = try Bundles.expectRoundTrip([
            "Root.plist": Bundles.xml(
                Bundles.row(
                    "PSRadioGroupSpecifier",
                    [
                        "Key": "<string>fruit</string>", "Title": "<string>A fruit</string>",
                        "FooterText": "<string>Eat it.</string>",
                        "DefaultValue": "<string>k</string>", "Values": Bundles.strings(["b", "k"]),
                        "Titles": Bundles.strings(["Banana", "Kiwi"]),
                    ]), Bundles.row("PSToggleSwitchSpecifier", ["Key": "<string>peeled</string>"]))
        ])
        let option = try #require(imported.settings.options[Key("a-fruit.fruit")])
        #expect(option.type == .choice && option.title == "A fruit" && option.help == "Eat it." && option.defaultValue == "k")
        let group = try #require(imported.settings.groups[Key("a-fruit")])
        #expect(group.title == "A fruit" && group.footer == "Eat it." && group.order == ["fruit", "peeled"])
    }

    // Unknown parts are kept

    @Test func unknownRowsAndMembers() throws {
        let imported = try Bundles.expectRoundTrip([
            "Root.plist": Bundles.xml(
                Bundles.row("IASKButtonSpecifier", ["Key": "<string>b</string>", "Title": "<string>Go</string>"]),
                Bundles.row("PSToggleSwitchSpecifier", ["Key": "<string>a</string>", "Value for ON": "<string>YES</string>"]),
                "<key>Title</key><string>no type</string>",
                Bundles.row("PSToggleSwitchSpecifier", ["Title": "<string>no key</string>"]),
                Bundles.row(
                    "PSToggleSwitchSpecifier",
                    ["Key": "<string>z</string>", "SupportedUserInterfaceIdioms": Bundles.strings(["Pad"])]),
                Bundles.row("PSChildPaneSpecifier", ["File": "<string>https://example.org/</string>"]),
                Bundles.row("PSChildPaneSpecifier", ["File": "<string>about.html</string>"]),
                Bundles.row("PSChildPaneSpecifier", ["IASKSegueIdentifier": "<string>x</string>"]),
                Bundles.row(
                    "PSGroupSpecifier", ["Title": "<string>T</string>", "Key": "<string>g</string>", "IASKOdd": "<true/>"]),
                members: "<key>Stray</key><dict><key>$date</key><string>x</string></dict>")
        ])
        #expect(imported.settings.options.keys.sorted().map(\.description) == ["a", "z"])
        #expect(imported.repairs.allSatisfy { $0.kind == .kept })
        #expect(
            imported.repairs.map(\.found) == [
                "unknown: Stray", "a row of type IASKButtonSpecifier", "unknown: Value for ON", "a row without a type",
                "a row of type PSToggleSwitchSpecifier without a Key", "a row of type PSChildPaneSpecifier",
                "a row of type PSChildPaneSpecifier", "a row of type PSChildPaneSpecifier", "unknown: IASKOdd",
            ])
    }

    @Test func rowsThatAreNotDictionaries() throws {
        let text = "{ PreferenceSpecifiers = ( \"x\", { Type = PSToggleSwitchSpecifier; Key = a; }, ( ) ); }"
        let imported = try Bundles.expectRoundTrip(["Root.plist": text])
        #expect(
            imported.repairs.map(\.found) == [
                "the row 1 is a string, not a dictionary", "the row 3 is an array, not a dictionary",
            ])
        #expect(imported.settings.options.count == 1)
    }
}
