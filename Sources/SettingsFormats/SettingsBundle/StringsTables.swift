import SettingsModel

/// The texts of pages in the requested language.
struct StringsTables {
    private let files: BundleFiles
    /// The folders of languages in order of preference.
    private let folders: [String]
    /// The folders that don't depend on the request.
    private let development: Set<String>
    private var texts: [String: [(folder: String, texts: [ExactText: ExactText])]] = [:]

    /// The folder that titles are read from and written to; nil if there is none.
    var language: String? { folders.first }

    init(_ files: BundleFiles, language: String?, _ repairs: inout [Repair]) throws(Refusal) {
        self.files = files
        let names = files.tables.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let asked = language.map { Languages.matching($0, in: names) } ?? []
        let development = Languages.development(in: names)
        folders = Languages.unique(asked + development)
        self.development = Set(development)
        let fallback = folders.first.map { "titles are those of \($0)" } ?? "titles are those of the pages"
        if let language, asked.isEmpty, !names.isEmpty {
            repairs.append(
                Repair(
                    file: files.folder, found: "there are no titles in '\(language)', only in \(names.joined(separator: ", "))",
                    done: fallback))
        } else if language == nil, folders.isEmpty, !names.isEmpty {
            var repair = Repair(
                .kept, file: files.folder,
                found: "it has titles in \(names.joined(separator: ", ")), but no development language",
                done: fallback)
            repair.needsLanguage = true
            repairs.append(repair)
        }
    }

    /// Reads the table in every language that may be used.
    mutating func load(_ table: String, _ repairs: inout [Repair]) throws(Refusal) {
        guard texts[table] == nil else { return }
        var all: [(folder: String, texts: [ExactText: ExactText])] = []
        for folder in folders {
            guard let file = files.tables[folder]?[table] else { continue }
            let value = try PropertyList.read(file, &repairs)
            guard case .dictionary(let members) = value else {
                throw Refusal("contains \(value.kind), not texts by name", in: file.path)
            }
            var texts: [ExactText: ExactText] = [:]
            for entry in members.entries {
                if case .string(let text) = entry.value { texts[entry.name] = text }
            }
            all.append((folder, texts))
        }
        texts[table] = all
    }

    /// The translation of `text`, or the text itself if no table has one.
    func text(_ text: ExactText, in table: String) -> ExactText { found(text, in: table)?.text ?? text }

    /// The translation in the app's own language, for names that must not depend on the language.
    func ownText(_ text: ExactText, in table: String) -> ExactText {
        for (folder, texts) in texts[table] ?? [] where development.contains(folder) { if let own = texts[text] { return own } }
        return text
    }

    private func found(_ text: ExactText, in table: String) -> (folder: String, text: ExactText)? {
        for (folder, texts) in texts[table] ?? [] { if let found = texts[text] { return (folder, found) } }
        return nil
    }

    /// Reports which texts of `page` are not in the first language.
    func missing(of page: BundlePage) -> [Repair] {
        guard let language else { return [] }
        var reported: Set<ExactText> = []
        var repairs: [Repair] = []
        func check(_ value: PropertyList?) {
            for element in value?.elements ?? [] { check(element) }
            guard let text = value?.text, let folder = found(text, in: page.table)?.folder, folder != language,
                reported.insert(text).inserted
            else { return }
            repairs.append(
                Repair(
                    .kept, file: "\(files.folder)\(language).lproj/\(page.table).strings", page: page.name, key: text.string,
                    found: "the text is missing", done: "taken from \(folder).lproj"))
        }
        check(page.members["Title"])
        for row in page.rows {
            for member: ExactText in ["Title", "FooterText", "Titles", "ShortTitles"] { check(row.members?[member]) }
        }
        return repairs
    }
}

/// Names of language folders: `en`, `pt-BR`, `zh_TW`, and the old `English`.
private enum Languages {
    private static let old = [
        "english": "en", "french": "fr", "german": "de", "spanish": "es", "italian": "it", "japanese": "ja", "dutch": "nl",
        "portuguese": "pt", "swedish": "sv", "danish": "da", "norwegian": "no", "finnish": "fi", "korean": "ko",
    ]
    private static let scripts = [
        "zh-tw": "zh-hant", "zh-hk": "zh-hant", "zh-mo": "zh-hant", "zh-cn": "zh-hans", "zh-sg": "zh-hans",
    ]

    /// In lower case with hyphens.
    private static func code(_ name: String) -> String {
        let code = String(name.lowercased().map { $0 == "_" ? "-" : $0 })
        return old[code] ?? code
    }

    private static func base(_ code: String) -> String { String(code.prefix { $0 != "-" }) }

    /// The folders for `language`: its own, those of its base languages, or else one of another country.
    static func matching(_ language: String, in names: [String]) -> [String] {
        var codes = [code(language)]
        if let script = scripts[codes[0]] { codes.append(script) }
        while let end = codes.last?.lastIndex(of: "-") { codes.append(String(codes[codes.count - 1][..<end])) }
        let found = codes.flatMap { wanted in names.filter { code($0) == wanted } }
        if !found.isEmpty { return found }
        return names.first { base(code($0)) == base(codes[0]) }.map { [$0] } ?? []
    }

    /// The fallback language: no page says in which language the app was written.
    static func development(in names: [String]) -> [String] {
        if names.count == 1 { return names }
        return names.filter { code($0) == "base" } + names.filter { code($0) == "en" }
            + names.filter { code($0).hasPrefix("en-") }
    }

    static func unique(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }
}
