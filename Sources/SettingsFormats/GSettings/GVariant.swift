#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A typed GVariant value.
indirect enum GVariant: Hashable {
    case boolean(Bool)
    /// One of the types `y n q i u x t h`.
    case integer(Int128, GVariantType)
    case double(Double)
    /// One of the types `s o g`.
    case string(String, GVariantType)
    case array([GVariant], GVariantType)
    case maybe(GVariant?, GVariantType)
    case tuple([GVariant])
    case entry(GVariant, GVariant)
    case variant(GVariant)

    /// Why a text is not a valid value; `offset` is the position in its UTF-8 bytes.
    struct Malformed: Error, Hashable {
        var reason: String
        var offset: Int

        init(_ reason: String, at offset: Int = 0) {
            self.reason = reason
            self.offset = offset
        }
    }

    var type: GVariantType {
        switch self {
        case .boolean: "b"
        case .double: "d"
        case .variant: "v"
        case .integer(_, let type), .string(_, let type), .array(_, let type), .maybe(_, let type): type
        case .tuple(let items): GVariantType(checked: Array("(".utf8) + items.flatMap(\.type.bytes) + Array(")".utf8))
        case .entry(let key, let value):
            GVariantType(checked: Array("{".utf8) + key.type.bytes + value.type.bytes + Array("}".utf8))
        }
    }
}

/// The text as GLib prints it (`g_variant_print`), which `gsettings` and `dconf` print and parse.
extension GVariant {
    /// With annotations for types that a reader couldn't infer.
    var text: String {
        var out = ""
        write(to: &out, annotates: true)
        return out
    }

    /// For a reader that knows the type.
    var plain: String {
        var out = ""
        write(to: &out, annotates: false)
        return out
    }

    private func write(to out: inout String, annotates: Bool) {
        switch self {
        case .boolean(let isTrue): out += isTrue ? "true" : "false"
        case .integer(let number, let type):
            if annotates, let word = GVariant.annotations[type.letter] { out += word }
            if type.letter == UInt8(ascii: "y") {
                out += (number < 16 ? "0x0" : "0x") + String(number, radix: 16)
            } else {
                out += String(number)
            }
        case .double(let number): out += GVariant.text(of: number)
        case .string(let string, "s"): GVariant.write(string, to: &out)
        case .string(let string, let type):
            if annotates { out += type == "o" ? "objectpath " : "signature " }
            out += "'\(string)'"
        case .array(let elements, let type): GVariant.write(elements, type, to: &out, annotates: annotates)
        case .maybe(let element, let type): GVariant.write(element, type, to: &out, annotates: annotates)
        case .tuple(let items):
            out += "("
            for (index, item) in items.enumerated() {
                if index > 0 { out += ", " }
                item.write(to: &out, annotates: annotates)
            }
            out += items.count == 1 ? ",)" : ")"
        case .entry(let key, let value):
            out += "{"
            key.write(to: &out, annotates: annotates)
            out += ", "
            value.write(to: &out, annotates: annotates)
            out += "}"
        case .variant(let value):
            out += "<"
            value.write(to: &out, annotates: true)
            out += ">"
        }
    }

    private static let annotations: [UInt8: String] = [
        UInt8(ascii: "y"): "byte ", UInt8(ascii: "n"): "int16 ", UInt8(ascii: "q"): "uint16 ", UInt8(ascii: "h"): "handle ",
        UInt8(ascii: "u"): "uint32 ", UInt8(ascii: "x"): "int64 ", UInt8(ascii: "t"): "uint64 ",
    ]

    /// With 17 digits, as GLib does, although the last ones carry no information: 0.1 is 0.10000000000000001.
    static func text(of number: Double) -> String {
        if number.isNaN { return number.sign == .minus ? "-nan" : "nan" }
        if number.isInfinite { return number < 0 ? "-inf" : "inf" }
        var buffer = [CChar](repeating: 0, count: 32)
        let count = withVaList([number]) { vsnprintf(&buffer, buffer.count, "%.17g", $0) }
        let text = String(decoding: buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.utf8.contains(UInt8(ascii: ".")) || text.utf8.contains(UInt8(ascii: "e")) ? text : text + ".0"
    }

    private static func write(_ string: String, to out: inout String) {
        let quote: Unicode.Scalar = string.utf8.contains(UInt8(ascii: "'")) ? "\"" : "'"
        out.unicodeScalars.append(quote)
        for scalar in string.unicodeScalars {
            switch scalar {
            case quote, "\\":
                out += "\\"
                out.unicodeScalars.append(scalar)
            case " "..."~": out.unicodeScalars.append(scalar)
            default: write(unusual: scalar, to: &out)
            }
        }
        out.unicodeScalars.append(quote)
    }

    private static func write(unusual scalar: Unicode.Scalar, to out: inout String) {
        switch scalar.properties.generalCategory {
        case .control, .format, .unassigned, .surrogate: break
        default:
            out.unicodeScalars.append(scalar)
            return
        }
        switch scalar {
        case "\u{7}": out += "\\a"
        case "\u{8}": out += "\\b"
        case "\u{C}": out += "\\f"
        case "\n": out += "\\n"
        case "\r": out += "\\r"
        case "\t": out += "\\t"
        case "\u{B}": out += "\\v"
        default:
            let digits = String(scalar.value, radix: 16)
            let width = scalar.value < 0x10000 ? 4 : 8
            out += (width == 4 ? "\\u" : "\\U") + String(repeating: "0", count: width - digits.count) + digits
        }
    }

    /// Only the first element is annotated, because the others have the same type.
    private static func write(_ elements: [GVariant], _ type: GVariantType, to out: inout String, annotates: Bool) {
        if let string = byteString(elements, type) {
            out += string
            return
        }
        let isDictionary = type.isDictionary
        if elements.isEmpty {
            if annotates { out += "@\(type.text) " }
            out += isDictionary ? "{}" : "[]"
            return
        }
        out += isDictionary ? "{" : "["
        for (index, element) in elements.enumerated() {
            if index > 0 { out += ", " }
            if isDictionary, case .entry(let key, let value) = element {
                key.write(to: &out, annotates: annotates && index == 0)
                out += ": "
                value.write(to: &out, annotates: annotates && index == 0)
            } else {
                element.write(to: &out, annotates: annotates && index == 0)
            }
        }
        out += isDictionary ? "}" : "]"
    }

    /// An array of bytes that ends in its only zero is printed as a string.
    private static func byteString(_ elements: [GVariant], _ type: GVariantType) -> String? {
        guard type == "ay", !elements.isEmpty else { return nil }
        let bytes = elements.map { if case .integer(let byte, _) = $0 { UInt8(truncatingIfNeeded: byte) } else { 0 as UInt8 } }
        guard bytes.firstIndex(of: 0) == bytes.count - 1 else { return nil }
        let quote = bytes.contains(UInt8(ascii: "'")) ? "\"" : "'"
        var out = "b" + quote
        for byte in bytes.dropLast() {
            switch byte {
            case 8: out += "\\b"
            case 12: out += "\\f"
            case 10: out += "\\n"
            case 13: out += "\\r"
            case 9: out += "\\t"
            case 11: out += "\\v"
            case UInt8(ascii: "\\"), UInt8(ascii: "\""): out += "\\" + String(UnicodeScalar(byte))
            case 32..<127: out.unicodeScalars.append(UnicodeScalar(byte))
            default:
                let digits = String(byte, radix: 8)
                out += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
            }
        }
        return out + quote
    }

    /// `just` is printed only before a nested `nothing`.
    private static func write(_ element: GVariant?, _ type: GVariantType, to out: inout String, annotates: Bool) {
        if annotates { out += "@\(type.text) " }
        var inner = element
        var count = 0
        while case .maybe(let next, _)? = inner {
            count += 1
            inner = next
        }
        if let inner {
            inner.write(to: &out, annotates: false)
        } else {
            out += String(repeating: "just ", count: count) + "nothing"
        }
    }
}

extension GVariant {
    /// The text of a value in place of another one: a string between double quotes keeps them if it can.
    static func text(_ text: String, quotedLike old: String) -> String {
        guard old.hasPrefix("\""), text.count > 1, text.hasPrefix("'"), !text.contains("\""), !text.contains("\\") else {
            return text
        }
        return "\"" + text.dropFirst().dropLast() + "\""
    }
}
