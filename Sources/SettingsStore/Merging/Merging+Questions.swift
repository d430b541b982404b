import Git
package import SettingsModel

/// A question that a merge left open.
package struct OpenConflict: Sendable {
    package var merge: Version
    /// The question as the merge names it.
    package var question: VersionMessage.Question
    package var conflict: Conflict
    package var origin: ConflictOrigin
    /// What is in force until somebody settles it.
    package var inForce: Change.Content?
    /// The whole of what it is about, as each side has it.
    package var sides: (base: SettingsContent.Item?, ours: SettingsContent.Item?, theirs: SettingsContent.Item?) = (nil, nil, nil)
    /// What the merge left of that.
    package var merged: SettingsContent.Item?
    /// The other facets that the merge left open, and that somebody has decided since.
    package var decided: Set<Facet> = []
    /// The version that resolved it; nil while it is open.
    var resolver: VersionID?
}

extension Merging {
    /// What versions leave open, of the newest merge first. Their subjects are called as they are today.
    package func openConflicts() throws(Problem) -> [OpenConflict] { try openConflicts(at: try versions.tip()) }

    /// How many are open at the last version; nil where that takes a walk through a long history.
    package func openCount() throws(Problem) -> Int? {
        guard let open = try conflicts.knownSoon()?.open else { return nil }
        let isSimple = Set(open.map(\.question)).count == open.count
        return try isSimple ? open.count : openConflicts().count
    }

    func openConflicts(at tip: Snapshot) throws(Problem) -> [OpenConflict] {
        try open(try conflicts.known(at: tip.id), at: tip) { $0.isOpen }
    }

    /// Those that were not open at an earlier version. `isAgain`: its merge was there already, and what resolved it then was taken
    /// back.
    func conflicts(openedSince old: VersionID) throws(Problem) -> [(conflict: OpenConflict, isAgain: Bool)] {
        let tip = try versions.tip()
        let known = try conflicts.known(at: tip.id)
        if !known.hasOpen { return [] }
        let earlier = try conflicts.known(at: old)
        let opened = known.open.filter { one in !earlier.open.contains(where: one.isSame) }
        let again = Set(earlier.all.map(\.merge))
        return try open(known, at: tip) { one in opened.contains(where: one.isSame) }.map { ($0, again.contains($0.merge.id)) }
    }

    /// Those that were there before these versions, and that one of them resolved.
    func resolved(by decided: Set<VersionID>) throws(Problem) -> [SyncReport.Resolution] {
        let tip = try versions.tip()
        let known = try conflicts.known(at: tip.id)
        func isWanted(_ one: KnownConflicts.Known) -> Bool {
            !known.isOpen(one.question) && decided.isSuperset(of: one.standing) && !decided.contains(one.merge)
        }
        var resolved: [SyncReport.Resolution] = []
        // Several merges may have left the same open.
        var seen: Set<[AnyHashable]> = []
        for open in try open(known, at: tip, where: isWanted) {
            guard let resolver = open.resolver, seen.insert([open.conflict.subject, open.conflict.facet, resolver]).inserted
            else { continue }
            resolved.append(
                SyncReport.Resolution(open.conflict, inForce: open.inForce, by: try versions.version(resolver)))
        }
        return resolved
    }

    /// Of what is known, with the sides: those of one merge together, of the newest merge first. Of several merges that left the
    /// same open between the same contents the newest one counts.
    private func open(
        _ known: KnownConflicts, at tip: Snapshot, where isWanted: (KnownConflicts.Known) -> Bool
    ) throws(Problem) -> [OpenConflict] {
        let wanted = known.all.filter(isWanted)
        var merges: [VersionID] = []
        for one in wanted.reversed() where !merges.contains(one.merge) { merges.append(one.merge) }
        var open: [OpenConflict] = []
        for merge in merges {
            let asked = wanted.filter { $0.merge == merge }
            let found = try conflicts(of: try versions.version(merge), asked)
            for (one, var conflict) in zip(asked, found) {
                let others = known.all.filter { $0.merge == merge && $0.question.subject == one.question.subject }
                conflict.decided = Set(others.filter { !known.isOpen($0.question) }.map(\.original.facet))
                conflict.resolver = one.standing.last
                conflict.inForce = try Self.inForce(conflict.conflict, at: tip)
                // As it is called today.
                if let title = try tip.readable(conflict.conflict.subject)?.title { conflict.conflict.title = title }
                open.append(conflict)
            }
        }
        var seen: Set<[AnyHashable]> = []
        return open.filter { one in
            let (subject, facet) = (one.conflict.subject, one.conflict.facet)
            return seen.insert([subject, facet, Set([one.conflict.ours, one.conflict.theirs])]).inserted
        }
    }

    static func inForce(_ conflict: Conflict, at tip: Snapshot) throws(Problem) -> Change.Content? {
        guard let item = try tip.readable(conflict.subject) else {
            if conflict.facet != .key { return nil }
            // A group needs no file to be there.
            if conflict.subject.isGroup { return .key(conflict.subject.key) }
            // What was removed may be back, under the name that a side gave it.
            for name in [conflict.ours, conflict.theirs].compactMap({ conflict.subject.named($0) }) where try tip.has(name) {
                return .key(name.key)
            }
            return nil
        }
        switch conflict.facet {
        case .existence: return .item(item)
        case .key: return .key(conflict.subject.key)
        default: return item.facets[conflict.facet]
        }
    }

    private func conflicts(of merge: Version, _ questions: [KnownConflicts.Known]) throws(Problem) -> [OpenConflict] {
        guard let first = questions.first, let rebuilt = try conflicts.rebuilt(first) else {
            return questions.map { OpenConflict($0, of: merge) }
        }
        let (meaning, base, ours, theirs) = (rebuilt.meaning, rebuilt.base, rebuilt.ours, rebuilt.theirs)
        let places = questions.map { rebuilt.place(of: $0.original) }
        let asked = zip(places, questions).map { place, open in
            place.map { meaning.conflicts[$0] }
                ?? Conflict(open.original.subject, title: "", facet: open.original.facet, base: nil, ours: nil, theirs: nil)
        }
        let origins = try origins(of: asked, in: meaning, rebuilt.bases, ours.id, theirs.id)
        let result = try versions.snapshot(merge.id)
        var found: [OpenConflict] = []
        for (index, open) in questions.enumerated() {
            let question = open.original
            func content(_ snapshot: Snapshot) throws(Problem) -> Change.Content? {
                let item = try snapshot.readable(question.subject)
                return question.facet == .existence ? item.map { .item($0) } : item?.facets[question.facet]
            }
            let (mine, other) = (try ours.readable(question.subject), try theirs.readable(question.subject))
            let asTheyStand = Conflict(
                question.subject, title: mine?.title ?? other?.title ?? "", facet: question.facet,
                base: try content(base), ours: try content(ours), theirs: try content(theirs)
            )
            var conflict = places[index].map { rebuilt.known[$0] } ?? asTheyStand
            conflict.subject = open.question.subject
            var one = OpenConflict(merge: merge, question: question, conflict: conflict, origin: origins[index])
            one.sides = (
                try base.readable(question.subject), try ours.readable(asked[index].name(in: meaning, meaning.renames, \.ours)),
                try theirs.readable(asked[index].name(in: meaning, meaning.theirsRenames, \.theirs))
            )
            one.merged = try result.readable(question.subject)
            found.append(one)
        }
        return found
    }
}

extension OpenConflict {
    /// One whose sides are gone.
    fileprivate init(_ known: KnownConflicts.Known, of merge: Version) {
        self.init(
            merge: merge, question: known.original,
            conflict: Conflict(
                known.question.subject, title: ExactText(known.question.subject.key.name), facet: known.question.facet, base: nil,
                ours: nil, theirs: nil),
            origin: ConflictOrigin(ours: nil, theirs: nil))
    }
}
