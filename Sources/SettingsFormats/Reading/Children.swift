package import SettingsModel

/// The contents of each group in the order in which they are shown.
package struct Children {
    private let names: [Key: [Text]]
    package let groups: Set<Key>

    package init(_ settings: Settings) {
        groups = settings.allGroups.subtracting([.root])
        var children: [Key: Set<Text>] = [:]
        for key in Array(settings.options.keys) + Array(groups) { children[key.group, default: []].insert(Text(key.name)) }
        names = Dictionary(
            uniqueKeysWithValues: children.map { ($0, (settings.groups[$0] ?? Group()).ordered($1)) })
    }

    /// The names in `group`; a name that an option and a group share is listed once.
    package func names(of group: Key) -> [Text] { names[group] ?? [] }

    package func key(_ name: Text, in group: Key) -> Key { (try? group.appending(name.string)) ?? group }
}
