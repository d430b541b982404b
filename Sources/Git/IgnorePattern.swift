// One line of a `.gitignore`, as gitignore(5) describes it: `!` takes back, a slash at the end means folders alone, a slash
// elsewhere ties the line to the folder of its file. libgit2 is not asked: it drops a `!` that takes back what a file
// further up ignores (issue 7284, open), it doesn't say which line decided, and starting it costs more than reading an
// option.

/// A pattern of a `.gitignore`. Matching takes time in proportion to the pattern times the path.
struct IgnorePattern {
    /// As it is written.
    let text: String
    /// Counted from 1.
    let line: Int
    let isNegated: Bool
    private let matchesFoldersOnly: Bool
    /// It is compared with the path from the folder of its file on, not with the last part alone.
    private let isAnchored: Bool
    private let glob: Glob

    /// Nil for a line that says nothing.
    init?(_ line: ArraySlice<UInt8>, number: Int) {
        var bytes = line.prefix { $0 != 0 }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        bytes = Self.trimmed(bytes)
        guard let first = bytes.first, first != UInt8(ascii: "#") else { return nil }
        text = String(decoding: bytes, as: UTF8.self)
        self.line = number
        isNegated = first == UInt8(ascii: "!")
        if isNegated { bytes.removeFirst() }
        matchesFoldersOnly = bytes.last == UInt8(ascii: "/")
        if matchesFoldersOnly { bytes.removeLast() }
        isAnchored = bytes.contains(UInt8(ascii: "/"))
        if isAnchored, bytes.first == UInt8(ascii: "/") { bytes.removeFirst() }
        glob = Glob(bytes)
    }

    /// Without spaces at the end, as far as no backslash stands before them.
    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var end = bytes.startIndex
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let isEscaped = bytes[position] == UInt8(ascii: "\\") && position + 1 < bytes.endIndex
            if isEscaped { position += 1 }
            position += 1
            if isEscaped || bytes[position - 1] != UInt8(ascii: " ") { end = position }
        }
        return bytes[..<end]
    }

    /// `path` counts from the folder of the pattern's file; `name` is its last part.
    func matches(_ path: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer, isFolder: Bool, ignoringCase: Bool) -> Bool {
        if matchesFoldersOnly, !isFolder { return false }
        return glob.matches(isAnchored ? path : name, ignoringCase: ignoringCase)
    }
}

/// A shell pattern as git matches paths with it: `*` and `?` stop at a slash, `**` as a whole part does not.
private struct Glob {
    private enum Token {
        case byte(UInt8)
        /// Any but a slash.
        case one
        case set(ByteSet)
        /// Any number of bytes, none of them a slash.
        case many
        /// Any number of bytes.
        case all
        /// What follows, `all` and a slash, may be missing.
        case optionalFolders
        case nothing
    }

    private let tokens: [Token]
    /// The whole pattern, where it has nothing special.
    private let literal: [UInt8]?
    /// What it ends with, where that is plain: tells most paths apart at once.
    private let lastByte: UInt8?

    init(_ pattern: ArraySlice<UInt8>) {
        let pattern = Array(pattern)
        var tokens: [Token] = []
        var position = 0
        func byte(_ offset: Int) -> UInt8? { position + offset < pattern.count ? pattern[position + offset] : nil }
        while let next = byte(0) {
            switch next {
            case UInt8(ascii: "\\"):
                tokens.append(byte(1).map { .byte($0) } ?? .nothing)
                position += 2
            case UInt8(ascii: "?"):
                tokens.append(.one)
                position += 1
            case UInt8(ascii: "*"):
                let start = position
                while byte(0) == UInt8(ascii: "*") { position += 1 }
                let beginsPart = start == 0 || pattern[start - 1] == UInt8(ascii: "/")
                let isEscapedSlash = byte(0) == UInt8(ascii: "\\") && byte(1) == UInt8(ascii: "/")
                if position - start > 1, beginsPart, byte(0) == UInt8(ascii: "/") {
                    tokens += [.optionalFolders, .all, .byte(UInt8(ascii: "/"))]
                    position += 1
                } else {
                    tokens.append(position - start > 1 && beginsPart && (byte(0) == nil || isEscapedSlash) ? .all : .many)
                }
            case UInt8(ascii: "["):
                guard let (set, end) = ByteSet.read(pattern, from: position + 1) else {
                    tokens.append(.nothing)
                    position = pattern.count
                    continue
                }
                tokens.append(.set(set))
                position = end
            default:
                tokens.append(.byte(next))
                position += 1
            }
        }
        self.tokens = tokens
        let plain = tokens.compactMap { if case .byte(let byte) = $0 { byte } else { nil } }
        literal = plain.count == tokens.count ? plain : nil
        lastByte = if case .byte(let byte)? = tokens.last { byte } else { nil }
    }

    func matches(_ text: UnsafeRawBufferPointer, ignoringCase: Bool) -> Bool {
        func same(_ left: UInt8, _ right: UInt8) -> Bool { left == right || ignoringCase && folded(left) == folded(right) }
        if let lastByte { guard let last = text.last, same(last, lastByte) else { return false } }
        if let literal { return literal.count == text.count && zip(literal, text).allSatisfy(same) }
        // The places in the pattern that the text so far may lead to.
        var places = [Bool](repeating: false, count: tokens.count + 1)
        func reach(_ place: Int, _ places: inout [Bool]) {
            guard !places[place] else { return }
            places[place] = true
            guard place < tokens.count else { return }
            switch tokens[place] {
            case .many, .all: reach(place + 1, &places)
            case .optionalFolders:
                reach(place + 1, &places)
                reach(place + 3, &places)
            case .byte, .one, .set, .nothing: break
            }
        }
        reach(0, &places)
        for byte in text {
            var next = [Bool](repeating: false, count: places.count)
            for (place, token) in tokens.enumerated() where places[place] {
                switch token {
                case .byte(let wanted): if same(byte, wanted) { reach(place + 1, &next) }
                case .one: if byte != UInt8(ascii: "/") { reach(place + 1, &next) }
                case .set(let set):
                    let isIn = set.contains(byte) || ignoringCase && set.contains(folded(byte))
                    if isIn != set.isNegated, byte != UInt8(ascii: "/") { reach(place + 1, &next) }
                case .many: if byte != UInt8(ascii: "/") { reach(place, &next) }
                case .all: reach(place, &next)
                case .optionalFolders, .nothing: break
                }
            }
            places = next
        }
        return places[tokens.count]
    }

    private func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}

/// What stands between brackets.
private struct ByteSet {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    private(set) var isNegated = false

    func contains(_ byte: UInt8) -> Bool {
        let word =
            switch byte >> 6 {
            case 0: words.0
            case 1: words.1
            case 2: words.2
            default: words.3
            }
        return word >> UInt64(byte & 63) & 1 == 1
    }

    private mutating func insert(_ byte: UInt8) {
        let bit: UInt64 = 1 << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: words.0 |= bit
        case 1: words.1 |= bit
        case 2: words.2 |= bit
        default: words.3 |= bit
        }
    }

    /// Reads from behind the opening bracket; nil where none closes, or a class has no name that is known.
    static func read(_ pattern: [UInt8], from start: Int) -> (set: ByteSet, end: Int)? {
        var set = ByteSet()
        var position = start
        func byte(_ offset: Int = 0) -> UInt8? { position + offset < pattern.count ? pattern[position + offset] : nil }
        if byte() == UInt8(ascii: "!") || byte() == UInt8(ascii: "^") {
            set.isNegated = true
            position += 1
        }
        var previous: UInt8?
        var isFirst = true
        while isFirst || byte() != UInt8(ascii: "]") {
            isFirst = false
            guard var next = byte() else { return nil }
            if next == UInt8(ascii: "["), byte(1) == UInt8(ascii: ":") {
                let name = pattern[(position + 2)...].prefix { $0 != UInt8(ascii: "]") }
                guard position + 2 + name.count < pattern.count else { return nil }
                if name.last == UInt8(ascii: ":") {
                    guard let isMember = classes[String(decoding: name.dropLast(), as: UTF8.self)] else { return nil }
                    for member in 0...UInt8(127) where isMember(member) { set.insert(member) }
                    position += name.count + 3
                    previous = nil
                    continue
                }
            }
            if next == UInt8(ascii: "-"), let first = previous, var last = byte(1), last != UInt8(ascii: "]") {
                position += 1
                if last == UInt8(ascii: "\\") {
                    position += 1
                    guard let escaped = byte() else { return nil }
                    last = escaped
                }
                if first <= last { for member in first...last { set.insert(member) } }
                position += 1
                previous = nil
                continue
            }
            if next == UInt8(ascii: "\\") {
                position += 1
                guard let escaped = byte() else { return nil }
                next = escaped
            }
            set.insert(next)
            previous = next
            position += 1
        }
        return (set, position + 1)
    }

    private static let classes: [String: @Sendable (UInt8) -> Bool] = [
        "alnum": { isLetter($0) || isDigit($0) }, "alpha": isLetter, "digit": isDigit,
        "blank": { $0 == 32 || $0 == 9 }, "cntrl": { $0 < 32 || $0 == 127 },
        "graph": { (33...126).contains($0) }, "print": { (32...126).contains($0) },
        "lower": { (0x61...0x7A).contains($0) }, "upper": { (0x41...0x5A).contains($0) },
        "punct": { (33...126).contains($0) && !isLetter($0) && !isDigit($0) },
        "space": { $0 == 32 || (9...13).contains($0) },
        "xdigit": { isDigit($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0) },
    ]

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
