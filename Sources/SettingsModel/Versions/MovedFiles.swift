// What was renamed is told by the bytes of files where nobody says it: in a commit by plain git, and in a draft. Git's own
// detection paired 42 to 70 of 1,600 files wrongly in random commits, and titles and values tell options apart worse than
// all of their bytes. So only these count:
//
// - a folder of two files or more that is gone as a whole, all of them with the same bytes under one new folder;
// - an option whose bytes no other file has, neither before nor after.
//
// What was edited, too, was removed and added, as were two files that took each other's name.

/// Files that are gone and files that are new, to find those among them that were renamed.
package struct MovedFiles {
    package private(set) var removed: [Subject: ObjectID] = [:]
    package private(set) var added: [Subject: ObjectID] = [:]

    package init() {}

    /// Takes a file that differs; nothing stands for one that isn't there.
    package mutating func take(_ subject: Subject, before: ObjectID?, after: ObjectID?) {
        if subject == .store { return }
        if let before, after == nil { removed[subject] = before }
        if let after, before == nil { added[subject] = after }
    }

    /// Whether bytes that are gone stand elsewhere now.
    package var hasPairs: Bool { !Set(removed.values).isDisjoint(with: added.values) }

    /// What was renamed. `others`: the files that are there before and after, with the bytes of each.
    package func renames(besides others: [(subject: Subject, id: ObjectID)]) -> [VersionMessage.Rename] {
        let places = Dictionary(grouping: added.keys) { added[$0] }
        var (taken, known) = (Set(others.map(\.id)), Set<ObjectID>())
        for id in Array(removed.values) where !known.insert(id).inserted { taken.insert(id) }
        let groups = groups(places, besides: Set(others.flatMap { $0.subject.groups }), taken)
        var renames = groups
        for (old, id) in removed.sorted(by: { $0.key < $1.key }) where !old.isGroup && !taken.contains(id) {
            guard let new = places[id], new.count == 1, !new[0].isGroup else { continue }
            if groups.contains(where: { old.renamed(from: $0.old, to: $0.new) != old }) { continue }
            renames.append(VersionMessage.Rename(old: old, new: new[0]))
        }
        return renames
    }

    /// The groups that were renamed, without those in them. `populated`: the groups that have other files, before or after.
    private func groups(
        _ places: [ObjectID?: [Subject]], besides populated: Set<Key>, _ taken: Set<ObjectID>
    ) -> [VersionMessage.Rename] {
        let after = populated.union(added.keys.flatMap(\.groups))
        let before = populated.union(removed.keys.flatMap(\.groups))
        var gone: [Key: [Subject]] = [:]
        for subject in removed.keys {
            for group in subject.groups where !after.contains(group) { gone[group, default: []].append(subject) }
        }
        var found: [(old: Key, new: Key)] = []
        for (old, files) in gone.sorted(by: { $0.key < $1.key }) {
            if found.contains(where: { old.isWithin($0.old) }) { continue }
            // A group without options counts by the bytes of its own file.
            if files.count < 2, !files[0].isGroup || removed[files[0]].map(taken.contains) ?? true { continue }
            let counts = files.map { places[removed[$0]]?.count ?? 0 }
            // Of very many equal files nobody could tell which is which.
            guard let fewest = counts.min(), fewest > 0, fewest <= Self.mostPlaces, let first = counts.firstIndex(of: fewest)
            else { continue }
            let places = places[removed[files[first]]] ?? []
            let new = places.compactMap { place in files[first].group(old, at: place) }.filter { new in
                !before.contains(new)
                    && files.allSatisfy { added[$0.renamed(from: .group(old), to: .group(new))] == removed[$0] }
            }
            for new in new { found.append((old, new)) }
        }
        return found.filter { one in found.count { $0.old == one.old } == 1 && found.count { $0.new == one.new } == 1 }
            .map { VersionMessage.Rename(old: .group($0.old), new: .group($0.new)) }
    }

    private static let mostPlaces = 64
}

extension Subject {
    /// The groups that it lies in, and its own.
    fileprivate var groups: [Key] {
        let parts = isGroup ? key.parts : key.group.parts
        return parts.indices.map { Key(unchecked: Array(parts[...$0])) }
    }

    /// What a group that it lies in would be called where its file is that of `other`.
    fileprivate func group(_ group: Key, at other: Subject) -> Key? {
        let rest = key.parts.dropFirst(group.parts.count)
        guard isGroup == other.isGroup, other.key.parts.count > rest.count, other.key.parts.suffix(rest.count) == rest
        else { return nil }
        return Key(unchecked: other.key.parts.dropLast(rest.count))
    }
}
