/// Matches the names of an import with the names that a store has in the same group.
struct NameMatching {
    struct Item {
        var name: String
        /// The name in the source of the import.
        var exact: ExactText
    }

    /// The store's name for each matched name of the import.
    private(set) var places: [String: String] = [:]
    private let own: Set<String>
    private var taken: Set<String>

    init(_ own: Set<String> = [], _ present: Set<String> = []) {
        self.own = Set(own.map { $0.lowercased() })
        taken = Set(present.map { $0.lowercased() })
    }

    /// Each item is matched by its exact name, then by its name ignoring case, then by its key; each remaining item gets
    /// a new key. The order of the items in the import makes no difference.
    mutating func match(_ items: [Item], to present: [Item], stem: String) {
        var open = items.sorted { $0.exact < $1.exact }
        var free = present
        func take(where isMatch: (Item, Item) -> Bool, _ places: inout [String: String]) {
            open.removeAll { item in
                guard let match = free.first(where: { isMatch(item, $0) }) else { return false }
                places[item.name] = match.name
                free.removeAll { $0.name == match.name }
                return true
            }
        }
        take(where: { $0.exact == $1.exact }, &places)
        take(where: { $0.exact.string.lowercased() == $1.exact.string.lowercased() }, &places)
        take(where: { $0.name == $1.name }, &places)
        for item in open { add(item, stem) }
    }

    private mutating func add(_ item: Item, _ stem: String) {
        var place = item.name
        var attempt = 0
        while taken.contains(place.lowercased()) || place != item.name && own.contains(place.lowercased()) {
            place = Key.apart(stem, attempt == 0 ? item.exact.string : "\(item.exact) \(attempt)")
            attempt += 1
        }
        taken.insert(place.lowercased())
        places[item.name] = place
    }
}

/// Names that differ only by case, together with the names that `Key.apart` derived from them.
struct NameFamilies {
    struct Family {
        var stem: String
        var own: [String] = []
        var present: [String] = []
    }

    /// The families in which a name of the import may belong to another name of the store.
    private(set) var unlike: [Family] = []

    init(_ own: Set<String>, _ present: Set<String>) {
        // Most imports have the names that the store has, without any that differ only by case.
        if present.isEmpty || own.isSubset(of: present) && !present.contains(where: Self.isDisambiguated) { return }
        var families: [Substring: Family] = [:]
        for name in own where !Self.isDisambiguated(name) {
            let stem = name.lowercased()
            families[Self.beginning(stem), default: Family(stem: stem)].own.append(name)
        }
        func stem(_ name: String) -> String {
            let folded = name.lowercased()
            guard Self.isDisambiguated(name) else { return folded }
            let bare = String(folded.dropLast(9))
            return families[Self.beginning(bare)] == nil ? folded : bare
        }
        for name in own where Self.isDisambiguated(name) {
            let stem = stem(name)
            families[Self.beginning(stem), default: Family(stem: stem)].own.append(name)
        }
        for name in present { families[Self.beginning(stem(name))]?.present.append(name) }
        for (_, var family) in families where !family.present.isEmpty {
            if family.own.count == 1, family.own == family.present { continue }
            family.own.sort()
            family.present.sort()
            unlike.append(family)
        }
        unlike.sort { $0.stem < $1.stem }
    }

    /// The prefix of a name that `Key.apart` keeps.
    private static func beginning(_ stem: String) -> Substring { stem.prefix(119) }

    /// Whether a name has the suffix that `Key.apart` adds.
    private static func isDisambiguated(_ name: String) -> Bool {
        let end = name.utf8.suffix(9)
        return end.count == 9 && name.utf8.count > 9 && end.first == UInt8(ascii: "-")
            && end.dropFirst().allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}
