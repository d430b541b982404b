/// Keys where an import has a value and the store has a group, or vice versa; a store can't have both.
///
/// A group or value that only imports of the same files have touched is replaced. Items that people changed, and items from
/// other sources, stay, and the import's items in their place are declined.
package struct ImportShapes {
    /// All items of the store that may have to be replaced.
    package let subjects: Set<Subject>
    /// The items that are replaced.
    package private(set) var replaced: Set<Subject> = []
    /// The import's items that are declined because something in the store stays.
    package private(set) var declined: Set<Subject> = []
    /// The items that stay because people changed them or other files contain them.
    package private(set) var held: Set<Subject> = []
    package private(set) var conflicts: [Conflict] = []
    private let clashes: [Key: Clash]

    private struct Clash {
        var present: [Subject] = []
        var imported: [Subject] = []
    }

    /// `absent`: the items that the store has in the same group and `imported` doesn't.
    package init(of imported: SettingsContent, beside absent: Set<Subject>) {
        var clashes: [Key: Clash] = [:]
        let groups = imported.allGroups
        var places = ClashPlaces { imported.options[$0] != nil && !groups.contains($0) }
        for subject in absent {
            if case .option(let key) = subject, groups.contains(key) {
                clashes[key, default: Clash()].present.append(subject)
            } else if let key = places.place(of: subject) {
                clashes[key, default: Clash(imported: [.option(key)])].present.append(subject)
            }
        }
        subjects = Set(clashes.values.flatMap(\.present))
        let values = Set(clashes.keys.filter(groups.contains))
        if !values.isEmpty {
            var places = ClashPlaces { values.contains($0) }
            for subject in imported.subjects {
                if let key = places.place(of: subject) { clashes[key]?.imported.append(subject) }
            }
        }
        self.clashes = clashes
    }

    /// Decides each clash. `ours` has the store's items of `subjects` and of `differing`, which are those that differ in the
    /// import; `earlier` has them as of earlier imports, and `own` lists those that imports of the same files changed last.
    package mutating func decide(
        _ imported: SettingsContent, differing: Set<Subject>, ours: SettingsContent, earlier: SettingsContent, own: Set<Subject>,
        overwrites: Bool
    ) {
        for (key, clash) in clashes.sorted(by: { $0.key < $1.key }) {
            let options = clash.imported.filter { !$0.isGroup }
            let isBoth = options.contains { !differing.contains($0) || ours[$0] != nil }
            let isNew = options.contains { differing.contains($0) && ours[$0] == nil && earlier[$0] == nil }
            // The item was imported once and people removed it: it isn't imported again.
            guard overwrites || isBoth || isNew else { continue }
            let foreign = clash.present.filter { !own.contains($0) }
            let changed = clash.present.filter { own.contains($0) && !Self.isSame(ours[$0], earlier[$0]) }
            if overwrites || foreign.isEmpty && changed.isEmpty {
                replaced.formUnion(clash.present)
            } else if !isBoth {
                declined.formUnion(clash.imported.filter { ours[$0] == nil })
                held.formUnion(foreign + changed)
                conflicts.append(conflict(key, imported, ours, changed: changed.sorted(), foreign: foreign.sorted()))
            }
        }
    }

    /// Whether the items are equal; additions to the order of a group and removals from it don't count.
    private static func isSame(_ ours: SettingsContent.Item?, _ earlier: SettingsContent.Item?) -> Bool {
        guard case .group(var ours)? = ours, case .group(var earlier)? = earlier else { return ours == earlier }
        let (here, there) = (Set(ours.order ?? []), Set(earlier.order ?? []))
        ours.order = (ours.order ?? []).filter(there.contains)
        earlier.order = (earlier.order ?? []).filter(here.contains)
        return ours == earlier
    }

    private func conflict(
        _ key: Key, _ imported: SettingsContent, _ ours: SettingsContent, changed: [Subject], foreign: [Subject]
    ) -> Conflict {
        let isValue = ours.options[key] != nil
        let all = changed.isEmpty ? foreign : changed
        let options = all.filter { !$0.isGroup }
        let subjects = options.isEmpty ? all : options
        let isOne = subjects.count == 1
        var names = subjects.first.map { $0.key == key ? "it" : $0.key.description } ?? "it"
        if !isOne { names += " and \(subjects.count - 1) more" }
        let since = isOne ? "was changed since the last import" : "were changed since the last import"
        let reason = changed.isEmpty ? "\(names) did not come from them" : "\(names) \(since)"
        let subject: Subject = isValue ? .option(key) : .group(key)
        return Conflict(
            subject, title: ours.title(of: subject), facet: .existence, base: nil, ours: ours[subject].map { .item($0) },
            theirs: imported.options[key].map { .item(.option($0)) },
            reason: "these files have a \(isValue ? "group" : "value") in its place, but \(reason)")
    }
}

/// Finds the group that contains a subject, or is it, among the keys for which `isPlace` is true.
private struct ClashPlaces {
    private var known: [Key: Key?] = [:]
    private let isPlace: (Key) -> Bool

    init(_ isPlace: @escaping (Key) -> Bool) {
        self.isPlace = isPlace
    }

    mutating func place(of subject: Subject) -> Key? {
        if case .group(let key) = subject { place(within: key) } else { place(within: subject.key.group) }
    }

    private mutating func place(within group: Key) -> Key? {
        if group.isRoot { return nil }
        if let place = known[group] { return place }
        let place = isPlace(group) ? group : place(within: group.group)
        known[group] = .some(place)
        return place
    }
}
