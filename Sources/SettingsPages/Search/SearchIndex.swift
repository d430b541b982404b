package import SettingsModel

/// The texts of options in lower case, so that a search in 10,000 of them takes less than a frame.
package struct SearchIndex: Sendable {
    struct Entry: Sendable {
        var key: Key
        /// The title and the key, with zero bytes between and after them.
        var names: [UInt8]
        /// Labels and help, the same way.
        var texts: [UInt8]
        /// The words of the title and the key, for typing errors.
        var words: [Word]
    }

    struct Word: Sendable {
        var range: Range<Int>
        /// Which letters it has.
        var letters: UInt64
    }

    let entries: [Entry]

    /// More labels of a choice are not searched.
    private static let labelLimit = 200

    package init(_ settings: SettingsContent) {
        entries = settings.options.sorted { $0.key < $1.key }.map { key, option in
            var names: [UInt8] = []
            Self.add(option.title.string, to: &names)
            Self.add(key.description, to: &names)
            var texts: [UInt8] = []
            for label in option.labels.prefix(Self.labelLimit) {
                Self.add(label.text.string, to: &texts)
                if let long = label.long { Self.add(long.string, to: &texts) }
            }
            if let help = option.help { Self.add(help.string, to: &texts) }
            return Entry(key: key, names: names, texts: texts, words: Self.words(of: names))
        }
    }

    private static func add(_ text: String, to bytes: inout [UInt8]) {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            for byte in text.utf8 { bytes.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) }
        } else {
            bytes += text.lowercased().utf8
        }
        bytes.append(0)
    }

    /// Whether a byte belongs to a word; what isn't ASCII does.
    static func isLetter(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }

    static func letters(of bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 | 1 << UInt64($1 & 0x3F) }
    }

    private static func words(of bytes: [UInt8]) -> [Word] {
        var words: [Word] = []
        var start: Int?
        for (place, byte) in bytes.enumerated() {
            if isLetter(byte) {
                if start == nil { start = place }
            } else if let first = start {
                words.append(Word(range: first..<place, letters: letters(of: bytes[first..<place])))
                start = nil
            }
        }
        return words
    }

    /// 0 for the word itself, 1 for its beginning, 2 for a part; nil where it doesn't occur.
    static func score(_ word: [UInt8], in bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            word.withUnsafeBufferPointer { word in
                guard let first = word.first, word.count < bytes.count else { return nil }
                var best: Int?
                for place in 0..<(bytes.count - word.count) where bytes[place] == first {
                    var length = 1
                    while length < word.count, bytes[place + length] == word[length] { length += 1 }
                    guard length == word.count else { continue }
                    let begins = place == 0 || !isLetter(bytes[place - 1])
                    let ends = !isLetter(bytes[place + length])
                    best = min(best ?? 2, begins ? ends ? 0 : 1 : 2)
                    if best == 0 { return 0 }
                }
                return best
            }
        }
    }

    /// Whether a word of the entry differs from this one by one typing error.
    static func isNear(_ word: [UInt8], _ letters: UInt64, in entry: Entry) -> Bool {
        entry.words.contains { other in
            abs(other.range.count - word.count) <= 1 && (other.letters ^ letters).nonzeroBitCount <= 2
                && Nearest.distance(
                    Array(String(decoding: word, as: UTF8.self)),
                    Array(String(decoding: entry.names[other.range], as: UTF8.self))) <= 1
        }
    }
}
