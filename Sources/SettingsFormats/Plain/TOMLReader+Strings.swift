import SettingsModel

/// Strings.
extension TOMLReader {
    mutating func string(isLong: Bool) throws(Failure) -> String {
        let start = offset
        let quote = bytes[offset]
        offset += isLong ? 3 : 1
        if isLong { _ = takeLineEnd() }
        var content: [UInt8] = []
        while let byte = next {
            if byte == quote, !isLong || bytes[offset...].starts(with: [quote, quote, quote]) {
                offset += isLong ? 3 : 1
                // The closing quotes may follow one or two quotes of the text.
                for _ in 0..<2 where isLong && next == quote {
                    content.append(quote)
                    offset += 1
                }
                return String(decoding: content, as: UTF8.self)
            }
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                content += try escape(isLong)
            } else if isLong, takeLineEnd() {
                content.append(10)
            } else if byte == 10 || byte == 13 && !isLong {
                throw Failure(reason: "a string is not closed on its line", offset: start)
            } else {
                try checkCharacter(byte)
                content.append(byte)
                offset += 1
            }
        }
        throw Failure(reason: "a string is not closed", offset: start)
    }

    private mutating func escape(_ isLong: Bool) throws(Failure) -> [UInt8] {
        let start = offset
        offset += 2
        guard offset <= bytes.count else { throw expected("a character") }
        switch bytes[offset - 1] {
        case UInt8(ascii: "b"): return [8]
        case UInt8(ascii: "t"): return [9]
        case UInt8(ascii: "n"): return [10]
        case UInt8(ascii: "f"): return [12]
        case UInt8(ascii: "r"): return [13]
        case UInt8(ascii: "e"): return [27]
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): return [bytes[offset - 1]]
        case UInt8(ascii: "x"): return try character(2, from: start)
        case UInt8(ascii: "u"): return try character(4, from: start)
        case UInt8(ascii: "U"): return try character(8, from: start)
        case 0x20, 0x09, 10, 13:
            // The line ends here; the text continues with the next non-blank character.
            offset = start + 1
            skipSpace()
            guard isLong, takeLineEnd() else { break }
            repeat { skipSpace() } while takeLineEnd()
            return []
        default: break
        }
        throw Failure(reason: "unknown escape sequence", offset: start)
    }

    /// The character whose code has the given number of digits.
    private mutating func character(_ count: Int, from start: Int) throws(Failure) -> [UInt8] {
        let digits = String(decoding: bytes[offset...].prefix(count), as: UTF8.self)
        guard digits.utf8.count == count, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
        else { throw Failure(reason: "an escape sequence that is not a character", offset: start) }
        offset += count
        return Array(String(scalar).utf8)
    }
}
