extension SettingsContent {
    /// The store's keys for items of this import, if they differ from the import's own keys: an item goes to the item with
    /// the same exact name. If there is none, a name that changed only in case stays the same option or group, and its `key`
    /// member holds the new exact name.
    ///
    /// Only items below `group` are considered, and only those that move are returned. `names` returns the names in a group of
    /// the store, `exact` the names that the items with such a name (an option, a group or both) have in the import's source.
    package func places<Failure: Error>(
        below group: Key, names: (Key) throws(Failure) -> Set<String>, exact: (Key) throws(Failure) -> [ExactText]
    ) throws(Failure) -> [Key: Key] {
        var children: [Key: Set<String>] = [:]
        for key in options.keys where key.isWithin(group) { children[key.group, default: []].insert(key.name) }
        for key in allGroups where key.isWithin(group) && key != group { children[key.group, default: []].insert(key.name) }
        var moved: [Key: Key] = [:]
        var open = [(here: group, there: group)]
        while let (here, there) = open.popLast() {
            guard let own = children[here] else { continue }
            let present = try names(there)
            let families = NameFamilies(own, present)
            var matching = families.unlike.isEmpty ? NameMatching() : NameMatching(own, present)
            for family in families.unlike {
                var items: [NameMatching.Item] = []
                for name in family.present {
                    for exact in try exact(Key(unchecked: there.parts + [name])) {
                        items.append(NameMatching.Item(name: name, exact: exact))
                    }
                }
                matching.match(
                    family.own.map { NameMatching.Item(name: $0, exact: self.exact(Key(unchecked: here.parts + [$0]))) },
                    to: items, stem: family.stem)
            }
            let places = matching.places
            for name in own {
                let (old, new) = (
                    Key(unchecked: here.parts + [name]), Key(unchecked: there.parts + [places[name] ?? name])
                )
                if old != new { moved[old] = new }
                if children[old] != nil { open.append((old, new)) }
            }
        }
        return moved
    }

    /// The name of an item in its source.
    private func exact(_ key: Key) -> ExactText {
        options[key]?.importedKey ?? groups[key]?.other["key"]?.text ?? ExactText(key.name)
    }

    func renamed(_ moved: [Key: Key]) -> SettingsContent {
        func other(_ other: [ExactText: JSON], _ key: Key, _ new: Key) -> [ExactText: JSON] {
            guard key.name != new.name else { return other }
            var other = other
            let exact = other["key"]?.text ?? ExactText(key.name)
            other["key"] = exact == ExactText(new.name) ? nil : .string(exact)
            return other
        }
        var settings = SettingsContent(definition: definition)
        for (key, option) in options {
            let new = moved[key] ?? key
            settings.options[new] = option
            settings.options[new]?.other = other(option.other, key, new)
        }
        // A group without other members still needs a file to hold its exact name.
        let all = allGroups
        for key in Set(groups.keys).union(moved.keys.filter { all.contains($0) && $0.name != moved[$0]?.name }) {
            let new = moved[key] ?? key
            var group = groups[key] ?? SettingsGroup()
            group.other = other(group.other, key, new)
            group.order = group.order?.map { name in
                moved[Key(unchecked: key.parts + [name.string])].map { ExactText($0.name) } ?? name
            }
            settings.groups[new] = group
        }
        return settings
    }
}
