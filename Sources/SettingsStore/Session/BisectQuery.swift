package import SettingsModel

/// The changes between two versions, in the order in which they were made, each with the version that made it.
package struct BisectQuery: Query {
    /// Options and groups; everything where there are none.
    package var keys: [String]
    package var good: VersionID
    package var bad: VersionID

    package init(_ keys: [String], good: VersionID, bad: VersionID) {
        self.keys = keys
        self.good = good
        self.bad = bad
    }

    package struct Answer: Sendable {
        /// The oldest first.
        package var changes: [TracedChange]
        /// What the files hold without the changes. Where keys were named, everything else is as in the bad version.
        package var selection: ChangeSelection
        /// What they hold with all of them: the bad version.
        package var bad: SettingsContent
        /// Whether there are edits that nobody recorded, which no version has.
        package var hasDraft: Bool
    }

    package func answer(in session: Session) throws(Problem) -> Answer {
        let store = try session.store
        let difference = try DiffQuery(keys, from: good, to: bad).answer(in: session)
        if let file = difference.unreadable.first { throw file.problem }
        let content = try store.versions.snapshot(bad).settings()
        let base =
            keys.isEmpty
            ? try store.versions.snapshot(good).settings() : content.merging(difference.changes.inverted).settings
        let changes = try traced(difference.changes, store)
        return Answer(
            changes: changes, selection: ChangeSelection(base: base, changes: changes.map(\.change)), bad: content,
            hasDraft: try !store.workTree.draft().isEmpty)
    }

    private func traced(_ changes: [Change], _ store: Store) throws(Problem) -> [TracedChange] {
        var found = try place(changes.map { ($0, good) }, store)
        // An option that was added and changed later: the version that added it isn't to blame for what came later.
        var later: [(Change, since: VersionID)] = []
        for (index, (traced, _)) in found.enumerated() {
            guard let origin = traced.origin, let (added, rest) = traced.change.split(by: origin.changes) else { continue }
            found[index].traced.change = added
            later += rest.map { ($0, origin.version.id) }
        }
        found += try place(later, store)
        // Made by no version in between: by one of another branch, before all others.
        let order = found.indices.sorted {
            (-(found[$0].newer ?? .max), $0) < (-(found[$1].newer ?? .max), $1)
        }
        return order.map { found[$0].traced }
    }

    private func place(
        _ changes: [(Change, since: VersionID)], _ store: Store
    ) throws(Problem) -> [(traced: TracedChange, newer: Int?)] {
        if changes.isEmpty { return [] }
        let traces = try store.history.traces(of: changes.map(\.0), from: good, to: bad)
        return zip(changes, traces).map { change, trace in
            (TracedChange(change.0, origin: trace?.origin, since: change.since), trace?.newer)
        }
    }
}

extension Change {
    /// An addition as one of `made` has it, and the changes of its facets since then; nil if there are none.
    fileprivate func split(by made: [Change]) -> (added: Change, later: [Change])? {
        guard facet == .existence, before == nil, case .item(let now)? = after,
            let added = made.first(where: { $0.subject == subject && $0.facet == .existence && $0.before == nil }),
            case .item(let first)? = added.after, first != now
        else { return nil }
        var (old, new) = (SettingsContent(), SettingsContent())
        (old[subject], new[subject]) = (first, now)
        return (added, new.changes(since: old))
    }
}
