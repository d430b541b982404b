extension JSON {
    /// The form of a store's files: indented by two spaces, one element per line, LF, a final newline.
    public var pretty: String {
        var out = ""
        write(to: &out, indent: 0)
        out += "\n"
        return out
    }

    /// One line without spaces.
    public var compact: String {
        var out = ""
        write(to: &out, indent: nil)
        return out
    }

    private func write(to out: inout String, indent: Int?) {
        switch self {
        case .null: out += "null"
        case .bool(let isTrue): out += isTrue ? "true" : "false"
        case .number(let number): out += number.text
        case .string(let text): JSON.write(text, to: &out)
        case .array(let elements):
            JSON.write(elements, in: ("[", "]"), to: &out, indent: indent) { element, out, indent in
                element.write(to: &out, indent: indent)
            }
        case .object(let members):
            JSON.write(members, in: ("{", "}"), to: &out, indent: indent) { member, out, indent in
                JSON.write(member.name, to: &out)
                out += indent == nil ? ":" : ": "
                member.value.write(to: &out, indent: indent)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], in brackets: (String, String), to out: inout String, indent: Int?,
        element: (Element, inout String, Int?) -> Void
    ) {
        out += brackets.0
        for (index, item) in elements.enumerated() {
            if index > 0 { out += "," }
            if let indent { newline(in: &out, indent: indent + 1) }
            element(item, &out, indent.map { $0 + 1 })
        }
        if let indent, !elements.isEmpty { newline(in: &out, indent: indent) }
        out += brackets.1
    }

    private static func newline(in out: inout String, indent: Int) {
        out += indent == 1 ? "\n  " : "\n"
        if indent > 1 { out += String(repeating: "  ", count: indent) }
    }

    private static func write(_ text: ExactText, to out: inout String) {
        out += "\""
        // Appending the whole text, which is possible for most, takes a fifth of the time.
        if text.string.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x7F }) {
            out += text.string
            out += "\""
            return
        }
        for scalar in text.string.unicodeScalars {
            if let escape = scalar.shortEscape {
                out += escape
            } else if scalar.value < 0x20 || scalar.value == 0x7F {
                out += scalar.unicodeEscape
            } else {
                out.unicodeScalars.append(scalar)
            }
        }
        out += "\""
    }
}
