import Foundation
import SettingsFormats
import SettingsModel
import Testing

/// Bundles that are imported again, changed and exported, and exports of settings that never were a bundle.
struct SettingsBundleChangesTests {
    private static func toggle(_ key: String) -> String { "Type = PSToggleSwitchSpecifier; Title = T; Key = \(key);" }
    private static func group(_ title: String) -> String { "Type = PSGroupSpecifier; Title = \"\(title)\";" }

    private func keys(_ imported: Imported) -> [String] { imported.settings.options.keys.sorted().map(\.description) }

    // Importing again

    private let first = Bundles.page(
        Self.group("Sound"), Self.toggle("a"), Self.toggle("b"), Self.toggle("c"), Self.group("Light"), Self.toggle("d"),
        Self.toggle("e"))

    @Test func importingAgainChangesNothing() throws {
        let once = try Bundles.read(["Root.plist": first])
        #expect(keys(once) == ["light.d", "light.e", "sound.a", "sound.b", "sound.c"])
        let again = try Bundles.read(["Root.plist": first], existing: once.settings)
        #expect(again.settings == once.settings && again.repairs == once.repairs)
    }

    @Test func sectionIsIdentifiedByItsOptions() throws {
        let once = try Bundles.read(["Root.plist": first]).settings
        let renamed = Bundles.page(
            Self.group("Light"), Self.toggle("a"), Self.toggle("b"), Self.toggle("new"), Self.group("Brightness"),
            Self.toggle("d"),
            Self.toggle("e"), Self.toggle("c"))
        let again = try Bundles.expectRoundTrip(["Root.plist": renamed])
        #expect(keys(again) == ["brightness.c", "brightness.d", "brightness.e", "light.a", "light.b", "light.new"])
        let known = try Bundles.read(["Root.plist": renamed], existing: once)
        #expect(keys(known) == ["light.d", "light.e", "sound.a", "sound.b", "sound.c", "sound.new"])
        #expect(try known.settings.groups[Key("sound")]?.title == "Light")
        #expect(try known.settings.groups[Key("light")]?.title == "Brightness")
        // The option that moved keeps its key, and is exported to its new place in the app.
        #expect(known.repairs.map(\.done) == ["it stays at sound.c"])
        #expect(try Bundles.value(Bundles.write(known.settings)["Root.plist"] ?? "") == Bundles.value(renamed))
        let third = try Bundles.read(["Root.plist": renamed], existing: known.settings)
        #expect(third.settings == known.settings)
    }

    @Test func dividedSectionKeepsKeys() throws {
        let once = try Bundles.read(["Root.plist": first]).settings
        let divided = Bundles.page(
            Self.group("Sound"), Self.toggle("a"), Self.group("More sound"), Self.toggle("b"), Self.toggle("c"), Self.toggle("f"),
            Self.group("Light"), Self.toggle("d"), Self.toggle("e"))
        let known = try Bundles.read(["Root.plist": divided], existing: once)
        #expect(keys(known).filter { once.options[(try? Key($0)) ?? .root] == nil }.count == 1)
        #expect(Set(once.options.keys).isSubset(of: Set(known.settings.options.keys)))
        #expect(try Bundles.value(Bundles.write(known.settings)["Root.plist"] ?? "") == Bundles.value(divided))
    }

    @Test func pagesAndOptionsKeepTheirKeys() throws {
        let link = "Type = PSChildPaneSpecifier; Title = More; File = More;"
        let once = try Bundles.read([
            "Root.plist": Bundles.page(Self.toggle("a"), link), "More.plist": Bundles.page(Self.toggle("b")),
        ]).settings
        let turned: KeyValuePairs<String, String> = [
            "Root.plist": Bundles.page(Self.toggle("b"), "Type = PSChildPaneSpecifier; Title = Next; File = Next;"),
            "Next.plist": Bundles.page(link), "More.plist": Bundles.page(Self.toggle("a")),
        ]
        let known = try Bundles.read(turned, existing: once)
        #expect(keys(known) == ["More.b", "a"])
        let written = try Bundles.write(known.settings)
        for (path, text) in turned { #expect(try Bundles.value(written[path] ?? "") == Bundles.value(text), "\(path)") }
    }

    @Test func optionMovedByAPersonIsFoundByName() throws {
        var existing = try Bundles.read(["Root.plist": first]).settings
        let old = try Key("sound.a")
        var option = try #require(existing.options[old])
        existing.options[old] = nil
        option.other["key"] = "a"
        existing.options[try Key("mine.alpha")] = option
        let known = try Bundles.read(["Root.plist": first], existing: existing)
        #expect(keys(known) == ["light.d", "light.e", "mine.alpha", "sound.b", "sound.c"])
        #expect(try known.settings.options[Key("mine.alpha")]?.importedKey == "a")
    }

    @Test func clashingNames() throws {
        let imported = try Bundles.expectRoundTrip([
            "Root.plist": Bundles.page(
                Self.group("Misc"), Self.toggle("\"a b\""), Self.toggle("\"a.b\""), Self.toggle("\"A-B\""), Self.group("Misc"),
                Self.toggle("c"), Self.group("設定"), Self.toggle("d"), Self.group("misc"), Self.toggle("e"))
        ])
        #expect(imported.settings.options.count == 6)
        #expect(keys(imported).contains("d.d") && keys(imported).contains("misc-2.c") && keys(imported).contains("misc-3.e"))
        #expect(Set(imported.settings.options.keys.map(\.folded)).count == 6)
    }

    // Changing and exporting

    private let page = """
        { PreferenceSpecifiers = (
          { Type = PSGroupSpecifier; Title = General; },
          { Type = PSMultiValueSpecifier; Key = lang; Title = Language; Vendor = x;
            Titles = ( English, French ); Values = ( en, fr ); DefaultValue = en; },
          { Type = PSToggleSwitchSpecifier; Key = on; Title = On; TrueValue = YES; FalseValue = NO; DefaultValue = YES;},
          { Type = PSButton; Title = Press; },
          { Type = PSTextFieldSpecifier; Key = name; Title = Name; KeyboardType = URL; }
        ); }
        """

    private func changed(_ change: (inout SettingsContent) throws -> Void, part: WriteRequest.Part? = nil) throws -> PropertyList
    {
        var settings = try Bundles.read(["Root.plist": page]).settings
        try change(&settings)
        return try Bundles.value(Bundles.write(settings, part)["Root.plist"] ?? "")
    }

    private func expected(_ old: String, _ new: String) throws -> PropertyList {
        #expect(page.contains(old))
        return try Bundles.value(page.replacing(old, with: new))
    }

    @Test func onlyChangedRowsChange() throws {
        let (lang, on, name) = (try Key("general.lang"), try Key("general.on"), try Key("general.name"))
        #expect(try changed { $0.options[lang]?.title = "Tongue" } == expected("Title = Language", "Title = Tongue"))
        #expect(try changed { $0.options[lang]?.defaultValue = "fr" } == expected("DefaultValue = en", "DefaultValue = fr"))
        #expect(try changed { $0.options[lang]?.defaultValue = nil } == expected("DefaultValue = en;", ""))
        #expect(
            try changed { $0.options[lang]?.labels.insert(ChoiceLabel(value: "es", text: "Spanish"), at: 0) }
                == expected(
                    "Titles = ( English, French ); Values = ( en,", "Titles = ( Spanish, English, French ); Values = ( es, en,"))
        #expect(try changed { $0.options[on]?.defaultValue = "NO" } == expected("DefaultValue = YES", "DefaultValue = NO"))
        #expect(
            try changed { $0.options[name]?.defaultValue = "n" }
                == expected("KeyboardType = URL;", "KeyboardType = URL; DefaultValue = n;"))
        #expect(
            try changed { $0.options[name]?.help = "h" } == expected("KeyboardType = URL;", "KeyboardType = URL; FooterText = h;")
        )
        #expect(try changed { $0.groups[try Key("general")]?.title = "All" } == expected("Title = General", "Title = All"))
        #expect(
            try changed { $0.groups[try Key("general")]?.footer = "f" }
                == expected("Title = General;", "Title = General; FooterText = f;"))
        #expect(
            try changed { $0.options[on] = nil }
                == expected(
                    "{ Type = PSToggleSwitchSpecifier; Key = on; Title = On; TrueValue = YES; FalseValue = NO; DefaultValue = YES;},\n",
                    ""))
        let more = SettingsOption(
            title: "More", type: .number, defaultValue: .number(1), range: .init(minimum: Number(0), maximum: Number(9)))
        guard case .dictionary(let members) = try changed({ $0.options[try Key("general.more")] = more }),
            case .array(let rows)? = members["PreferenceSpecifiers"], rows.count == 6
        else {
            Issue.record("no rows")
            return
        }
        #expect(
            rows.last?.json.compact == """
                {"DefaultValue":1,"Key":"more","MaximumValue":9,"MinimumValue":0,"Title":"More","Type":"PSSliderSpecifier"}
                """)
    }

    @Test func valuesAreDefaultsUnlessDefinitionsAreRequested() throws {
        let lang = try Key("general.lang")
        #expect(try changed { $0.options[lang]?.value = "fr" } == expected("DefaultValue = en", "DefaultValue = fr"))
        #expect(try changed({ $0.options[lang]?.value = "fr" }, part: .definitions) == Bundles.value(page))
        var settings = try Bundles.read(["Root.plist": page]).settings
        settings.options[lang]?.value = "fr"
        settings.options[try Key("general.on")]?.value = "NO"
        var request = WriteRequest()
        request.part = .values
        guard case .text(let bytes) = try SettingsBundleFormat.write(settings, request) else {
            Issue.record("no text")
            return
        }
        #expect(try Bundles.value(String(decoding: bytes, as: UTF8.self)) == Bundles.value("{ lang = fr; on = NO; }"))
    }

    @Test func valuesOfTheApp() throws {
        let source = Source(files: [("S.bundle/Root.plist", Array(page.utf8))])
        var request = ReadRequest()
        request.values = Source(files: [("p.plist", Array("{ lang = fr; on = 1; name = 5; other = x; }".utf8))]).files[0]
        let imported = try SettingsBundleFormat.read(source, request)
        #expect(imported.givesValues)
        #expect(try imported.settings.options[Key("general.lang")]?.value == "fr")
        #expect(try imported.settings.options[Key("general.on")]?.value == "YES")
        #expect(
            imported.repairs.filter { $0.file == "p.plist" }.map(\.found) == [
                "\"1\" is of another type", "no setting has the Key other",
            ])
    }

    // Settings that were not imported

    @Test func settingsThatWereNeverABundle() throws {
        var settings = SettingsContent()
        settings.groups[.root] = SettingsGroup(title: "App", order: ["general", "sound", "top"])
        settings.groups[try Key("general")] = SettingsGroup(title: "General", style: .section, footer: "F")
        settings.groups[try Key("sound")] = SettingsGroup(title: "Sound", style: .page)
        let labels = Labels([
            ChoiceLabel(value: "en", text: "English"), ChoiceLabel(value: .number(2), text: "Two", long: "Number two"),
        ])
        settings.options[try Key("general.language")] = SettingsOption(
            title: "Language", type: .choice, value: "en", labels: labels)
        settings.options[try Key("general.secret")] = SettingsOption(
            title: "S", type: .text, defaultValue: "x", other: ["masked": .bool(true)])
        settings.options[try Key("sound.language")] = SettingsOption(title: "L", type: .switch, value: .bool(true))
        settings.options[try Key("sound.volume")] = SettingsOption(
            title: "V", type: .number, value: .number(5), range: .init(minimum: Number(0), maximum: Number(10)))
        settings.options[try Key("sound.free")] = SettingsOption(title: "N", type: .number, value: .number(5))
        settings.options[try Key("top")] = SettingsOption(title: "T", type: .data, value: .array([.null]))
        let written = try Bundles.write(settings)
        #expect(written.keys.sorted() == ["Root.plist", "sound.plist"])
        let root = written["Root.plist"] ?? "", sound = written["sound.plist"] ?? ""
        let back = try Bundles.read(["Root.plist": root, "sound.plist": sound])
        #expect(
            keys(back) == ["general.language", "general.secret", "sound.free", "sound.sound-language", "sound.volume", "top"])
        #expect(try back.settings.options[Key("sound.sound-language")]?.importedKey == "sound.language")
        #expect(try back.settings.options[Key("general.language")]?.labels == labels)
        #expect(try back.settings.options[Key("general.secret")]?.isMasked == true)
        #expect(try back.settings.options[Key("sound.volume")]?.defaultValue == .number(5))
        #expect(try back.settings.options[Key("sound.free")]?.defaultValue == "5")
        #expect(back.settings.groups[.root]?.title == "App")
        for text in [root, sound] {
            #expect(try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil) is NSDictionary)
        }
    }

    @Test func valuesThatABundleCannotExpressAreRejected() throws {
        var settings = SettingsContent()
        settings.options[try Key("a.b")] = SettingsOption(
            title: "B", type: .choice, labels: Labels([ChoiceLabel(value: .null, text: "None")]))
        let refusal = #expect(throws: Refusal.self) { try Bundles.write(settings) }
        #expect(refusal?.reason == "a.b: a property list can't hold null")
        settings = SettingsContent(groups: [try Key("p"): SettingsGroup(style: .page, other: ["key": "../../p"])])
        #expect(throws: Refusal.self) { try Bundles.write(settings) }
    }
}
