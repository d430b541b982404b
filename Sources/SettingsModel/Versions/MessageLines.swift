/// Lines of a message.
enum MessageLines {
    static func isBlank(_ line: Substring) -> Bool {
        // Most lines begin like this; comparing characters takes 20 times as long as comparing bytes.
        if let first = line.utf8.first, (0x21...0x7E).contains(first) { return false }
        return line.allSatisfy(\.isWhitespace)
    }

    /// Without leading and trailing empty lines.
    static func trimmed(_ lines: ArraySlice<Substring>) -> ArraySlice<Substring> {
        var lines = lines
        while let first = lines.first, isBlank(first) { lines.removeFirst() }
        while let last = lines.last, isBlank(last) { lines.removeLast() }
        return lines
    }

    /// The value of a trailer as one line, because a second line could be read as another trailer.
    static func oneLine(_ value: String) -> String {
        // Nearly all are words of ASCII with single blanks between them.
        var last = UInt8(ascii: " ")
        let isOneLine = value.utf8.allSatisfy { byte in
            defer { last = byte }
            return (0x21...0x7E).contains(byte) || byte == 0x20 && last != 0x20
        }
        if isOneLine, last != 0x20 { return value }
        return value.unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
            .map { word in String(String.UnicodeScalarView(word.filter { !$0.isControl })) }
            .filter { !$0.isEmpty }
            .joined(separator: " ")
    }
}

extension UInt8 {
    /// Whether it is a letter or a digit of ASCII.
    var isAlphanumeric: Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= self
    }
}

extension Unicode.Scalar {
    var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
