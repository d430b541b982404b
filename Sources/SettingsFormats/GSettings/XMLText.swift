/// Writes XML: indented by two spaces, one element per line.
struct XMLText {
    private(set) var text = ""
    private var open: [String] = []

    /// Lines for an element at the given depth.
    init(depth: Int = 0) {
        self.depth = depth
    }

    private let depth: Int

    /// Attributes whose value is nil are omitted.
    mutating func begin(_ name: String, _ attributes: KeyValuePairs<String, String?> = [:]) {
        start(name, attributes.map { ($0.key, $0.value) })
        text += ">\n"
        open.append(name)
    }

    mutating func end() {
        guard let name = open.popLast() else { return }
        indent()
        text += "</\(name)>\n"
    }

    mutating func empty(_ name: String, _ attributes: KeyValuePairs<String, String?>) {
        start(name, attributes.map { ($0.key, $0.value) })
        text += "/>\n"
    }

    mutating func element(_ name: String, _ attributes: KeyValuePairs<String, String?> = [:], containing content: String) {
        start(name, attributes.map { ($0.key, $0.value) })
        text += ">\(XMLText.escaped(content))</\(name)>\n"
    }

    mutating func begin(_ name: String, pairs: [(String, String?)]) {
        start(name, pairs)
        text += ">\n"
        open.append(name)
    }

    /// Adds XML as it is.
    mutating func raw(_ xml: String) {
        indent()
        text += xml + "\n"
    }

    mutating func line(_ line: String = "") { text += line + "\n" }

    private mutating func start(_ name: String, _ attributes: [(String, String?)]) {
        indent()
        text += "<\(name)"
        for (name, value) in attributes {
            if let value { text += " \(name)=\"\(XMLText.escaped(value, inAttribute: true))\"" }
        }
    }

    private mutating func indent() { text += String(repeating: "  ", count: depth + open.count) }

    static func escaped(_ text: String, inAttribute: Bool = false) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"" where inAttribute: out += "&quot;"
            case "\n" where inAttribute, "\t" where inAttribute, "\r": out += "&#\(scalar.value);"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    /// Why the text is invalid in XML, even escaped.
    static func fault(in text: String) -> String? {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}":
                return "XML can't have the character U+" + String(scalar.value, radix: 16, uppercase: true)
            default: continue
            }
        }
        return nil
    }
}

extension XMLElement {
    /// The element as XML; its own text precedes its children.
    var xml: String {
        var out = "<\(name)"
        for attribute in attributes.keys.sorted() {
            out += " \(attribute)=\"\(XMLText.escaped(attributes[attribute] ?? "", inAttribute: true))\""
        }
        if children.isEmpty, text.isEmpty { return out + "/>" }
        out += ">" + XMLText.escaped(text)
        for child in children { out += child.xml }
        return out + "</\(name)>"
    }
}
