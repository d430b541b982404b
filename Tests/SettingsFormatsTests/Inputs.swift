import Foundation
import SettingsFormats
import SettingsModel

/// Real files that lie beside the project where it is developed, in `../shared/inputs`. Tests that need them are skipped,
/// visibly, where they aren't: `@Test(.enabled(if: Inputs.areThere, "needs ../shared/inputs"))`.
enum Inputs {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../shared/inputs").standardizedFileURL.path

    static var areThere: Bool { FileManager.default.fileExists(atPath: folder) }

    static func path(_ name: String) -> String { "\(folder)/\(name)" }
}

extension Format {
    /// Reads files that are written out in a test.
    static func read(_ files: KeyValuePairs<String, String>, _ request: ReadRequest = ReadRequest()) throws -> Imported {
        try read(Source(files: files.map { (path: $0.key, bytes: Array($0.value.utf8)) }), request)
    }
}
