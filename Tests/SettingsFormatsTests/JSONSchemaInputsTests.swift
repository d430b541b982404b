import Foundation
@testable import SettingsFormats
import SettingsModel
import Testing

@Suite(.enabled(if: Inputs.areThere, "needs ../shared/inputs"))
struct JSONSchemaInputsTests {
    private func read(_ name: String) throws -> Imported {
        let source = try Source(paths: [Inputs.path("vscode/jsonschema/" + name)])
        #expect(try Formats.recognised(source).name == .jsonSchema)
        let imported = try JSONSchemaFormat.read(source, ReadRequest())
        try expectWhole(imported)
        let again = try JSONSchemaFormat.reread(imported.settings, as: "a.json")
        #expect(differences(imported.settings, again.settings) == [])
        return imported
    }

    private func counts(_ imported: Imported) -> [SettingsOption.Kind: Int] {
        Dictionary(grouping: imported.settings.options.values, by: \.type).mapValues(\.count)
    }

    @Test func lazygit() throws {
        let imported = try read("jesseduffield__lazygit/schema/config.json")
        #expect(imported.repairs == [])
        #expect(counts(imported) == [.switch: 47, .choice: 17, .text: 21, .number: 20, .data: 193])
        let settings = imported.settings
        #expect(settings["gui.language"]?.labels.count == 9 && settings["gui.language"]?.defaultValue == "auto")
        #expect(settings["git.commit.autoWrapWidth"]?.defaultValue == .number(72))
        #expect(settings.group("git.commit")?.footer == "Config relating to committing")
        #expect(settings.options.values.count { !$0.range.isEmpty && $0.range.minimum != nil } == 11)
    }

    @Test func jupyterLab() throws {
        let imported = try read("pypi__jupyterlab_4.6.6/jupyterlab/schemas/@jupyterlab")
        #expect(imported.repairs.allSatisfy { $0.kind == .kept && $0.found.contains("jupyter.lab.") })
        #expect(counts(imported) == [.switch: 53, .choice: 12, .text: 13, .number: 13, .data: 17])
        #expect(imported.settings["csvviewer-extension.csv.toolbar"]?.title == "CSV viewer toolbar items")
        let search = try #require(imported.settings["documentsearch-extension.plugin.autoSearchInSelection"])
        #expect(search.labels.map(\.text) == ["Never", "Multiple selected", "Any selected"] && search.defaultValue == "never")
        #expect(imported.settings["application-extension.shell.startMode"]?.labels.first?.value == "")
    }

    /// Reads each file separately; a file that defines no settings is rejected with an explanation.
    @Test func eachFile() throws {
        let source = try Source(paths: [Inputs.path("vscode/jsonschema/pypi__jupyterlab_4.6.6/jupyterlab/schemas")])
        var options = 0
        var refused = 0
        for file in source.files {
            do {
                let imported = try JSONSchemaFormat.read(Source(paths: [file.path]), ReadRequest())
                try expectWhole(imported)
                options += imported.settings.options.count
                let again = try JSONSchemaFormat.reread(imported.settings, as: "a.json")
                #expect(differences(imported.settings, again.settings) == [])
            } catch let refusal as Refusal {
                #expect(refusal.reason == "defines no settings")
                refused += 1
            }
        }
        #expect((source.files.count, options, refused) == (36, 108, 13))
    }
}
