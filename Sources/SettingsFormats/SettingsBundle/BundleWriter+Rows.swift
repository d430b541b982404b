import SettingsModel

extension BundleWriter {
    /// The rows of a page under construction.
    struct BundleRows {
        var texts: BundleTexts
        var rows: [PropertyList] = []
        var section: ExactText?
        var previous: ExactText?
        /// Whether the next row would appear to be in a section that it isn't in.
        var isInSection = false

        /// If a row uses the name of a text, changes that text to the current one.
        mutating func localise(_ row: inout PropertyList.Members, _ member: ExactText, _ shown: ExactText?) {
            guard let shown, let name = row[member] else { return }
            row[member] = texts.put(name, shown)
        }
    }

    mutating func add(_ group: Key, _ rows: inout BundleRows, isPage: Bool) throws(Refusal) {
        var others = KeptRows(kept(group)?["rows"]?.elements ?? [])
        try addRows(others.take(after: nil), &rows)
        let names = children.names(of: group)
        // Rows that followed a removed option stay in place.
        let (order, here) = (settings.groups[group]?.order ?? [], Set(names))
        for name in order + names.filter(Set(names).subtracting(order).contains) {
            let key = children.key(name, in: group)
            guard here.contains(name) else {
                try addRows(others.take(after: name), &rows)
                continue
            }
            if let option = settings.options[key], !moved.contains(key) { try add(option, key, nil, &rows) }
            if !children.groups.contains(key) { try addRows(others.take(after: name), &rows) }
        }
        for name in names {
            let key = children.key(name, in: group)
            guard children.groups.contains(key) else { continue }
            if let page = pageNames[key] {
                if !linked.contains(page), kept(key)?["unlinked"] != .bool(true) {
                    if isPage, rows.isInSection { add(Specifier.header(of: SettingsGroup()), &rows) }
                    rows.isInSection = false
                    addLink(to: page, key, nil, &rows)
                }
            } else {
                try addSection(key, &rows)
            }
            try addRows(others.take(after: name), &rows)
        }
        try addRows(others.rest(), &rows)
    }

    private mutating func addSection(_ key: Key, _ rows: inout BundleRows) throws(Refusal) {
        let group = settings.groups[key] ?? SettingsGroup(title: ExactText(key.name))
        var header = Specifier.overlaid(Specifier.header(of: group), with: kept(key)?["members"])
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

    private mutating func addRows(_ kept: [JSON], _ rows: inout BundleRows) throws(Refusal) {
        for row in kept { try addRow(row, &rows) }
    }

    /// Adds a row that is kept with its group: of another program, a link to a page, or an additional row of an option.
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

    private mutating func addLink(to page: ExactText, _ key: Key, _ kept: JSON?, _ rows: inout BundleRows) {
        let title = settings.groups[key]?.title ?? ExactText(key.name)
        var link = Specifier.overlaid(Specifier.link(to: page, title: title), with: kept?["members"])
        if kept?["named"] != .bool(true) { rows.localise(&link, "Title", title) }
        add(link, &rows)
        rows.previous = nil
    }

    /// `difference` is what was kept of an additional row; nil for the option's defining row.
    private mutating func add(_ option: SettingsOption, _ key: Key, _ difference: JSON?, _ rows: inout BundleRows) throws(Refusal)
    {
        var texts = rows.texts
        let row = try specifier(of: option, key, difference, rows, &texts)
        rows.texts = texts
        add(row, &rows)
        let title = row["Title"]?.text.map { texts.texts[$0] ?? $0 }
        rows.previous = row["Type"]?.text == Specifier.title ? title : nil
    }
}

/// The rows that are kept with a group, by the name that they follow.
private struct KeptRows {
    private let all: [JSON]
    private var places: [ExactText?: [Int]]

    init(_ rows: [JSON]) {
        all = rows
        places = Dictionary(grouping: rows.indices) { rows[$0]["after"]?.text }
    }

    mutating func take(after name: ExactText?) -> [JSON] { (places.removeValue(forKey: name) ?? []).map { all[$0] } }

    /// The rows whose predecessor no longer exists.
    func rest() -> [JSON] { places.values.joined().sorted().map { all[$0] } }
}

extension JSON {
    var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
}
