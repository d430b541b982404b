import Git
import SettingsModel

extension History {
    /// The versions that lead from one to another, the oldest first and without `old`; nil where `old` isn't in the history of
    /// `new`, or isn't there any more. From the beginning where it is nil.
    ///
    /// First parents are followed, as everywhere. Only where they lead past `old`, because it was merged into another branch
    /// that this one was then forwarded to, another parent is: each version's changes since the one before it then add up to
    /// what differs between the two ends.
    func path(from old: VersionID?, to new: VersionID) throws(Problem) -> [VersionID]? {
        if let old, let path = try shortPath(from: old, to: new) { return path }
        if let old, try !versions.isThere(old) { return nil }
        let objects = versions.repository.objects
        var walk = try git(
            objects.commits(
                from: [new], hiding: old.map { [$0] } ?? [], order: .topological, firstParentOnly: old == nil))
        var order: [VersionID] = []
        var parents: [VersionID: [VersionID]] = [:]
        while let id = try versions.next(&walk) {
            order.append(id)
            parents[id] = try git(objects.header(id)).parents
        }
        guard let old else { return order.reversed() }
        var leading: Set = [old]
        for id in order.reversed() where parents[id]?.contains(where: leading.contains) == true { leading.insert(id) }
        var path: [VersionID] = []
        var id = new
        while id != old {
            guard let parent = parents[id]?.first(where: leading.contains) else { return nil }
            path.append(id)
            id = parent
        }
        return path.reversed()
    }

    /// The same where few versions were recorded one after the other, as nearly always.
    private func shortPath(from old: VersionID, to new: VersionID) throws(Problem) -> [VersionID]? {
        var path: [VersionID] = []
        var id = new
        while id != old {
            guard path.count < Self.shortLimit, try versions.isThere(id) else { return nil }
            let parents = try git(versions.repository.objects.header(id)).parents
            guard let parent = parents.first, parents.count == 1 || parent == old else { return nil }
            path.append(id)
            id = parent
        }
        return path.reversed()
    }

    private static let shortLimit = 64

    /// What a version changed since another one that it builds on, and what it decided about `places`.
    func changes(
        of version: Version, since old: VersionID?, decisionsIn places: [Key]
    ) throws(Problem) -> VersionChanges {
        if versions.isBoundary(version) { return VersionChanges(changes: []) }
        let renames = version.isMerge ? try renames(from: old, to: version.id) : version.renames
        var changes = try versions.changes(
            from: try versions.snapshot(old), to: try versions.snapshot(version.id), renames: renames)
        if version.isMerge || changes.isEmpty {
            let undeclared = try undeclared(version.id, from: version.parents)
            changes.decisions = try decisions(of: version, undeclared, in: places)
        }
        return changes
    }
}

extension Versions {
    func isThere(_ id: VersionID) throws(Problem) -> Bool {
        try git(repository.objects.exists(id))
    }
}
