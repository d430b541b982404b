import SettingsModel
import Testing

@testable import SettingsFormats

/// Small schemas, each with one unusual feature.
struct GSettingsReadingTests {
    private func only(
        _ keys: String, beside: KeyValuePairs<String, String> = [:]
    ) throws -> (option: SettingsOption, repairs: [Repair]) {
        let imported = try GSettings.read(keys: keys, beside: beside)
        try GSettings.expectStorable(imported)
        return (try #require(imported.settings.options[Key("a.b.k")]), imported.repairs)
    }

    private func refusal(_ keys: String) -> Refusal? {
        #expect(throws: Refusal.self) { try GSettings.read(keys: keys) }
    }

    private func json(_ text: String) throws -> JSON { try JSON(parsing: text) }

    @Test func integersHaveSteps() throws {
        let half = try #require(Number("1.5"))
        for (type, isWhole) in [("i", true), ("y", true), ("t", true), ("d", false)] {
            let key = "<key name=\"k\" type=\"\(type)\"><default>5</default></key>"
            let settings = try GSettingsFormat.read([
                "a.gschema.xml": "<schemalist><schema id=\"a\" path=\"/a/\">\(key)</schema></schemalist>"
            ]).settings
            let option = try #require(settings["a.k"])
            #expect((option.fault(of: .number(half)) != nil) == isWhole, "\(type)")
        }
    }

    @Test func aSchemaIsAPage() throws {
        let imported = try GSettings.read(
            keys: """
                <key name="z-first" type="b"><default>true</default><summary>  Two
                    lines </summary><description>One.

                    Two,
                      and more.</description></key>
                <key name="a-last" type="s"><default>'x'</default></key>
                """)
        let group = try #require(imported.settings.groups[Key("a.b")])
        #expect(group.title == "B" && group.style == .page && group.order == ["z-first", "a-last"])
        #expect(group.other["gsettings"]?.compact == #"{"id":"a.b","path":"/a/b/"}"#)
        let first = try #require(imported.settings.options[Key("a.b.z-first")])
        #expect(first.type == .switch && first.defaultValue == .bool(true) && first.value == nil)
        #expect(first.title == "Two lines" && first.help == "One.\n\nTwo, and more." && first.other.isEmpty)
        #expect(imported.settings.options[try Key("a.b.a-last")]?.title == "A Last")
        #expect(imported.repairs.isEmpty && !imported.givesValues)
    }

    @Test(arguments: [
        ("i", "5", SettingsOption.Kind.number, "5"), ("y", "5", .number, "5"),
        ("t", "18446744073709551615", .number, "18446744073709551615"),
        ("d", "15", .number, "15.0"), ("o", "'/a'", .text, #""/a""#), ("g", "'as'", .text, #""as""#),
        ("as", "['a']", .data, #"["a"]"#),
        ("as", "@as []", .data, "[]"), ("(ii)", "(1,\n 2)", .data, #""(1, 2)""#),
        ("a{sv}", "{'a': &lt;5&gt;}", .data, #""{'a': <5>}""#),
        ("ms", "nothing", .data, #""@ms nothing""#), ("v", "&lt;'a'>", .data, #""<'a'>""#), ("h", "3", .data, #""handle 3""#),
        ("ay", "b'a'", .data, #""b'a'""#),
    ])
    func types(_ type: String, _ text: String, _ kind: SettingsOption.Kind, _ json: String) throws {
        let (option, repairs) = try only("<key name='k' type='\(type)'><default>\(text)</default></key>")
        #expect(option.type == kind && option.defaultValue?.compact == json)
        #expect(option.other["gsettings"]?["type"]?.text?.string == type)
        #expect(repairs.isEmpty)
    }

    @Test func defaultsMayBeCDATAOrSpanLines() throws {
        let (option, _) = try only("<key name='k' type='as'><default><![CDATA[ ['<Alt>F1',\n \"it's\"] ]]></default></key>")
        #expect(option.defaultValue == (try json(#"["<Alt>F1","it's"]"#)))
    }

    @Test func enumerationsInOtherFilesWithAnyFirstNumber() throws {
        let (option, repairs) = try only(
            "<key name='k' enum='x.E'><default>'two'</default><aliases><alias value='deux' target='two'/></aliases></key>",
            beside: [
                "z.enums.xml": "<schemalist><enum id='x.E'><value nick='two' value='2'/><value nick='one' value='1'/>"
                    + "<value nick='ten' value='0xa'/></enum></schemalist>"
            ])
        #expect(option.type == .choice && option.labels.map(\.text) == ["two", "one", "ten"] && option.defaultValue == "two")
        #expect(
            option.other["gsettings"]
                == (try json(#"{"enum":{"id":"x.E","values":{"two":2,"one":1,"ten":10}},"aliases":{"deux":"two"}}"#)))
        #expect(repairs.isEmpty)
    }

    @Test func undefinedEnumerationIsReported() {
        #expect(refusal("<key name='k' enum='x.E'><default>'a'</default></key>")?.reason.contains("'x.E'") == true)
        #expect(refusal("<key name='k' flags='x.F'><default>[]</default></key>")?.reason.contains("'x.F'") == true)
    }

    @Test func defaultOutsideTheChoicesIsDropped() throws {
        let keys = "<key name='k' type='s'><choices><choice value='a'/><choice value=''/></choices><default>'c'</default></key>"
        let (option, repairs) = try only(keys)
        #expect(option.defaultValue == nil && option.labels.map(\.value) == ["a", ""])
        #expect(repairs.count == 1 && repairs[0].kind == .repaired && repairs[0].key == "k" && repairs[0].page == "a.b")
        #expect(try GSettings.schemas(try GSettings.read(keys: keys).settings).contains("<default>'c'</default>"))
    }

    @Test func defaultMayBeAnAlias() throws {
        let (option, repairs) = try only(
            "<key name='k' type='s'><choices><choice value='a'/></choices><aliases><alias value='b' target='a'/></aliases>"
                + "<default>'b'</default></key>")
        #expect(option.defaultValue == "a" && repairs.count == 1)
    }

    @Test func flagsAreOneValue() throws {
        let flags = "<schemalist><flags id='x.F'><value nick='r' value='1'/><value nick='w' value='2'/></flags></schemalist>"
        let (option, repairs) = try only(
            "<key name='k' flags='x.F'><default>['w']</default></key>", beside: ["x.enums.xml": flags])
        #expect(option.type == .data && option.defaultValue == .array(["w"]) && repairs.isEmpty)
        let (stray, told) = try only("<key name='k' flags='x.F'><default>['x']</default></key>", beside: ["x.enums.xml": flags])
        #expect(stray.defaultValue == .array(["x"]) && told.count == 1)
    }

    @Test(arguments: [
        ("i", "min='0' max='10'", "0" as String?, "10" as String?), ("i", "min='0'", "0", nil), ("u", "max='0x10'", nil, "16"),
        ("d", "min='1' max='2.5'", "1.0", "2.5"),
        ("d", "min='0' max='inf'", "0.0", nil), ("t", "min='0' max='18446744073709551615'", "0", "18446744073709551615"),
    ])
    func ranges(_ type: String, _ attributes: String, _ minimum: String?, _ maximum: String?) throws {
        let (option, repairs) = try only("<key name='k' type='\(type)'><range \(attributes)/><default>2</default></key>")
        #expect(option.range.minimum?.text == minimum && option.range.maximum?.text == maximum && repairs.isEmpty)
    }

    @Test(arguments: [
        "type='i'><range min='9' max='1'/><default>2</default>", "type='i'><range min='x'/><default>2</default>",
        "type='s'><range min='1'/><default>'2'</default>", "type='i'><range min='5'/><default>2</default>", "type='i'>",
        "type='i'><default>2</default><default>3</default>", "type='d'><default>inf</default>",
        "type='s'><choices><choice value='a'/><choice value='a'/></choices><default>'a'</default>",
    ])
    func errorsAreReported(_ key: String) throws {
        let (_, repairs) = try only("<key name='k' \(key)</key>")
        #expect(repairs.count == 1 && repairs[0].kind == .repaired && repairs[0].line == 1 && repairs[0].file == "a.gschema.xml")
    }

    @Test(arguments: ["l10n='messages'", "l10n='time' context='week'"])
    func translatedDefaultsAreKeptUnchanged(_ attributes: String) throws {
        let keys = "<key name='k' type='s'><default \(attributes)> \"x\" </default></key>"
        let (option, repairs) = try only(keys)
        #expect(option.defaultValue == "x" && repairs.map(\.kind) == [.kept])
        let text = try GSettings.schemas(try GSettings.read(keys: keys).settings)
        #expect(text.contains("<default \(attributes.replacing("'", with: "\""))> \"x\" </default>"))
    }

    @Test func unknownPartsAreExportedAgain() throws {
        let keys = "<key name='k' type='b' odd='1'><default>true</default><extra x='&quot;'>a &lt; <b/></extra></key><other/>"
        let (option, repairs) = try only(keys)
        #expect(repairs.map(\.kind) == [.kept, .kept, .kept])
        #expect(option.other["gsettings"]?["attributes"]?["odd"] == "1")
        let text = try GSettings.schemas(try GSettings.read(keys: keys).settings)
        for piece in ["odd=\"1\"", "<extra x=\"&quot;\">a &lt; <b/></extra>", "<other/>"] { #expect(text.contains(piece)) }
    }

    @Test(arguments: [
        ("<key name='k' type='s'><default>x</default></key>", "unknown word 'x'"),
        ("<key name='k' type='i'><default>'1'</default></key>", "a string"),
        ("<key name='k' type='q'><default>-1</default></key>", "out of range"),
        ("<key name='k' type='k'><default>1</default></key>", "invalid type"),
        ("<key name='k'><default>1</default></key>", "no type"), ("<key type='i'><default>1</default></key>", "no name"),
        ("<key name='k' type='i' enum='e'><default>1</default></key>", "only one"), ("<child name='c'/>", "no schema"),
    ])
    func rejected(_ keys: String, _ word: String) {
        #expect(refusal(keys)?.reason.contains(word) == true)
        #expect(refusal(keys)?.position?.line == 1)
    }

    @Test func invalidDefaultIsReportedWithItsPosition() {
        let refusal = refusal("\n  <key name='k' type='(ii)'>\n    <default>(1, é)</default></key>")
        #expect(refusal?.position == BadFile.Position(line: 3, column: 18))
        let later = self.refusal("\n<key name='k' type='(ii)'><default>\n (1,\n  x)</default></key>")
        #expect(later?.position == BadFile.Position(line: 4, column: 3))
        #expect(later?.file == "a.gschema.xml")
    }

    @Test func schemasExtendOthers() throws {
        let imported = try GSettingsFormat.read([
            "a.gschema.xml": """
            <schemalist gettext-domain='dom'>
              <schema id='x.sub' extends='x.base' path='/x/sub/'>
                <override name='k'>9</override><override name='none'>9</override><key name='own' type='b'><default>true</default></key>
              </schema>
              <schema id='x.base' gettext-domain='own'><key name='k' type='i'><default>7</default></key>
                <key name='l' type='i'><default>7</default></key></schema>
            </schemalist>
            """,
            "b.gschema.override": "[x.base]\nk=1\nl=2\n[x.sub]\nl=5\nown=false\n",
        ])
        try GSettings.expectStorable(imported)
        let values = try ["k", "l", "own"].map { try imported.settings.options[Key("x.sub.\($0)")]?.defaultValue?.compact }
        #expect(values == ["9", "2", "false"])
        #expect(imported.repairs.filter { $0.kind == .repaired }.map(\.key) == ["none", "l"])
        #expect(imported.settings.groups[try Key("x.sub")]?.order == ["k", "l", "own"])
        #expect(imported.settings.groups[try Key("x.sub")]?.other["gsettings"]?["gettext-domain"] == "dom")
        let text = try GSettings.schemas(imported.settings)
        #expect(text.contains("<override name=\"k\">9</override>") && !text.contains("<override name=\"l\">"))
    }

    @Test(arguments: ["<schema id='x' extends='y'/><schema id='y' extends='x'/>", "<schema id='x' extends='gone'/>"])
    func invalidExtensions(_ schemas: String) {
        #expect(throws: Refusal.self) { try GSettingsFormat.read(["a.gschema.xml": "<schemalist>\(schemas)</schemalist>"]) }
    }

    @Test func overridesApplyInOrderOfFileNames() throws {
        let (option, repairs) = try only(
            "<key name='k' type='i'><range min='0'/><default>1</default></key>",
            beside: [
                "20_b.gschema.override": "[a.b]\nk=3\n", "10_a.gschema.override": "# why\n\n[a.b]\n k = 2 \n[gone]\nx=1\n",
                "30_c.gschema.override": "[a.b:GNOME]\nk=4\n[a.b]\nk=-1\nk2=5\n[a.b:MATE]\nk='x'\n",
            ])
        #expect(option.defaultValue?.compact == "3")
        #expect(option.other["gsettings"]?["schemaDefault"] == "1" && option.other["gsettings"]?["desktops"]?["GNOME"] == "4")
        #expect(repairs.map(\.kind) == [.kept, .kept, .repaired, .repaired, .repaired])
    }

    @Test func overridesAreExportedSeparately() throws {
        let imported = try GSettings.read(
            keys: "<key name='k' type='s'><default>'a'</default></key>",
            beside: ["x.gschema.override": "[a.b]\nk='b'\n[a.b:GNOME]\nk='c'\n[gone]\nx=<1>\n"])
        var request = WriteRequest()
        request.part = .definitions
        request.name = "schemas"
        guard case .folder(let files) = try GSettingsFormat.write(imported.settings, request) else { throw CancellationError() }
        #expect(files.map(\.path) == ["settings.gschema.override", "settings.gschema.xml"])
        #expect(String(decoding: files[0].bytes, as: UTF8.self) == "[a.b]\nk='b'\n\n[a.b:GNOME]\nk='c'\n\n[gone]\nx=<1>\n")
        #expect(String(decoding: files[1].bytes, as: UTF8.self).contains("<default>'a'</default>"))
        let again = try GSettingsFormat.read(Source(files: files.map { ($0.path, $0.bytes) }), ReadRequest())
        #expect(again.settings == imported.settings)
        // A single file has the effective defaults.
        #expect(try GSettings.schemas(imported.settings).contains("<default>'b'</default>"))
    }

    @Test func overridesOfExistingSchemas() throws {
        var request = ReadRequest()
        request.existing = try GSettings.read(
            keys: "<key name='k' type='s'><default>'a'</default></key><key name='l' type='s'><default>'a'</default></key>"
        ).settings
        func read(_ text: String) throws -> Imported {
            try GSettingsFormat.read(Source(files: [("x.gschema.override", Array(text.utf8))]), request)
        }
        let imported = try read("[a.b]\nk='b'\nm=1\n[gone]\nk=1\n")
        #expect(imported.settings.options.keys.map(\.description) == ["a.b.k"] && imported.settings.groups.isEmpty)
        #expect(imported.settings.options[try Key("a.b.k")]?.defaultValue == "b" && imported.repairs.map(\.line) == [3, 5])
        #expect(throws: Refusal.self) { try read("[gone]\nk=1\n") }
    }

    @Test func firstOfTwoDefinitionsCounts() throws {
        let imported = try GSettingsFormat.read([
            "a.gschema.xml": "<schemalist><schema id='x' path='/x/'><key name='k' type='i'><default>1</default></key>"
                + "<key name='k' type='s'><default>''</default></key></schema></schemalist>",
            "b.gschema.xml":
                "<schemalist><schema id='x' path='/x/'><key name='k' type='i'><default>2</default></key></schema></schemalist>",
        ])
        #expect(imported.settings.options[try Key("x.k")]?.defaultValue?.compact == "1")
        #expect(imported.repairs.map(\.file) == ["a.gschema.xml", "b.gschema.xml"])
    }

    @Test func relocatableSchemasAreNotPages() throws {
        let imported = try GSettingsFormat.read([
            "a.gschema.xml": """
            <schemalist><schema id='x.folder'><key name='name' type='s'><default>'n'</default></key></schema>
            <schema id='x' path='/x/'><key name='k' type='b'><default>true</default></key>
              <child name='one' schema='x.folder'/><child name='sub' schema='x.sub'/></schema>
            <schema id='x.sub' path='/x/sub/'><key name='k' type='b'><default>true</default></key></schema></schemalist>
            """
        ])
        try GSettings.expectStorable(imported)
        #expect(imported.settings.options.keys.sorted().map(\.description) == ["x.k", "x.one.name", "x.sub.k"])
        #expect(imported.settings.groups[try Key("x")]?.order == ["k", "one", "sub"])
        #expect(imported.repairs.map(\.kind) == [.kept])
        let text = try GSettings.schemas(imported.settings)
        #expect(text.contains("<schema id=\"x.folder\">") && text.contains("<child name=\"one\" schema=\"x.folder\"/>"))
        #expect(!text.contains("/x/one/"))
    }

    @Test func recursiveRelocatableSchemasEnd() throws {
        let imported = try GSettingsFormat.read([
            "a.gschema.xml": "<schemalist><schema id='t'><key name='k' type='b'><default>true</default></key>"
                + "<child name='a' schema='t'/><child name='b' schema='t'/></schema>"
                + "<schema id='x' path='/x/'><child name='c' schema='t'/></schema></schemalist>"
        ])
        #expect(imported.settings.options.count == 1)
    }

    @Test func namesThatAreNotValidKeys() throws {
        let imported = try GSettingsFormat.read([
            "a.gschema.xml": """
            <schemalist><schema id='org.X.é' path='/x/'><key name='a_b' type='b'><default>true</default></key></schema>
            <schema id='org.x.y' path='/y/'><key name='Key' type='b'><default>true</default></key><key name='key' type='b'>
            <default>false</default></key></schema>
            <schema id='1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17.18' path='/z/'><key name='k' type='b'><default>true</default>
            </key></schema></schemalist>
            """
        ])
        try GSettings.expectStorable(imported)
        #expect(imported.settings.options.count == 4)
        #expect(Set(imported.settings.options.keys.map(\.folded)).count == 4)
        let text = try GSettings.schemas(imported.settings)
        for id in ["org.X.é", "org.x.y", "17.18"] { #expect(text.contains(id)) }
        for name in ["a_b", "Key", "key"] { #expect(text.contains("<key name=\"\(name)\"")) }
    }

    @Test(arguments: [
        "<schema id='x'/>", "<html/>", "<schemalist>", "", "<schemalist><schema path='/x/'/></schemalist>",
        "<!DOCTYPE schemalist [<!ENTITY a 'b'>]><schemalist>&a;</schemalist>",
    ])
    func filesWithoutSchemas(_ text: String) {
        let refusal = #expect(throws: Refusal.self) { try GSettingsFormat.read(["a.gschema.xml": text]) }
        #expect(refusal?.file == "a.gschema.xml")
    }

    @Test(arguments: ["k=1\n", "[a.b]\nk\n", "[a.b\nk=1", "[a.b]\n<<<<<<< HEAD\nk=1\n"])
    func invalidKeyFiles(_ text: String) {
        let schemas =
            "<schemalist><schema id='a.b' path='/a/b/'><key name='k' type='i'><default>1</default></key></schema></schemalist>"
        let refusal = #expect(throws: Refusal.self) {
            try GSettingsFormat.read(["a.gschema.xml": schemas, "b.gschema.override": text])
        }
        #expect(refusal?.file == "b.gschema.override" && refusal?.position != nil)
    }

    /// Small files that expand to unlimited settings.
    @Test func expansionIsLimited() {
        let key = "<key name='k' type='b'><default>true</default></key>"
        let children = (0..<50).map { "<child name='c\($0)' schema='t\($0 % 9)'/>" }.joined()
        let templates = (0..<9).map { "<schema id='t\($0)'>\(key)\(children)</schema>" }.joined()
        let base = (0..<1000).map { "<key name='k\($0)' type='b'><default>true</default></key>" }.joined()
        let extending = (0..<1000).map { "<schema id='e\($0)' path='/e\($0)/' extends='base'/>" }.joined()
        let nicks = (0..<5000).map { "<value nick='n\($0)' value='\($0)'/>" }.joined()
        for text in [
            "\(templates)<schema id='x' path='/x/'>\(children)</schema>", "<schema id='base'>\(base)</schema>\(extending)",
            "<enum id='e'>\(nicks)</enum>",
        ] {
            let refusal = #expect(throws: Refusal.self) {
                try GSettingsFormat.read(["a.gschema.xml": "<schemalist>\(text)</schemalist>"])
            }
            #expect(refusal?.reason.contains("more than") == true)
        }
        #expect(throws: Refusal.self) {
            try GSettingsFormat.read(["v.dconf": "[a/b]\n" + String(repeating: "k=1\n", count: 200_000)])
        }
    }

    @Test func importingTwiceChangesNothing() throws {
        let keys = "<key name='k' type='i' a='1' b='2' c='3' d='4'><default>1</default></key>"
        let (one, two) = (try GSettings.read(keys: keys), try GSettings.read(keys: keys))
        #expect(one.settings == two.settings && one.repairs == two.repairs)
    }
}
