import SettingsModel
import Testing

@testable import SettingsFormats

/// Imports from `dconf dump` and exports to `dconf load`.
struct GSettingsValuesTests {
    private static let schemas = """
        <schemalist><enum id='x.E'><value nick='one' value='1'/><value nick='two' value='2'/></enum>
        <schema id='org.x' path='/org/x/'>
          <key name='on' type='b'><default>true</default></key>
          <key name='size' type='u'><range min='1' max='9'/><default>5</default></key>
          <key name='mode' enum='x.E'><aliases><alias value='uno' target='one'/></aliases><default>'two'</default></key>
          <key name='zoom' type='d'><default>1</default></key><key name='list' type='as'><default>[]</default></key>
          <key name='place' type='(ii)'><default>(0, 0)</default></key>
        </schema>
        <schema id='org.x.folder'><key name='name' type='s'><default>''</default></key></schema>
        <schema id='org.x.sub' path='/org/x/sub/'><key name='k' type='s'><default>'x'</default></key></schema></schemalist>
        """

    private func read(_ values: String, _ existing: SettingsContent? = nil) throws -> Imported {
        let file = Source(files: [("values", Array(values.utf8))])
        var request = ReadRequest()
        let imported: Imported
        if let existing {
            request.existing = existing
            imported = try GSettingsFormat.read(file, request)
        } else {
            request.values = file.files[0]
            imported = try GSettingsFormat.read(["x.gschema.xml": Self.schemas], request)
        }
        try GSettings.expectStorable(imported)
        return imported
    }

    private func value(_ imported: Imported, _ key: String) throws -> String? {
        try imported.settings.options[Key(key)]?.value?.compact
    }

    private static let dump = """
        [org/x]
        list=['a', 'b']
        mode='one'
        on=false
        place=(3, -4)
        size=uint32 7
        zoom=0.10000000000000001

        [org/x/sub]
        k="it's"

        """

    @Test func valuesRoundTrip() throws {
        let imported = try read(Self.dump)
        #expect(imported.givesValues && imported.repairs.map(\.kind) == [.kept])
        let values = try ["on", "size", "mode", "zoom", "list", "place", "sub.k"].map { try value(imported, "org.x.\($0)") }
        #expect(values == ["false", "7", #""one""#, "0.1", #"["a","b"]"#, #""(3, -4)""#, #""it's""#])
        #expect(try GSettings.dump(imported.settings) == Self.dump)
    }

    @Test func absentValuesAreUnset() throws {
        let first = try read(Self.dump)
        // The definitions exist already; only values are imported.
        let second = try read("[org/x]\nsize=uint32 2\n", first.settings)
        #expect(try value(second, "org.x.size") == "2")
        #expect(try value(second, "org.x.on") == nil && second.settings.options.count == first.settings.options.count)
        #expect(second.settings.groups == first.settings.groups)
        #expect(try GSettings.dump(second.settings) == "[org/x]\nsize=uint32 2\n")
    }

    @Test func aliasesAreReadAsTheirTargets() throws {
        let imported = try read("[org/x]\nmode='uno'\n")
        #expect(try value(imported, "org.x.mode") == #""one""#)
        #expect(imported.repairs.map(\.kind) == [.kept, .kept])
    }

    /// In these cases, GLib gives programs the default.
    @Test(arguments: ["size=uint32 99", "size='x'", "mode='three'", "on=1", "place=(1, 2, 3)", "zoom=inf"])
    func invalidValuesAreNotSet(_ line: String) throws {
        let imported = try read("[org/x]\n\(line)\n")
        #expect(imported.settings.options.values.allSatisfy { $0.value == nil })
        let repairs = imported.repairs.filter { $0.kind == .repaired }
        #expect(repairs.count == 1 && repairs[0].line == 2 && repairs[0].page == "org/x" && repairs[0].file == "values")
        #expect(try GSettings.dump(imported.settings) == "[org/x]\n\(line)\n")
    }

    @Test func invalidValuesAreRejected() {
        let refusal = #expect(throws: Refusal.self) { try read("[org/x]\non=true\nplace = (1, é)\n") }
        #expect(refusal?.file == "values" && refusal?.position == BadFile.Position(line: 3, column: 13))
        #expect(throws: Refusal.self) { try read("[org/x]\nk=\n") }
    }

    @Test func valuesWithoutSchemaAreKeptWithTheirType() throws {
        let text = "[/]\nroot=true\n\n[org/x]\nold=uint16 3\n\n[org/z/:A b]\nlist=[1, 2]\nname='n'\nreal=1.5\n"
        let imported = try read(text)
        #expect(imported.repairs.count { $0.kind == .kept } == 6)
        #expect(try value(imported, "root") == "true")
        #expect(try value(imported, "org.x.old") == "3")
        #expect(try value(imported, "org.z.A-b.list") == #""[1, 2]""#)
        #expect(try GSettings.dump(imported.settings) == text)
        // The same values again, over the existing ones.
        let again = try read(text, imported.settings)
        #expect(again.settings == imported.settings)
        // They are not written to schemas.
        let schemas = try GSettings.schemas(imported.settings)
        #expect(
            !schemas.contains("path=\"/\"") && !schemas.contains("\"old\"") && !schemas.contains("\"root\"")
                && !schemas.contains("/org/z/"))
    }

    @Test func valuesAlone() throws {
        let imported = try read("[a/b]\nk='x'\n\n[a/c]\non=true\n", SettingsContent())
        #expect(imported.settings.options.keys.sorted().map(\.description) == ["a.b.k", "a.c.on"])
        #expect(try GSettings.dump(imported.settings) == "[a/b]\nk='x'\n\n[a/c]\non=true\n")
    }

    @Test func pathsOfARelocatableSchema() throws {
        let text = "[org/x/folders/Games]\nname='Games'\n\n[org/x/folders/Odd]\nother=1\n"
        let imported = try read(text)
        let games = try #require(imported.settings.options[Key("org.x.folders.Games.name")])
        #expect(games.value == "Games" && games.defaultValue == "")
        #expect(imported.settings.groups[try Key("org.x.folders.Games")]?.other["gsettings"]?["template"] == "org.x.folder")
        #expect(imported.settings.groups[try Key("org.x.folders.Odd")]?.other["gsettings"]?["template"] == nil)
        #expect(try GSettings.dump(imported.settings) == text)
        #expect(
            try read("[org/x/folders/New]\nname='N'\n", imported.settings).settings.options[Key("org.x.folders.New.name")] != nil)
    }

    @Test func dumpOfOneFolder() throws {
        let imported = try read("[/]\nsize=uint32 7\n\n[sub]\nk='y'\n")
        #expect(try value(imported, "org.x.size") == "7")
        #expect(try value(imported, "org.x.sub.k") == #""y""#)
        #expect(imported.repairs.count { $0.kind == .repaired } == 1)
    }

    @Test func schemasThatShareAPath() throws {
        let schemas = ["a", "b"].map {
            "<schema id='\($0)' path='/s/'><key name='k' type='i'><default>1</default></key></schema>"
        }
        var request = ReadRequest()
        request.values = Source(files: [("v", Array("[s]\nk=5\n".utf8))]).files[0]
        var settings = try GSettingsFormat.read(["x.gschema.xml": "<schemalist>\(schemas.joined())</schemalist>"], request)
            .settings
        #expect(try GSettings.dump(settings) == "[s]\nk=5\n")
        settings.options[try Key("a.k")]?.value = .number(6)
        #expect(throws: Refusal.self) { try GSettings.dump(settings) }
    }

    @Test(arguments: [
        ("size", "12", false), ("size", "-1", true), ("size", "1.5", true), ("size", "7.0", false),
        ("place", #""(1, 2)""#, false),
        ("place", #""(1, x)""#, true), ("list", "[1]", true), ("zoom", "3", false),
    ])
    func editedValuesMustFitTheType(_ name: String, _ json: String, _ isRefused: Bool) throws {
        var settings = try read(Self.dump).settings
        settings.options[try Key("org.x.\(name)")]?.value = try JSON(parsing: json)
        if isRefused {
            let refusal = #expect(throws: Refusal.self) { try GSettings.dump(settings) }
            #expect(refusal?.reason.contains("org.x.\(name)") == true)
        } else {
            _ = try GSettings.dump(settings)
        }
    }

    @Test func groupKeepsItsPaths() throws {
        let settings = try read(Self.dump).settings
        let group = settings.relative(to: try Key("org.x.sub"))
        #expect(try GSettings.dump(group) == "[org/x/sub]\nk=\"it's\"\n")
        #expect(try GSettings.schemas(group).contains("<schema id=\"org.x.sub\" path=\"/org/x/sub/\">"))
    }

    @Test func anyStoreCanBeExported() throws {
        var settings = SettingsContent()
        settings.options[try Key("general.language")] = SettingsOption(
            title: "Language", type: .choice, value: "fr",
            labels: Labels([ChoiceLabel(value: "en", text: "English"), ChoiceLabel(value: "fr", text: "French")]))
        settings.options[try Key("general.size")] = SettingsOption(
            title: "Size", type: .number, value: .number(3), defaultValue: .number(1),
            range: .init(minimum: Number(0), maximum: Number(9)))
        settings.options[try Key("level")] = SettingsOption(
            title: "Level", type: .number, value: .number(try #require(Number("0.5"))))
        #expect(try GSettings.dump(settings) == "[/]\nlevel=0.5\n\n[general]\nlanguage='fr'\nsize=3\n")
        let text = try GSettings.schemas(settings)
        #expect(text.contains("<schema id=\"settings\" path=\"/\">"))
        #expect(text.contains("<schema id=\"general\" path=\"/general/\">") && text.contains("<choice value=\"fr\"/>"))
        #expect(text.contains("<range min=\"0\" max=\"9\"/>") && text.contains("<key name=\"level\" type=\"d\">"))
        settings.options[try Key("badName")] = SettingsOption(title: "Bad", type: .switch, defaultValue: .bool(true))
        #expect(throws: Refusal.self) { try GSettings.schemas(settings) }
    }

    @Test func editedLabelsGetTheirOwnEnumeration() throws {
        let keys =
            "<key name='one' enum='x.E'><default>'a'</default></key><key name='two' enum='x.E'><default>'b'</default></key>"
        var settings = try GSettings.read(
            keys: keys,
            beside: [
                "x.enums.xml":
                    "<schemalist><enum id='x.E'><value nick='a' value='3'/><value nick='b' value='1'/></enum></schemalist>"
            ]
        ).settings
        settings.options[try Key("a.b.two")]?.labels.insert(ChoiceLabel(value: "c", text: "C"), at: 0)
        let text = try GSettings.schemas(settings)
        #expect(text.contains("<key name=\"two\" enum=\"x.E.a.b.two\">") && text.contains("<value nick=\"c\" value=\"4\"/>"))
        #expect(text.contains("<key name=\"one\" enum=\"x.E\">"))
    }

    @Test(arguments: [
        ("values", "[org/x]\nk=1\n", true), ("values", "# a comment\n\n [/]\nk=1\n", true),
        ("x.xml", "<?xml version='1.0'?><schemalist/>", true),
        ("values.toml", "[org]\nk=1\n", false), ("values.toml", "['a/b']\nk=1\n", false), ("a.gschema.xml", "", true),
        ("a.json", "{}", false), ("a.xml", "<plist/>", false),
    ])
    func recognised(_ name: String, _ text: String, _ isOne: Bool) throws {
        #expect(try GSettingsFormat.recognises(Source(files: [(name, Array(text.utf8))])) == isOne)
    }

    @Test func largeInputIsQuick() throws {
        let values = "[a/b]\nk=[" + String(repeating: "'x',", count: 500_000) + "'x']\n"
        let imported = try GSettingsFormat.read(Source(files: [("v.dconf", Array(values.utf8))]), ReadRequest())
        #expect(imported.settings.options.count == 1)
    }
}
