/// The syntax tree of a GVariant text, before its type is known.
struct GVariantSyntax {
    indirect enum Kind {
        case boolean(Bool)
        case number(String)
        case string(String)
        /// `b'…'`, without the trailing zero.
        case bytes([UInt8])
        case array([GVariantSyntax])
        case tuple([GVariantSyntax])
        case dictionary([(key: GVariantSyntax, value: GVariantSyntax)])
        case entry(GVariantSyntax, GVariantSyntax)
        case variant(GVariantSyntax)
        case just(GVariantSyntax)
        case nothing
        /// `@as []`, `uint32 5`.
        case declared(GVariantType, GVariantSyntax)
    }

    var kind: Kind
    /// The position in bytes of the text.
    var offset: Int
}

extension GVariant {
    /// Texts that are nested deeper are rejected, as in GLib.
    static let depthLimit = 128

    /// Parses a text as a value of `type`; if `type` is nil, the type is inferred from the text. `type` takes precedence over
    /// annotations in the text, as in GLib.
    init(parsing text: String, as type: GVariantType? = nil) throws(Malformed) {
        var reader = GVariantReader(text)
        let syntax = try reader.readDocument()
        self = if let type { try syntax.value(as: type) } else { try syntax.value(as: try syntax.inferredType()) }
    }
}

/// A recursive-descent reader of the bytes of one text.
struct GVariantReader {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func readDocument() throws(GVariant.Malformed) -> GVariantSyntax {
        let value = try readValue(depth: 0)
        skipSpace()
        guard offset == bytes.count else { throw GVariant.Malformed("unexpected text after the value", at: offset) }
        return value
    }

    private mutating func readValue(depth: Int) throws(GVariant.Malformed) -> GVariantSyntax {
        skipSpace()
        guard depth < GVariant.depthLimit else {
            throw GVariant.Malformed("it is nested more than \(GVariant.depthLimit) levels deep", at: offset)
        }
        guard offset < bytes.count else { throw GVariant.Malformed("a value is missing", at: offset) }
        let start = offset
        return GVariantSyntax(kind: try readKind(depth: depth), offset: start)
    }

    private mutating func readKind(depth: Int) throws(GVariant.Malformed) -> GVariantSyntax.Kind {
        switch bytes[offset] {
        case UInt8(ascii: "["):
            offset += 1
            return .array(try readItems(until: "]", depth: depth))
        case UInt8(ascii: "("): return .tuple(try readTuple(depth: depth))
        case UInt8(ascii: "{"): return try readDictionary(depth: depth)
        case UInt8(ascii: "<"):
            offset += 1
            let value = try readValue(depth: depth + 1)
            try expect(">")
            return .variant(value)
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "b") where offset + 1 < bytes.count && (bytes[offset + 1] == 39 || bytes[offset + 1] == 34):
            offset += 1
            return .bytes(try readByteString())
        case UInt8(ascii: "@"):
            let type = try readType()
            return .declared(type, try readValue(depth: depth + 1))
        case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(readRun { GVariantReader.isWord($0) || $0 == 45 || $0 == 43 || $0 == 46 })
        case UInt8(ascii: "a")...UInt8(ascii: "z"): return try readWord(depth: depth)
        default: throw GVariant.Malformed("a value can't begin with \(name(at: offset))", at: offset)
        }
    }

    private mutating func readWord(depth: Int) throws(GVariant.Malformed) -> GVariantSyntax.Kind {
        let start = offset
        let word = readRun(GVariantReader.isWord)
        switch word {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "inf", "nan": return .number(word)
        case "nothing": return .nothing
        case "just": return .just(try readValue(depth: depth + 1))
        default:
            guard let type = GVariantType.named(word) else {
                throw GVariant.Malformed("unknown word '\(word)'; a string must be quoted", at: start)
            }
            return .declared(type, try readValue(depth: depth + 1))
        }
    }

    private mutating func readType() throws(GVariant.Malformed) -> GVariantType {
        let start = offset
        offset += 1
        guard let end = GVariantType.end(of: bytes, from: offset) else {
            throw GVariant.Malformed("'@' is not followed by a type", at: start)
        }
        defer { offset = end }
        return GVariantType(checked: bytes[offset..<end])
    }

    private mutating func readItems(until close: Unicode.Scalar, depth: Int) throws(GVariant.Malformed) -> [GVariantSyntax] {
        var items: [GVariantSyntax] = []
        if take(close) { return items }
        while true {
            items.append(try readValue(depth: depth + 1))
            if take(close) { return items }
            guard take(",") else {
                throw GVariant.Malformed("expected ',' or '\(close)', found \(name(at: offset))", at: offset)
            }
        }
    }

    /// A tuple of one item has a comma after it; otherwise it is a value in parentheses.
    private mutating func readTuple(depth: Int) throws(GVariant.Malformed) -> [GVariantSyntax] {
        offset += 1
        if take(")") { return [] }
        let first = try readValue(depth: depth + 1)
        try expect(",")
        return take(")") ? [first] : [first] + (try readItems(until: ")", depth: depth))
    }

    private mutating func readDictionary(depth: Int) throws(GVariant.Malformed) -> GVariantSyntax.Kind {
        offset += 1
        var entries: [(key: GVariantSyntax, value: GVariantSyntax)] = []
        if take("}") { return .dictionary([]) }
        while true {
            let key = try readValue(depth: depth + 1)
            if entries.isEmpty, take(",") {
                let value = try readValue(depth: depth + 1)
                try expect("}")
                return .entry(key, value)
            }
            try expect(":")
            entries.append((key, try readValue(depth: depth + 1)))
            if take("}") { return .dictionary(entries) }
            try expect(",")
        }
    }
}

/// The tokens of the text.
extension GVariantReader {
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private mutating func readRun(_ belongs: (UInt8) -> Bool) -> String {
        let start = offset
        while offset < bytes.count, belongs(bytes[offset]) { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func skipSpace() {
        while offset < bytes.count, bytes[offset] == 32 || (9...10).contains(bytes[offset]) || (12...13).contains(bytes[offset]) {
            offset += 1
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(GVariant.Malformed) {
        guard take(character) else {
            throw GVariant.Malformed("expected '\(character)', found \(name(at: offset))", at: offset)
        }
    }

    private func name(at offset: Int) -> String {
        guard offset < bytes.count else { return "the end" }
        let scalar = String(decoding: bytes[offset...].prefix(4), as: UTF8.self).unicodeScalars.first ?? " "
        return scalar.value < 0x20 || scalar.value == 0x7F ? "a control character" : "'\(scalar)'"
    }

    private mutating func readString() throws(GVariant.Malformed) -> String {
        let start = offset
        let quote = bytes[offset]
        offset += 1
        var out: [UInt8] = []
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            if byte == quote { return String(decoding: out, as: UTF8.self) }
            if byte == 0 { throw zero }
            guard byte == UInt8(ascii: "\\") else {
                out.append(byte)
                continue
            }
            guard offset < bytes.count else { break }
            switch bytes[offset] {
            case 0:
                offset += 1
                throw zero
            case UInt8(ascii: "u"): out += try readScalar(digits: 4)
            case UInt8(ascii: "U"): out += try readScalar(digits: 8)
            default: readEscape(into: &out)
            }
        }
        throw GVariant.Malformed("the string isn't closed", at: start)
    }

    /// The error for a zero in the preceding byte.
    private var zero: GVariant.Malformed { GVariant.Malformed("a string can't contain a NUL character", at: offset - 1) }

    private mutating func readScalar(digits: Int) throws(GVariant.Malformed) -> [UInt8] {
        let start = offset - 1
        let text = String(decoding: bytes[(offset + 1)...].prefix(digits), as: UTF8.self)
        guard text.utf8.count == digits, text.utf8.allSatisfy({ GVariantReader.isWord($0) }), let value = UInt32(text, radix: 16),
            value > 0, let scalar = Unicode.Scalar(value)
        else { throw GVariant.Malformed("'\\\(digits == 4 ? "u" : "U")' needs \(digits) digits of a character", at: start) }
        offset += 1 + digits
        return Array(String(scalar).utf8)
    }

    /// Reads `\n` and the like; a line break after the backslash is skipped; any other character stands for itself.
    private mutating func readEscape(into out: inout [UInt8]) {
        switch bytes[offset] {
        case UInt8(ascii: "a"): out.append(7)
        case UInt8(ascii: "b"): out.append(8)
        case UInt8(ascii: "f"): out.append(12)
        case UInt8(ascii: "n"): out.append(10)
        case UInt8(ascii: "r"): out.append(13)
        case UInt8(ascii: "t"): out.append(9)
        case UInt8(ascii: "v"): out.append(11)
        case 10: break
        default: out.append(bytes[offset])
        }
        offset += 1
    }

    private mutating func readByteString() throws(GVariant.Malformed) -> [UInt8] {
        let start = offset
        let quote = bytes[offset]
        offset += 1
        var out: [UInt8] = []
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            if byte == quote { return out }
            guard byte == UInt8(ascii: "\\") else {
                out.append(byte)
                continue
            }
            guard offset < bytes.count else { break }
            let octal = bytes[offset...].prefix(3).prefix { (48...55).contains($0) }
            if octal.isEmpty {
                readEscape(into: &out)
            } else {
                out.append(UInt8(truncatingIfNeeded: octal.reduce(0) { $0 << 3 | UInt32($1 - 48) }))
                offset += octal.count
            }
        }
        throw GVariant.Malformed("the byte string isn't closed", at: start)
    }
}
