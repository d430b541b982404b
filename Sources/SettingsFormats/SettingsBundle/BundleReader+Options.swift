import SettingsModel

extension BundleReader {
    /// Adds the option of a row, in its section or where it was before.
    mutating func addOption(
        _ name: ExactText, _ row: PropertyList.Members, _ page: BundlePage, _ cursor: inout Cursor
    ) throws(Refusal) {
        let group = cursor.group
        let key = try placed { () throws(Key.Malformed) in try placement.option(name, in: group) }
        var option = option(of: row, page, cursor, notes: name.string)
        if ExactText(key.name) != name { option.other["key"] = .string(name) }
        let difference = Specifier.difference(of: row, from: option.specifier(key: name, value: option.defaultValue))
        let kept = BundleReader.withValues(difference, row)
        if !kept.isEmpty { option.other[SettingsBundleFormat.member] = .object(kept) }
        settings.options[key] = option
        addToOrder(ExactText(key.name), of: key.group)
        if key.group == group {
            cursor.after[group] = ExactText(key.name)
        } else {
            // The option has its key in another group; this keeps its place on the page.
            add([JSON.Member("key", .string(name)), JSON.Member("only", .bool(true))], &cursor)
            note(page, row, "it is shown in another section now", "it stays at \(key)", .kept, key: name.string)
        }
        noteUnknown(row, Specifier.known, page, row: row, key: name.string)
    }

    /// Keeps an additional row of an option that another row defines.
    mutating func addAgain(_ name: ExactText, _ row: PropertyList.Members, _ page: BundlePage, _ cursor: inout Cursor) {
        guard let home = definingRows[name], let own = pages.all[home.page].rows[home.row].members else { return }
        let option = option(of: own, pages.all[home.page], cursor)
        var difference = Specifier.difference(of: row, from: option.specifier(key: name, value: option.defaultValue))
        // The title of a row without one depends on its surroundings.
        if let title = row["Title"], !difference.contains(where: { $0.name == "Title" }) {
            difference.append(JSON.Member("Title", title.json))
        }
        var members: [JSON.Member] = [JSON.Member("key", .string(name))]
        let kept = BundleReader.withValues(difference, row)
        if !kept.isEmpty { members.append(JSON.Member("members", .object(kept))) }
        add(members, &cursor)
        keepTexts(of: row, page)
        note(page, row, "the Key stands there again", "one setting with two places", .kept, key: name.string)
    }

    /// The option of a row in its surroundings; repairs are reported under the name `notes`, if given.
    private mutating func option(
        of row: PropertyList.Members, _ page: BundlePage, _ cursor: Cursor, notes name: String? = nil
    ) -> SettingsOption {
        let (tables, table) = (tables, page.table)
        var reader = SpecifierReader(row) { tables.text($0, in: table) }
        let option = reader.option(
            title: BundleReader.title(of: row, previous: cursor.previous, section: cursor.section))
        for item in reader.notes {
            guard let name else { break }
            note(page, row, item.found, item.done, item.kind, key: name)
        }
        return option
    }

    /// The title of a row without one: for a slider that of the preceding row, or of its section.
    static func title(of row: PropertyList.Members, previous: ExactText?, section: ExactText?) -> ExactText {
        if row["Type"]?.text == Specifier.slider {
            if let previous, !previous.isEmpty { return previous }
            if let section, !section.isEmpty { return section }
        }
        return ExactText(Titles.words(of: row["Key"]?.text?.string ?? ""))
    }

    /// Titles that are names of texts are associated with their values, whatever happens to the labels.
    private static func withValues(_ difference: [JSON.Member], _ row: PropertyList.Members) -> [JSON.Member] {
        guard difference.contains(where: { $0.name == "Titles" || $0.name == "ShortTitles" }) else { return difference }
        var kept = difference
        for member: ExactText in ["Values", "Titles", "ShortTitles"] where !kept.contains(where: { $0.name == member }) {
            if let value = row[member] { kept.append(JSON.Member(member, value.json)) }
        }
        return kept
    }

    // Kept rows and reports

    /// Keeps a row that isn't an option, after the row that precedes it.
    mutating func add(_ row: KeyValuePairs<ExactText, JSON>, _ cursor: inout Cursor) {
        add(row.map { JSON.Member($0.key, $0.value) }, &cursor)
    }

    mutating func add(_ row: [JSON.Member], _ cursor: inout Cursor) {
        var row = row
        if let name = cursor.after[cursor.group] { row.insert(JSON.Member("after", .string(name)), at: 0) }
        keptRows[cursor.group, default: []].append(.object(row))
    }

    mutating func addToOrder(_ name: ExactText, of group: Key) {
        if order[group, default: ([], [])].seen.insert(name).inserted { order[group]?.names.append(name) }
    }

    mutating func keepRows() {
        for (group, order) in order { settings.groups[group, default: SettingsGroup()].order = order.names }
        for (group, rows) in keptRows { keep(JSON.Member("rows", .array(rows)), of: group) }
    }

    private mutating func keep(_ member: JSON.Member, of group: Key) {
        var members: [JSON.Member] = []
        if case .object(let kept)? = settings.groups[group]?.other[SettingsBundleFormat.member] { members = kept }
        settings.groups[group, default: SettingsGroup()].other[SettingsBundleFormat.member] = .object(members + [member])
    }

    mutating func note(
        _ page: BundlePage, _ row: PropertyList.Members, _ found: String, _ done: String,
        _ kind: Repair.Kind = .repaired, key: String? = nil
    ) {
        repairs.append(
            Repair(
                kind, file: page.path, line: row.line, page: page.name,
                key: key ?? row["Key"]?.text?.string ?? row["Title"]?.text?.string, found: found, done: done))
    }

    /// Reports members that Apple's schema doesn't have.
    mutating func noteUnknown(
        _ members: PropertyList.Members, _ known: Set<ExactText>, _ page: BundlePage, row: PropertyList.Members, key: String?
    ) {
        let unknown = members.entries.map(\.name).filter { !known.contains($0) }
        guard !unknown.isEmpty else { return }
        note(
            page, row, "unknown: \(unknown.map(\.string).joined(separator: ", "))", "kept unchanged", .kept, key: key)
    }

    /// Keeps the texts of a row, so that they can be exported.
    mutating func keepTexts(of row: PropertyList.Members, _ page: BundlePage) {
        for member: ExactText in ["Title", "FooterText", "Titles", "ShortTitles"] {
            for value in row[member]?.elements ?? row[member].map({ [$0] }) ?? [] {
                guard let name = value.text, case let text = tables.text(name, in: page.table), text != name else { continue }
                keptTexts[page.table, default: [:]][name] = text
            }
        }
    }

    mutating func keepTexts() {
        guard !keptTexts.isEmpty else { return }
        let tables = keptTexts.keys.sorted().map { table in
            let texts = keptTexts[table] ?? [:]
            return JSON.Member(
                ExactText(table), .object(texts.keys.sorted().map { JSON.Member($0, .string(texts[$0] ?? $0)) }))
        }
        keep(JSON.Member("texts", .object(tables)), of: .root)
    }

    func text(of value: PropertyList, _ page: BundlePage) -> ExactText {
        guard case .string(let text) = value else { return value.word ?? ExactText(value.json.compact) }
        return tables.text(text, in: page.table)
    }

    func placed<Value>(_ place: () throws(Key.Malformed) -> Value) throws(Refusal) -> Value {
        do { return try place() } catch {
            throw Refusal("a name there can't be had here: \(error.reason)", in: pages.all.first?.path)
        }
    }

    /// Rejects what exceeds the size of a store's file.
    func checkSizes(_ folder: String) throws(Refusal) {
        func check(_ name: String, _ size: Int) throws(Refusal) {
            guard size > JSON.sizeLimit else { return }
            throw Refusal("\(name) alone has more than \(JSON.sizeLimit >> 20) MiB, and a setting has no more", in: folder)
        }
        for key in settings.options.keys.sorted() { try check("the row \(key)", settings.options[key]?.file.count ?? 0) }
        for key in settings.groups.keys.sorted() {
            try check("the page or section \(key)", settings.groups[key]?.file.count ?? 0)
        }
    }
}
