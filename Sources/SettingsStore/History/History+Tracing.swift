import SettingsModel

extension History {
    /// For each change that leads to `new` the newest version behind it, with all that this version changed, and how many newer
    /// ones there are.
    func traces(
        of changes: [Change], from old: VersionID?, to new: VersionID?
    ) throws(Problem) -> [(origin: TracedChange.Origin, newer: Int)?] {
        var traces: [(origin: TracedChange.Origin, newer: Int)?] = changes.map { _ in nil }
        guard let new else { return traces }
        var wanted: [Facetted: [Int]] = [:]
        for (index, change) in changes.enumerated() { wanted[Facetted(change), default: []].append(index) }
        var newer = 0
        try walk(from: new, hiding: old) { version, made throws(Problem) in
            var origin: TracedChange.Origin?
            func found(_ indices: [Int]) {
                let same = origin ?? TracedChange.Origin(version, changes: made.changes)
                origin = same
                for index in indices { traces[index] = (same, newer) }
            }
            for change in made.changes {
                found(wanted.removeValue(forKey: Facetted(change)) ?? [])
                // What came and went as a whole took its facets along.
                guard change.facet == .existence else { continue }
                for key in Array(wanted.keys) where key.subject == change.subject {
                    found(wanted.removeValue(forKey: key) ?? [])
                }
            }
            // Earlier versions know them by their earlier names.
            for rename in version.message.renames.reversed() {
                for (key, indices) in wanted {
                    var earlier = key
                    earlier.subject = key.subject.renamed(from: rename.new, to: rename.old)
                    guard earlier != key else { continue }
                    wanted[key] = nil
                    wanted[earlier, default: []] += indices
                }
            }
            newer += 1
            return !wanted.isEmpty
        }
        return traces
    }

    private struct Facetted: Hashable {
        var subject: Subject
        var facet: Facet

        init(_ change: Change) {
            subject = change.subject
            facet = change.facet
        }
    }
}
