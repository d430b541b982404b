package import SettingsModel

/// The contents of each group in the order in which they are shown.
package struct Children {
    private let names: [Key: [ExactText]]
    package let groups: Set<Key>

    package init(_ settings: SettingsContent) {
        groups = settings.allGroups.subtracting([.root])
        var children: [Key: Set<ExactText>] = [:]
        for key in Array(settings.options.keys) + Array(groups) { children[key.group, default: []].insert(ExactText(key.name)) }
        names = Dictionary(
            uniqueKeysWithValues: children.map { ($0, (settings.groups[$0] ?? SettingsGroup()).ordered($1)) })
    }

    /// The names in `group`; a name that an option and a group share is listed once.
    package func names(of group: Key) -> [ExactText] { names[group] ?? [] }

    package func key(_ name: ExactText, in group: Key) -> Key { (try? group.appending(name.string)) ?? group }
}
