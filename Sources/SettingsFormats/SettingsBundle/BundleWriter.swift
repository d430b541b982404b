import SettingsModel

/// Makes a bundle of settings.
struct BundleWriter {
    let settings: Settings
    let children: Children
    private let title: Text?
    /// Whether what is set is the default of the bundle's rows; else the defaults alone are.
    var writesValues = true
    /// What each option is called in the app.
    private(set) var names: [Key: Text] = [:]
    private var keys: [Text: Key] = [:]
    /// Pages by what rows link to them by.
    private var pages: [Text: Key] = [:]
    private var pageNames: [Key: Text] = [:]
    /// Pages and options that have their row elsewhere than they are kept.
    private var linked: Set<Text> = []
    private var moved: Set<Key> = []
    /// By table, the texts that its pages name.
    private var texts: [String: BundleTexts] = [:]

    init(_ settings: Settings, title: Text?) {
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

    /// Of two options that would have one name, those that were never imported get their whole key.
    private mutating func nameOptions() {
        let all = settings.options.keys.sorted()
        for key in all where settings.options[key]?.importedKey != nil { name(key, settings.options[key]?.importedKey ?? "") }
        for key in all where names[key] == nil { name(key, keys[Text(key.name)] == nil ? Text(key.name) : Text(key.description)) }
    }

    private mutating func name(_ key: Key, _ name: Text) {
        names[key] = name
        keys[name] = key
    }

    private mutating func namePages() {
        for key in children.groups.sorted() where settings.groups[key]?.style == .page {
            var name = settings.groups[key]?.other["key"]?.text ?? Text(key.name)
            if name == "Root" || pages[name] != nil { name = Text(key.parts.joined(separator: "-")) }
            pages[name] = key
            pageNames[key] = name
        }
    }

    /// Those of rows that are kept as they were.
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

    /// What is set, as the app keeps it.
    func values() throws(Refusal) -> PropertyList {
        var members = PropertyList.Members()
        for key in settings.options.keys.sorted() {
            guard let value = settings.options[key]?.value, !value.isNull, let name = names[key] else { continue }
            guard let value = PropertyList(value) else { throw BundleWriter.unsayable(key, value) }
            members.entries.append(.init(name: name, value: value))
        }
        return .dictionary(Specifier.sorted(members))
    }

    static func unsayable(_ key: Key, _ value: JSON) -> Refusal {
        Refusal(
            "\(key): a property list can't hold \(value.compact.prefix(80))",
            hint: "it has no null, and no integers beyond 64 bits")
    }

    // Pages.

    mutating func files() throws(Refusal) -> [Exported.File] {
        var files = [Exported.File(path: "Root.plist", bytes: try page(.root))]
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
        if let shown = own?.title ?? (kept(group) == nil ? group.isRoot ? title : Text(group.name) : nil) {
            made["Title"] = .string(shown)
        }
        let name = group.isRoot ? "Root" : pageNames[group]?.string ?? group.name
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

    /// A table of texts, by name.
    private static func table(_ texts: [Text: Text]) -> String {
        func quoted(_ text: Text) -> String {
            var out = "\""
            for scalar in text.string.unicodeScalars {
                switch scalar {
                case "\"": out += "\\\""
                case "\\": out += "\\\\"
                case "\n": out += "\\n"
                case "\r": out += "\\r"
                default: out.unicodeScalars.append(scalar)
                }
            }
            return out + "\""
        }
        return texts.keys.sorted().map { "\(quoted($0)) = \(quoted(texts[$0] ?? $0));\n" }.joined()
    }

    // Rows.

    /// The rows of a page as they come to stand.
    struct BundleRows {
        var texts: BundleTexts
        var rows: [PropertyList] = []
        var section: Text?
        var previous: Text?
        /// Whether what comes next would seem to belong to a section that it isn't in.
        var isInSection = false

        /// Where a row names a text, that text is the one shown now.
        mutating func localise(_ row: inout PropertyList.Members, _ member: Text, _ shown: Text?) {
            guard let shown, let name = row[member] else { return }
            row[member] = texts.put(name, shown)
        }
    }

    private mutating func add(_ group: Key, _ rows: inout BundleRows, isPage: Bool) throws(Refusal) {
        var others = kept(group)?["rows"]?.elements ?? []
        try addRows(after: nil, &others, &rows)
        let names = children.names(of: group)
        for name in names {
            let key = children.key(name, in: group)
            if let option = settings.options[key], !moved.contains(key) { try add(option, key, nil, &rows) }
            if !children.groups.contains(key) { try addRows(after: name, &others, &rows) }
        }
        for name in names {
            let key = children.key(name, in: group)
            guard children.groups.contains(key) else { continue }
            if let page = pageNames[key] {
                if !linked.contains(page), kept(key)?["unlinked"] != .bool(true) {
                    if isPage, rows.isInSection { add(BundleReader.header(of: Group()), &rows) }
                    rows.isInSection = false
                    addLink(to: page, key, nil, &rows)
                }
            } else {
                try addSection(key, &rows)
            }
            try addRows(after: name, &others, &rows)
        }
        for row in others { try addRow(row, &rows) }
    }

    private mutating func addSection(_ key: Key, _ rows: inout BundleRows) throws(Refusal) {
        let group = settings.groups[key] ?? Group(title: Text(key.name))
        var header = Specifier.overlaid(BundleReader.header(of: group), with: kept(key)?["members"])
        rows.localise(&header, "Title", group.title)
        rows.localise(&header, "FooterText", group.footer)
        let place = rows.rows.count
        (rows.section, rows.previous) = (group.title, nil)
        add(header, &rows)
        rows.isInSection = true
        try add(key, &rows, isPage: false)
        // Such a row is its own header.
        if rows.rows.count > place + 1, rows.rows[place + 1].members?["Type"]?.text == Specifier.radio {
            rows.rows.remove(at: place)
        }
    }

    private func add(_ row: PropertyList.Members, _ rows: inout BundleRows) {
        rows.rows.append(.dictionary(Specifier.sorted(row)))
    }

    private mutating func addRows(after name: Text?, _ others: inout [JSON], _ rows: inout BundleRows) throws(Refusal) {
        for row in others where row["after"]?.text == name { try addRow(row, &rows) }
        others.removeAll { $0["after"]?.text == name }
    }

    /// A row that is kept with its group: another program's, a link to a page, one more place of an option.
    private mutating func addRow(_ row: JSON, _ rows: inout BundleRows) throws(Refusal) {
        if let raw = row["row"], let value = PropertyList(raw) {
            rows.rows.append(value.members.map { .dictionary(Specifier.sorted($0)) } ?? value)
            let type = value.members?["Type"]?.text
            if type == Specifier.group { (rows.isInSection, rows.section) = (false, nil) }
            let title = value.members?["Title"]?.text
            rows.previous = type == Specifier.title ? title.map { rows.texts.texts[$0] ?? $0 } : nil
        } else if let page = row["page"]?.text, let key = pages[page] {
            addLink(to: page, key, row, &rows)
        } else if let name = row["key"]?.text, let key = keys[name], let option = settings.options[key] {
            try add(option, key, row["only"] == .bool(true) ? nil : row["members"] ?? .object([]), &rows)
        }
    }

    private mutating func addLink(to page: Text, _ key: Key, _ kept: JSON?, _ rows: inout BundleRows) {
        let title = settings.groups[key]?.title ?? Text(key.name)
        var link = Specifier.overlaid(BundleReader.link(to: page, title: title), with: kept?["members"])
        if kept?["named"] != .bool(true) { rows.localise(&link, "Title", title) }
        add(link, &rows)
        rows.previous = nil
    }

    /// `difference` is what was kept of another place's row; nil for the option's own.
    private mutating func add(_ option: Option, _ key: Key, _ difference: JSON?, _ rows: inout BundleRows) throws(Refusal) {
        var texts = rows.texts
        let row = try specifier(of: option, key, difference, rows, &texts)
        rows.texts = texts
        add(row, &rows)
        let title = row["Title"]?.text.map { texts.texts[$0] ?? $0 }
        rows.previous = row["Type"]?.text == Specifier.title ? title : nil
    }
}

extension JSON {
    var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
}
