import SettingsModel

extension BundleReader {
    /// Adds the option of a row, in its section or where it was before.
    mutating func addOption(
        _ name: ExactText, _ row: PropertyList.Members, _ page: BundlePage, _ cursor: inout PageNotes.Cursor
    ) throws(Refusal) {
        let group = cursor.group
        let key = try placed { () throws(Key.Malformed) in try placement.option(name, in: group) }
        var option = option(of: row, page, cursor, notes: name.string)
        if ExactText(key.name) != name { option.other["key"] = .string(name) }
        let difference = Specifier.difference(
            of: row, from: SpecifierWriter(option: option).row(key: name, value: option.defaultValue))
        let differing = BundleReader.withValues(difference, row)
        if !differing.isEmpty { option.other[SettingsBundleFormat.member] = .object(differing) }
        settings.options[key] = option
        kept.addToOrder(ExactText(key.name), of: key.group)
        if key.group == group {
            cursor.after[group] = ExactText(key.name)
        } else {
            // The option has its key in another group; this keeps its place on the page.
            kept.add([JSON.Member("key", .string(name)), JSON.Member("only", .bool(true))], &cursor)
            note(page, row, "it is shown in another section now", "it stays at \(key)", .kept, key: name.string)
        }
        noteUnknown(row, Specifier.known, page, row: row, key: name.string)
    }

    /// Keeps an additional row of an option that another row defines.
    mutating func addAgain(_ name: ExactText, _ row: PropertyList.Members, _ page: BundlePage, _ cursor: inout PageNotes.Cursor) {
        guard let home = definingRows[name], let own = pages.all[home.page].rows[home.row].members else { return }
        let option = option(of: own, pages.all[home.page], cursor)
        var difference = Specifier.difference(
            of: row, from: SpecifierWriter(option: option).row(key: name, value: option.defaultValue))
        // The title of a row without one depends on its surroundings.
        if let title = row["Title"], !difference.contains(where: { $0.name == "Title" }) {
            difference.append(JSON.Member("Title", title.json))
        }
        var members: [JSON.Member] = [JSON.Member("key", .string(name))]
        let differing = BundleReader.withValues(difference, row)
        if !differing.isEmpty { members.append(JSON.Member("members", .object(differing))) }
        kept.add(members, &cursor)
        kept.addTexts(of: row, page, tables)
        note(page, row, "the Key appears again", "one setting, shown in two places", .kept, key: name.string)
    }

    /// The option of a row in its surroundings; repairs are reported under the name `notes`, if given.
    private mutating func option(
        of row: PropertyList.Members, _ page: BundlePage, _ cursor: PageNotes.Cursor, notes name: String? = nil
    ) -> SettingsOption {
        let (tables, table) = (tables, page.table)
        var reader = SpecifierReader(row) { tables.text($0, in: table) }
        let option = reader.option(
            title: Specifier.title(of: row, previous: cursor.previous, section: cursor.section))
        for item in reader.notes {
            guard let name else { break }
            note(page, row, item.found, item.done, item.kind, key: name)
        }
        return option
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

    // Reports and texts

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

    func text(of value: PropertyList, _ page: BundlePage) -> ExactText {
        guard case .string(let text) = value else { return value.word ?? ExactText(value.json.compact) }
        return tables.text(text, in: page.table)
    }

    func placed<Value>(_ place: () throws(Key.Malformed) -> Value) throws(Refusal) -> Value {
        do { return try place() } catch {
            throw Refusal("invalid name: \(error.reason)", in: pages.all.first?.path)
        }
    }

    /// Rejects what exceeds the size of a store's file.
    func checkSizes(_ folder: String) throws(Refusal) {
        func check(_ name: String, _ size: Int) throws(Refusal) {
            guard size > JSON.sizeLimit else { return }
            throw Refusal("\(name) is larger than \(JSON.sizeLimit >> 20) MiB, the limit for a setting", in: folder)
        }
        for key in settings.options.keys.sorted() { try check("the row \(key)", settings.options[key]?.file.count ?? 0) }
        for key in settings.groups.keys.sorted() {
            try check("the page or section \(key)", settings.groups[key]?.file.count ?? 0)
        }
    }
}
