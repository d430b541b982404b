extension Settings {
    /// The keys that a store has for items of this import, where the names differ by case alone: a name whose case changed
    /// stays the same option or group, and its `key` member holds the new exact name.
    ///
    /// Only what lies below `group` is looked at, and only what moves is named. `names` are those of a group of the store,
    /// `exact` what the items of such a name (an option, a group or both) are called where they were imported from.
    package func places<Failure: Error>(
        below group: Key, names: (Key) throws(Failure) -> Set<String>, exact: (Key) throws(Failure) -> [Text]
    ) throws(Failure) -> [Key: Key] {
        var children: [Key: Set<String>] = [:]
        for key in options.keys where key.isWithin(group) { children[key.group, default: []].insert(key.name) }
        for key in allGroups where key.isWithin(group) && key != group { children[key.group, default: []].insert(key.name) }
        var moved: [Key: Key] = [:]
        var open = [(here: group, there: group)]
        while let (here, there) = open.popLast() {
            guard let own = children[here] else { continue }
            let present = try names(there)
            var places: [String: String] = [:]
            if !own.isSubset(of: present), !present.isEmpty {
                let folded = Dictionary(grouping: present) { $0.lowercased() }
                let stems = Set(own.lazy.filter { !present.contains($0) }.map { $0.lowercased() }.filter { folded[$0] != nil })
                for stem in stems.sorted() {
                    var matching = NameMatching(stem: stem)
                    for name in present.sorted() where matching.mayHave(name) {
                        for exact in try exact(Key(unchecked: there.parts + [name])) { matching.addPresent(name, exact) }
                    }
                    for name in own.sorted() where matching.mayHave(name) {
                        matching.add(name, self.exact(Key(unchecked: here.parts + [name])))
                    }
                    places.merge(matching.places(beside: present)) { first, _ in first }
                }
            }
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

    /// What an item is called where it was imported from.
    private func exact(_ key: Key) -> Text {
        options[key]?.importedKey ?? groups[key]?.other["key"]?.text ?? Text(key.name)
    }

    func renamed(_ moved: [Key: Key]) -> Settings {
        func other(_ other: [Text: JSON], _ key: Key, _ new: Key) -> [Text: JSON] {
            guard key.name != new.name else { return other }
            var other = other
            let exact = other["key"]?.text ?? Text(key.name)
            other["key"] = exact == Text(new.name) ? nil : .string(exact)
            return other
        }
        var settings = Settings(definition: definition)
        for (key, option) in options {
            let new = moved[key] ?? key
            settings.options[new] = option
            settings.options[new]?.other = other(option.other, key, new)
        }
        // A group that needs no file for anything else needs one for its exact name.
        let all = allGroups
        for key in Set(groups.keys).union(moved.keys.filter { all.contains($0) && $0.name != moved[$0]?.name }) {
            let new = moved[key] ?? key
            var group = groups[key] ?? Group()
            group.other = other(group.other, key, new)
            group.order = group.order?.map { name in
                moved[Key(unchecked: key.parts + [name.string])].map { Text($0.name) } ?? name
            }
            settings.groups[new] = group
        }
        return settings
    }
}

/// Brings together names that differ by case alone: those of an import, and those that a store has.
private struct NameMatching {
    /// The names in lower case.
    let stem: String
    private var present: [(name: String, exact: Text)] = []
    private var own: [(name: String, exact: Text)] = []

    init(stem: String) {
        self.stem = stem
    }

    /// A name made apart from another has a number behind.
    func mayHave(_ name: String) -> Bool {
        let folded = name.lowercased()
        return folded == stem || folded.hasPrefix(stem + "-") && folded.utf8.count == stem.utf8.count + 9
    }

    mutating func addPresent(_ name: String, _ exact: Text) { present.append((name, exact)) }

    mutating func add(_ name: String, _ exact: Text) { own.append((name, exact)) }

    /// Where each name goes: to the item of that exact name, else to one that nothing else goes to, else beside them.
    func places(beside names: Set<String>) -> [String: String] {
        var places: [String: String] = [:]
        var free = present
        var open: [(name: String, exact: Text)] = []
        for item in own {
            if let match = free.first(where: { $0.exact == item.exact }) {
                places[item.name] = match.name
                free.removeAll { $0.name == match.name }
            } else {
                open.append(item)
            }
        }
        var taken = Set(names.map { $0.lowercased() })
        for item in open {
            let folded = item.exact.string.lowercased()
            if let match = free.first(where: { $0.exact.string.lowercased() == folded }) {
                places[item.name] = match.name
                free.removeAll { $0.name == match.name }
                continue
            }
            var place = item.name
            var attempt = 0
            while taken.contains(place.lowercased()) {
                place = Key.apart(stem, attempt == 0 ? item.exact.string : "\(item.exact) \(attempt)")
                attempt += 1
            }
            taken.insert(place.lowercased())
            places[item.name] = place
        }
        return places
    }
}
