import Foundation
import SettingsFormats
import SettingsModel
import Testing

@Suite(.enabled(if: Inputs.areThere, "needs ../shared/inputs"))
struct VSCodeInputsTests {
    @Test(arguments: [
        ("CoenraadS__Bracket-Pair-Colorizer-2/package.json", 0, 0, 0),
        ("editorconfig__editorconfig-vscode/package.json", 0, 0, 0),
        ("microsoft__vscode/extensions/emmet", 0, 0, 0), ("microsoft__vscode/extensions/npm", 0, 0, 0),
        ("microsoft__vscode/extensions/references-view/package.trimmed.json", 0, 0, 0), ("microsoft__vscode/extensions", 0, 0, 0),
    ])
    func extensions(_ name: String, _ options: Int, _ choices: Int, _ repairs: Int) throws {
        let source = try Source(paths: [Inputs.path("vscode/" + name)])
        #expect(try VSCodeFormat.recognises(source))
        let imported = try VSCodeFormat.read(source, ReadRequest())
        try expectWhole(imported)
        print(
            name, imported.settings.options.count, imported.settings.options.values.filter { $0.type == .choice }.count,
            imported.repairs.count)
        for r in imported.repairs { print("  ", r.kind, r.line ?? 0, r.key ?? "-", r.found, "→", r.done) }
        let again = try VSCodeFormat.reread(imported.settings, as: "package.json")
        #expect(differences(imported.settings, again.settings) == [])
    }

    @Test func settingsAlone() throws {
        let path = Inputs.path("vscode/antfu__vscode-settings/.vscode/settings.json")
        let source = try Source(paths: [path])
        #expect(try VSCodeFormat.recognises(source))
        let imported = try VSCodeFormat.read(source, ReadRequest())
        try expectWhole(imported)
        print(imported.settings.options.count, imported.repairs.count)
        let present = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        #expect(try VSCodeFormat.written(imported.settings, into: present) == present)
        for r in imported.repairs where r.kind == .repaired {
            print("  ", r.kind, r.line ?? 0, r.key ?? "-", r.found, "→", r.done)
        }
        let again = try VSCodeFormat.reread(imported.settings, as: "package.json")
        #expect(differences(imported.settings.definitions, again.settings) == [])
    }
}
