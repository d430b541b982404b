import Foundation
import SettingsFormats
import SettingsModel
import Testing

@Suite(.enabled(if: Inputs.areThere, "needs ../shared/inputs"))
struct JSONSchemaInputsTests {
    @Test(arguments: [
        ("jesseduffield__lazygit/schema/config.json", 0, 0, 0),
        ("pypi__jupyterlab_4.6.6/jupyterlab/schemas/@jupyterlab", 0, 0, 0),
    ])
    func schemas(_ name: String, _ options: Int, _ choices: Int, _ repairs: Int) throws {
        let source = try Source(paths: [Inputs.path("vscode/jsonschema/" + name)])
        #expect(try JSONSchemaFormat.recognises(source))
        let imported = try JSONSchemaFormat.read(source, ReadRequest())
        try expectWhole(imported)
        print(
            name, imported.settings.options.count, imported.settings.options.values.filter { $0.type == .choice }.count,
            imported.settings.groups.count, imported.repairs.count)
        for r in imported.repairs { print("  ", r.kind, r.line ?? 0, r.key ?? "-", r.found, "→", r.done) }
        for (k, o) in imported.settings.options.sorted(by: { $0.key < $1.key }) {
            print(k, o.type, o.defaultValue?.compact ?? "-")
        }
        let again = try JSONSchemaFormat.reread(imported.settings, as: "a.json")
        for d in differences(imported.settings, again.settings) { print(d) }
        #expect(differences(imported.settings, again.settings).isEmpty)
    }
}
