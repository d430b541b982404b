import SettingsModel

extension SettingsContent {
    /// The name of an option or a group in its source, or the last part of its key.
    func exactName(of key: Key) -> String {
        options[key]?.importedKey?.string ?? groups[key]?.other["key"]?.text?.string ?? key.name
    }

    /// The names of the groups that contain it and its own, in the source.
    func exactPath(of key: Key) -> [String] { key.isRoot ? [] : exactPath(of: key.group) + [exactName(of: key)] }

    /// The contents of each group in the order of its page.
    func children() -> [Key: [Key]] {
        var names: [Key: Set<ExactText>] = [:]
        for key in options.keys where !key.isRoot { names[key.group, default: []].insert(ExactText(key.name)) }
        for key in allGroups where !key.isRoot { names[key.group, default: []].insert(ExactText(key.name)) }
        var children: [Key: [Key]] = [:]
        for (group, names) in names {
            let ordered = (groups[group] ?? SettingsGroup()).ordered(names)
            children[group] = ordered.compactMap { try? group.appending($0.string) }
        }
        return children
    }

    /// The keys of all options in the order of their pages, with those of a group in the group's place.
    func keysInOrder() -> [Key] {
        let children = children()
        var keys: [Key] = []
        func add(_ key: Key) {
            if options[key] != nil { keys.append(key) }
            for child in children[key] ?? [] { add(child) }
        }
        add(.root)
        return keys
    }
}
