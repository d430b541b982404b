import Foundation
import SettingsModel
import Testing

@testable import SettingsFormats

/// After a round trip through a store, GLib's own tools give the same answers for schemas.
@Suite(.enabled(if: GSettings.compiles, "needs libglib2.0-bin"))
struct GSettingsRoundTripTests {
    /// GLib's answers for a folder of schemas: defaults and ranges.
    private struct Answers: Equatable {
        var defaults: [String]
        var ranges: [String]
    }

    private func temporary<Result>(_ body: (String) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("schemas-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try body(folder)
    }

    private func answers(_ folder: String, _ keys: [(String, String)], strict: Bool = true) throws -> Answers {
        if strict {
            _ = try GSettings.run("glib-compile-schemas", "--strict", folder)
        } else {
            _ = try GSettings.run("glib-compile-schemas", folder)
        }
        func lines(_ arguments: String...) throws -> [String] {
            try GSettings.run("gsettings", arguments, schemas: folder).split(separator: "\n").map(String.init)
        }
        let schemas = try lines("list-schemas") + lines("list-relocatable-schemas")
        let ranges = try keys.map { try "\($0) \($1) \(lines("range", $0, $1))" }
        return Answers(defaults: try lines("list-recursively").sorted(), ranges: schemas.sorted() + ranges)
    }

    /// Keys that have a range.
    private func ranged(_ settings: SettingsContent) -> [(String, String)] {
        settings.options.sorted { $0.key < $1.key }.compactMap { key, option in
            guard let id = SchemaNote(settings.groups[key.group])?.id, !option.gsettingsRange.hasPrefix("type") else {
                return nil
            }
            return (id.string, option.importedKey?.string ?? key.name)
        }
    }

    @Test(.enabled(if: Inputs.areThere, "needs ../shared/inputs"))
    func realSchemas() throws {
        let inputs = GSettings.inputs
        let folders = try FileManager.default.contentsOfDirectory(atPath: inputs).filter { $0.hasPrefix("debian__") }.sorted()
        let imported = try GSettings.read(folders.map { "\(inputs)/\($0)" })
        let keys = ranged(imported.settings)
        #expect(keys.count > 100)
        let before = try temporary { folder in
            for package in folders {
                for file in try FileManager.default.contentsOfDirectory(atPath: "\(inputs)/\(package)") {
                    try FileManager.default.copyItem(atPath: "\(inputs)/\(package)/\(file)", toPath: "\(folder)/\(file)")
                }
            }
            return try answers(folder, keys, strict: false)
        }
        let text = try GSettings.schemas(imported.settings)
        let after = try temporary { folder in
            try text.write(toFile: "\(folder)/all.gschema.xml", atomically: true, encoding: .utf8)
            return try answers(folder, keys)
        }
        #expect(before.defaults == after.defaults)
        #expect(before.ranges == after.ranges)
        #expect(before.defaults.count > 1000)

        // The output reads as the original settings.
        let again = try GSettingsFormat.read(Source(files: [("all.gschema.xml", Array(text.utf8))]), ReadRequest())
        #expect(try GSettings.schemas(again.settings) == text)
        #expect(try GSettings.ranges(again.settings) == GSettings.ranges(imported.settings))
    }
}
