package import SettingsModel

extension PropertyList {
    /// The XML form as Apple's programs write it: indented by tabs, one value per line.
    package func xml() throws(Refusal) -> [UInt8] {
        var out = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        try write(to: &out, indent: "")
        out += "</plist>\n"
        return Array(out.utf8)
    }

    private func write(to out: inout String, indent: String) throws(Refusal) {
        out += indent
        switch self {
        case .dictionary(let members) where members.entries.isEmpty: out += "<dict/>"
        case .dictionary(let members):
            out += "<dict>\n"
            for entry in members.entries {
                out += "\(indent)\t<key>\(try PropertyList.escaped(entry.name.string))</key>\n"
                try entry.value.write(to: &out, indent: indent + "\t")
            }
            out += "\(indent)</dict>"
        case .array(let elements) where elements.isEmpty: out += "<array/>"
        case .array(let elements):
            out += "<array>\n"
            for element in elements { try element.write(to: &out, indent: indent + "\t") }
            out += "\(indent)</array>"
        case .string(let text): out += "<string>\(try PropertyList.escaped(text.string))</string>"
        case .integer(let number): out += "<integer>\(number.text)</integer>"
        case .real(let word): out += "<real>\(word == "inf" ? "+infinity" : word == "-inf" ? "-infinity" : word)</real>"
        case .boolean(let isTrue): out += isTrue ? "<true/>" : "<false/>"
        case .date(let word): out += "<date>\(word)</date>"
        case .data(let bytes): out += "<data>\(Base64.text(of: bytes))</data>"
        case .uid(let number):
            out += "<dict>\n\(indent)\t<key>CF$UID</key>\n\(indent)\t<integer>\(number)</integer>\n\(indent)</dict>"
        }
        out += "\n"
    }

    /// XML can't express most control characters, and reads a carriage return as a line feed.
    private static func escaped(_ text: String) throws(Refusal) -> String {
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
                    hint: "take it out of \(JSON.string(String(text.prefix(60))).compact)")
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
