import SettingsModel

/// Reads the text form of property lists from NeXTSTEP, and `.strings` tables: `{ name = value; }`, `( a, b )`,
/// `"text"`, `word`, `<0f ab>`, with C's comments. A table omits the braces, and `name;` in it means `name = name;`.
/// (Apple, "Old-Style ASCII Property Lists"; CFOldStylePList.c)
///
/// Foundation isn't used: it loses the order, and writes warnings to standard error.
struct OldStylePropertyList {
    private let text: [UInt8]
    private let file: String
    private var offset = 0
    /// The line of `lineOffset`.
    private var line = 1
    private var lineOffset = 0
    private var repairs: [Repair] = []
    private var places: [Place] = []

    /// A member of the outermost dictionary.
    struct Place {
        var name: ExactText
        var nameRange: Range<Int>
        /// Nil for a name that stands for itself.
        var value: Range<Int>?
        /// The end of the semicolon.
        var end: Int
    }

    /// Where the members of a table are; empty if it is no table or dictionary.
    static func places(in text: [UInt8]) throws(Refusal) -> [Place] {
        var reader = OldStylePropertyList(text, "the file")
        _ = try reader.document()
        return reader.places
    }

    static func read(_ text: [UInt8], in file: String, _ repairs: inout [Repair]) throws(Refusal) -> PropertyList {
        var reader = OldStylePropertyList(text, file)
        let value = try reader.document()
        repairs += reader.repairs
        return value
    }

    private init(_ text: [UInt8], _ file: String) {
        self.text = text
        self.file = file
    }

    private mutating func document() throws(Refusal) -> PropertyList {
        try skipSpace()
        let value: PropertyList
        switch peek {
        case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "<"): value = try readValue(depth: 0)
        default: value = .dictionary(try members(depth: 0, until: nil))
        }
        try skipSpace()
        guard peek == nil else { throw unexpected("the end of input") }
        return value
    }

    private mutating func readValue(depth: Int) throws(Refusal) -> PropertyList {
        guard depth <= PropertyList.depthLimit else {
            throw refusal("is nested more than \(PropertyList.depthLimit) levels deep")
        }
        switch peek {
        case UInt8(ascii: "{"):
            offset += 1
            return .dictionary(try members(depth: depth, until: UInt8(ascii: "}")))
        case UInt8(ascii: "("): return try array(depth: depth)
        case UInt8(ascii: "<"): return try data()
        default: return .string(try string("a value"))
        }
    }

    private mutating func members(depth: Int, until end: UInt8?) throws(Refusal) -> PropertyList.Members {
        let start = currentLine()
        var entries: [PropertyList.Members.Entry] = []
        while true {
            try skipSpace()
            if peek == end {
                if end != nil { offset += 1 }
                return .unique(entries, line: start, in: file, &repairs)
            }
            let nameLine = currentLine()
            let nameStart = offset
            let name = try string("a name")
            var place = Place(name: ExactText(name), nameRange: nameStart..<offset, end: offset)
            try skipSpace()
            var value = PropertyList.string(name)
            if take("=") {
                try skipSpace()
                let start = offset
                value = try readValue(depth: depth + 1)
                place.value = start..<offset
                place.end = offset
                try skipSpace()
            }
            if peek == UInt8(ascii: ";") { place.end = offset + 1 }
            if depth == 0 { places.append(place) }
            entries.append(.init(name: ExactText(name), value: value, line: nameLine))
            guard take(";") else {
                // In a dictionary, the last semicolon is optional.
                if peek == end, end != nil { continue }
                throw refusal("expected ';' after \"\(name.prefix(60))\" in line \(nameLine)")
            }
        }
    }

    private mutating func array(depth: Int) throws(Refusal) -> PropertyList {
        offset += 1
        var elements: [PropertyList] = []
        while true {
            try skipSpace()
            if take(")") { return .array(elements) }
            elements.append(try readValue(depth: depth + 1))
            try skipSpace()
            guard take(",") else {
                guard take(")") else { throw unexpected("',' or ')'") }
                return .array(elements)
            }
        }
    }

    private mutating func data() throws(Refusal) -> PropertyList {
        offset += 1
        var digits: [UInt8] = []
        while let byte = peek, byte != UInt8(ascii: ">") {
            offset += 1
            if PlainText.isSpace(byte) { continue }
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                offset -= 1
                throw unexpected("hexadecimal digits")
            }
            digits.append(UInt8(digit))
        }
        guard take(">"), digits.count.isMultiple(of: 2) else { throw refusal("data must consist of pairs of hexadecimal digits") }
        return .data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }

    // Strings

    private mutating func string(_ expected: String) throws(Refusal) -> String {
        guard let first = peek else { throw unexpected(expected) }
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return try quoted(first) }
        let start = offset
        while let byte = peek, OldStylePropertyList.isWordByte(byte) { offset += 1 }
        guard offset > start else { throw unexpected(expected) }
        return String(decoding: text[start..<offset], as: UTF8.self)
    }

    static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "_$/:.-".utf8.contains(byte)
        }
    }

    private mutating func quoted(_ quote: UInt8) throws(Refusal) -> String {
        let start = offset
        offset += 1
        var units: [UInt16] = []
        var run = offset
        func flush(_ units: inout [UInt16]) { units += String(decoding: text[run..<offset], as: UTF8.self).utf16 }
        while let byte = peek {
            if byte == quote {
                flush(&units)
                offset += 1
                return String(decoding: units, as: UTF16.self)
            }
            guard byte == UInt8(ascii: "\\") else {
                offset += 1
                continue
            }
            flush(&units)
            offset += 1
            units += escape()
            run = offset
        }
        offset = start
        throw refusal("unterminated string")
    }

    /// Reads what follows a backslash. Octal numbers are characters of NeXTSTEP's own encoding; a UTF-16 unit follows `\U`.
    /// of UTF-16.
    private mutating func escape() -> [UInt16] {
        guard let byte = peek else { return [] }
        offset += 1
        switch byte {
        case UInt8(ascii: "a"): return [7]
        case UInt8(ascii: "b"): return [8]
        case UInt8(ascii: "f"): return [12]
        case UInt8(ascii: "n"): return [10]
        case UInt8(ascii: "r"): return [13]
        case UInt8(ascii: "t"): return [9]
        case UInt8(ascii: "v"): return [11]
        case UInt8(ascii: "U"):
            return [UInt16(truncatingIfNeeded: digits(radix: 16, most: 4))]
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            offset -= 1
            let code = UInt8(truncatingIfNeeded: digits(radix: 8, most: 3))
            return Array(String(code < 0x80 ? Unicode.Scalar(code) : Self.nextStep[Int(code) - 0x80]).utf16)
        default:
            // The character may have several bytes, and is taken literally.
            offset -= 1
            let rest = text[offset...].dropFirst().prefix { $0 & 0xC0 == 0x80 }
            let character = text[offset..<rest.endIndex]
            offset = rest.endIndex
            return Array(String(decoding: character, as: UTF8.self).utf16)
        }
    }

    /// The characters of NeXTSTEP's encoding above ASCII.
    private static let nextStep = Array(
        """
        \u{A0}ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖÙÚÛÜÝÞµ×÷©¡¢£⁄¥ƒ§¤’“«‹›ﬁﬂ®–†‡·¦¶•‚„”»…‰¬¿¹ˋ´ˆ˜¯˘˙¨²˚¸³˝˛ˇ\
        —±¼½¾àáâãäåçèéêëìÆíªîïðñŁØŒºòóôõöæùúûıüýłøœßþÿ\u{FFFD}\u{FFFD}
        """.unicodeScalars)

    private mutating func digits(radix: Int, most: Int) -> Int {
        var value = 0
        for _ in 0..<most {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digit < radix else { break }
            value = value * radix + digit
            offset += 1
        }
        return value
    }

    // Basic steps

    private var peek: UInt8? { offset < text.count ? text[offset] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func skipSpace() throws(Refusal) {
        while let byte = peek {
            if PlainText.isSpace(byte) {
                offset += 1
            } else if text[offset...].starts(with: [0xE2, 0x80, 0xA8]) || text[offset...].starts(with: [0xE2, 0x80, 0xA9]) {
                offset += 3
            } else if text[offset...].starts(with: "//".utf8) {
                while let byte = peek, byte != 10, byte != 13 { offset += 1 }
            } else if text[offset...].starts(with: "/*".utf8) {
                guard let end = text[(offset + 2)...].firstRange(of: Array("*/".utf8)) else {
                    throw refusal("unterminated comment")
                }
                offset = end.upperBound
            } else {
                return
            }
        }
    }

    private mutating func currentLine() -> Int {
        line += text[lineOffset..<offset].count { $0 == UInt8(ascii: "\n") }
        lineOffset = offset
        return line
    }

    private func refusal(_ reason: String) -> Refusal {
        Refusal(reason, in: file, at: BadFile.Position(of: offset, in: text))
    }

    private func unexpected(_ expected: String) -> Refusal {
        guard offset < text.count else { return refusal("expected \(expected), found the end of input") }
        let scalar = String(decoding: text[offset...].prefix(4), as: UTF8.self).unicodeScalars.first ?? " "
        let found = scalar.value < 0x20 ? "a control character" : "'\(scalar)'"
        return refusal("expected \(expected), found \(found)")
    }
}
