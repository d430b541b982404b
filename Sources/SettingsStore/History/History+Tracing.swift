import SettingsModel

extension History {
    /// For each change that leads to `new` the newest version behind it, with all that this version changed, and how many newer
    /// ones there are.
    func traces(
        of changes: [Change], from old: VersionID?, to new: VersionID?
    ) throws(Problem) -> [(origin: TracedChange.Origin, newer: Int)?] {
        var traces: [(origin: TracedChange.Origin, newer: Int)?] = changes.map { _ in nil }
        guard let new else { return traces }
        var trails = Trails(changes, ends: nil) { $0.subject }
        var open = Set(changes.indices)
        var newer = 0
        try walk(from: new, hiding: old) { version, made throws(Problem) in
            trails.take(version, made)
            let found = open.filter { !trails.trails[$0].isEmpty }
            if !found.isEmpty {
                let origin = TracedChange.Origin(version, changes: made.changes)
                for index in found { traces[index] = (origin, newer) }
                open.subtract(found)
            }
            newer += 1
            return !trails.areComplete
        }
        return traces
    }
}
