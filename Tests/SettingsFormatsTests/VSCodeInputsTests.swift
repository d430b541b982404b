import Foundation
@testable import SettingsFormats
import SettingsModel
import Testing

@Suite(.enabled(if: Inputs.areThere, "needs ../shared/inputs"))
struct VSCodeInputsTests {
    struct Case: CustomTestStringConvertible {
        var name: String
        var options: Int
        var choices: Int
        var labels: Int
        var repairs: Int

        init(_ name: String, options: Int, choices: Int = 0, labels: Int = 0, repairs: Int = 0) {
            (self.name, self.options, self.choices, self.labels, self.repairs) = (name, options, choices, labels, repairs)
        }

        var testDescription: String { name }
    }

    @Test(arguments: [
        Case("CoenraadS__Bracket-Pair-Colorizer-2/package.json", options: 15, choices: 2, labels: 6),
        Case("editorconfig__editorconfig-vscode/package.json", options: 3),
        Case("microsoft__vscode/extensions/emmet", options: 4, choices: 1, labels: 3),
        Case("microsoft__vscode/extensions/npm/package.json", options: 11, choices: 4, labels: 15),
        // Its texts are not among the files.
        Case("microsoft__vscode/extensions/references-view/package.trimmed.json", options: 1, choices: 1, labels: 2, repairs: 3),
        Case("microsoft__vscode/extensions", options: 16, choices: 6, labels: 20, repairs: 3),
    ])
    func extensions(_ expected: Case) throws {
        let source = try Source(paths: [Inputs.path("vscode/" + expected.name)])
        #expect(try Formats.recognised(source).name == .vscode)
        let imported = try VSCodeFormat.read(source, ReadRequest())
        try expectWhole(imported)
        let options = imported.settings.options
        #expect(options.count == expected.options)
        #expect(options.values.count { $0.type == .choice } == expected.choices)
        #expect(options.values.map(\.labels.count).reduce(0, +) == expected.labels)
        #expect(imported.repairs.count == expected.repairs && imported.repairs.allSatisfy { $0.kind == .repaired })
        let again = try VSCodeFormat.reread(imported.settings, as: "package.json")
        #expect(differences(imported.settings, again.settings) == [])
        #expect(again.repairs.map(\.found) == imported.repairs.map(\.found))
    }

    @Test func npm() throws {
        let settings = try VSCodeFormat.read(
            Source(paths: [Inputs.path("vscode/microsoft__vscode/extensions/npm")]), ReadRequest()
        ).settings
        #expect(settings.group("npm")?.title == "Npm" && settings.group("npm")?.order?.count == 11)
        let manager = try #require(settings["npm.packageManager"])
        #expect(manager.title == "Package Manager" && manager.defaultValue == "auto")
        #expect(manager.labels.map(\.text) == ["auto", "npm", "yarn", "pnpm", "bun"])
        #expect(manager.labels.map(\.long)[2] == "Use yarn as the package manager.")
        #expect(settings["npm.exclude"]?.type == .data && settings["npm.exclude"]?.defaultValue == "")
        #expect(settings["npm.enableScriptExplorer"]?.other["vscode"]?["deprecationMessage"] != nil)
    }

    @Test func settingsFileAlone() throws {
        let path = Inputs.path("vscode/antfu__vscode-settings/.vscode/settings.json")
        let source = try Source(paths: [path])
        #expect(try Formats.recognised(source).name == .vscode)
        let imported = try VSCodeFormat.read(source, ReadRequest())
        try expectWhole(imported)
        let bytes = try #require(source.files.first).bytes()
        let document = try JSONC(bytes, in: path)
        let members = try #require(document.root?.members)
        #expect(imported.settings.options.count == members.count { !$0.name.string.hasPrefix("[") })
        #expect(imported.repairs.allSatisfy { $0.kind == .kept } && imported.repairs.count == members.count)

        var request = WriteRequest()
        request.present = bytes
        #expect(try VSCodeFormat.write(imported.settings, request) == .text(bytes))
        // Each single change affects only the lines of its setting.
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        for (key, option) in imported.settings.options where option.type == .switch || option.type == .text {
            var settings = imported.settings
            settings.options[key]?.value =
                option.type == .text ? "changed" : option.value == .bool(true) ? .bool(false) : .bool(true)
            let text = try VSCodeFormat.text(settings, request)
            let changed = text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(changed.count == lines.count && zip(lines, changed).count { $0 != $1 } == 1, "\(key)")
        }
        let again = try VSCodeFormat.reread(imported.settings, as: "package.json")
        #expect(differences(imported.settings.definitions, again.settings) == [])
    }
}
