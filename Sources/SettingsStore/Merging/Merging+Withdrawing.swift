import Git
import SettingsModel

extension Merging {
    /// Whether later versions name any of a merge's sides that they may take back.
    func mayTakeBack(_ later: [Later], sidesOf merge: Version) throws(Problem) -> Bool {
        var ids: Set<VersionID> = []
        for named in later.map(\.version.named) { ids.formUnion(named.undoes + named.redoes + named.reverts) }
        ids.subtract(later.map(\.version.id))
        guard !ids.isEmpty, let base = try onlyBase(of: merge) else { return false }
        var walk = try git(versions.repository.objects.commits(from: merge.parents, hiding: [base]))
        while let id = try versions.next(&walk) {
            if ids.contains(id) { return true }
        }
        return false
    }

    private func onlyBase(of merge: Version) throws(Problem) -> VersionID? {
        let bases = try git(versions.repository.objects.mergeBases(of: merge.parents[0], and: merge.parents[1]))
        return bases.count == 1 ? bases[0] : nil
    }

    /// Tells a merge's questions what its sides say about them.
    func takeSides(of merge: Version, _ rebuilt: RebuiltMerge, to asked: inout [Asked]) throws(Problem) {
        let meaning = rebuilt.meaning
        let sides: [([(old: Subject, new: Subject)], KeyPath<Conflict, Change.Content?>)] = [
            (meaning.renames, \.ours), (meaning.theirsRenames, \.theirs),
        ]
        for (tip, (renames, side)) in zip(merge.parents, sides) {
            var changed: [VersionID: [Change]] = [:]
            try history.walk(from: tip, hiding: rebuilt.base.id) { version, changes in
                changed[version.id] = changes.changes
                return true
            }
            var names = asked.map { asked in
                rebuilt.place(of: asked.question).map { meaning.conflicts[$0].name(in: meaning, renames, side) }
            }
            var found: [[SideVersion]] = asked.map { _ in [] }
            try history.eachVersion(from: tip, hiding: rebuilt.base.id.map { [$0] } ?? []) { version throws(Problem) in
                let message = version.message
                let said = try history.questions(decidedBy: version).map(\.question)
                let isBoundary = versions.isBoundary(version)
                let isEmpty = if version.named.reverts.isEmpty { false } else { try versions.isEmpty(version) }
                for (index, asked) in asked.enumerated() {
                    guard let name = names[index] else { continue }
                    let earlier = version.renames.reversed().reduce(name) { $0.renamed(from: $1.new, to: $1.old) }
                    func isAbout(_ subject: Subject, _ facet: Facet) -> Bool {
                        [name, earlier].contains(subject) && [asked.question.facet, .existence].contains(facet)
                    }
                    let isEdit = changed[version.id]?.contains { isAbout($0.renaming?.old ?? $0.subject, $0.facet) } ?? false
                    // What a merge leaves open is not known to be taken back, nor is what lies before a shallow clone.
                    let isWord = isBoundary || (said + message.conflicts).contains { isAbout($0.subject, $0.facet) }
                    found[index].append(
                        SideVersion(
                            version: version, isWord: isEdit || isWord,
                            edit: isEdit ? .question : isEmpty ? .nothing : .other))
                    names[index] = earlier
                }
            }
            for index in asked.indices { asked[index].take(found[index].reversed()) }
        }
    }

    /// Where all that one side chose was taken back, and what the other side has is in force, nothing is open; if neither side's
    /// choice is left, where what both had before is in force.
    func withdraw(_ asked: inout [Asked], _ rebuilt: RebuiltMerge, at head: Snapshot) throws(Problem) {
        for index in asked.indices where asked[index].isOpen {
            guard let place = rebuilt.place(of: asked[index].question) else { continue }
            var conflict = rebuilt.known[place]
            conflict.subject = asked[index].subject
            let left: Change.Content?
            switch asked[index].withdrawnSides {
            case (true, true): left = conflict.base
            case (true, false): left = conflict.theirs
            case (false, true): left = conflict.ours
            case (false, false): continue
            }
            asked[index].isWithdrawn = Change.Content.isSame(try Self.inForce(conflict, at: head), left)
        }
    }
}

extension Versions {
    /// Whether a version's files are those of the one before it.
    func isEmpty(_ version: Version) throws(Problem) -> Bool {
        guard let parent = version.parents.first, !isBoundary(version) else { return false }
        return try git(repository.objects.header(parent).tree == repository.objects.header(version.id).tree)
    }
}
