/// A GVariant type: `i`, `as`, `a{sv}`. It is definite, without the wildcards `*`, `?` and `r`.
struct GVariantType: Hashable {
    /// The type string as GLib writes it.
    let bytes: [UInt8]

    /// Types that are nested deeper are invalid, as in GLib.
    static let depthLimit = 128

    /// Nil if `text` is not a valid type.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard GVariantType.end(of: bytes, from: 0) == bytes.count else { return nil }
        self.bytes = bytes
    }

    init(checked bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The first letter: `a` of `as`.
    var letter: UInt8 { bytes[0] }

    var isMaybe: Bool { letter == UInt8(ascii: "m") }
    var isArray: Bool { letter == UInt8(ascii: "a") }
    var isDictionary: Bool { bytes.starts(with: [UInt8(ascii: "a"), UInt8(ascii: "{")]) }
    /// Whether it is an integer that counts something; `h` isn't, because it is the number of an open file.
    var isInteger: Bool { bytes.count == 1 && GVariantType.bounds(of: letter) != nil && letter != UInt8(ascii: "h") }

    /// The element type of an array or a maybe.
    var element: GVariantType { GVariantType(checked: bytes.dropFirst()) }

    /// The item types of a tuple or of a dictionary entry.
    var items: [GVariantType] {
        var items: [GVariantType] = []
        var index = 1
        while index < bytes.count - 1, let end = GVariantType.end(of: bytes, from: index) {
            items.append(GVariantType(checked: bytes[index..<end]))
            index = end
        }
        return items
    }

    /// The end of the type that begins at `start`; nil if there is no type.
    static func end(of bytes: [UInt8], from start: Int, depth: Int = 0) -> Int? {
        guard start < bytes.count, depth < depthLimit else { return nil }
        switch bytes[start] {
        case UInt8(ascii: "a"), UInt8(ascii: "m"): return end(of: bytes, from: start + 1, depth: depth + 1)
        case UInt8(ascii: "("):
            var index = start + 1
            while index < bytes.count, bytes[index] != UInt8(ascii: ")") {
                guard let next = end(of: bytes, from: index, depth: depth + 1) else { return nil }
                index = next
            }
            return index < bytes.count ? index + 1 : nil
        case UInt8(ascii: "{"):
            guard start + 1 < bytes.count, isBasic(bytes[start + 1]),
                let index = end(of: bytes, from: start + 2, depth: depth + 1), index < bytes.count,
                bytes[index] == UInt8(ascii: "}")
            else { return nil }
            return index + 1
        case UInt8(ascii: "v"): return start + 1
        default: return isBasic(bytes[start]) ? start + 1 : nil
        }
    }

    static func isBasic(_ letter: UInt8) -> Bool { "bynqiuxthdsog".utf8.contains(letter) }

    /// The smallest and the largest number of an integer type.
    static func bounds(of letter: UInt8) -> ClosedRange<Int128>? {
        switch letter {
        case UInt8(ascii: "y"): 0...Int128(UInt8.max)
        case UInt8(ascii: "n"): Int128(Int16.min)...Int128(Int16.max)
        case UInt8(ascii: "q"): 0...Int128(UInt16.max)
        case UInt8(ascii: "i"), UInt8(ascii: "h"): Int128(Int32.min)...Int128(Int32.max)
        case UInt8(ascii: "u"): 0...Int128(UInt32.max)
        case UInt8(ascii: "x"): Int128(Int64.min)...Int128(Int64.max)
        case UInt8(ascii: "t"): 0...Int128(UInt64.max)
        default: nil
        }
    }

    /// The type that a keyword of GVariant text stands for.
    static func named(_ word: String) -> GVariantType? {
        let letter: Unicode.Scalar? =
            switch word {
            case "boolean": "b"
            case "byte": "y"
            case "int16": "n"
            case "uint16": "q"
            case "int32": "i"
            case "handle": "h"
            case "uint32": "u"
            case "int64": "x"
            case "uint64": "t"
            case "double": "d"
            case "string": "s"
            case "objectpath": "o"
            case "signature": "g"
            default: nil
            }
        return letter.map { GVariantType(checked: [UInt8(ascii: $0)]) }
    }
}

extension GVariantType: ExpressibleByStringLiteral {
    init(stringLiteral value: StaticString) {
        bytes = value.withUTF8Buffer { Array($0) }
    }
}
