import SettingsModel

/// What is kept of a bundle's pages beside its settings: rows that are no options, their texts, and the order of everything.
struct PageNotes {
    private var rows: [Key: [JSON]] = [:]
    private var order: [Key: (names: [ExactText], seen: Set<ExactText>)] = [:]
    /// By table and name.
    private var texts: [String: [ExactText: ExactText]] = [:]

    /// The current group for rows, the name that precedes the next row in it, and the titles that a slider may use.
    struct Cursor {
        var group: Key
        var after: [Key: ExactText] = [:]
        var section: ExactText?
        var previous: ExactText?
    }

    /// Keeps a row that isn't an option, after the row that precedes it.
    mutating func add(_ row: KeyValuePairs<ExactText, JSON>, _ cursor: inout Cursor) {
        add(row.map { JSON.Member($0.key, $0.value) }, &cursor)
    }

    mutating func add(_ row: [JSON.Member], _ cursor: inout Cursor) {
        var row = row
        if let name = cursor.after[cursor.group] { row.insert(JSON.Member("after", .string(name)), at: 0) }
        rows[cursor.group, default: []].append(.object(row))
    }

    mutating func addToOrder(_ name: ExactText, of group: Key) {
        if order[group, default: ([], [])].seen.insert(name).inserted { order[group]?.names.append(name) }
    }

    /// Keeps the texts of a row, so that they can be exported.
    mutating func addTexts(of row: PropertyList.Members, _ page: BundlePage, _ tables: StringsTables) {
        for member: ExactText in ["Title", "FooterText", "Titles", "ShortTitles"] {
            for value in row[member]?.elements ?? row[member].map({ [$0] }) ?? [] {
                guard let name = value.text, case let text = tables.text(name, in: page.table), text != name else { continue }
                texts[page.table, default: [:]][name] = text
            }
        }
    }

    func put(into settings: inout SettingsContent) {
        for (group, order) in order { settings.groups[group, default: SettingsGroup()].order = order.names }
        for (group, rows) in rows {
            put(JSON.Member("rows", .array(rows)), into: &settings.groups[group, default: SettingsGroup()])
        }
        guard !texts.isEmpty else { return }
        let tables = texts.keys.sorted().map { table in
            let texts = texts[table] ?? [:]
            return JSON.Member(
                ExactText(table), .object(texts.keys.sorted().map { JSON.Member($0, .string(texts[$0] ?? $0)) }))
        }
        put(JSON.Member("texts", .object(tables)), into: &settings.groups[.root, default: SettingsGroup()])
    }

    private func put(_ member: JSON.Member, into group: inout SettingsGroup) {
        let members = group.other[SettingsBundleFormat.member]?.members ?? []
        group.other[SettingsBundleFormat.member] = .object(members + [member])
    }
}
