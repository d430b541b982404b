import Seeds

/// Mutates inputs without knowledge of their readers; the same seed gives the same mutations.
struct Mutator {
    private var random: Seeded
    private let inputs: [[UInt8]]
    /// Words and single characters from the inputs, and known edge cases.
    private let pieces: [[UInt8]]

    init(_ inputs: [[UInt8]], seed: UInt64) {
        random = Seeded(seed)
        self.inputs = inputs
        var words: Set<[UInt8]> = []
        for input in inputs {
            for word in input.split(whereSeparator: { !Self.isWordByte($0) }) where word.count < 40 { words.insert(Array(word)) }
            for byte in input where !Self.isWordByte(byte) { words.insert([byte]) }
        }
        pieces = words.sorted { $0.lexicographicallyPrecedes($1) } + Self.stumblingBlocks
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte | 0x20 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: byte >= 0x80
        }
    }

    private static let stumblingBlocks: [[UInt8]] =
        [
            "", "\0", "\r\n", "\n\n", "\\", "\"", "'", "]]>", "<!--", "-->", "${", "\\u", "\\ud800", "\\U0010FFFF", "%7e", "~1",
            "/..",
            "-", "+", "0", "-0", "1e999", "-1", "255", "65536", "2147483648", "4294967295", "9223372036854775807",
            "-9223372036854775808", "9223372036854775808", "18446744073709551616", "0x", "0.1e-400", "NaN", "inf", "null", "true",
            "é", "e\u{301}", "\u{FEFF}", "\u{2028}", "\u{202E}", "👩‍👩‍👧", "٣", "ﬀ", "İ",
        ].map { Array($0.utf8) } + [
            [0xFF], [0xFF, 0xFE], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0, 0, 0, 0],
            [0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        ]

    /// One of the inputs with one to six mutations.
    mutating func next() -> [UInt8] {
        var bytes = random.pick(inputs)
        for _ in 0..<random.int(1...6) { change(&bytes) }
        return Array(bytes.prefix(FuzzTarget.sizeLimit))
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = random.int(bytes.count + 1)
        let end = min(bytes.count, place + random.int(1...(random.chance(80) ? 8 : 200)))
        switch random.int(10) {
        case 0: if place < bytes.count { bytes[place] ^= 1 << UInt8(random.int(8)) }
        case 1: if place < bytes.count { bytes[place] = UInt8(random.int(256)) }
        case 2, 3: bytes.insert(contentsOf: random.pick(pieces), at: place)
        case 4: bytes.removeSubrange(place..<end)
        case 5: bytes.insert(contentsOf: bytes[place..<end], at: random.int(bytes.count + 1))
        case 6: replaceWord(in: &bytes, from: place)
        case 7:
            let other = random.pick(inputs)
            let start = random.int(other.count + 1)
            bytes.insert(contentsOf: other[start..<min(other.count, start + random.int(1...60))], at: place)
        case 8: if random.chance(30) { bytes.removeSubrange(place...) }
        default:
            // Deep nesting and repetition.
            guard random.chance(30) else { return }
            let piece = random.chance(50) ? Array(bytes[place..<end]) : random.pick(pieces)
            for _ in 0..<random.int(2...400) where bytes.count < FuzzTarget.sizeLimit {
                bytes.insert(contentsOf: piece, at: place)
            }
        }
    }

    private mutating func replaceWord(in bytes: inout [UInt8], from place: Int) {
        guard let start = bytes[place...].firstIndex(where: Self.isWordByte) else { return }
        let end = bytes[start...].firstIndex { !Self.isWordByte($0) } ?? bytes.count
        bytes.replaceSubrange(start..<end, with: random.pick(pieces))
    }
}
