import SettingsModel

/// Converts a bundle's pages to settings.
struct BundleReader {
    let pages: BundlePages
    let tables: StringsTables
    var placement: BundlePlacement
    var settings = SettingsContent()
    var repairs: [Repair]
    /// The row that defines each setting.
    var definingRows: [ExactText: DefiningRow] = [:]
    /// Rows that can't belong to the setting of their Key, by page and row.
    private var mismatches: Set<[Int]> = []
    var kept = PageNotes()
    private var pageKeys: [Key] = []
    private var titles: [ExactText] = []

    struct DefiningRow {
        var page: Int
        var row: Int
        var option: SettingsOption
    }

    init(pages: BundlePages, tables: StringsTables, placement: BundlePlacement, repairs: [Repair]) {
        self.pages = pages
        self.tables = tables
        self.placement = placement
        self.repairs = repairs
    }

    mutating func read() throws(Refusal) {
        for index in pages.all.indices { try place(index) }
        for index in pages.all.indices { try findDefiningRows(of: index) }
        for index in pages.all.indices { try readRows(of: index) }
        kept.put(into: &settings)
        for page in pages.all { repairs += tables.missing(of: page) }
    }

    // Pages

    /// Creates the group of a page.
    private mutating func place(_ index: Int) throws(Refusal) {
        let page = pages.all[index]
        var group = SettingsGroup(style: .page)
        var others: [JSON.Member] = []
        var key = Key.root
        if index > 0 {
            key = try placed { () throws(Key.Malformed) in
                try placement.page(ExactText(page.name), in: page.parent.map { pageKeys[$0] } ?? .root)
            }
            if key.name != page.name { group.other["key"] = .string(page.name) }
            if page.file == nil { others.append(JSON.Member("missing", .bool(true))) }
            if page.isOrphan { others.append(JSON.Member("unlinked", .bool(true))) }
        } else {
            if page.name != "Root" { others.append(JSON.Member("page", .string(page.name))) }
            if let language = tables.language { others.append(JSON.Member("language", .string(language))) }
        }
        group.title = page.members["Title"].map { text(of: $0, page) }
        if group.title == nil, index > 0 {
            let parent = page.parent.map { pages.all[$0] } ?? page
            group.title = page.link["Title"].map { text(of: $0, parent) } ?? ExactText(Titles.words(of: page.name))
        }
        var made = PropertyList.Members()
        made["Title"] = group.title.map { .string($0) }
        var members = page.members
        members["PreferenceSpecifiers"] = nil
        let difference = page.file == nil ? [] : Specifier.difference(of: members, from: made)
        if !difference.isEmpty { others.append(JSON.Member("members", .object(difference))) }
        if index == 0 || !others.isEmpty { group.other[SettingsBundleFormat.member] = .object(others) }
        noteUnknown(members, Specifier.knownPageMembers, page, row: members, key: nil)
        pageKeys.append(key)
        titles.append(group.title ?? "")
        settings.groups[key] = group
    }

    // The row that defines a setting

    /// A setting is defined by its first row that can be changed, or else by its first row.
    private mutating func findDefiningRows(of index: Int) throws(Refusal) {
        let page = pages.all[index]
        for (number, value) in page.rows.enumerated() {
            guard let row = value.members, let key = Specifier.key(of: row) else { continue }
            var reader = SpecifierReader(row) { $0 }
            let option = reader.option(title: "")
            guard let home = definingRows[key] else {
                definingRows[key] = DefiningRow(page: index, row: number, option: option)
                continue
            }
            if home.option.isReadOnly, !option.isReadOnly {
                definingRows[key] = DefiningRow(page: index, row: number, option: option)
            } else if !option.isReadOnly, let facet = BundleReader.difference(option, home.option) {
                let first = pages.all[home.page]
                let place = "\(first.path)\(first.rows[home.row].members?.line.map { ", line \($0)" } ?? "")"
                guard page.isOrphan else {
                    throw Refusal(
                        "the Key \"\(key)\" has a different \(facet) than in \(place)", in: page.path,
                        at: row.line.map { BadFile.Position(line: $0, column: 1) },
                        hint: "make both the same, or change the Key of one")
                }
                note(
                    page, row, "the \(facet) is different from that in \(place)",
                    "the first one counts; this row is kept unchanged")
                mismatches.insert([index, number])
            }
        }
    }

    /// How two rows of one setting differ, if they can't be the same setting.
    private static func difference(_ left: SettingsOption, _ right: SettingsOption) -> String? {
        if left.type != right.type { return "type" }
        if left.offOn != right.offOn { return "pair of values" }
        if left.labels.map(\.value) != right.labels.map(\.value) { return "list of values" }
        if left.range != right.range { return "range" }
        return left.defaultValue == right.defaultValue ? nil : "default"
    }

    // Rows

    private mutating func readRows(of index: Int) throws(Refusal) {
        let page = pages.all[index]
        let pageKey = pageKeys[index]
        var sections = try placed { () throws(Key.Malformed) in
            try placement.sections(self.sections(of: page), in: pageKey)
        }[...]
        var cursor = PageNotes.Cursor(group: pageKey)
        for (number, value) in page.rows.enumerated() {
            guard let row = value.members else {
                repairs.append(
                    Repair(
                        file: page.path, page: page.name, found: "the row \(number + 1) is \(value.kind), not a dictionary",
                        done: "kept unchanged"))
                kept.add(["row": value.json], &cursor)
                continue
            }
            if BundleReader.beginsSection(row) {
                cursor.group = pageKey
                (cursor.section, cursor.previous) = (nil, nil)
                if BundleReader.isSection(row, followedBy: page.rows.dropFirst(number + 1)), let key = sections.popFirst() {
                    openSection(row, at: key, page, &cursor)
                } else {
                    kept.add(["row": value.json], &cursor)
                    kept.addTexts(of: row, page, tables)
                }
                if row["Type"]?.text == Specifier.group { continue }
            }
            try readRow(row, number, index, &cursor)
        }
    }

    private mutating func readRow(
        _ row: PropertyList.Members, _ number: Int, _ index: Int, _ cursor: inout PageNotes.Cursor
    ) throws(Refusal) {
        let page = pages.all[index]
        let title = row["Title"]?.text
        defer { cursor.previous = row["Type"]?.text == Specifier.title ? title.map { text(of: .string($0), page) } : nil }
        if let key = Specifier.key(of: row), let home = definingRows[key], !mismatches.contains([index, number]) {
            if home.page == index, home.row == number {
                try addOption(key, row, page, &cursor)
            } else {
                addAgain(key, row, page, &cursor)
            }
        } else if let target = try BundlePages.target(of: row, page),
            let child = pages.places[target]
        {
            let made = Specifier.link(to: ExactText(target), title: titles[child])
            var link: [JSON.Member] = [JSON.Member("page", .string(target))]
            let difference = Specifier.difference(of: row, from: made)
            if !difference.isEmpty { link.append(JSON.Member("members", .object(difference))) }
            // A row may give a page another title than the page itself.
            if row["Title"] != pages.all[child].members["Title"] ?? pages.all[child].link["Title"] {
                link.append(JSON.Member("named", .bool(true)))
                kept.addTexts(of: row, page, tables)
            }
            let isFirst = pages.all[child].parent == index && pages.all[child].link.line == row.line
            if !isFirst, isAbove(child, index) {
                note(page, row, "its link leads back to the page \(target)", "the page is imported once", .kept)
            }
            kept.add(link, &cursor)
            if pageKeys[child].group == pageKeys[index] {
                kept.addToOrder(ExactText(pageKeys[child].name), of: pageKeys[index])
            }
            noteUnknown(row, Specifier.known, page, row: row, key: nil)
        } else {
            if row["Type"]?.text != Specifier.group {
                let type = row["Type"]?.text.map { "a row of type \($0)" } ?? "a row without a type"
                let isSetting = row["Type"]?.text.map { Specifier.settings.contains($0) } ?? false
                if !mismatches.contains([index, number]) {
                    note(page, row, isSetting ? "\(type) without a Key" : type, "kept unchanged", .kept)
                }
            }
            kept.add(["row": PropertyList.dictionary(row).json], &cursor)
            kept.addTexts(of: row, page, tables)
        }
    }

    /// Whether the page `child` is `page` or contains it.
    private func isAbove(_ child: Int, _ page: Int) -> Bool {
        var page: Int? = page
        while let index = page {
            if index == child { return true }
            page = pages.all[index].parent
        }
        return false
    }

    // Sections

    private static func beginsSection(_ row: PropertyList.Members) -> Bool {
        let type = row["Type"]?.text
        return type == Specifier.group || type == Specifier.radio && Specifier.key(of: row) != nil
    }

    /// Whether it is more than a gap: it has a title or a footer, or options follow it.
    private static func isSection(_ row: PropertyList.Members, followedBy rest: ArraySlice<PropertyList>) -> Bool {
        if ["Title", "FooterText"].contains(where: { row[$0]?.text?.isEmpty == false }) { return true }
        return !keys(row, rest).isEmpty
    }

    /// The settings of a section.
    private static func keys(_ row: PropertyList.Members, _ rest: ArraySlice<PropertyList>) -> [ExactText] {
        let own = Specifier.key(of: row).map { [$0] } ?? []
        return own
            + rest.prefix { $0.members.map { !beginsSection($0) } ?? true }.compactMap { $0.members.flatMap(Specifier.key) }
    }

    private func sections(of page: BundlePage) -> [BundlePlacement.Section] {
        page.rows.indices.compactMap { index in
            guard let row = page.rows[index].members, BundleReader.beginsSection(row) else { return nil }
            let rest = page.rows[(index + 1)...]
            guard BundleReader.isSection(row, followedBy: rest) else { return nil }
            let title = row["Title"]?.text.map { tables.ownText($0, in: page.table) }
            return BundlePlacement.Section(title: title, keys: BundleReader.keys(row, rest))
        }
    }

    private mutating func openSection(
        _ row: PropertyList.Members, at key: Key, _ page: BundlePage, _ cursor: inout PageNotes.Cursor
    ) {
        var group = SettingsGroup(style: .section)
        group.title = row["Title"].map { text(of: $0, page) }
        group.footer = row["FooterText"].map { text(of: $0, page) }
        if row["Type"]?.text == Specifier.group {
            let difference = Specifier.difference(of: row, from: Specifier.header(of: group))
            if !difference.isEmpty {
                group.other[SettingsBundleFormat.member] = .object([JSON.Member("members", .object(difference))])
            }
            noteUnknown(row, Specifier.known, page, row: row, key: group.title?.string)
        }
        settings.groups[key] = group
        kept.addToOrder(ExactText(key.name), of: key.group)
        cursor.after[key.group] = ExactText(key.name)
        cursor.group = key
        cursor.section = group.title
    }
}
