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
}

extension Merging {
    /// The questions that merges in this history left open: named in the merge, made anew from what it brought together,
    /// and settled by a version behind it that says so or sets the facet. Their subjects are called as they are today.
    package func openConflicts() throws(Problem) -> [OpenConflict] {
        let tip = try versions.tip()
        guard let id = tip.id else { return [] }
        var open: [OpenConflict] = []
        var known = KnownConflicts(tip: id)
        try eachMerge(wantingSettled: false) { merge, asked, rebuilt throws(Problem) in
            let unsettled = asked.filter(\.isOpen)
            for (question, var conflict) in zip(unsettled, try conflicts(of: merge, unsettled, rebuilt)) {
                let settled = asked.filter { $0.subject == question.subject && !$0.isOpen }
                conflict.decided = Set(settled.map(\.question.facet))
                open.append(conflict)
            }
            known.open += unsettled.map(\.subject)
            known.resolved.formUnion(asked.filter { !$0.isOpen }.map(\.subject))
        }
        if !versions.isShallow, conflictCache.read() != known { conflictCache.write(known) }
        for place in open.indices {
            open[place].inForce = try Self.inForce(open[place].conflict, at: tip)
            // As it is called today.
            if let title = try tip.readable(open[place].conflict.subject)?.title { open[place].conflict.title = title }
        }
        return open
    }

    /// Those that were not open at an earlier version. `isAgain`: its merge was there already, and what resolved it then was taken
    /// back.
    func conflicts(openedSince old: VersionID) throws(Problem) -> [(conflict: OpenConflict, isAgain: Bool)] {
        guard try mayHaveOpened(since: old) else { return [] }
        let open = try openConflicts()
        var earlier: [VersionID: Set<VersionMessage.Question>] = [:]
        for merge in open.map(\.merge) where earlier[merge.id] == nil {
            let isEarlier = if merge.id == old { true } else { try isAncestor(merge.id, of: old) }
            guard isEarlier else { continue }
            try look(merge, from: old, wantingSettled: false) { _, asked, _ in
                earlier[merge.id] = Set(asked.filter(\.isOpen).map(\.question))
            }
        }
        return open.filter { earlier[$0.merge.id]?.contains($0.question) != true }.map { ($0, earlier[$0.merge.id] != nil) }
    }

    /// False where the cache says that nothing behind a version can have opened a conflict.
    private func mayHaveOpened(since old: VersionID) throws(Problem) -> Bool {
        guard let tip = try versions.head.commit, let known = conflictCache.read(), known.tip != tip,
            try cachedConflictCount(at: tip) != nil
        else { return true }
        if known.tip == old { return false }
        return try !isAncestor(known.tip, of: old)
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

    /// The questions of earlier merges that these versions settled; without an index, of merges that are not long ago.
    func resolved(by decided: Decided) throws(Problem) -> [SyncReport.Resolution] {
        if decided.questions.isEmpty { return [] }
        let tip = try versions.tip()
        var resolved: [SyncReport.Resolution] = []
        try eachMerge(wantingSettled: true, within: 10_000, where: decided.mayConcern) { merge, asked, rebuilt throws(Problem) in
            let settled = asked.filter { !$0.isOpen && decided.versions.isSuperset(of: $0.settlers) }
            for (question, open) in zip(settled, try conflicts(of: merge, settled, rebuilt)) {
                guard let id = question.lastSettler else { continue }
                resolved.append(
                    SyncReport.Resolution(
                        open.conflict, inForce: try Self.inForce(open.conflict, at: tip), by: try versions.version(id)))
            }
        }
        return resolved
    }

    /// What some versions changed, or said that they decided.
    struct Decided {
        var versions: Set<VersionID> = []
        fileprivate(set) var questions: Set<VersionMessage.Question> = []
        private var renames = false

        mutating func add(_ version: Version, _ made: VersionChanges) {
            questions.formUnion(version.message.resolves)
            for change in made.changes { questions.insert(VersionMessage.Question(change.subject, change.facet)) }
            for decision in made.decisions { questions.insert(VersionMessage.Question(decision.subject, decision.facet)) }
            renames = renames || !version.renames.isEmpty
        }

        mutating func add(_ other: Decided) {
            versions.formUnion(other.versions)
            questions.formUnion(other.questions)
            renames = renames || other.renames
        }

        /// Whether these versions may have settled what a merge before them left open.
        fileprivate func mayConcern(_ merge: Version) -> Bool {
            !versions.contains(merge.id)
                && (renames
                    || merge.message.conflicts.contains {
                        questions.contains($0) || questions.contains(VersionMessage.Question($0.subject, .existence))
                    })
        }
    }

    /// Whether a question opens again, or is settled again, where a revert of these versions changes nothing.
    func turnsQuestions(takingBack taken: [Version]) throws(Problem) -> Bool {
        var hasSettled = false
        for version in taken where !hasSettled { hasSettled = try !versions.settlers(in: version).isEmpty }
        guard hasSettled, let head = try versions.tip().id else {
            return false
        }
        let last = try versions.version(head)
        guard let id = VersionID(hex: String(repeating: "0", count: head.hex.count)) else { return false }
        var named = NamedVersions()
        named.reverts = taken.map(\.id)
        let revert = Version(
            id: id, parents: [head], author: last.author, committer: last.committer, time: last.time,
            message: VersionMessage(subject: ""), named: named)
        var turns = false
        try history.eachMerge(from: head) { merge throws(Problem) in
            if turns { return }
            var now: [Bool] = []
            try look(merge, from: head, wantingSettled: true) { _, asked, _ in now = asked.map(\.isOpen) }
            try look(merge, from: head, wantingSettled: true, before: revert) { _, asked, _ in turns = asked.map(\.isOpen) != now
            }
        }
        return turns
    }

    /// The merges of this history that left questions open, newest first. By what those that are settled were settled, all
    /// of it, only where that is wanted. With the merge worked out again, where that was needed for it.
    private func eachMerge(
        wantingSettled: Bool, within limit: Int? = nil, where isWanted: (Version) -> Bool = { _ in true },
        _ visit: (Version, [Asked], RebuiltMerge?) throws(Problem) -> Void
    ) throws(Problem) {
        guard let head = try versions.tip().id else { return }
        func look(_ merge: Version) throws(Problem) {
            if isWanted(merge) { try self.look(merge, from: head, wantingSettled: wantingSettled, visit) }
        }
        guard let limit else { return try history.eachMerge(from: head, visit: look) }
        try history.eachMerge(from: head, within: limit, visit: look)
    }

    /// What became of a merge's questions until a version, or until one that is not recorded yet and changes nothing.
    private func look(
        _ merge: Version, from head: VersionID, wantingSettled: Bool, before next: Version? = nil,
        _ visit: (Version, [Asked], RebuiltMerge?) throws(Problem) -> Void
    ) throws(Problem) {
        guard merge.parents.count == 2, !merge.message.conflicts.isEmpty, !versions.isBoundary(merge) else { return }
        var later = try laterVersions(than: merge, at: head)
        if let next { later.insert(Later(version: next, isEmpty: true, isBehind: true), at: 0) }
        var asked = merge.message.conflicts.map { Asked($0) }
        if !wantingSettled {
            // What says that it settles a question is found without comparing versions.
            try pass(later, than: merge, to: &asked, changing: nil)
            if asked.allSatisfy({ !$0.isOpen }) { return try visit(merge, asked, nil) }
            asked = merge.message.conflicts.map { Asked($0) }
        }
        var rebuilt = asked.contains(where: \.question.facet.isList) ? try RebuiltMerge(merge, history) : nil
        for index in asked.indices { asked[index].contested = rebuilt?.entries(contestedIn: asked[index].question) }
        let mayWithdraw = try mayTakeBack(later, sidesOf: merge)
        if mayWithdraw {
            let known = if let rebuilt { rebuilt } else { try RebuiltMerge(merge, history) }
            rebuilt = known
            try takeSides(of: merge, known, to: &asked)
        }
        try pass(later, than: merge, to: &asked, changing: try changes(of: asked.map(\.question.facet), since: merge, at: head))
        if mayWithdraw, let rebuilt { try withdraw(&asked, rebuilt, at: try versions.snapshot(head)) }
        try visit(merge, asked, rebuilt)
    }

    /// The versions that are not in a merge's history, newest first.
    private func laterVersions(than merge: Version, at head: VersionID) throws(Problem) -> [Later] {
        var later: [Later] = []
        try history.eachVersion(from: head, hiding: [merge.id]) { version throws(Problem) in
            let isEmpty = if version.named.reverts.isEmpty { false } else { try versions.isEmpty(version) }
            later.append(Later(version: version, isEmpty: isEmpty))
        }
        var behind: Set<VersionID> = [merge.id]
        for index in later.indices.reversed() where later[index].version.parents.contains(where: behind.contains) {
            behind.insert(later[index].version.id)
            later[index].isBehind = true
        }
        return later
    }

    /// Whether a version has all sides of a merge in its history.
    private func knows(_ merge: Version, _ version: Version) throws(Problem) -> Bool {
        for side in merge.parents {
            guard
                try git(versions.repository.objects.isAncestor(side, of: version.id))
            else { return false }
        }
        return true
    }

    /// What each version behind a merge changed of some facets.
    private func changes(
        of facets: [Facet], since merge: Version, at head: VersionID
    ) throws(Problem) -> [VersionID: [Change]] {
        let facets = Set(facets).union([.existence])
        var changed: [VersionID: [Change]] = [:]
        try history.walk(from: head, hiding: merge.id) { version, changes in
            let changes = changes.changes.filter { facets.contains($0.facet) }
            if !changes.isEmpty { changed[version.id] = changes }
            return true
        }
        return changed
    }

    /// Tells a merge's questions of the versions that know both of its sides, oldest first: those behind it, and those behind
    /// another merge of the same sides. Nil where it is not known what they changed.
    private func pass(
        _ later: [Later], than merge: Version, to asked: inout [Asked], changing changed: [VersionID: [Change]]?
    ) throws(Problem) {
        var names = LaterNames(asked.map(\.subject), of: merge, changing: later)
        for later in later.reversed() {
            let changes = changed.map { $0[later.version.id] ?? [] }
            let (old, new) = names.pass(later.version, isBehind: later.isBehind)
            for index in asked.indices {
                asked[index].rename(to: new[index], from: old[index])
                guard asked[index].mayBeSettled(by: later.version, changing: changes ?? []) else { continue }
                let isLater = if later.isBehind { true } else { try knows(merge, later.version) }
                asked[index].pass(later, of: merge.id, changing: changes, isLater: isLater)
            }
        }
    }

    private func conflicts(of merge: Version, _ questions: [Asked], _ rebuilt: RebuiltMerge?) throws(Problem) -> [OpenConflict] {
        guard !questions.isEmpty else { return [] }
        let rebuilt = if let rebuilt { rebuilt } else { try RebuiltMerge(merge, history) }
        let (meaning, base, ours, theirs) = (rebuilt.meaning, rebuilt.base, rebuilt.ours, rebuilt.theirs)
        let places = questions.map { rebuilt.place(of: $0.question) }
        let asked = zip(places, questions).map { place, open in
            place.map { meaning.conflicts[$0] }
                ?? Conflict(open.question.subject, title: "", facet: open.question.facet, base: nil, ours: nil, theirs: nil)
        }
        let origins = try origins(of: asked, in: meaning, base.id, ours.id, theirs.id)
        let result = try versions.snapshot(merge.id)
        var found: [OpenConflict] = []
        for (index, open) in questions.enumerated() {
            let question = open.question
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
            conflict.subject = open.subject
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
