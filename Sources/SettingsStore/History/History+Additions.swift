import SettingsModel

extension History {
    /// What was added between two moments may have been changed since: adds the versions that made it what it is, in the same
    /// order as `origins`.
    func addEdits(
        since origins: inout [[Origin]], of changes: [Change], from old: VersionID?, to new: VersionID?
    ) throws(Problem) {
        guard let new else { return }
        for (index, change) in changes.enumerated() where change.facet == .existence && origins[index].count == 1 {
            let origin = origins[index][0]
            // Looked at from the later moment to the earlier one, it goes.
            let isBackwards = change.after == nil
            guard origin.change.facet == .existence, origin.change.before == nil, case .item(let added)? = origin.change.after,
                case .item(let item)? = isBackwards ? change.before : change.after, added != item
            else { continue }
            let end = isBackwards ? old : new
            let renames = try self.renames(from: origin.version.id, to: end)
            let then = change.subject.before(renames)
            var (before, after) = (SettingsContent(), SettingsContent())
            before[then] = added
            after[change.subject] = item
            let steps = then == change.subject ? [] : [(old: then, new: change.subject)]
            let made = after.changes(since: before, renames: steps)
            let found = try self.origins(of: made, from: origin.version.id, to: end, renames: renames)
            var seen: Set = [origin.version.id]
            var edits = found.joined().filter { seen.insert($0.version.id).inserted }
            edits.sort { $0.version.time.seconds < $1.version.time.seconds }
            origins[index] = isBackwards ? edits.reversed() + [origin] : [origin] + edits
        }
    }
}
