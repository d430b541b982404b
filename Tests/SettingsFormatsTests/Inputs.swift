import Foundation
import SettingsFormats
import SettingsModel

/// Real files in `../shared/inputs`, next to the project on development machines. Tests that need them are visibly skipped
/// if they are missing: `@Test(.enabled(if: Inputs.areThere, "needs ../shared/inputs"))`.
enum Inputs {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../shared/inputs").standardizedFileURL.path

    static var areThere: Bool { FileManager.default.fileExists(atPath: folder) }

    static func path(_ name: String) -> String { "\(folder)/\(name)" }
}

extension Format {
    /// Reads files whose content is given in a test.
    static func read(_ files: KeyValuePairs<String, String>, _ request: ReadRequest = ReadRequest()) throws -> Imported {
        try read(Source(files: files.map { (path: $0.key, bytes: Array($0.value.utf8)) }), request)
    }
}
