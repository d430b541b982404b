import Git
import SettingsModel

/// Open conflicts of which nothing is left to decide, because all that one side chose is taken back, and what the other side has is
/// in force.
extension Merging {
    /// One where that side is not in force: taking its versions back changes nothing about it.
    struct Moot {
        let question: VersionMessage.Question
        fileprivate let subjects: Set<Subject>
        fileprivate let versions: Set<VersionID>

        /// Whether a version changed so, by the names of then and of today, what is not in force.
        func has(_ change: Change, by version: Version, _ names: Set<Subject>) -> Bool {
            guard versions.contains(version.id), !names.isDisjoint(with: subjects) else { return false }
            return question.facet == .existence || question.facet == (change.renaming == nil ? change.facet : .key)
        }
    }

    /// Those in `places` where `versions` made what is not in force.
    func moot(byTakingBack versions: [Version], in places: [Key], at tip: Snapshot) throws(Problem) -> [Moot] {
        let ids = Set(versions.map(\.id))
        var moot: [Moot] = []
        for open in try openConflicts(at: tip) where open.conflict.subject.lies(in: places) {
            let (subject, facet) = (open.conflict.subject, open.conflict.facet)
            guard let taken = try versionsTakenBack(of: open, open.inForce, among: ids) else { continue }
            let names = [open.conflict.ours, open.conflict.theirs].compactMap { subject.named($0) }
            moot.append(
                Moot(
                    question: VersionMessage.Question(subject, facet), subjects: Set(names + [subject, open.question.subject]),
                    versions: taken))
        }
        return moot
    }

    /// Says in an edit which conflicts taking `versions` back resolves.
    func resolve(
        _ edit: inout Edit, byTakingBack versions: [Version], _ moot: [Moot], at tip: Snapshot
    ) throws(Problem) {
        let ids = Set(versions.map(\.id))
        edit.resolves += moot.map(\.question).filter { !edit.resolves.contains($0) }
        for open in try openConflicts(at: tip) {
            let (subject, facet) = (open.conflict.subject, open.conflict.facet)
            let question = VersionMessage.Question(subject, facet)
            guard let change = edit.changes.first(where: { $0.subject == subject && $0.facet == facet }),
                !edit.resolves.contains(question)
            else { continue }
            let isMoot = try versionsTakenBack(of: open, change.after, among: ids) != nil
            if isMoot { edit.resolves.append(question) }
        }
        guard edit.changes.isEmpty, edit.subject == nil else { return }
        try edit.tell(
            edit.resolves.map { question throws(Problem) in Decision(question, try tip.readable(question.subject), over: []) })
    }

    /// The same of a merge that brings together what is open on one side and what takes that back on the other. By the names that
    /// it gives.
    func moot(
        in merge: SettingsContent.Merge, _ ours: Snapshot, _ theirs: Snapshot
    ) throws(Problem) -> [VersionMessage.Question] {
        var moot: [VersionMessage.Question] = []
        for (side, other, renames) in [(ours, theirs, merge.renames), (theirs, ours, merge.theirsRenames)] {
            guard let id = side.id, try conflicts.known(at: id).hasOpen else { continue }
            var ids: Set<VersionID> = []
            try history.eachVersion(from: other.id, hiding: [id]) { ids.formUnion($0.named.undoes + $0.named.reverts) }
            for open in ids.isEmpty ? [] : try openConflicts(at: side) {
                let (subject, facet) = (open.conflict.subject, open.conflict.facet)
                let name = renames.first { $0.old == subject }?.new ?? subject
                let item = if let item = merge.settings[name] { item } else { try ours.readable(name) }
                let inForce = facet == .existence ? item.map { .item($0) } : item?.facets[facet]
                if facet != .key, try versionsTakenBack(of: open, inForce, among: ids) != nil {
                    moot.append(VersionMessage.Question(name, facet))
                }
            }
        }
        return moot
    }

    /// All versions that made one side of a conflict what it is, where they are among `ids`, and the other side is in force.
    private func versionsTakenBack(
        of open: OpenConflict, _ inForce: Change.Content?, among ids: Set<VersionID>
    ) throws(Problem) -> Set<VersionID>? {
        let (conflict, origin) = (open.conflict, open.origin)
        for (side, other) in [(origin.ours, conflict.theirs), (origin.theirs, conflict.ours)] {
            guard Change.Content.isSame(inForce, other) else { continue }
            var (next, taken) = (side, Set<VersionID>())
            while let version = next, ids.contains(version.id), taken.insert(version.id).inserted {
                let subject = open.question.subject
                let before = try versions.snapshot(version.parents.first).readable(subject)
                let earlier = conflict.facet == .existence ? before.map { .item($0) } : before?.facets[conflict.facet]
                if Change.Content.isSame(earlier, conflict.base) { return taken }
                let change = Change(subject, title: "", facet: conflict.facet, before: nil, after: nil)
                next = try history.newestOrigins(of: [change], from: nil, to: version.parents.first).first ?? nil
            }
        }
        return nil
    }
}
