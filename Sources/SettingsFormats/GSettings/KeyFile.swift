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

    /// The maximum number of lines with sections and keys.
    static let countLimit = 50_000

    /// The sections in file order; a repeated section continues the first one.
    private(set) var sections: [Section] = []
    private var places: [String: Int] = [:]

    init(_ bytes: [UInt8], in file: String) throws(Refusal) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Refusal("is not UTF-8", in: file, hint: "save it as UTF-8")
        }
        var current: Int?
        var number = 0
        var count = 0
        for var line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            if number == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
            let start = line.startIndex
            while let last = line.last, KeyFile.isSpace(last) { line = line.dropLast() }
            while let first = line.first, KeyFile.isSpace(first) { line = line.dropFirst() }
            guard let first = line.first, first != UInt8(ascii: "#") else { continue }
            count += 1
            guard count <= KeyFile.countLimit else { throw Refusal("has more than \(KeyFile.countLimit) lines", in: file) }
            if first == UInt8(ascii: "["), line.last == UInt8(ascii: "]"), line.count > 2 {
                current = section(String(Substring(line.dropFirst().dropLast())), number)
                continue
            }
            let position = BadFile.Position(line: number, column: 1)
            guard let equals = line.firstIndex(of: UInt8(ascii: "=")), equals > line.startIndex else {
                let conflict = ConflictMarker.begins(line)
                throw Refusal(
                    conflict ? ConflictMarker.reason : "a line is neither a section, nor key=value, nor a comment", in: file,
                    at: position, hint: conflict ? ConflictMarker.hint : nil)
            }
            guard let current else {
                throw Refusal("a key stands before the first section", in: file, at: position)
            }
            var key = line[..<equals]
            while let last = key.last, KeyFile.isSpace(last) { key = key.dropLast() }
            var value = line[line.index(after: equals)...]
            while let first = value.first, KeyFile.isSpace(first) { value = value.dropFirst() }
            let column = text[start..<value.startIndex].unicodeScalars.count + 1
            sections[current].entries.append(
                Entry(key: String(Substring(key)), value: String(Substring(value)), line: number, column: column))
        }
    }

    private mutating func section(_ name: String, _ line: Int) -> Int {
        if let index = places[name] { return index }
        places[name] = sections.count
        sections.append(Section(name: name, line: line))
        return sections.count - 1
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
