import SettingsFormats
import SettingsModel
import Testing

/// Expectations for every import, whatever its format.
func expectWhole(_ imported: Imported, sourceLocation: SourceLocation = #_sourceLocation) throws {
    for (key, option) in imported.settings.options {
        #expect(option.faults().isEmpty, "\(key): \(option.faults())", sourceLocation: sourceLocation)
        #expect(try SettingsOption(file: option.file) == option, "\(key)", sourceLocation: sourceLocation)
        #expect(throws: Never.self, sourceLocation: sourceLocation) { try Key(parts: key.parts) }
    }
    for (key, group) in imported.settings.groups {
        #expect(try SettingsGroup(file: group.file) == group, "\(key)", sourceLocation: sourceLocation)
    }
}

extension Format {
    /// The export of `settings`, as text.
    static func text(_ settings: SettingsContent, _ request: WriteRequest = WriteRequest()) throws -> String {
        guard case .text(let bytes) = try write(settings, request) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `settings` after an export of the definitions and an import.
    static func reread(_ settings: SettingsContent, as name: String) throws -> Imported {
        var request = WriteRequest()
        request.part = .definitions
        return try read(Source(files: [(path: name, bytes: Array(text(settings, request).utf8))]), ReadRequest())
    }

    static func written(
        _ settings: SettingsContent, into present: String? = nil, _ part: WriteRequest.Part? = nil
    ) throws -> String {
        var request = WriteRequest()
        request.part = part
        request.present = present.map { Array($0.utf8) }
        request.prunes = true
        return try text(settings, request)
    }
}

extension SettingsContent {
    /// The settings without everything that is not a definition.
    var definitions: SettingsContent {
        var copy = self
        for key in options.keys { copy.options[key]?.value = nil }
        return copy
    }

    subscript(name: String) -> SettingsOption? { (try? Key(name)).flatMap { options[$0] } }
    func group(_ name: String) -> SettingsGroup? { (try? Key(name)).flatMap { groups[$0] } }

    mutating func set(_ name: String, _ value: JSON?) {
        if let key = try? Key(name) { options[key]?.value = value }
    }
}

/// The differences between two settings, one per line.
func differences(_ left: SettingsContent, _ right: SettingsContent) -> [String] {
    left.subjects.union(right.subjects).filter { left[$0] != right[$0] }.map { subject in
        func text(_ item: SettingsContent.Item?) -> String { item.map { String(decoding: $0.file, as: UTF8.self) } ?? "nothing" }
        return "\(subject):\n\(text(left[subject]))\n\(text(right[subject]))"
    }.sorted()
}
