extension Collection<Change> {
    /// The changes that people are told: not that a group's order lists an option or a group that is added or renamed, or no
    /// longer lists one that is removed, by the same changes.
    package var told: [Change] {
        let places = self.places
        return places.isEmpty ? Array(self) : filter { change in !places.contains(change.subject) || !change.isOfOrder }
    }

    /// The groups whose order follows from what is added and removed.
    private var places: Set<Subject> {
        guard count > 1, contains(where: \.isOfOrder) else { return [] }
        var names: [Key: Set<ExactText>] = [:]
        for change in self {
            var keys: [Key] = []
            if let (old, new) = change.renaming {
                keys = [old.key, new.key]
            } else if change.facet == .existence, !change.isOfOrder {
                keys = [change.subject.key]
            }
            for var key in keys {
                while !key.isRoot {
                    names[key.group, default: []].insert(ExactText(key.name))
                    key = key.group
                }
            }
        }
        return Set(filter { $0.isOfOrder && $0.lists(names[$0.subject.key] ?? []) }.map(\.subject))
    }
}

extension Change {
    /// Whether only a group's order changed, be it in a file that contains nothing else.
    fileprivate var isOfOrder: Bool {
        switch facet {
        case .order: return true
        case .existence:
            guard case .group(let group)? = (after ?? before)?.item else { return false }
            return group.order != nil && group == SettingsGroup(order: group.order)
        default: return false
        }
    }

    /// Whether the order lists one of these names, and all others that it listed before and after stayed in their order.
    fileprivate func lists(_ names: Set<ExactText>) -> Bool {
        func order(_ content: Content?) -> [ExactText] {
            if case .group(let group)? = content?.item { return group.order ?? [] }
            if case .array(let names)? = content?.json { return names.compactMap(\.text) }
            return []
        }
        let (old, new) = (order(before), order(after))
        let (oldNames, newNames) = (Set(old), Set(new))
        let stayed = oldNames.intersection(newNames).subtracting(names)
        return !oldNames.union(newNames).isDisjoint(with: names)
            && old.filter(stayed.contains) == new.filter(stayed.contains)
    }
}

extension Change.Content {
    fileprivate var item: SettingsContent.Item? { if case .item(let item) = self { item } else { nil } }
}
