import SettingsModel

/// A file of sections with `key=value` lines, as GLib reads it: overrides of schemas, and the output of `dconf dump`.
struct KeyFile {
    struct Section {
        var name: String
        var line: Int
        var entries: [Entry] = []
    }

    struct Entry {
        var key: String
        /// The value as written.
        var value: String
        var line: Int
        /// The column of the value, from 1.
        var column: Int
    }

    /// The sections in file order; a repeated section continues the first one.
    private(set) var sections: [Section] = []

    init(_ bytes: [UInt8], in file: String) throws(Refusal) {
        let text = try KeyFileScanner.read(bytes, as: .dconf, in: file)
        var places: [ExactText: Int] = [:]
        var lines = KeyFileLines(bytes)
        for section in text.sections {
            let line = lines.line(at: section.header.lowerBound)
            guard places.updateValue(places[section.path[0]] ?? sections.count, forKey: section.path[0]) == nil else { continue }
            sections.append(Section(name: section.path[0].string, line: line))
        }
        lines = KeyFileLines(bytes)
        for entry in text.entries {
            guard let value = entry.value, let section = entry.section, let index = places[text.sections[section].path[0]] else {
                continue
            }
            let line = lines.line(at: entry.key.lowerBound)
            let column = String(decoding: bytes[lines.start..<value.span.lowerBound], as: UTF8.self).unicodeScalars.count + 1
            sections[index].entries.append(
                Entry(key: entry.name.string, value: value.text.string, line: line, column: column))
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 || byte == 12 }

    /// Whether this begins like the output of `dconf dump`: with a section named by a path, which no other format has.
    static func looksLikeDump(_ bytes: [UInt8]) -> Bool {
        for line in bytes.prefix(1 << 16).split(separator: UInt8(ascii: "\n")) {
            guard let first = line.first(where: { !isSpace($0) }), first != UInt8(ascii: "#") else { continue }
            let name = line.drop { isSpace($0) }
            return first == UInt8(ascii: "[") && name.contains(UInt8(ascii: "/"))
                && !name.contains(UInt8(ascii: "\"")) && !name.contains(UInt8(ascii: "'"))
                && name.reversed().first { !isSpace($0) } == UInt8(ascii: "]")
        }
        return false
    }
}

/// The lines of places that are asked for in order.
private struct KeyFileLines {
    private let bytes: [UInt8]
    private var line = 1
    /// The start of the line.
    private(set) var start = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
    }

    mutating func line(at offset: Int) -> Int {
        while let end = bytes[start..<offset].firstIndex(of: 10) { (line, start) = (line + 1, end + 1) }
        return line
    }
}
