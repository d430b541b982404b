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

    /// All files below a folder, in byte order.
    static func files(_ name: String) -> [String] {
        let found = FileManager.default.enumerator(atPath: path(name))?.compactMap { $0 as? String } ?? []
        var isFolder: ObjCBool = false
        return found.sorted().map { path("\(name)/\($0)") }.filter {
            FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder) && !isFolder.boolValue
        }
    }
}

extension Format {
    /// Reads files whose content is given in a test.
    static func read(_ files: KeyValuePairs<String, String>, _ request: ReadRequest = ReadRequest()) throws -> Imported {
        try read(Source(files: files.map { (path: $0.key, bytes: Array($0.value.utf8)) }), request)
    }
}
