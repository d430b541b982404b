import Git
package import SettingsModel

/// Who changed what, when and why: versions with what they changed, blame, names over time, and what merging two of them means.
package final class History {
    let versions: Versions
    package let cache: HistoryCache
    /// What the merge that was asked about last decided without saying so.
    var lastUndeclared: (merge: VersionID, decisions: UndeclaredDecisions?)?

    init(_ versions: Versions, _ cache: HistoryCache) {
        self.versions = versions
        self.cache = cache
    }

    /// Versions newest first, each with what it changed of the filter's places, until `visit` says false.
    /// `hiding`: those in the history of `start` and not of that one. `after`: those that follow this one, which need not be older
    /// than it: merges bring together what was recorded side by side. Returns whether all were told, that is whether the history is
    /// complete. `isWhole`: `visit` wants all versions, which the index has ready; a few are found faster
    /// without it.
    @discardableResult
    package func walk(
        _ filter: HistoryFilter = HistoryFilter(), from start: VersionID? = nil, hiding: VersionID? = nil,
        after: VersionID? = nil,
        isWhole: Bool = false, visit: (Version, VersionChanges) throws(Problem) -> Bool
    ) throws(Problem) -> Bool {
        var start = start
        if start == nil { start = try versions.head.commit }
        guard let start else { return true }
        var isEarlier = after != nil
        func tell(_ version: Version, _ changes: VersionChanges) throws(Problem) -> Bool {
            if !isEarlier { return try visit(version, changes) }
            isEarlier = version.id != after
            return true
        }
        if hiding == nil, isWhole || !filter.takesAll, start == (try versions.head.commit), let index = cache.index() {
            try walk(filter, in: index, after: after, visit: tell)
            return true
        }
        var plain = PlainHistory(filter, self)
        try eachStep(from: start, hiding: hiding) { step throws(Problem) in
            // What it changed matters only where places have other names further back.
            guard isEarlier, filter.places.isEmpty else { return try plain.take(step, tell) }
            if step.isBoundary { plain.endsHere() }
            isEarlier = step.commit.id != after
            return true
        }
        return plain.isComplete
    }

    /// Each version and its parents, newest first, until `visit` says false. `hiding`: as for `walk`.
    func eachStep(
        from start: VersionID, hiding: VersionID?, visit: (HistoryWalk.Step) throws(Problem) -> Bool
    ) throws(Problem) {
        if let hiding {
            let edge = try git(versions.repository.objects.shallowEdge())
            var walk = try git(versions.repository.objects.commits(from: [start], hiding: [hiding]))
            while let id = try versions.next(&walk), try visit(try step(id, edge: edge)) {}
        } else {
            let words = VersionMessage.wordsOnTheWay
            var walk = try git(versions.repository.objects.history(of: start, noticing: words))
            while let step = try git(walk.next(in: versions.repository.objects)) {
                try versions.countOne()
                if try !visit(step) { break }
            }
        }
    }

    /// Whether a version may have changed something of `places`: for most a look at two folders says that it has not.
    /// `decides`: whether a merge decided something without saying so, where the index knows that.
    func mayChange(_ step: HistoryWalk.Step, _ places: Places, decides: Bool? = nil) throws(Problem) -> Bool {
        if step.isBoundary { return false }
        if step.isMerge ? step.commit.noticed(VersionMessage.resolving) : onlyDecides(step) { return true }
        if step.parents.isEmpty { return try differ(nil, step.commit.tree, in: places) }
        let mayDecide = step.isMerge && decides ?? true
        var differing = 0
        for parent in step.parents {
            if try differ(parent?.tree, step.commit.tree, in: places) { differing += 1 } else if !mayDecide { return false }
        }
        if differing == step.parents.count { return true }
        // As it is on one side: that may have been decided.
        guard differing > 0 else { return false }
        return try undeclared(step.commit.id, from: step.commit.parents)?.touches(places.keys) ?? false
    }

    /// Whether the store differs there between two trees of the repository.
    func differ(_ old: ObjectID?, _ new: ObjectID?, in places: Places) throws(Problem) -> Bool {
        if old == new { return false }
        let (old, new) = (try git(versions.storeFolder(in: old)), try git(versions.storeFolder(in: new)))
        for look in places.looks
        where try git(versions.repository.objects.differ(old, new, in: look.folder, names: look.names)) { return true }
        return false
    }

    /// A version with what it changed of `places`, where the filter wants it.
    func matchedVersion(
        _ step: HistoryWalk.Step, of places: Places, _ filter: HistoryFilter, decides: Bool? = nil
    ) throws(Problem) -> (Version, VersionChanges)? {
        guard filter.takes(step.commit.time) else { return nil }
        let version = try versions.version(step.commit.id)
        guard filter.takes(version), let changes = try changes(of: version, step, in: places.keys, decides: decides),
            filter.takes(version, changes)
        else { return nil }
        return (version, changes)
    }

    /// What a version changed of `places`. Nil where it changed nothing of them; a merge counts only for what it decided,
    /// not for what it brings together.
    private func changes(
        of version: Version, _ step: HistoryWalk.Step, in places: [Key], decides: Bool?
    ) throws(Problem) -> VersionChanges? {
        if step.isBoundary { return nil }
        let undeclared = step.isMerge && decides ?? true ? try undeclared(version.id, from: version.parents) : nil
        let new = Snapshot(versions: versions, commit: step.commit)
        let old = Snapshot(versions: versions, commit: step.parents.first ?? nil)
        // A rename is read as one only with both its ends in sight.
        let area = version.renames.isEmpty ? places : []
        var subjects = try versions.subjectsDiffering(from: old, to: new, in: area)
        let decisions = version.isMerge || onlyDecides(step) ? try decisions(of: version, undeclared, in: places) : []
        if version.isMerge {
            var inAll = Set(subjects)
            for parent in step.parents.dropFirst() where !inAll.isEmpty {
                inAll.formIntersection(
                    try versions.subjectsDiffering(from: Snapshot(versions: versions, commit: parent), to: new, in: area))
            }
            subjects = inAll.union(version.message.resolves.map(\.subject)).union(undeclared?.subjects ?? []).sorted()
        }
        if !version.isMerge, !decisions.isEmpty {
            var decided = VersionChanges(changes: [])
            decided.decisions = decisions
            return decided
        }
        if version.message.overruled.contains(where: { $0.subject.lies(in: places) }), onlyDecides(step) {
            return VersionChanges(changes: [])
        }
        if onlyDecides(step), version.message.settlesConfirmation {
            var confirming = VersionChanges(changes: [])
            confirming.confirmed = try versions.subjects(confirmedBy: version).filter { $0.lies(in: places) }
            return confirming.isEmpty ? nil : confirming
        }
        guard subjects.contains(where: { $0.lies(in: places) }) else { return nil }
        if version.renames.isEmpty { subjects = subjects.filter { $0.lies(in: places) } }
        var changes = try versions.changes(from: old, to: new, renames: version.renames, of: subjects)
        if version.isMerge { changes.changes = try chosen(changes.changes, by: version, undeclared, new, of: subjects) }
        changes.changes = changes.changes.filter { change in
            change.subject.lies(in: places) || change.renaming.map { $0.old.lies(in: places) || $0.new.holds(places) } ?? false
        }
        changes.unreadable = changes.unreadable.filter { Subject(path: $0.path)?.lies(in: places) ?? false }
        changes.unreadable += try versions.misfits(among: subjects.filter { $0.lies(in: places) }, at: new)
        changes.decisions = decisions
        return changes.isEmpty ? nil : changes
    }

    /// Of what a merge changed since its first parent, what it chose itself: what no parent has and merging by meaning
    /// doesn't give, and what it decided, whether or not it says so.
    private func chosen(
        _ made: [Change], by merge: Version, _ undeclared: UndeclaredDecisions?, _ new: Snapshot, of subjects: [Subject]
    ) throws(Problem) -> [Change] {
        let decided = (undeclared?.choices ?? []).union(undeclared?.questions ?? []).union(merge.message.resolves)
        func isDecided(_ change: Change) -> Bool { decided.contains(VersionMessage.Question(change.subject, change.facet)) }
        var others: [VersionChanges] = []
        for parent in merge.parents.dropFirst() {
            others.append(try versions.changes(from: try versions.snapshot(parent), to: new, of: subjects))
        }
        var chosen = made.filter { change in
            isDecided(change)
                || others.allSatisfy {
                    $0.changes.contains { $0.subject == change.subject && ($0.facet == change.facet || $0.facet == .existence) }
                }
        }
        if chosen.contains(where: { !isDecided($0) }), merge.parents.count == 2, let given = try? meaning(of: merge) {
            let open = Set(merge.message.conflicts)
            // What is in force while a conflict is open was not chosen by the merge either.
            let results = open.isEmpty ? [given] : SettingsContent.Merge.InForce.allCases.map { given.puttingInForce($0) }
            chosen.removeAll { change in
                let isAsked = given.conflicts.contains { conflict in
                    conflict.subject == change.subject && [change.facet, .existence, .key].contains(conflict.facet)
                        && !open.contains(VersionMessage.Question(conflict.subject, conflict.facet))
                }
                return !isDecided(change) && !isAsked && results.contains { $0.settings.has(change) }
            }
        }
        // Decided for our side: the difference is theirs.
        for other in others {
            for change in other.changes
            where isDecided(change) && !chosen.contains(where: { $0.subject == change.subject && $0.facet == change.facet }) {
                chosen.append(change)
            }
        }
        return chosen
    }

    package func renames(from old: VersionID?, to new: VersionID?) throws(Problem) -> [VersionMessage.Rename] {
        try versions.renames(from: old, to: new)
    }

    /// The versions in the history of `start` and in none of those `hidden`, each before those that it builds on.
    func eachVersion(
        from start: VersionID?, hiding hidden: [VersionID], visit: (Version) throws(Problem) -> Void
    ) throws(Problem) {
        try versions.eachCommit(from: start, hiding: hidden) { commit throws(Problem) in
            try visit(try versions.version(of: commit))
        }
    }
}

extension Subject {
    /// Whether it is a group that one of `places` lies in.
    func holds(_ places: [Key]) -> Bool {
        if case .group(let group) = self { places.contains { $0.isWithin(group) } } else { false }
    }
}

extension HistoryFilter {
    /// Every version that changed anything.
    var takesAll: Bool {
        places.isEmpty && since == nil && until == nil && author == nil && requestedBy == nil && ticket == nil && search == nil
            && became == nil
    }

    func takes(_ time: Int64) -> Bool {
        if let since, time < since { return false }
        if let until, time > until { return false }
        return true
    }

    func takes(_ version: Version) -> Bool {
        if let author, !version.author.description.holds(author) { return false }
        if let requestedBy {
            let names = version.message.requestedBy
            let mapped = names.compactMap { Person($0).map(people.person)?.description }
            guard (names + mapped).contains(where: { $0.holds(requestedBy) }) else { return false }
        }
        if let ticket, !version.message.tickets.contains(where: { $0.lowercased() == ticket.lowercased() }) { return false }
        return true
    }

    func takes(_ version: Version, _ changes: VersionChanges) -> Bool {
        let lines = became == nil && search == nil ? [] : changes.changes.flatMap(\.lines)
        if let became {
            let wanted = became.lowercased()
            guard
                lines.contains(where: { line in
                    !line.isMasked && (line.facet == .value || line.facet == .added)
                        && (line.after?.bare.lowercased() == wanted || line.afterLabel?.string.lowercased() == wanted)
                })
            else { return false }
        }
        if let search {
            // The subject says what was recorded, with the values.
            var texts = [version.message.subject, version.message.why ?? "", version.author.description]
            texts += version.message.requestedBy + version.message.tickets
            texts += lines.map { Wording(valueLimit: .max).sentence($0).plain }
            guard texts.contains(where: { $0.holds(search) }) else { return false }
        }
        return true
    }
}

extension String {
    func holds(_ part: String) -> Bool { lowercased().contains(part.lowercased()) }
}
