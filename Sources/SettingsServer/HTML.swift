import SettingsModel

/// The attributes of an element. Those that are nil are left out, and an empty one stands without a value.
struct Attributes: ExpressibleByDictionaryLiteral {
    var pairs: [(name: StaticString, value: String?)]

    init(dictionaryLiteral pairs: (StaticString, String?)...) { self.pairs = pairs }

    static func + (left: Attributes, right: Attributes) -> Attributes {
        var all = left
        all.pairs += right.pairs
        return all
    }
}

/// Text of a page. Whatever comes from a store or a person goes through `put` or an attribute, which escape it; markup is a literal.
struct HTML: Sendable {
    private(set) var bytes: [UInt8] = []

    /// Words to read. Characters that hide or turn others are written out, as the command line writes them.
    mutating func put(_ words: String) { escape(words.visible) }

    /// Markup, as it stands here.
    mutating func mark(_ markup: StaticString) {
        markup.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// A part that was made before.
    mutating func append(_ part: HTML) { bytes += part.bytes }

    /// The text of a field, which is sent back as it is.
    mutating func field(_ text: String) { escape(text) }

    /// The beginning of an element, or all of one that has no content.
    mutating func tag(_ name: StaticString, _ attributes: Attributes = [:]) {
        mark("<")
        mark(name)
        for (name, value) in attributes.pairs {
            guard let value else { continue }
            mark(" ")
            mark(name)
            if value.isEmpty { continue }
            mark("=\"")
            escape(value)
            mark("\"")
        }
        mark(">")
    }

    mutating func tag(
        _ name: StaticString, _ attributes: Attributes = [:],
        _ content: (inout HTML) throws -> Void
    ) rethrows {
        tag(name, attributes)
        try content(&self)
        mark("</")
        mark(name)
        mark(">")
    }

    /// An element with words in it.
    mutating func tag(_ name: StaticString, _ attributes: Attributes = [:], _ words: String) {
        tag(name, attributes) { $0.put(words) }
    }

    private mutating func escape(_ text: String) {
        var text = text
        text.withUTF8 { text in
            var start = text.startIndex
            for (index, byte) in text.enumerated() {
                guard let entity = Self.entity(byte) else { continue }
                bytes.append(contentsOf: text[start..<index])
                mark(entity)
                start = index + 1
            }
            bytes.append(contentsOf: text[start...])
        }
    }

    private static func entity(_ byte: UInt8) -> StaticString? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        default: nil
        }
    }
}

extension String {
    /// An address with one more field.
    func adding(_ field: String) -> String { "\(self)\(contains("?") ? "&" : "?")\(field)" }

    /// As a part of an address, by RFC 3986: only unreserved characters stay as they are.
    var inAddress: String {
        var text = ""
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return text
    }
}

extension StringProtocol {
    /// What an address means by it; itself where that is no text.
    var removingPercents: String {
        guard let form = try? Form("x=\(self)".utf8) else { return String(self) }
        return form["x"] ?? ""
    }
}
