import Git
package import SettingsModel

extension Reverting {
    /// Takes back the last `count` Dones of `person`, in one version. Somebody else's are not touched.
    ///
    /// A version that was taken back because nobody confirmed it is one of them, and nothing is left to do for it: whether
    /// its time was over a moment ago makes no difference. It no longer counts once something before it was undone.
    package func undo(_ count: Int = 1, by person: Person, _ done: Done) throws(Problem) -> Outcome {
        try recorder.record(done) { tip throws(Problem) in
            var undone: [Version] = []
            var gone: [(version: Version, by: Version)] = []
            var earlier = UndoneVersions()
            var unconfirmed = TakenBackVersions()
            var passed = PassedVersions()
            let other = try self.ownHistory(from: tip, of: person, &passed) { version, asking throws(Problem) in
                unconfirmed.note(version)
                if !version.message.unconfirmed.isEmpty { return true }
                let named = version.named
                earlier.note(named)
                unconfirmed.note(named, stillUndone: earlier.contains)
                if named.isUndoing || earlier.contains(version.id) { return true }
                if let by = unconfirmed.taker(of: version) {
                    if !unconfirmed.isPassed { gone.append((version, by)) }
                    return undone.count + gone.count < count
                }
                if version.isMerge {
                    if !undone.isEmpty { return false }
                    throw .history(.lastIsMerge(version))
                }
                if try self.beginsStore(version) { return false }
                // One that only corrected how a file is written has nothing to take back.
                let made = try versions.changes(of: version)
                if made.changes.isEmpty, made.unreadable.isEmpty, !version.turnsConflicts { return true }
                for merge in asking where made.changes.contains(where: { merge.subjects.contains($0.subject) }) {
                    if undone.isEmpty { throw .history(.lastIsMerge(merge.version)) }
                    return false
                }
                undone.append(version)
                return undone.count + gone.count < count
            }
            if undone.isEmpty, gone.count >= count, let last = gone.first {
                throw .history(.lastIsTakenBack(last.version, by: last.by, count: gone.count))
            }
            if undone.isEmpty, let other {
                throw .history(.lastIsOthers(other, own: try self.lastVersion(of: person)))
            }
            guard !undone.isEmpty || passed.isCutOff else { throw .history(.nothingToUndo) }
            guard undone.count + gone.count == count else {
                let possible = undone.isEmpty ? 0 : undone.count + gone.count
                throw .history(passed.isCutOff ? .cloneBegins(possible) : .fewerToUndo(possible))
            }
            var edit = Edit(try history.inverted(undone, at: tip))
            edit.undoes = undone.map(\.id)
            try edit.replaceUnreadable(at: tip)
            try merging.conflicts.turn(&edit, by: undone, areTakenBack: true, at: tip)
            edit.needsWhy = false
            return edit
        }
    }

    /// A person's latest version that changed something and wasn't taken back yet.
    private func lastVersion(of person: Person) throws(Problem) -> Version? {
        guard let tip = try versions.head.commit else { return nil }
        var found: Version?
        var undone = UndoneVersions()
        // Of somebody who recorded nothing all versions are looked at: what they changed is worked out for the person's alone.
        try history.eachStep(from: tip, hiding: nil) { step throws(Problem) in
            let commit = try git(versions.repository.objects.commit(step.commit.id))
            let named = step.commit.mayDecide ? try versions.named(by: commit) : NamedVersions()
            undone.note(named)
            if !undone.contains(commit.id) { undone.takeBack(named.reverts + named.unconfirmed.compactMap(\.id)) }
            guard versions.mailmap.person(commit.author.person).isSame(as: person), !step.isMerge, !step.isBoundary,
                !named.isUndoing, named.unconfirmed.isEmpty, !undone.contains(commit.id)
            else { return true }
            let version = try versions.version(of: commit)
            guard version.message.unconfirmed.isEmpty, try isDone(version), try !beginsStore(version) else { return true }
            found = version
            return false
        }
        return found
    }

    /// Makes the last `count` undone Dones again, in one version, as long as nothing else was recorded since.
    package func redo(_ count: Int = 1, by person: Person, _ done: Done) throws(Problem) -> Outcome {
        try recorder.record(done) { tip throws(Problem) in
            var redone: Set<VersionID> = []
            var waiting: [VersionID] = []
            var passed = PassedVersions()
            var unknown: VersionID?
            try self.ownHistory(from: tip, of: person, &passed) { version, _ throws(Problem) in
                // Nobody's doing: what was not confirmed in time.
                if !version.message.unconfirmed.isEmpty { return true }
                let named = version.named
                if !named.isUndoing {
                    if version.message.undoes.contains(where: named.unknown.contains) { unknown = version.id }
                    return false
                }
                redone.formUnion(named.redoes)
                // Of several undone at once the oldest comes back first.
                for id in named.undoes.reversed() where redone.remove(id) == nil { waiting.append(id) }
                return true
            }
            guard !waiting.isEmpty else { throw .history(unknown.map { .undidUnknown($0) } ?? .nothingToRedo) }
            guard waiting.count >= count else { throw .history(.fewerToRedo(waiting.count)) }
            var versions: [Version] = []
            for id in waiting.prefix(count) { versions.append(try self.versions.version(id)) }
            var edit = Edit(try history.repeated(versions, at: tip))
            edit.redoes = versions.map(\.id)
            try merging.conflicts.turn(&edit, by: versions, areTakenBack: false, at: tip)
            edit.needsWhy = false
            return edit
        }
    }

    /// Names a version that an edit takes back. All of one's own last version, and nothing else, is undone; where it was an undo
    /// or a redo itself, what that undid is redone, or the other way round.
    func name(_ id: VersionID, in edit: inout Edit, at tip: Snapshot, by person: Person) throws(Problem) {
        let version = try versions.version(id)
        let isWhole =
            edit.reverts.isEmpty && edit.restoredFrom == nil && tip.id == id && version.author.isSame(as: person)
            && !version.isMerge && edit.changes == (try? history.inverted([version], at: tip))
        try merging.conflicts.turn(&edit, by: [version], areTakenBack: true, at: tip)
        guard isWhole else { return edit.reverts.append(id) }
        edit.redoes = version.named.undoes.reversed()
        edit.undoes = version.named.isUndoing ? version.named.redoes.reversed() : [id]
    }

    /// Whether the store came with this version: what lies before is not the store's.
    private func beginsStore(_ version: Version) throws(Problem) -> Bool {
        guard try versions.snapshot(version.id).content(.store) != nil else { return false }
        return try versions.snapshot(version.parents.first).content(.store) == nil
    }

    /// What lies between the last version and a person's own.
    private struct PassedVersions {
        var asking: [AskingMerge] = []
        /// Whether a shallow clone ends there.
        var isCutOff = false
    }

    /// A merge that left conflicts open, and what they are about.
    private struct AskingMerge {
        let version: Version
        let subjects: Set<Subject>
    }

    /// A person's versions that touch this store and that nobody else built on, newest first. Merges that decided nothing are
    /// stepped over, and so is what others made on the other side of them; a merge that decided something is told of. Nobody's own
    /// are those that take back what was not confirmed: all of them are told of, and nobody builds on a version by them.
    /// Returns the newest version of somebody else's.
    @discardableResult
    private func ownHistory(
        from tip: Snapshot, of person: Person, _ passed: inout PassedVersions,
        _ visit: (Version, _ asking: [AskingMerge]) throws(Problem) -> Bool
    ) throws(Problem) -> Version? {
        var queue = TimeQueue<VersionID>()
        // Those that somebody else built on, as far as that was seen.
        var built: Set<VersionID> = []
        var waiting: Set<VersionID> = []
        var seen: Set<VersionID> = []
        var other: Version?
        func add(_ id: VersionID?) throws(Problem) {
            guard let id, seen.insert(id).inserted else { return }
            waiting.insert(id)
            queue.push(id, time: try versions.snapshot(id).commit?.time ?? 0)
        }
        try add(tip.id)
        while !waiting.isSubset(of: built), let id = queue.pop() {
            // Of versions of the same second the one that builds on the other is newer.
            let time = try versions.snapshot(id).commit?.time ?? 0
            var isOlder = false
            for other in waiting where other != id {
                guard try versions.snapshot(other).commit?.time ?? 0 == time else { continue }
                if try git(versions.repository.objects.isAncestor(id, of: other)) { isOlder = true }
            }
            if isOlder {
                queue.push(id, time: time)
                continue
            }
            waiting.remove(id)
            let version = try versions.version(id)
            if versions.isBoundary(version) {
                passed.isCutOff = true
                continue
            }
            var isBuiltOn = built.contains(id)
            if version.isMerge {
                if let undecided = try undecided(version) {
                    if !version.message.conflicts.isEmpty {
                        passed.asking.append(AskingMerge(version: version, subjects: undecided.subjects))
                    }
                    if isBuiltOn { built.formUnion(version.parents) }
                    for parent in version.parents { try add(parent) }
                    continue
                }
                if !isBuiltOn, try !visit(version, passed.asking) { return other }
            } else if !version.message.unconfirmed.isEmpty {
                if !isBuiltOn, try !visit(version, passed.asking) { return other }
            } else if try isDone(version) {
                if !version.author.isSame(as: person) {
                    other = other ?? version
                    isBuiltOn = true
                } else if !isBuiltOn, try !visit(version, passed.asking) {
                    return other
                }
            }
            if isBuiltOn { built.formUnion(version.parents.prefix(1)) }
            try add(version.parents.first)
        }
        return other
    }

    /// Whether a version touches this store, or says something about its questions.
    func isDone(_ version: Version) throws(Problem) -> Bool {
        if version.turnsConflicts { return true }
        let before = try versions.snapshot(version.parents.first)
        if try !versions.subjectsDiffering(from: before, to: try versions.snapshot(version.id)).isEmpty { return true }
        return version.named.isUndoing
    }

    /// A merge that is what its two sides give by meaning, with no question settled; nil for one that decided something. One
    /// that it left open, with what either side has in force, is for whoever settles it.
    func undecided(_ merge: Version) throws(Problem) -> RebuiltMerge? {
        guard merge.parents.count == 2, merge.message.resolves.isEmpty else { return nil }
        let result = try versions.snapshot(merge.id)
        do throws(Problem) {
            let rebuilt = try RebuiltMerge(merge, history)
            let expected = rebuilt.meaning
            guard expected.conflicts.isEmpty == merge.message.conflicts.isEmpty else { return nil }
            var differing: Set<Subject> = []
            for parent in merge.parents {
                differing.formUnion(try versions.subjectsDiffering(from: try versions.snapshot(parent), to: result))
            }
            for side in expected.conflicts.isEmpty ? [.agreed] : SettingsContent.Merge.InForce.allCases {
                let expected = expected.puttingInForce(side)
                var isResult = true
                for subject in expected.settings.subjects.union(differing) where isResult {
                    isResult = try result.item(subject) == expected.settings[subject]
                }
                if isResult { return rebuilt }
            }
            return nil
        } catch {
            guard error.kind == .badData else { throw error }
            return nil
        }
    }
}

extension Version {
    /// Whether it resolved conflicts, or opened them again.
    var turnsConflicts: Bool { !message.resolves.isEmpty || !isMerge && !message.conflicts.isEmpty }
}
