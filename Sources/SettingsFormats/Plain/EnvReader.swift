import SettingsModel

/// Reads the variables of a `.env` file one by one.
struct EnvReader {
    private let file: String
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    /// What is said of the current variable.
    private var note: Note?

    /// The line or lines of one variable.
    struct Variable {
        var name: ExactText
        /// Nil for a name alone: the program that reads the file takes the value from the environment.
        var value: ExactText?
        /// The line in the file.
        var line: Int
        /// The start of its name and of what precedes it on the line.
        var start: Int
        /// The end of its name.
        var nameEnd: Int
        /// Its value including the quotes.
        var range: Range<Int>
        var isExported: Bool
        /// Whether it is assigned with `=`, which distinguishes files of variables.
        var isAssigned = false
        var note: Note?
    }

    /// A value that readers of such files read differently.
    enum Note {
        /// It begins with `#`.
        case hash
        /// It has quotes behind backslashes between single quotes.
        case escapes

        var found: String {
            switch self {
            case .hash: "the value begins with '#'"
            case .escapes: "quotes are escaped between single quotes, as python-dotenv writes them"
            }
        }

        var done: String {
            switch self {
            case .hash: "read as by sh, docker compose and python-dotenv; node's dotenv reads it as a comment"
            case .escapes: "read as by python-dotenv; sh and docker compose can't read it"
            }
        }
    }

    init(_ bytes: [UInt8], _ file: String) {
        self.bytes = bytes
        self.file = file
    }

    static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(0x30...0x39).contains(first), first != UInt8(ascii: "-") else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }

    static func variables(of bytes: [UInt8], in file: String) throws(Refusal) -> [Variable] {
        var reader = EnvReader(bytes, file)
        var variables: [Variable] = []
        while let variable = try reader.next() { variables.append(variable) }
        return variables
    }

    private mutating func next() throws(Refusal) -> Variable? {
        skip { $0.isSpace || $0.isLineEnd }
        while peek == UInt8(ascii: "#") {
            skip { !$0.isLineEnd }
            skip { $0.isSpace || $0.isLineEnd }
        }
        guard peek != nil else { return nil }
        let (start, line) = (offset, line)
        var name = take { !"=:#".utf8.contains($0) && !$0.isLineEnd }
        let isExported = name.hasPrefix("export") && name.utf8.dropFirst(6).first?.isSpace == true
        if isExported { name = String(name.dropFirst(7)) }
        name = String(name.drop { $0 == " " || $0 == "\t" })
        while name.last == " " || name.last == "\t" { name.removeLast() }
        // A colon is a separator if a space follows it, as in compose and node.
        let isColon = peek == UInt8(ascii: ":") && offset + 1 < bytes.count && bytes[offset + 1].isSpace
        let isAlone = peek.map { $0.isLineEnd || $0 == UInt8(ascii: "#") } ?? true
        guard peek == UInt8(ascii: "=") || isColon || isAlone && EnvReader.isName(name) else {
            throw refusal(
                "'\(name.prefix(60))' has no value: expected NAME=value", hint: "is this a file of environment variables?")
        }
        guard EnvReader.isName(name) else {
            throw refusal(
                "'\(name.prefix(60))' is not a valid variable name",
                hint: "the name of a variable consists of letters, digits, '_', '-' and '.', and does not begin with a digit")
        }
        let nameEnd = bytes[..<offset].lastIndex { !$0.isSpace }.map { $0 + 1 } ?? offset
        var variable = Variable(
            name: ExactText(name), value: nil, line: line, start: start, nameEnd: nameEnd, range: nameEnd..<nameEnd,
            isExported: isExported)
        if isAlone {
            skip { !$0.isLineEnd }
            return variable
        }
        variable.isAssigned = !isColon
        offset += 1
        let behind = offset
        skip { $0.isSpace }
        let begin = offset
        note = nil
        let (value, end) = try value(of: name, isSpaced: offset > behind)
        variable.value = ExactText(value)
        variable.note = note
        variable.range = begin..<max(begin, end)
        return variable
    }

    private mutating func value(of name: String, isSpaced: Bool) throws(Refusal) -> (String, Int) {
        guard let quote = peek, "'\"`".utf8.contains(quote) else {
            // A comment must follow a space.
            var isSpaced = isSpaced
            let start = offset
            var end = offset
            if peek == UInt8(ascii: "#"), !isSpaced { note = .hash }
            while let byte = peek, !byte.isLineEnd {
                if byte == UInt8(ascii: "#"), isSpaced { break }
                isSpaced = byte.isSpace
                offset += 1
                if !isSpaced { end = offset }
            }
            skip { !$0.isLineEnd }
            return (String(decoding: bytes[start..<end], as: UTF8.self), end)
        }
        let (start, begin) = (line, offset)
        offset += 1
        var text: [UInt8] = []
        while let byte = peek, byte != quote {
            offset += 1
            if byte == 10 { line += 1 }
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), let escaped = peek {
                offset += 1
                if escaped == 10 { line += 1 }
                text += EnvReader.meaning(of: escaped)
            } else if byte == 13, peek == 10 {
                continue
            } else {
                text.append(byte)
            }
        }
        guard peek == quote else {
            line = start
            throw refusal(
                "the value of '\(name)' has no closing \(Unicode.Scalar(quote))",
                hint: "add the closing \(Unicode.Scalar(quote))")
        }
        offset += 1
        let end = offset
        skip { $0.isSpace }
        if let byte = peek, byte != UInt8(ascii: "#"), !byte.isLineEnd {
            line = start
            if quote == UInt8(ascii: "'"), let escaped = escapedValue(from: begin) { return escaped }
            throw refusal(
                "unexpected text after the quoted value of '\(name)'", hint: "quote the whole value, or none of it")
        }
        skip { !$0.isLineEnd }
        return (String(decoding: text, as: UTF8.self), end)
    }

    /// A value between single quotes with escaped ones in it; nil if it isn't one.
    private mutating func escapedValue(from begin: Int) -> (String, Int)? {
        var text: [UInt8] = []
        var end = begin + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "'") {
            let isEscape = bytes[end] == UInt8(ascii: "\\") && end + 1 < bytes.count && "'\\".utf8.contains(bytes[end + 1])
            if isEscape { end += 1 }
            text.append(bytes[end])
            end += 1
        }
        guard end < bytes.count else { return nil }
        let rest = bytes[(end + 1)...].drop(while: \.isSpace).first
        guard rest.map({ $0 == UInt8(ascii: "#") || $0.isLineEnd }) ?? true else { return nil }
        line += bytes[begin...end].count { $0 == 10 }
        offset = end + 1
        note = .escapes
        skip { !$0.isLineEnd }
        return (String(decoding: text, as: UTF8.self), end + 1)
    }

    /// What a character after a backslash means in double quotes. An unknown escape keeps its backslash.
    private static func meaning(of escaped: UInt8) -> [UInt8] {
        switch escaped {
        case UInt8(ascii: "n"): [10]
        case UInt8(ascii: "r"): [13]
        case UInt8(ascii: "t"): [9]
        case 10: []
        case _ where "\"\\$`'".utf8.contains(escaped): [escaped]
        default: [UInt8(ascii: "\\"), escaped]
        }
    }

    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) { _ = take(isSkipped) }

    private mutating func take(_ isTaken: (UInt8) -> Bool) -> String {
        let start = offset
        while let byte = peek, isTaken(byte) {
            if byte == 10 { line += 1 }
            offset += 1
        }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private func refusal(_ reason: String, hint: String) -> Refusal {
        Refusal(reason, in: file, at: BadFile.Position(line: line, column: 1), hint: hint)
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == 32 || self == 9 }
    fileprivate var isLineEnd: Bool { self == 10 || self == 13 }
}
