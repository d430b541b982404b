import Foundation
import SettingsModel
import Surroundings
import Testing

@testable import SettingsFormats

/// Helpers for tests of GSettings.
enum GSettings {
    static let inputs = Inputs.path("gschema")

    /// Reads the packages whose schemas have recorded answers of GLib.
    static func read(_ paths: [String]) throws -> Imported { try GSettingsFormat.read(Source(paths: paths), ReadRequest()) }

    /// Reads a schema `a.b` with these keys.
    static func read(keys: String, beside: KeyValuePairs<String, String> = [:]) throws -> Imported {
        var files = [("a.gschema.xml", "<schemalist><schema id=\"a.b\" path=\"/a/b/\">\(keys)</schema></schemalist>")]
        files += beside.map { ($0.key, $0.value) }
        return try GSettingsFormat.read(Source(files: files.map { (path: $0.0, bytes: Array($0.1.utf8)) }), ReadRequest())
    }

    static func text(_ exported: Exported) -> String {
        if case .text(let bytes) = exported { String(decoding: bytes, as: UTF8.self) } else { "" }
    }

    static func dump(_ settings: SettingsContent) throws -> String { text(try GSettingsFormat.write(settings, WriteRequest())) }

    static func schemas(_ settings: SettingsContent) throws -> String {
        var request = WriteRequest()
        request.part = .definitions
        return text(try GSettingsFormat.write(settings, request))
    }

    /// Expects that everything can be written to a store and read again.
    static func expectStorable(_ imported: Imported, sourceLocation: SourceLocation = #_sourceLocation) throws {
        for (key, option) in imported.settings.options {
            #expect(option.faults().isEmpty, "\(key)", sourceLocation: sourceLocation)
            #expect(try SettingsOption(file: option.file) == option, "\(key)", sourceLocation: sourceLocation)
        }
        for (key, group) in imported.settings.groups {
            #expect(try SettingsGroup(file: group.file) == group, "\(key)", sourceLocation: sourceLocation)
        }
    }

    /// The defaults as `gsettings list-recursively` prints them, sorted.
    static func defaults(_ settings: SettingsContent) throws -> [String] {
        try rows(settings) { id, name, option in
            guard let value = option.defaultValue else { return "\(id) \(name) none" }
            return "\(id) \(name) \(try option.gsettings.gvariant(of: value).text)"
        }
    }

    /// The output of `gsettings range` for each key, on one line.
    static func ranges(_ settings: SettingsContent) throws -> [String] {
        try rows(settings) { id, name, option in "\(id)\t\(name)\t\(option.gsettingsRange)" }
    }

    private static func rows(
        _ settings: SettingsContent, _ row: (String, String, SettingsOption) throws -> String
    ) throws -> [String] {
        var rows: [String] = []
        for (key, option) in settings.options {
            guard let note = SchemaNote(settings.groups[key.group]), let id = note.id ?? note.template else { continue }
            rows.append(try row(id.string, option.importedKey?.string ?? key.name, option))
        }
        return rows.sorted()
    }

    static var compiles: Bool { tool("glib-compile-schemas") != nil && tool("gsettings") != nil }

    static func tool(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// The standard output of a program, which must succeed; its standard error is included.
    static func run(_ name: String, _ arguments: String...) throws -> String { try run(name, arguments, schemas: "/nowhere") }

    /// Runs a program with the schemas of a folder and no others.
    static func run(_ name: String, _ arguments: [String], schemas: String) throws -> String {
        let run = try Surroundings.run(
            [name] + arguments, in: "/",
            [
                "LC_ALL": "C.UTF-8", "GSETTINGS_BACKEND": "memory", "PATH": "/usr/bin:/bin", "GSETTINGS_SCHEMA_DIR": schemas,
                "XDG_DATA_DIRS": "/nowhere",
            ], joined: true)
        #expect(run.status == 0, "\(name): \(run.output.prefix(500))")
        return run.output
    }
}

extension SettingsOption {
    /// The range as `gsettings range` prints it, with tabs instead of line breaks.
    var gsettingsRange: String {
        let note = KeyNote(self)
        func list(_ kind: String, _ names: [ExactText]) -> String {
            ([kind] + names.map { GVariant.string($0.string, "s").text }).joined(separator: "\t") + "\t"
        }
        if type == .choice { return list("enum", labels.compactMap(\.value.text)) }
        // GLib lists only flags that have a bit set.
        if let enumeration = note.enumeration {
            return list("flags", enumeration.numbers.filter { $0.value.bare != "0" }.map(\.name))
        }
        if let choices = note.choices { return list("enum", choices) }
        guard let type = gsettings.type else { return "?" }
        guard range.minimum != nil || range.maximum != nil else { return "type \(type.text)\t" }
        func end(_ number: Number?, _ limit: String) -> String {
            guard let number, let value = try? GVariant(.number(number), as: type) else { return limit }
            return value.plain
        }
        let bounds = GVariantType.bounds(of: type.letter)
        func limit(_ bound: Int128?, _ infinite: String) -> String {
            bound.map { GVariant.integer($0, type).plain } ?? infinite
        }
        let (least, most) = (limit(bounds?.lowerBound, "-inf"), limit(bounds?.upperBound, "inf"))
        return "range \(type.text) \(end(range.minimum, least)) \(end(range.maximum, most))\t"
    }
}
