import Foundation
import SettingsModel
import Testing

@testable import SettingsFormats

/// Compares real schemas with GLib's own answers.
@Suite(.enabled(if: Inputs.areThere, "needs ../shared/inputs"))
struct GSettingsOracleTests {
    private func lines(_ name: String) throws -> [String] {
        try String(contentsOfFile: "\(GSettings.inputs)/ORACLE/\(name)", encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    private func folders() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: GSettings.inputs).filter { $0.hasPrefix("debian__") }.sorted()
            .map { "\(GSettings.inputs)/\($0)" }
    }

    /// The schemas with recorded answers of GLib.
    private func asked(_ rows: [String], _ separator: Character) throws -> [String] {
        let schemas = Set(try lines("open.schemas.txt") + lines("open.relocatable-schemas.txt"))
        return rows.filter { schemas.contains(String($0.prefix { $0 != separator })) }
    }

    private func expectEqual(_ ours: [String], _ theirs: [String]) {
        let differences = Set(ours).symmetricDifference(theirs).sorted()
        #expect(differences.isEmpty, "\(differences.count) differences: \(differences.prefix(6))")
    }

    @Test func defaultsWithOverrides() throws {
        let imported = try GSettings.read(try folders())
        try GSettings.expectStorable(imported)
        let ours = try asked(try GSettings.defaults(imported.settings), " ")
        expectEqual(ours, try lines("open.list-recursively.with-overrides.txt"))
        #expect(ours.count == 1008)
    }

    @Test func defaultsWithoutOverrides() throws {
        let files = try folders().flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".xml") }.map { "\(folder)/\($0)" }
        }
        let imported = try GSettings.read(files.sorted())
        let ours = try asked(try GSettings.defaults(imported.settings), " ")
        expectEqual(ours, try lines("open.list-recursively.no-overrides.txt"))
    }

    @Test func ranges() throws {
        let imported = try GSettings.read(try folders())
        let ours = try asked(try GSettings.ranges(imported.settings), "\t")
        expectEqual(ours, try lines("open.range.tsv"))
    }
}
