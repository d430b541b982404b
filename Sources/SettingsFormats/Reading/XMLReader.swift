import SettingsModel

/// Reads XML 1.0 (https://www.w3.org/TR/xml/) as far as settings need it: elements, attributes, text, CDATA, the entities that
/// every file has, references to characters. What a document type says is passed over; one that declares entities is
/// refused: they serve nothing here and can be made to explode.
///
/// Foundation isn't asked: its reader ends the process at `<?a?>`, and at names that are no UTF-8.
struct XMLReader {
    /// Of which it is known that they are UTF-8.
    private let bytes: [UInt8]
    private let file: String
    private var offset = 0
    private var open: [(element: XMLElement, text: [UInt8])] = []
    private var count = 0
    private var line = 1
    private var lineOffset = 0

    init(_ bytes: [UInt8], in file: String) {
        self.bytes = bytes
        self.file = file
    }

    mutating func document() throws(Refusal) -> XMLElement {
        try checkCharacters()
        try skipMisc()
        if starts(with: "<!DOCTYPE") {
            try skipDocumentType()
            try skipMisc()
        }
        guard peek == UInt8(ascii: "<") else { throw refusal("it is empty or doesn't begin as XML does") }
        var root: XMLElement?
        repeat {
            root = try content()
        } while root == nil
        try skipMisc()
        guard let root, offset == bytes.count else { throw refusal(Self.behindTheEnd) }
        return root
    }

    private static let behindTheEnd = "it ends too early, or goes on behind its end"

    /// What comes next inside the open elements; the root where it is closed by that.
    private mutating func content() throws(Refusal) -> XMLElement? {
        switch peek {
        case nil: throw refusal(Self.behindTheEnd)
        case UInt8(ascii: "<"):
            if starts(with: "</") { return try closeElement() }
            if try skipComment() { return nil }
            if starts(with: "<![CDATA["), !open.isEmpty {
                offset += 9
                append(try upTo("]]>", else: "a CDATA section doesn't end"))
                return nil
            }
            return try openElement()
        case UInt8(ascii: "&"):
            open[open.count - 1].text += try reference()
            return nil
        default:
            let start = offset
            while let byte = peek, byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&") {
                if byte == UInt8(ascii: "]"), starts(with: "]]>") { throw refusal("']]>' stands in a text") }
                offset += 1
            }
            append(bytes[start..<offset])
            return nil
        }
    }

    // Elements.

    private mutating func openElement() throws(Refusal) -> XMLElement? {
        offset += 1
        guard let name = name() else {
            throw refusal("a '<' or '&' that stands for itself is written &lt; or &amp;")
        }
        count += 1
        if open.count >= XMLElement.depthLimit { throw refusal("has elements more than \(XMLElement.depthLimit) deep", true) }
        if count > XMLElement.countLimit { throw refusal("has more than \(XMLElement.countLimit) elements", true) }
        var attributes: [String: String] = [:]
        while true {
            let isSpaced = skipSpace()
            if starts(with: ">") || starts(with: "/>") { break }
            guard isSpaced, let name = self.name() else { throw refusal("a tag has no end") }
            skipSpace()
            guard take("=") else { throw refusal("an attribute has no value") }
            skipSpace()
            guard attributes.updateValue(try attribute(), forKey: name) == nil else {
                throw refusal("an attribute stands there twice")
            }
        }
        let isEmpty = take("/")
        offset += 1
        let element = XMLElement(name: name, attributes: attributes, line: currentLine())
        open.append((element, []))
        return isEmpty ? closed() : nil
    }

    private mutating func closeElement() throws(Refusal) -> XMLElement? {
        let start = offset
        offset += 2
        let name = name()
        skipSpace()
        guard let last = open.last, name == last.element.name, take(">") else {
            offset = start
            throw refusal("an end tag doesn't match its start tag")
        }
        return closed()
    }

    private mutating func closed() -> XMLElement? {
        guard let (opened, text) = open.popLast() else { return nil }
        var element = opened
        element.text = String(decoding: text, as: UTF8.self)
        guard !open.isEmpty else { return element }
        open[open.count - 1].element.children.append(element)
        return nil
    }

    private mutating func attribute() throws(Refusal) -> String {
        guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw refusal("an attribute's value has no quotes")
        }
        offset += 1
        var value: [UInt8] = []
        while let byte = peek, byte != quote {
            switch byte {
            case UInt8(ascii: "<"): throw refusal("'<' stands in an attribute")
            case UInt8(ascii: "&"): value += try reference()
            case 9, 10, 13:
                offset += byte == 13 && starts(with: "\r\n") ? 2 : 1
                value.append(32)
            default:
                value.append(byte)
                offset += 1
            }
        }
        guard peek == quote else { throw refusal(Self.behindTheEnd) }
        offset += 1
        return String(decoding: value, as: UTF8.self)
    }

    /// What stands for one character.
    private mutating func reference() throws(Refusal) -> [UInt8] {
        let start = offset
        offset += 1
        if take("#") {
            let radix = take("x") ? 16 : 10
            let digits = bytes[offset...].prefix(9).prefix { $0 != UInt8(ascii: ";") }
            offset += digits.count
            if digits.first != UInt8(ascii: "+"), let number = UInt32(String(decoding: digits, as: UTF8.self), radix: radix),
                let scalar = Unicode.Scalar(number), Self.isAllowed(scalar), take(";")
            {
                return Array(String(scalar).utf8)
            }
            offset = start
            throw refusal("a reference to a character is none")
        }
        guard let name = name(), take(";") else {
            offset = start
            throw refusal("a '<' or '&' that stands for itself is written &lt; or &amp;")
        }
        guard let byte = Self.entities[name] else {
            offset = start
            throw refusal("an entity isn't declared")
        }
        return [byte]
    }

    private static let entities: [String: UInt8] = [
        "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"), "quot": UInt8(ascii: "\""),
        "apos": UInt8(ascii: "'"),
    ]

    /// Text as it stands there, its line ends as one character each.
    private mutating func append(_ text: ArraySlice<UInt8>) {
        guard text.contains(13) else {
            open[open.count - 1].text += text
            return
        }
        var rest = text
        while let byte = rest.popFirst() {
            if byte == 13, rest.first == 10 { continue }
            open[open.count - 1].text.append(byte == 13 ? 10 : byte)
        }
    }
}

/// What is passed over.
extension XMLReader {
    private mutating func skipMisc() throws(Refusal) {
        repeat { skipSpace() } while try skipComment()
    }

    /// A comment or an instruction to some program.
    private mutating func skipComment() throws(Refusal) -> Bool {
        if starts(with: "<!--") {
            offset += 4
            _ = try upTo("-->", else: "a comment doesn't end")
            return true
        }
        guard starts(with: "<?") else { return false }
        offset += 2
        _ = try upTo("?>", else: "an instruction doesn't end")
        return true
    }

    private mutating func skipDocumentType() throws(Refusal) {
        offset += 9
        var isInside = false
        while let byte = peek {
            if isInside, try skipComment() { continue }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                offset += 1
                _ = try upTo(byte == UInt8(ascii: "'") ? "'" : "\"", else: "the document type doesn't end")
            case UInt8(ascii: "[") where !isInside:
                isInside = true
                offset += 1
            case UInt8(ascii: "]") where isInside:
                isInside = false
                offset += 1
            case UInt8(ascii: ">") where !isInside:
                offset += 1
                return
            case UInt8(ascii: "<") where starts(with: "<!ENTITY"):
                let words = bytes[(offset + 8)...].prefix { $0 != UInt8(ascii: ">") && $0 != 10 }.drop { $0 == 32 }.prefix(40)
                let name = String(decoding: words, as: UTF8.self)
                var refusal = refusal("declares an entity (\(name)), and such files aren't read", true)
                refusal.hint = "write out what it stands for"
                throw refusal
            default: offset += 1
            }
        }
        throw refusal("the document type doesn't end")
    }
}

/// Bytes.
extension XMLReader {
    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func starts(with text: StaticString) -> Bool {
        guard bytes.count - offset >= text.utf8CodeUnitCount else { return false }
        for index in 0..<text.utf8CodeUnitCount where bytes[offset + index] != text.utf8Start[index] { return false }
        return true
    }

    private mutating func take(_ text: StaticString) -> Bool {
        guard starts(with: text) else { return false }
        offset += text.utf8CodeUnitCount
        return true
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = offset
        while let byte = peek, byte == 32 || byte == 10 || byte == 9 || byte == 13 { offset += 1 }
        return offset > start
    }

    /// What stands before `end`, which is taken too.
    private mutating func upTo(_ end: StaticString, else reason: String) throws(Refusal) -> ArraySlice<UInt8> {
        let start = offset
        while offset < bytes.count {
            if take(end) { return bytes[start..<(offset - end.utf8CodeUnitCount)] }
            offset += 1
        }
        offset = start
        throw refusal(reason)
    }

    /// Nil where none begins here.
    private mutating func name() -> String? {
        let start = offset
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
                UInt8(ascii: ":"), 0x80...:
                offset += 1
                continue
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                if offset == start { return nil }
                offset += 1
                continue
            default: break
            }
            break
        }
        return offset == start ? nil : String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 32 && scalar.value & 0xFFFE != 0xFFFE || [9, 10, 13].contains(scalar.value)
    }

    private mutating func checkCharacters() throws(Refusal) {
        // The two that aren't allowed beyond ASCII are EF BF BE and EF BF BF.
        for (index, byte) in bytes.enumerated()
        where byte < 32 && byte != 10 && byte != 9 && byte != 13
            || byte >= 0xBE && index > 1 && bytes[index - 1] == 0xBF && bytes[index - 2] == 0xEF
        {
            offset = index
            throw refusal("a character isn't allowed there")
        }
    }

    private mutating func currentLine() -> Int {
        line += bytes[lineOffset..<offset].count { $0 == 10 }
        lineOffset = offset
        return line
    }

    /// `isBound`: of what could be read, but isn't.
    private func refusal(_ reason: String, _ isBound: Bool = false) -> Refusal {
        let before = bytes[..<offset]
        let start = before.lastIndex(of: 10).map { $0 + 1 } ?? 0
        let position = BadFile.Position(
            line: before.count { $0 == 10 } + 1, column: before[start...].count { $0 & 0xC0 != 0x80 } + 1)
        return Refusal(isBound ? reason : "can't be read as XML: \(reason)", in: file, at: position)
    }
}
