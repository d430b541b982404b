/// Options in the order in which their pages show them, the first of each section with its heading.
public struct Sections: Sendable {
    public struct Row: Sendable {
        public var key: Key
        public var option: SettingsOption
        /// The titles of its groups, the outermost first; only in the first row of each section.
        public var titles: [String]?
    }

    public private(set) var rows: [Row] = []

    public init(_ settings: SettingsContent, from place: Key = .root) {
        if let option = settings.options[place] { rows.append(Row(key: place, option: option, titles: nil)) }
        let children = Dictionary(grouping: settings.options.keys, by: \.group)
        let groups = Dictionary(grouping: settings.allGroups.filter { !$0.isRoot }, by: \.group)
        add(place, titles: place.isRoot ? [] : [Sections.title(of: place, settings)], settings, children, groups)
    }

    private mutating func add(
        _ group: Key, titles: [String], _ settings: SettingsContent, _ children: [Key: [Key]], _ groups: [Key: [Key]]
    ) {
        var heading = titles.isEmpty ? nil : titles
        let names = (settings.groups[group] ?? SettingsGroup()).ordered(
            Set((children[group] ?? []).map { ExactText($0.name) }).union((groups[group] ?? []).map { ExactText($0.name) }))
        let keys = names.map { Key(unchecked: group.parts + [$0.string]) }
        // The options of a section come first, as on a page; then the groups in it.
        for key in keys {
            guard let option = settings.options[key] else { continue }
            rows.append(Row(key: key, option: option, titles: heading))
            heading = nil
        }
        for key in keys where settings.allGroupsHold(key, groups) {
            add(key, titles: titles + [Sections.title(of: key, settings)], settings, children, groups)
        }
    }

    private static func title(of group: Key, _ settings: SettingsContent) -> String {
        settings.title(of: .group(group)).string
    }
}

extension SettingsContent {
    fileprivate func allGroupsHold(_ key: Key, _ groups: [Key: [Key]]) -> Bool { groups[key.group]?.contains(key) ?? false }
}
