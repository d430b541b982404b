import Git
package import SettingsModel

/// The versions that a range `A..B` reverts, newest first: those in the history of `end` and not in that of `start` that did
/// anything in this store.
package struct RevertedRangeQuery: Query {
    package var start: VersionID
    package var end: VersionID

    package init(from start: VersionID, to end: VersionID) {
        self.start = start
        self.end = end
    }

    package func answer(in session: Session) throws(Problem) -> [VersionID] {
        try session.store.reverting.versions(from: start, to: end).map(\.id)
    }
}

extension Reverting {
    func versions(from start: VersionID, to end: VersionID) throws(Problem) -> [Version] {
        var range: [Version] = []
        try history.eachVersion(from: end, hiding: [start]) { range.append($0) }
        if range.isEmpty {
            let isReversed = try merging.isAncestor(end, of: start) && start != end
            throw .history(.isEmptyRange(start, end, isReversed: isReversed))
        }
        var found: [Version] = []
        for version in try withoutMerged(range, from: start, to: end) {
            // A merge may have done nothing but leave conflicts open.
            let isDone = try isDone(version) || !version.message.conflicts.isEmpty
            if isDone { found.append(version) }
        }
        if found.isEmpty { throw .history(.hasNothingToRevert(range.map(\.id))) }
        return found
    }

    /// A merge is reverted together with all that it brought in. Where some of that is in the history of `start`, its versions are
    /// reverted one by one instead, and the merge must have decided nothing itself.
    private func withoutMerged(
        _ range: [Version], from start: VersionID, to end: VersionID
    ) throws(Problem) -> [Version] {
        guard range.contains(where: \.isMerge) else { return range }
        let byID = Dictionary(range.map { ($0.id, $0) }) { first, _ in first }
        var line: [Version] = []
        var next: VersionID? = end
        while let id = next, let version = byID[id] {
            line.append(version)
            next = version.parents.first
        }
        var bringsAll = true
        for base in try git(versions.repository.objects.mergeBases(of: start, and: end)) {
            guard bringsAll, let next else { break }
            bringsAll = try merging.isAncestor(base, of: next)
        }
        if bringsAll { return line }
        for merge in range where merge.isMerge {
            let undecided = try undecided(merge)
            guard undecided != nil, merge.message.conflicts.isEmpty else { throw .history(.rangeHasMerge(start, end, merge)) }
        }
        return range.filter { !$0.isMerge }
    }
}
