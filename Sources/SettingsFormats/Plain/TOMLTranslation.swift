import SettingsModel

/// A file of TOML 1.1 in the words of TOML 1.0.
struct TOMLTranslation {
    let text: String
    private let original: [UInt8]
    private let bytes: [UInt8]
    /// Where something was translated: behind it in the translation, and in the original.
    private var places: [(Int, Int)] = [(0, 0)]

    init(_ original: [UInt8], _ older: [TOMLScan.Older]) {
        var out: [UInt8] = []
        var cursor = 0
        for part in older.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            out += original[cursor..<part.range.lowerBound] + Array(part.text.utf8)
            cursor = part.range.upperBound
            places.append((out.count, cursor))
        }
        out += original[cursor...]
        self.original = original
        bytes = out
        text = String(decoding: out, as: UTF8.self)
    }

    /// Where in the original something is that has a place in the translation.
    func position(of position: BadFile.Position) -> BadFile.Position {
        var offset = 0
        for _ in 1..<max(position.line, 1) { offset = bytes[offset...].firstIndex(of: 10).map { $0 + 1 } ?? bytes.count }
        for _ in 1..<max(position.column, 1) where offset < bytes.count {
            offset += 1
            while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
        }
        let (translated, start) = places.last { $0.0 <= offset } ?? (0, 0)
        let before = original[..<min(start + offset - translated, original.count)]
        let line = before.lastIndex(of: 10).map { $0 + 1 } ?? 0
        return BadFile.Position(line: before.count { $0 == 10 } + 1, column: before[line...].count { $0 & 0xC0 != 0x80 } + 1)
    }
}

extension TOMLScan {
    /// Bytes of a file, and how TOML 1.0 says the same.
    struct Older {
        var range: Range<Int>
        var text: String
    }
}
