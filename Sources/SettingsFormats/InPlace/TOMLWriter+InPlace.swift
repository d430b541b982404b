import SettingsModel

extension TOMLWriter {
    /// Adds a table or an array of tables, with headers.
    mutating func addSection(_ member: JSON.Member, _ path: [ExactText], at place: PlainTree.Pointer) {
        switch member.value {
        case .object(let members): add(members, path + [member.name], at: place, opens: true, isElement: false)
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                guard case .object(let members) = element else { continue }
                add(members, path + [member.name], at: place.element(index), opens: true, isElement: true)
            }
        default: break
        }
    }

    /// Adds a pair; an object is written in braces, or spread over dotted names.
    mutating func addPair(
        _ keys: [ExactText], _ value: JSON, _ path: [ExactText], at place: PlainTree.Pointer, isInline: Bool
    ) {
        guard isInline else { return addPair(keys, value, path, at: place) }
        out += "\(keys.map(TOMLWriter.key).joined(separator: ".")) = "
        add(value, path + keys.suffix(1), at: place)
        out += "\n"
    }

    /// A string with quotes like those of `old`; nil if that is impossible, or if the default quotes are as good.
    static func quoted(_ text: String, like old: ArraySlice<UInt8>, newline: String) -> String? {
        func opens(_ quote: String) -> Bool { old.starts(with: quote.utf8) }
        let isVisible = text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || !isEscaped($0) }
        guard isVisible, newline == "\n" || !text.contains("\n") else { return nil }
        let hasBreak = old.dropFirst(3).first == 10 || old.dropFirst(3).starts(with: [13, 10])
        if opens("'''") {
            guard !text.contains("'''"), !text.hasSuffix("'"), hasBreak || !text.hasPrefix("\n") else { return nil }
            return "'''" + (hasBreak ? "\n" : "") + text + "'''"
        }
        if opens("\"\"\"") {
            guard !text.contains("\"\"\""), !text.hasSuffix("\""), hasBreak || !text.hasPrefix("\n") else { return nil }
            return "\"\"\"" + (hasBreak ? "\n" : "") + text.replacing("\\", with: "\\\\") + "\"\"\""
        }
        guard opens("'"), !text.contains("'"), !text.contains("\n") else { return nil }
        return "'\(text)'"
    }
}
