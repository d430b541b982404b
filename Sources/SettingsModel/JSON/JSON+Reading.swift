extension JSON {
    /// Larger files are rejected.
    public static let sizeLimit = 1 << 20
    /// Arrays and objects that are nested deeper are rejected.
    public static let depthLimit = 128

    /// Reads JSON (RFC 8259). A byte order mark and CRLF are accepted; duplicate members, lone surrogates, text that is not
    /// UTF-8, more than `limit` bytes and more than 128 levels are rejected. So are NaN and Infinity, although Python's reader
    /// accepts them, like everything above; whole numbers may have more than the 4,300 digits that it accepts.
    public init(parsing bytes: [UInt8], limit: Int = JSON.sizeLimit) throws(BadFile) {
        guard bytes.count <= limit else {
            // Files are only read up to just past the limit, so their true size isn't known here.
            let size = limit % (1 << 20) == 0 ? "\(limit >> 20) MiB" : "\(limit) bytes"
            throw BadFile("the file is larger than the limit of \(size)")
        }
        var reader = JSONReader(bytes)
        self = try reader.readDocument()
    }

    public init(parsing string: String) throws(BadFile) {
        try self.init(parsing: Array(string.utf8))
    }

    /// Where the value at `path` starts in `bytes`, which are valid JSON.
    static func position(of path: [PathStep], in bytes: [UInt8]) -> BadFile.Position? {
        var reader = JSONReader(bytes)
        reader.wanted = path
        _ = try? reader.readDocument()
        return reader.found.map { reader.position(at: $0) }
    }

    enum PathStep: Hashable {
        case member(ExactText)
        case element(Int)
    }
}

/// A recursive-descent reader of the bytes of one file. `JSONC` uses it for strings, words and numbers.
package struct JSONReader {
    private let bytes: [UInt8]
    package var offset = 0
    private var path: [JSON.PathStep] = []
    /// The path whose offset is searched for while reading, and that offset.
    var wanted: [JSON.PathStep]?
    var found: Int?

    private static let fewMembers = 24

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var isAtEnd: Bool { offset == bytes.count }

    mutating func readDocument() throws(BadFile) -> JSON {
        try begin()
        skipSpace()
        if isAtEnd { throw BadFile("the file is empty", cause: .isEmpty) }
        let value = try readValue(depth: 0)
        skipSpace()
        guard isAtEnd else { throw unexpected("the end of input") }
        return value
    }

    /// Skips a byte order mark, and rejects text that is not UTF-8.
    package mutating func begin() throws(BadFile) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
        try checkUTF8()
    }

    private mutating func readValue(depth: Int) throws(BadFile) -> JSON {
        if let wanted, wanted == path { found = offset }
        guard offset < bytes.count else { throw failure("the file ends in the middle of a value") }
        switch bytes[offset] {
        case UInt8(ascii: "{"): return try readObject(depth: depth + 1)
        case UInt8(ascii: "["): return try readArray(depth: depth + 1)
        default: return try readScalar()
        }
    }

    /// Reads a string, a number, `true`, `false` or `null`.
    package mutating func readScalar() throws(BadFile) -> JSON {
        guard offset < bytes.count else { throw failure("the file ends in the middle of a value") }
        switch bytes[offset] {
        case UInt8(ascii: "\""): return .string(ExactText(try readString()))
        case UInt8(ascii: "t"): return try readWord("true", as: .bool(true))
        case UInt8(ascii: "f"): return try readWord("false", as: .bool(false))
        case UInt8(ascii: "n"): return try readWord("null", as: .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let start = offset
            try scanNumber()
            return .number(Number(checked: String(decoding: bytes[start..<offset], as: UTF8.self)))
        default: throw unexpected("a value")
        }
    }

    private mutating func readObject(depth: Int) throws(BadFile) -> JSON {
        try enter(depth)
        var members: [JSON.Member] = []
        // A few members are compared directly: a set costs more, and the first set of a process 0.1 ms.
        var names: Set<ExactText> = []
        skipSpace()
        if take("}") { return .object([]) }
        while true {
            let start = offset
            guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else {
                throw unexpected("a name in double quotes")
            }
            let name = ExactText(try readString())
            if members.count == JSONReader.fewMembers { names = Set(members.map(\.name)) }
            let isNew =
                members.count < JSONReader.fewMembers
                ? !members.contains { $0.name == name } : names.insert(name).inserted
            guard isNew else {
                throw BadFile("the member \"\(name)\" appears twice", at: position(at: start))
            }
            skipSpace()
            guard take(":") else { throw unexpected("':'") }
            skipSpace()
            if wanted != nil { path.append(.member(name)) }
            members.append(JSON.Member(name, try readValue(depth: depth)))
            if wanted != nil { path.removeLast() }
            skipSpace()
            if take("}") { return .object(members) }
            guard take(",") else { throw unexpected("',' or '}'") }
            skipSpace()
        }
    }

    private mutating func readArray(depth: Int) throws(BadFile) -> JSON {
        try enter(depth)
        var elements: [JSON] = []
        skipSpace()
        if take("]") { return .array([]) }
        while true {
            if wanted != nil { path.append(.element(elements.count)) }
            elements.append(try readValue(depth: depth))
            if wanted != nil { path.removeLast() }
            skipSpace()
            if take("]") { return .array(elements) }
            guard take(",") else { throw unexpected("',' or ']'") }
            skipSpace()
        }
    }

    private mutating func enter(_ depth: Int) throws(BadFile) {
        guard depth <= JSON.depthLimit else {
            throw failure("arrays and objects are nested more than \(JSON.depthLimit) levels deep")
        }
        offset += 1
    }

    package mutating func readString() throws(BadFile) -> String {
        offset += 1
        let start = offset
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\""), bytes[offset] != UInt8(ascii: "\\"),
            bytes[offset] >= 0x20
        {
            offset += 1
        }
        var result = String(decoding: bytes[start..<offset], as: UTF8.self)
        while true {
            guard offset < bytes.count else { throw failure("the file ends inside a string") }
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                offset += 1
                return result
            case UInt8(ascii: "\\"):
                result.unicodeScalars.append(try readEscape())
            case 0..<0x20:
                throw failure(
                    bytes[offset] == 10 || bytes[offset] == 13
                        ? "a string is not closed on its line"
                        : "a control character inside a string; write it as \\u00\(hex(bytes[offset]))")
            default:
                let start = offset
                while offset < bytes.count, bytes[offset] >= 0x20, bytes[offset] != UInt8(ascii: "\""),
                    bytes[offset] != UInt8(ascii: "\\")
                {
                    offset += 1
                }
                result += String(decoding: bytes[start..<offset], as: UTF8.self)
            }
        }
    }

    private mutating func readEscape() throws(BadFile) -> Unicode.Scalar {
        let start = offset
        offset += 2
        guard offset <= bytes.count else { throw failure("the file ends inside a string") }
        switch bytes[offset - 1] {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let unit = try readUnit()
            if let scalar = Unicode.Scalar(unit) { return scalar }
            if (0xD800..<0xDC00).contains(unit), offset + 1 < bytes.count,
                bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u")
            {
                offset += 2
                let low = try readUnit()
                if (0xDC00..<0xE000).contains(low),
                    let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
                {
                    return scalar
                }
            }
            throw BadFile("half of a surrogate pair is not a character", at: position(at: start))
        default:
            throw BadFile("invalid escape sequence", at: position(at: start))
        }
    }

    private mutating func readUnit() throws(BadFile) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard offset < bytes.count, let digit = Character(Unicode.Scalar(bytes[offset])).hexDigitValue else {
                throw failure("\\u must be followed by four hexadecimal digits")
            }
            unit = unit << 4 | UInt32(digit)
            offset += 1
        }
        return unit
    }

    private mutating func readWord(_ word: String, as value: JSON) throws(BadFile) -> JSON {
        guard bytes[offset...].starts(with: word.utf8) else { throw unexpected("a value") }
        offset += word.utf8.count
        return value
    }

    mutating func scanNumber() throws(BadFile) {
        _ = take("-")
        if !take("0") { try scanDigits() }
        if take(".") { try scanDigits() }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            try scanDigits()
        }
        if offset < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) {
            throw failure("a number must not begin with 0")
        }
    }

    private mutating func scanDigits() throws(BadFile) {
        let start = offset
        while offset < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) { offset += 1 }
        guard offset > start else { throw unexpected("a digit") }
    }

    package mutating func skipSpace() {
        while offset < bytes.count, bytes[offset] == 32 || (9...10).contains(bytes[offset]) || bytes[offset] == 13 {
            offset += 1
        }
    }

    package mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func checkUTF8() throws(BadFile) {
        guard String(validating: bytes, as: UTF8.self) == nil else { return }
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var valid = 0
        while case .scalarValue(let scalar) = decoder.decode(&iterator) { valid += UTF8.width(scalar) }
        offset = valid
        throw failure("the file is not UTF-8", hint: "save it as UTF-8")
    }
}

/// Errors and their positions.
extension JSONReader {
    package func position(at offset: Int) -> BadFile.Position {
        BadFile.Position(of: offset, in: bytes)
    }

    package func failure(_ reason: String, hint: String? = nil) -> BadFile {
        BadFile(reason, at: position(at: offset), hint: hint)
    }

    package func unexpected(_ expected: String) -> BadFile {
        let lineStart = (bytes[..<min(offset, bytes.count)].lastIndex(of: 10) ?? -1) + 1
        if ConflictMarker.begins(bytes[lineStart...]) {
            return BadFile(
                ConflictMarker.reason, at: position(at: lineStart), hint: ConflictMarker.hint, cause: .hasConflictMarkers)
        }
        guard offset < bytes.count else { return failure("expected \(expected), found the end of input") }
        return failure("expected \(expected), found \(JSONReader.name(of: bytes[offset...]))")
    }

    private static func name(of rest: ArraySlice<UInt8>) -> String {
        let scalar = String(decoding: rest.prefix(4), as: UTF8.self).unicodeScalars.first ?? " "
        return scalar.value < 0x20 || scalar.value == 0x7F ? "a control character" : "'\(scalar)'"
    }

    private func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
