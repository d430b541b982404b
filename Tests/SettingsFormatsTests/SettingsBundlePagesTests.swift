import Foundation
import SettingsFormats
import SettingsModel
import Testing

/// Several pages, several rows of one setting, and tables of texts.
struct SettingsBundlePagesTests {
    private static func toggle(_ key: String, _ members: String = "") -> String {
        "Type = PSToggleSwitchSpecifier; Title = \"\(key)\"; Key = \(key); \(members)"
    }
    private static func link(_ file: String, _ title: String = "Link") -> String {
        "Type = PSChildPaneSpecifier; Title = \"\(title)\"; File = \"\(file)\";"
    }

    // Pages

    @Test func linkCycleEnds() throws {
        let imported = try Bundles.expectRoundTrip([
            "Root.plist": Bundles.page(Self.link("A")), "A.plist": Bundles.page(Self.link("B"), Self.toggle("a")),
            "B.plist": Bundles.page(Self.link("A"), Self.link("Root"), Self.toggle("b")),
        ])
        #expect(imported.settings.options.keys.sorted().map(\.description) == ["A.B.b", "A.a"])
        #expect(
            imported.repairs.map(\.found) == [
                "its link leads back to the page A", "its link leads back to the page Root",
            ])
    }

    @Test func aMissingPageIsEmpty() throws {
        let imported = try Bundles.expectRoundTrip(["Root.plist": Bundles.page(Self.link("Gone"))])
        #expect(try imported.settings.groups[Key("Gone")]?.title == "Link")
        #expect(imported.repairs.map(\.found) == ["it links to Gone.plist, which does not exist"])
        #expect(try Bundles.write(imported.settings).keys.sorted() == ["Root.plist"])
    }

    @Test func orphansAndVariants() throws {
        let imported = try Bundles.expectRoundTrip([
            "Root.plist": Bundles.page(Self.toggle("a")), "Alone.plist": Bundles.page(Self.link("Below"), Self.toggle("b")),
            "Below.plist": Bundles.page(Self.toggle("c")),
        ])
        #expect(imported.settings.options.keys.sorted().map(\.description) == ["Alone.Below.c", "Alone.b", "a"])
        #expect(imported.repairs.map(\.found) == ["no page links to it"])
        let other = try Bundles.read(["Root.plist": Bundles.page(), "Other.plist": "{ a = b; }"])
        #expect(other.repairs.map(\.found) == ["it is not a page"] && other.repairs.map(\.kind) == [.kept])
        let variants = try Bundles.read([
            "Root.plist": Bundles.page(Self.toggle("a")), "Root~ipad.plist": Bundles.page(Self.toggle("b")),
            "Root.inApp.plist": Bundles.page(Self.toggle("c")), "Root~iphone.inApp.plist": Bundles.page(Self.toggle("d")),
        ])
        #expect(variants.settings.options.count == 1)
        #expect(variants.repairs.map(\.kind) == [.kept, .kept, .kept])
        #expect(variants.repairs.allSatisfy { $0.found == "this is another form of the page Root" })
    }

    @Test func variantReplacesAMissingPage() throws {
        let imported = try Bundles.read([
            "Root~ipad.plist": Bundles.page(Self.toggle("p")),
            "Root~iphone.plist": Bundles.page(Self.toggle("a"), Self.link("More")),
            "More.inApp.plist": Bundles.page(Self.toggle("b")),
        ])
        #expect(imported.settings.options.keys.sorted().map(\.description) == ["More.b", "a"])
        #expect(
            imported.repairs.filter { $0.kind == .repaired }.map(\.found) == ["there is no Root.plist", "there is no More.plist"])
    }

    @Test(arguments: ["../../etc/passwd", "/etc/passwd", "a/../../b", ".", "..", "a//b"])
    func linksOutOfTheBundleAreRejected(_ file: String) {
        let refusal = #expect(throws: Refusal.self) { try Bundles.read(["Root.plist": Bundles.page(Self.link(file))]) }
        #expect(refusal?.reason.hasPrefix("leads out of the bundle") == true && refusal?.position?.line == 1)
        #expect(throws: Refusal.self) { try Bundles.read(["Root.plist": Bundles.page(members: "StringsTable = \"\(file)\";")]) }
    }

    @Test func symbolicLinksAreRejected() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).bundle")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(Bundles.page(Self.toggle("a")).utf8).write(to: folder.appendingPathComponent("Root.plist"))
        let link = folder.appendingPathComponent("en.lproj")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "/etc")
        let refusal = #expect(throws: Refusal.self) {
            try SettingsBundleFormat.read(Source(paths: [folder.path]), ReadRequest())
        }
        #expect(refusal?.reason.contains("symbolic link") == true)
        try FileManager.default.removeItem(at: link)
        // A page that is given itself stands for its bundle.
        let whole = try SettingsBundleFormat.read(
            Source(paths: [folder.appendingPathComponent("Root.plist").path]), ReadRequest())
        #expect(whole.settings.options.count == 1)
    }

    @Test func unreadablePageRejectsTheWholeBundle() throws {
        let bad: [(KeyValuePairs<String, String>, String)] = [
            (["Root.plist": Bundles.page(Self.link("A")), "A.plist": "{ PreferenceSpecifiers = ( "], "end of input"),
            (["Root.plist": "{\n<<<<<<< HEAD\n PreferenceSpecifiers = ();\n=======\n>>>>>>> x\n}"], "conflict markers"),
            (["Root.plist": "{ PreferenceSpecifiers = x; }"], "not an array"), (["Root.plist": "( )"], "not a page"),
            (["Root.plist": Bundles.page(), "en.lproj/Root.strings": "\"a\" = \"b\"\n"], "expected ';'"),
            (["A.plist": Bundles.page(), "B.plist": Bundles.page()], "no Settings.bundle"),
            (["x/Root.plist": Bundles.page(), "y/Root.plist": Bundles.page()], "2 bundles"),
        ]
        for (files, word) in bad {
            let refusal = #expect(throws: Refusal.self) { try Bundles.read(files) }
            #expect(refusal?.reason.contains(word) == true, "\(refusal?.reason ?? "")")
        }
    }

    @Test func depthAndNumberOfPagesAreLimited() throws {
        var files: [(path: String, bytes: [UInt8])] = [("a.bundle/Root.plist", Array(Bundles.page(Self.link("P0")).utf8))]
        for page in 0..<60 {
            files.append(
                ("a.bundle/P\(page).plist", Array(Bundles.page(Self.link("P\(page + 1)"), Self.toggle("k\(page)")).utf8)))
        }
        let imported = try SettingsBundleFormat.read(Source(files: files), ReadRequest())
        #expect(imported.settings.options.count == 60)
        #expect(imported.settings.options.keys.allSatisfy { $0.parts.count <= 10 })
        for page in 60..<1_100 { files.append(("a.bundle/P\(page).plist", Array(Bundles.page(Self.link("P\(page + 1)")).utf8))) }
        #expect(throws: Refusal.self) { try SettingsBundleFormat.read(Source(files: files), ReadRequest()) }
    }

    // Several rows of one setting

    @Test func sameKeyTwiceIsOneSetting() throws {
        var imported = try Bundles.expectRoundTrip([
            "Root.plist": Bundles.page(
                Self.link("A"), Self.toggle("x", "DefaultValue = YES;"), "Type = PSTitleValueSpecifier; Title = Shown; Key = y;"),
            "A.plist": Bundles.page(
                "Type = PSToggleSwitchSpecifier; Title = \"Another title\"; Key = x; DefaultValue = YES; KeyboardType = URL;",
                "Type = PSTextFieldSpecifier; Title = Why; Key = y; DefaultValue = z;"),
        ])
        #expect(imported.settings.options.keys.sorted().map(\.description) == ["A.y", "x"])
        #expect(try imported.settings.options[Key("A.y")]?.type == .text)
        #expect(
            imported.repairs.filter { $0.kind == .kept }.map(\.done) == [
                "one setting, shown in two places", "one setting, shown in two places",
            ])
        // Both rows change.
        imported.settings.options[try Key("x")]?.defaultValue = .bool(false)
        let written = try Bundles.write(imported.settings)
        #expect(written["Root.plist"]?.contains("<false/>") == true && written["A.plist"]?.contains("<false/>") == true)
        #expect(written["A.plist"]?.contains("Another title") == true)
    }

    @Test(arguments: [
        ("Type = PSToggleSwitchSpecifier; Key = x; DefaultValue = NO;", "default"),
        ("Type = PSTextFieldSpecifier; Key = x;", "type"),
        ("Type = PSToggleSwitchSpecifier; Key = x; DefaultValue = YES; TrueValue = YES;", "pair of values"),
    ])
    func contradictoryDefinitionsAreRejected(_ other: String, _ facet: String) {
        let refusal = #expect(throws: Refusal.self) {
            try Bundles.read([
                "Root.plist": Bundles.page(Self.link("A"), Self.toggle("x", "DefaultValue = YES;")),
                "A.plist": Bundles.page(other),
            ])
        }
        #expect(
            refusal?.reason == "the Key \"x\" has a different \(facet) than in App/Settings.bundle/Root.plist, line 2")
        #expect(refusal?.file == "App/Settings.bundle/A.plist" && refusal?.position?.line == 1)
    }

    @Test func orphanDoesNotBlockAnImport() throws {
        let imported = try Bundles.expectRoundTrip([
            "Root.plist": Bundles.page(Self.toggle("x", "DefaultValue = YES;")),
            "Old.plist": Bundles.page(Self.toggle("x", "DefaultValue = NO;")),
        ])
        #expect(imported.repairs.map(\.done).contains("the first one counts; this row is kept unchanged"))
    }

    // Texts

    private static let texts: KeyValuePairs<String, String> = [
        "Root.plist": """
        { StringsTable = Texts; Title = APP; PreferenceSpecifiers = (
          { Type = PSGroupSpecifier; Title = SOUND; FooterText = FOOT; },
          { Type = PSMultiValueSpecifier; Key = k; Title = PICK;
                Titles = ( ONE, TWO, Three ); Values = ( 1, 2, 3 ); DefaultValue = Two; },
          { Type = PSTextFieldSpecifier; Key = t; Title = "Plain text"; }, { Type = PSButton; Title = GO; }
        ); }
        """,
        "en.lproj/Texts.strings": "APP = App; SOUND = Sound; FOOT = \"At the foot\"; PICK = Pick; ONE = One; TWO = Two; GO = Go;",
        "de.lproj/Texts.strings": "APP = App; SOUND = Klang; PICK = \"Wähle\"; ONE = Eins; TWO = Zwei;",
        "pt-BR.lproj/Texts.strings": "PICK = Escolha;", "de.lproj/Root.strings": "broken",
    ]

    private func titles(_ language: String?) throws -> [String] {
        let settings = try Bundles.read(Self.texts, language: language).settings
        let option = try #require(settings.options[Key("sound.k")])
        return [option.title.string, settings.groups[try Key("sound")]?.title?.string ?? ""] + option.labels.map(\.text.string)
    }

    @Test func languages() throws {
        let english = ["Pick", "Sound", "One", "Two", "Three"]
        #expect(try titles(nil) == english && titles("en_GB") == english && titles("fr") == english)
        let german = ["Wähle", "Klang", "Eins", "Zwei", "Three"]
        #expect(try titles("de") == german && titles("de-CH") == german && titles("German") == german)
        #expect(try titles("pt") == ["Escolha", "Sound", "One", "Two", "Three"] && titles("pt_BR") == titles("pt"))
        let german2 = try Bundles.read(Self.texts, language: "de")
        #expect(
            german2.repairs.map { "\($0.kind.rawValue) \($0.key ?? ""): \($0.found); \($0.done)" }.filter {
                $0.contains("missing")
            }
                == ["kept FOOT: the text is missing; taken from en.lproj", "kept GO: the text is missing; taken from en.lproj"])
        let french = try Bundles.read(Self.texts, language: "fr")
        #expect(french.repairs.first?.found == "there are no titles in 'fr', only in de, en, pt-BR")
        // A default that is a title is found in every language.
        #expect(try Bundles.read(Self.texts, language: "de").settings.options[Key("sound.k")]?.defaultValue == nil)
    }

    @Test func textsAreExportedAsNamesAndATable() throws {
        let files: KeyValuePairs<String, String> = [
            "Root.plist": Self.texts[0].value.replacing("Title = APP;", with: ""), Self.texts[1].key: Self.texts[1].value,
        ]
        var settings = try Bundles.expectRoundTrip(files).settings
        let written = try Bundles.write(settings)
        #expect(written.keys.sorted() == ["Root.plist", "en.lproj/Texts.strings"])
        #expect(
            try Bundles.value(written["en.lproj/Texts.strings"] ?? "")
                == Bundles.value("FOOT = \"At the foot\"; GO = Go; ONE = One; PICK = Pick; SOUND = Sound; TWO = Two;"))

        // The new title of a named text is written to the table; labels keep their names when they move.
        let key = try Key("sound.k")
        settings.options[key]?.title = "Choose"
        settings.options[key]?.labels.move("2", to: 0)
        settings.options[key]?.labels.rename("1", to: "First")
        settings.options[key]?.labels.insert(ChoiceLabel(value: "0", text: "None"), at: 1)
        let edited = try Bundles.write(settings)
        #expect(edited["Root.plist"]?.contains("<string>PICK</string>") == true)
        let texts = try Bundles.value(edited["en.lproj/Texts.strings"] ?? "")
        #expect(
            texts == (try Bundles.value("FOOT = \"At the foot\"; GO = Go; ONE = First; PICK = Choose; SOUND = Sound; TWO = Two;"))
        )
        let again = try Bundles.read([
            "Root.plist": edited["Root.plist"] ?? "", "en.lproj/Texts.strings": edited["en.lproj/Texts.strings"] ?? "",
        ])
        #expect(again.settings.options[key]?.labels == settings.options[key]?.labels)
        #expect(again.settings.options[key]?.title == "Choose")
        #expect(
            edited["Root.plist"]?.contains("<string>TWO</string>\n\t\t\t\t<string>None</string>\n\t\t\t\t<string>ONE</string>")
                == true)
    }

    @Test func bundleWithoutItsDevelopmentLanguage() throws {
        let page = Bundles.page("Type = PSTextFieldSpecifier; Key = t; Title = NAME;")
        let one = try Bundles.read(["Root.plist": page, "ja.lproj/Root.strings": "NAME = \"名前\";"])
        #expect(one.settings.options.values.first?.title == "名前" && one.repairs.isEmpty)
        let two = try Bundles.read([
            "Root.plist": page, "ja.lproj/Root.strings": "NAME = x;", "gsw-CH.lproj/Root.strings": "NAME = y;",
        ])
        #expect(two.settings.options.values.first?.title == "NAME")
        #expect(two.repairs.map(\.found) == ["it has titles in gsw-CH, ja, but no development language"])
        #expect(try Bundles.write(two.settings).keys.sorted() == ["Root.plist"])
    }

    @Test func tablesInEveryEncoding() throws {
        let page = Bundles.page("Type = PSTextFieldSpecifier; Key = t; Title = NAME;")
        for encoding in [String.Encoding.utf8, .utf16, .utf16LittleEndian, .isoLatin1] {
            let table = try #require("NAME = \"Größe\";".data(using: encoding))
            let imported = try SettingsBundleFormat.read(
                Source(files: [("S.bundle/Root.plist", Array(page.utf8)), ("S.bundle/en.lproj/Root.strings", Array(table))]),
                ReadRequest())
            #expect(imported.settings.options.values.first?.title == "Größe")
            #expect(imported.repairs.count == (encoding == .utf8 || encoding == .utf16 ? 0 : 1))
        }
    }
}
