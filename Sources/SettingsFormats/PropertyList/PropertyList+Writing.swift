package import SettingsModel

extension PropertyList {
    /// The XML form as Apple's programs write it: indented by tabs, one value per line.
    package func xml() throws(Refusal) -> [UInt8] {
        var out = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        out += try xml(indent: "", XMLStyle()) + "\n</plist>\n"
        return Array(out.utf8)
    }

    /// How a file is laid out.
    struct XMLStyle {
        /// The indentation of one level.
        var unit = "\t"
        /// Whether data stands on lines of its own, of 76 columns with tabs of 8.
        var wrapsData = false
    }

    /// The element; `indent` precedes its lines but the first.
    func xml(indent: String, _ style: XMLStyle) throws(Refusal) -> String {
        let inner = indent + style.unit
        var out = ""
        switch self {
        case .dictionary(let members) where members.entries.isEmpty: out += "<dict/>"
        case .dictionary(let members):
            out += "<dict>\n"
            for entry in members.entries {
                out += "\(inner)<key>\(try PropertyList.escaped(entry.name.string))</key>\n"
                out += "\(inner)\(try entry.value.xml(indent: inner, style))\n"
            }
            out += "\(indent)</dict>"
        case .array(let elements) where elements.isEmpty: out += "<array/>"
        case .array(let elements):
            out += "<array>\n"
            for element in elements { out += "\(inner)\(try element.xml(indent: inner, style))\n" }
            out += "\(indent)</array>"
        case .string(let text): out += "<string>\(try PropertyList.escaped(text.string))</string>"
        case .integer(let number): out += "<integer>\(number.text)</integer>"
        case .real(let word): out += "<real>\(PropertyList.xmlWord(real: word))</real>"
        case .boolean(let isTrue): out += isTrue ? "<true/>" : "<false/>"
        case .date(let word): out += "<date>\(word)</date>"
        case .data(let bytes): out += "<data>\(PropertyList.base64(bytes, indent: indent, wraps: style.wrapsData))</data>"
        case .set, .null:
            throw Refusal("\(kind) can't be written in XML", hint: "only binary property lists have sets and nulls")
        case .uid(let number):
            out += "<dict>\n\(inner)<key>CF$UID</key>\n\(inner)<integer>\(number)</integer>\n\(indent)</dict>"
        }
        return out
    }

    static func xmlWord(real word: String) -> String { word == "inf" ? "+infinity" : word == "-inf" ? "-infinity" : word }

    /// The text of data between its tags.
    static func base64(_ bytes: [UInt8], indent: String, wraps: Bool) -> String {
        var rest = Base64.text(of: bytes)[...]
        if !wraps || rest.isEmpty { return String(rest) }
        let width = max(76 - indent.utf8.reduce(0) { $0 + ($1 == 9 ? 8 : 1) }, 4) / 4 * 4
        var lines = "\n"
        while !rest.isEmpty {
            lines += indent + rest.prefix(width) + "\n"
            rest = rest.dropFirst(width)
        }
        return lines + indent
    }

    /// XML can't express most control characters, and reads a carriage return as a line feed.
    static func escaped(_ text: String) throws(Refusal) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\r": out += "&#13;"
            case "\u{0}"..<"\t", "\u{B}"..<"\r", "\u{E}"..<" ", "\u{FFFE}"..."\u{FFFF}":
                throw Refusal(
                    "a text has the character U+\(String(scalar.value, radix: 16, uppercase: true)), which XML can't hold",
                    hint: "remove it from \(JSON.string(String(text.prefix(60))).compact)")
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
