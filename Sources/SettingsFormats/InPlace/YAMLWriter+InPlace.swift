import SettingsModel

extension YAMLWriter {
    /// The value in flow style.
    func flow(_ value: JSON, at place: PlainTree.Pointer) -> String {
        let tag = tag(at: place).map { $0 + " " } ?? ""
        switch value {
        case .array(let elements):
            return tag + "[" + elements.enumerated().map { flow($1, at: place.element($0)) }.joined(separator: ", ") + "]"
        case .object(let members):
            return tag + "{" + members.map { flow($0, at: place) }.joined(separator: ", ") + "}"
        case .string(let text) where marks[place] == nil && !YAMLWriter.isPlainInBrackets(text.string):
            return YAMLWriter.quoted(text.string)
        default: return scalar(value, at: place, indent: 0, isLine: true)
        }
    }

    func flow(_ member: JSON.Member, at place: PlainTree.Pointer) -> String {
        let inner = place.member(member.name)
        let isPlain = nameMarks[inner] != nil || YAMLWriter.isPlainInBrackets(member.name.string)
        let name = isPlain ? name(member.name.string, nameMarks[inner]) : YAMLWriter.quoted(member.name.string)
        return "\(name): \(flow(member.value, at: inner))"
    }

    private static func isPlainInBrackets(_ text: String) -> Bool {
        isPlain(text) && !text.utf8.contains { ",[]{}".utf8.contains($0) }
    }

    /// The scalar on one line.
    func scalar(_ value: JSON, at place: PlainTree.Pointer, indent: Int, isLine: Bool) -> String {
        let text = scalar(value, at: place, indent: indent)
        guard isLine, text.contains("\n"), case .string(let content) = value else { return text }
        return YAMLWriter.quoted(content.string)
    }

    /// The scalar in the style of `old`, whose tag stays in the file: with the same quotes, and `off` for
    /// `on`.
    func scalar(
        _ value: JSON, from old: JSON, _ style: YAMLPlace.Content, isFlow: Bool, at place: PlainTree.Pointer, indent: Int = 0
    ) -> String {
        switch value {
        case .string(let content):
            let text = content.string
            if marks[place] == YAMLTree.plain, YAMLWriter.isNoString(text) { return text }
            switch style {
            case .singleQuoted where text.unicodeScalars.allSatisfy(YAMLWriter.isShown):
                return "'" + text.replacing("'", with: "''") + "'"
            case .doubleQuoted, .singleQuoted: return YAMLWriter.quoted(text)
            default: break
            }
            let isPlain = isFlow ? YAMLWriter.isPlainInBrackets(text) : YAMLWriter.isPlain(text)
            if isPlain || staysPlain(old, text, isFlow: isFlow) { return text }
            let block = isFlow ? nil : YAMLWriter.block(text, indent: indent)
            return block ?? YAMLWriter.quoted(text)
        case .bool, .number, .null: return YAMLWriter.spelling(of: value, as: marks[place]?.string, dialect)
        case .array: return "[]"
        case .object: return "{}"
        }
    }

    /// Whether the text needs no quotes because `old` has none either, though it would usually get some: `10.0.0.1` for `127.0.0.1`.
    private func staysPlain(_ old: JSON, _ text: String, isFlow: Bool) -> Bool {
        guard case .string(let old) = old, !YAMLWriter.isPlain(old.string), !text.isEmpty, text.utf8.count <= 500 else {
            return false
        }
        guard YAMLScalar(plain: text, .yaml11) == .string, YAMLScalar(plain: text, .yaml12) == .string else { return false }
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "._/:+-".utf8.contains(byte)
            }
        }
        guard isPlain, let first = text.utf8.first, let last = text.utf8.last, last != UInt8(ascii: ":") else { return false }
        return !"-:".utf8.contains(first) && !["y", "n", "yes", "no", "on", "off"].contains(text.lowercased())
    }

    /// The opposite of a word for a boolean.
    static func counterpart(of spelling: String) -> String? {
        let pairs = [("true", "false"), ("yes", "no"), ("on", "off")]
        for (yes, no) in pairs {
            for form in [{ $0 }, { $0.uppercased() }, { $0.prefix(1).uppercased() + $0.dropFirst() }] as [(String) -> String] {
                if spelling == form(yes) { return form(no) }
                if spelling == form(no) { return form(yes) }
            }
        }
        return nil
    }
}
