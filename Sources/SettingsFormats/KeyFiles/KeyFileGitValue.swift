import SettingsModel

/// Values of git's configuration: quotes may begin and end anywhere, and a comment needs no blank before it.
enum KeyFileGitValue {
    /// The value that begins at `start`, and the end of its last line.
    static func read(
        _ bytes: [UInt8], from start: Int, in file: String
    ) throws(Refusal) -> (value: KeyFileValue, end: Int) {
        func refusal(_ reason: String, _ offset: Int) -> Refusal {
            Refusal(reason, in: file, at: BadFile.Position(of: offset, in: bytes))
        }
        var text: [UInt8] = []
        var spaces = 0
        var isQuoted = false
        var offset = start
        // The end of the last byte that is a part of the value.
        var end = start
        scan: while offset < bytes.count {
            var byte = bytes[offset]
            if byte == 13, offset + 1 < bytes.count, bytes[offset + 1] == 10 {
                offset += 1
                byte = 10
            }
            if byte == 10 {
                if isQuoted { throw refusal("a value begins with a quote and has no end", start) }
                break scan
            }
            if !isQuoted, byte == 32 || byte == 9 || byte == 13 {
                if !text.isEmpty { spaces += 1 }
                offset += 1
                continue
            }
            if !isQuoted, byte == UInt8(ascii: "#") || byte == UInt8(ascii: ";") { break scan }
            text += Array(repeating: 32, count: spaces)
            spaces = 0
            offset += 1
            if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: "\\") {
                guard let meaning = escape(bytes, &offset) else {
                    throw refusal("a backslash stands before a character that it can't escape", offset)
                }
                text += meaning
            } else {
                text.append(byte)
            }
            end = offset
        }
        if isQuoted { throw refusal("a value begins with a quote and has no end", start) }
        while offset < bytes.count, bytes[offset] != 10 { offset += 1 }
        if offset > end, offset <= bytes.count, bytes[offset - 1] == 13 { offset -= 1 }
        let value = KeyFileValue(span: start..<end, text: ExactText(String(decoding: text, as: UTF8.self)))
        return (value, offset)
    }

    /// What an escape stands for: nothing for a line that continues; nil if it is invalid.
    private static func escape(_ bytes: [UInt8], _ offset: inout Int) -> [UInt8]? {
        guard offset < bytes.count else { return [] }
        var byte = bytes[offset]
        offset += 1
        if byte == 13, offset < bytes.count, bytes[offset] == 10 {
            byte = 10
            offset += 1
        }
        switch byte {
        case 10: return []
        case UInt8(ascii: "n"): return [10]
        case UInt8(ascii: "t"): return [9]
        case UInt8(ascii: "b"): return [8]
        case UInt8(ascii: "\\"), UInt8(ascii: "\""): return [byte]
        default: return nil
        }
    }

    /// The spelling of a text, in quotes if it needs them or if any of the old value was in quotes.
    static func encoded(_ text: String, like old: ArraySlice<UInt8> = []) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": out += "\\n"
            case "\t": out += "\\t"
            case "\u{8}": out += "\\b"
            case "\\": out += "\\\\"
            case "\"": out += "\\\""
            default: out.unicodeScalars.append(scalar)
            }
        }
        var isEscaped = false
        let wasQuoted = old.contains { byte in
            defer { isEscaped = !isEscaped && byte == UInt8(ascii: "\\") }
            return byte == UInt8(ascii: "\"") && !isEscaped
        }
        let isBare =
            text.first != " " && text.last != " " && !text.utf8.contains { "#;\r".utf8.contains($0) }
        return isBare && !wasQuoted ? out : "\"\(out)\""
    }
}

extension KeyFileText {
    /// The name of a subsection, which is told apart from a key of the section by its quotes.
    static func quoted(_ name: String) -> ExactText { ExactText("\"\(name)\"") }
}
