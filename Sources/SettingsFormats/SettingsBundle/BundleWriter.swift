import SettingsModel

/// Converts settings to a bundle.
struct BundleWriter {
    let settings: SettingsContent
    let children: Children
    private let title: ExactText?
    /// Whether values are written as defaults of the rows; otherwise only defaults are.
    var writesValues = true
    /// The name of each option in the app.
    private(set) var names: [Key: ExactText] = [:]
    private(set) var keys: [ExactText: Key] = [:]
    /// The pages by the names that rows link to.
    private(set) var pages: [ExactText: Key] = [:]
    private(set) var pageNames: [Key: ExactText] = [:]
    /// Pages and options whose rows are not in the group of their key.
    private(set) var linked: Set<ExactText> = []
    private(set) var moved: Set<Key> = []
    /// The texts of each table.
    private var texts: [String: BundleTexts] = [:]

    init(_ settings: SettingsContent, title: ExactText?) {
        self.settings = settings
        self.title = title
        children = Children(settings)
        nameOptions()
        namePages()
        readTexts()
        for key in children.groups.union([.root]) {
            for row in kept(key)?["rows"]?.elements ?? [] {
                if let page = row["page"]?.text { linked.insert(page) }
                if row["only"] == .bool(true), let name = row["key"]?.text, let key = keys[name] { moved.insert(key) }
            }
        }
    }

    /// If two options would have the same name, those that were never imported get their whole key.
    private mutating func nameOptions() {
        let all = settings.options.keys.sorted()
        for key in all where settings.options[key]?.importedKey != nil { name(key, settings.options[key]?.importedKey ?? "") }
        for key in all where names[key] == nil {
            name(key, keys[ExactText(key.name)] == nil ? ExactText(key.name) : ExactText(key.description))
        }
    }

    private mutating func name(_ key: Key, _ name: ExactText) {
        names[key] = name
        keys[name] = key
    }

    /// The first page, for rows that link back to it.
    private var rootName: ExactText { kept(.root)?["page"]?.text ?? "Root" }

    private mutating func namePages() {
        pages[rootName] = .root
        pageNames[.root] = rootName
        for key in children.groups.sorted() where settings.groups[key]?.style == .page {
            var name = settings.groups[key]?.other["key"]?.text ?? ExactText(key.name)
            if name == "Root" || pages[name] != nil { name = ExactText(key.parts.joined(separator: "-")) }
            pages[name] = key
            pageNames[key] = name
        }
    }

    /// Reads the texts of kept rows.
    private mutating func readTexts() {
        guard case .object(let tables)? = kept(.root)?["texts"] else { return }
        for table in tables {
            guard case .object(let members) = table.value else { continue }
            var texts = BundleTexts(table: table.name.string, texts: [:])
            for member in members { texts.texts[member.name] = member.value.text }
            self.texts[texts.table] = texts
        }
    }

    func kept(_ group: Key) -> JSON? { settings.groups[group]?.other[SettingsBundleFormat.member] }

    /// The values as the app stores them.
    func values() throws(Refusal) -> PropertyList {
        var members = PropertyList.Members()
        for key in settings.options.keys.sorted() {
            guard let value = settings.options[key]?.value, !value.isNull, let name = names[key] else { continue }
            guard let value = PropertyList(value) else { throw BundleWriter.inexpressible(key, value) }
            members.entries.append(.init(name: name, value: value))
        }
        return .dictionary(Specifier.sorted(members))
    }

    static func inexpressible(_ key: Key, _ value: JSON) -> Refusal {
        Refusal(
            "\(key): a property list can't hold \(value.compact.prefix(80))",
            hint: "it has no null, and no integers beyond 64 bits")
    }

    // Pages

    mutating func files() throws(Refusal) -> [Exported.File] {
        var files: [Exported.File] = []
        for name in pages.keys.sorted() {
            guard let key = pages[name] else { continue }
            let isEmpty = children.names(of: key).isEmpty && kept(key)?["rows"] == nil
            if kept(key)?["missing"] == .bool(true), isEmpty { continue }
            let parts = name.string.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }), !name.string.contains("\0") else {
                throw Refusal("\(key): a page can't be the file \(JSON.string(name).compact)", hint: "change its \"key\"")
            }
            files.append(Exported.File(path: "\(name).plist", bytes: try page(key)))
        }
        if let language = kept(.root)?["language"]?.text?.string, !language.contains("/"), !language.hasPrefix(".") {
            for (table, texts) in texts where !texts.texts.isEmpty && !table.contains("/") {
                let bytes = Array(BundleWriter.table(texts.texts).utf8)
                files.append(Exported.File(path: "\(language).lproj/\(table).strings", bytes: bytes))
            }
        }
        return files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    private mutating func page(_ group: Key) throws(Refusal) -> [UInt8] {
        var made = PropertyList.Members()
        let own = settings.groups[group]
        if let shown = own?.title ?? (kept(group) == nil ? group.isRoot ? title : ExactText(group.name) : nil) {
            made["Title"] = .string(shown)
        }
        let name = pageNames[group]?.string ?? group.name
        let difference = kept(group)?["members"]
        let table = difference?["StringsTable"]?.text?.string ?? name
        var members = Specifier.overlaid(made, with: difference)
        var rows = BundleRows(texts: texts[table] ?? BundleTexts(table: table, texts: [:]))
        rows.localise(&members, "Title", own?.title)
        try add(group, &rows, isPage: true)
        texts[table] = rows.texts
        members["PreferenceSpecifiers"] = .array(rows.rows)
        return try PropertyList.dictionary(Specifier.sorted(members)).xml()
    }

    /// The table of texts, sorted by name.
    private static func table(_ texts: [ExactText: ExactText]) -> String {
        return texts.keys.sorted().map { name in
            "\(StringsEditor.quoted(name.string)) = \(StringsEditor.quoted((texts[name] ?? name).string));\n"
        }.joined()
    }
}
