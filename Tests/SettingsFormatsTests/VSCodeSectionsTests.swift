import SettingsFormats
import SettingsModel
import Testing

/// Sections, extensions and translations.
struct VSCodeSectionsTests {
    private func read(_ files: KeyValuePairs<String, String>, language: String? = nil) throws -> Imported {
        var request = ReadRequest()
        request.language = language
        let imported = try VSCodeFormat.read(files, request)
        try expectWhole(imported)
        let again = try VSCodeFormat.reread(imported.settings, as: "package.json")
        #expect(differences(imported.settings, again.settings) == [])
        return imported
    }

    @Test func aListOfSections() throws {
        let imported = try read([
            "package.json": #"""
            {"displayName": "Java", "contributes": {"configuration": [
              {"title": "Formatting", "order": 2, "properties": {
                "java.format.on": {"type": "boolean"}, "java.style": {"type": "string"}}},
              {"title": "Comments", "order": 1, "id": "c", "properties": {
                "java.comments.b": {"order": 2, "type": "boolean"}, "java.comments.z": {"type": "string"},
                "java.comments.a": {"order": 1, "type": "boolean"}}},
              {"properties": {"java.home": {"type": "string"}}}]}}
            """#
        ])
        let settings = imported.settings
        #expect(settings.group("java")?.title == "Java")
        #expect(settings.group("java")?.order == ["comments", "format", "style", "home"])
        #expect(settings.group("java.comments")?.title == "Comments")
        #expect(settings.group("java.comments")?.order == ["a", "b", "z"])
        // A section whose settings are in two groups is not the title of either.
        #expect(settings.group("java.format")?.title == "Format")
        #expect(settings["java.style"]?.other["vscode"]?["configuration"]?["title"] == "Formatting")
    }

    @Test func aSectionOfSeveralGroups() throws {
        let imported = try read([
            "package.json":
                #"{"contributes": {"configuration": {"title": "Web", "properties": {"html.a": {}, "css.b.c": {}, "css.b": {}}}}}"#
        ])
        #expect(imported.settings.group("html")?.title == "Html" && imported.settings.group("css")?.title == "Css")
        #expect(imported.settings.groups[.root]?.order == ["html", "css"])
    }

    @Test func sectionWithoutTitleHasTheExtensionsName() throws {
        let text = #"{"displayName": "%name%", "contributes": {"configuration": {"properties": {"x.y": {}}}}}"#
        #expect(try read(["package.json": text]).settings.group("x")?.title == "X")
        let named = try read(["package.json": text, "package.nls.json": #"{"name": "The X"}"#])
        #expect(named.settings.group("x")?.title == "The X" && named.repairs == [])
    }

    private let npm = #"""
        {"contributes": {"configuration": {"title": "%title%", "properties": {"npm.run": {
          "type": "string", "enum": ["a", "b"], "enumItemLabels": ["%a%", "%b%"], "description": "%run%", "default": "%no%"}}}}}
        """#
    private let nls = #"{"title": "Npm", "a": {"message": "Alpha", "comment": ["x"]}, "b": "Beta", "run": "Runs it."}"#

    @Test func tablesOfTexts() throws {
        let imported = try read(["e/package.json": npm, "e/package.nls.json": nls])
        let option = try #require(imported.settings["npm.run"])
        #expect(option.help == "Runs it." && option.labels.map(\.text) == ["Alpha", "Beta"])
        #expect(imported.settings.group("npm")?.title == "Npm")
        // The default is not a displayed text, so a missing translation isn't reported separately.
        #expect(imported.repairs.map(\.found) == [#"the default is "%no%": the value "%no%" is not among the option's values"#])
    }

    @Test(arguments: ["pt_BR.UTF-8", "pt-br", "pt"])
    func languageFallback(_ language: String) throws {
        let imported = try read(
            [
                "e/package.json": npm, "e/package.nls.json": nls, "e/package.nls.pt-br.json": #"{"a": "Alfa"}"#,
                "e/package.nls.pt.json": #"{"a": "?", "b": "Beto"}"#,
            ], language: language)
        let option = try #require(imported.settings["npm.run"])
        #expect(option.labels.map(\.text) == [language == "pt" ? "?" : "Alfa", "Beto"] && option.help == "Runs it.")
    }

    @Test func chineseByScript() throws {
        for (language, text) in [("zh-Hans", "简"), ("zh_CN", "简"), ("zh-Hant-HK", "繁"), ("zh", "简"), ("../x", "Alpha")] {
            let imported = try read(
                [
                    "package.json": npm, "package.nls.json": nls, "package.nls.zh-cn.json": #"{"a": "简"}"#,
                    "package.nls.zh-tw.json": #"{"a": "繁"}"#,
                ], language: language)
            #expect(imported.settings["npm.run"]?.labels.first?.text.string == text, "\(language)")
        }
    }

    @Test func missingTranslations() throws {
        let imported = try read(["package.json": npm, "package.nls.json": #"{"b": "Beta"}"#])
        #expect(imported.settings["npm.run"]?.labels.map(\.text) == ["%a%", "Beta"])
        #expect(imported.repairs.filter { $0.found.contains("no table") }.map(\.found.count).count == 3)
        #expect(imported.repairs.allSatisfy { $0.line == 1 })
    }

    @Test func aFolderOfExtensions() throws {
        let imported = try read([
            "npm/package.json": npm, "npm/package.nls.json": nls, "npm/node_modules/x/package.json": "{broken",
            "css/package.json":
                #"{"contributes": {"configuration": {"title": "CSS", "properties": {"css.on": {"type": "boolean"}}}}}"#,
            "theme/package.json": #"{"contributes": {"themes": []}}"#, "npm/.vscode/settings.json": #"{"npm.run": "b"}"#,
        ])
        #expect(imported.settings.options.count == 2 && imported.givesValues == false)
        #expect(imported.settings.group("css")?.title == "CSS" && imported.settings.group("npm")?.title == "Npm")
    }

    @Test func brokenExtensionIsRejected() {
        let refusal = #expect(throws: Refusal.self) {
            try VSCodeFormat.read(["a/package.json": npm, "b/package.json": "{\n  broken"])
        }
        #expect(refusal?.file == "b/package.json" && refusal?.position?.line == 2)
    }

    @Test func customOrder() throws {
        let imported = try read([
            "package.json": #"""
            {"contributes": {"configuration": [
              {"title": "S1", "properties": {"c.c1": {"order": 1}, "a.x": {"order": 2}}},
              {"title": "S2", "properties": {"a.y": {}, "b.p": {}}}]}}
            """#
        ])
        var settings = imported.settings
        #expect(settings.groups[.root]?.order == ["c", "a", "b"])
        settings.groups[.root]?.order = ["a", "b", "c"]
        settings.groups[try Key("a")]?.order = ["y", "x"]
        let again = try VSCodeFormat.reread(settings, as: "package.json").settings
        #expect(again.groups[.root]?.order == ["a", "b", "c"] && again.group("a")?.order == ["y", "x"])
    }
}
