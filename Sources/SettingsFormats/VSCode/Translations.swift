import SettingsModel

/// The tables next to an extension's package.json, `package.nls.json` and one for each language, that contain its
/// `%key%` texts.
struct Translations {
    /// The requested language first, the extension's own last.
    private var tables: [[ExactText: ExactText]] = []
    /// Keys that no table has, in the order in which they were looked up.
    private var missing: [ExactText] = []

    init() {}

    init(beside file: Source.File, in source: Source, language: String?) throws(Refusal) {
        for name in Translations.names(language) {
            guard let table = source.file(name, beside: file) else { continue }
            let document = try JSONC(table.bytes(), in: table.path)
            guard let members = document.root?.members else { continue }
            var texts: [ExactText: ExactText] = [:]
            for (name, value) in members { texts[name] = value.text ?? value["message"]?.text }
            tables.append(texts)
        }
    }

    /// VS Code has its own names for languages: `pt-br`, `zh-cn` for simplified Chinese, `zh-tw` for traditional.
    static func names(_ language: String?) -> [String] {
        var languages: [String] = []
        if let language {
            let whole = language.split { $0 == "." || $0 == "@" }.first.map(String.init) ?? language
            let parts = whole.lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
            let isPlain = parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) } }
            if isPlain {
                for count in (1...max(parts.count, 1)).reversed() where count <= parts.count {
                    languages.append(parts.prefix(count).joined(separator: "-"))
                }
                if parts.first == "zh" {
                    let isTraditional = parts.contains { ["hant", "tw", "hk", "mo"].contains($0) }
                    languages.insert(isTraditional ? "zh-tw" : "zh-cn", at: languages.count - 1)
                }
            }
        }
        return languages.map { "package.nls.\($0).json" } + ["package.nls.json"]
    }

    /// `value` with its texts looked up. `isProse`: a text that isn't in a table is reported as an error.
    mutating func translated(_ value: JSON, isProse: Bool = true) -> JSON {
        switch value {
        case .string(let text): return .string(translated(text, isProse: isProse))
        case .array(let elements): return .array(elements.map { translated($0, isProse: isProse) })
        case .object(let members):
            return .object(
                members.map { member in
                    let isProse = isProse && !Translations.values.contains(member.name)
                    return JSON.Member(member.name, translated(member.value, isProse: isProse))
                })
        default: return value
        }
    }

    /// Returns and clears the keys that no table had.
    mutating func takeMissing() -> [ExactText] {
        defer { missing = [] }
        return missing
    }

    /// Members whose texts are values, in which `%…%` has no special meaning.
    private static let values: Set<ExactText> = ["default", "enum", "const", "examples", "pattern", "defaultSnippets"]

    mutating func translated(_ text: ExactText, isProse: Bool = true) -> ExactText {
        let bytes = text.string.utf8
        guard bytes.count > 2, bytes.first == UInt8(ascii: "%"), bytes.last == UInt8(ascii: "%") else { return text }
        let key = ExactText(String(text.string.dropFirst().dropLast()))
        for table in tables { if let found = table[key] { return found } }
        if isProse, !missing.contains(key) { missing.append(key) }
        return text
    }
}
