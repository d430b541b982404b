import Git
package import SettingsModel

extension Store {
    /// Takes back the last `count` Dones of `person`, in one version. Somebody else's are not touched.
    package func undo(_ count: Int = 1, by person: Person, _ done: Done) throws(Problem) -> Outcome {
        try record(done) { tip throws(Problem) in
            var undone: [Version] = []
            var earlier = UndoneVersions()
            let other = try self.ownHistory(from: tip, of: person) { version throws(Problem) in
                let named = try self.undoing(of: version)
                earlier.note(named)
                if !named.isEmpty || earlier.contains(version.id) { return true }
                if version.isMerge {
                    if !undone.isEmpty { return false }
                    throw .history(.lastIsMerge(version))
                }
                if try self.beginsStore(version) { return false }
                // One that only corrected how a file is written has nothing to take back.
                let made = try self.changes(of: version)
                if made.changes.isEmpty, made.unreadable.isEmpty, version.message.resolves.isEmpty { return true }
                undone.append(version)
                return undone.count < count
            }
            if undone.isEmpty, let other {
                throw .history(.lastIsOthers(other))
            }
            guard !undone.isEmpty else { throw .history(.nothingToUndo) }
            guard undone.count == count else {
                throw .history(.fewerToUndo(undone.count))
            }
            var edit = Edit(try self.inverted(undone, at: tip))
            edit.undoes = undone.map(\.id)
            if edit.changes.isEmpty { edit.nameQuestions(of: undone, "open again") }
            edit.needsWhy = false
            return edit
        }
    }

    /// Makes the last `count` undone Dones again, in one version, as long as nothing else was recorded since.
    package func redo(_ count: Int = 1, by person: Person, _ done: Done) throws(Problem) -> Outcome {
        try record(done) { tip throws(Problem) in
            var redone: Set<VersionID> = []
            var waiting: [VersionID] = []
            try self.ownHistory(from: tip, of: person) { version throws(Problem) in
                let named = try self.undoing(of: version)
                if named.isEmpty { return false }
                redone.formUnion(named.redoes)
                // Of several undone at once the oldest comes back first.
                for id in named.undoes.reversed() where redone.remove(id) == nil { waiting.append(id) }
                return true
            }
            guard !waiting.isEmpty else { throw .history(.nothingToRedo) }
            guard waiting.count >= count else { throw .history(.fewerToRedo(waiting.count)) }
            var versions: [Version] = []
            for id in waiting.prefix(count) { versions.append(try self.version(id)) }
            var edit = Edit(try self.repeated(versions, at: tip))
            edit.redoes = versions.map(\.id)
            if edit.changes.isEmpty { edit.nameQuestions(of: versions, "settled again") }
            edit.needsWhy = false
            return edit
        }
    }

    /// What a version's trailers say that it undoes or redoes, if it does. Anybody can write a trailer: it counts only from
    /// the person who made the versions that it names, and only where what they changed is what this version took back or
    /// repeated.
    func undoing(of version: Version) throws(Problem) -> Undoing {
        let said = Undoing(undoes: version.message.undoes, redoes: version.message.redoes)
        guard !said.isEmpty, said.undoes.isEmpty || said.redoes.isEmpty, let parent = version.parents.first, !version.isMerge
        else { return Undoing() }
        do {
            var named: [Version] = []
            for id in said.undoes + said.redoes {
                let other = try self.version(id)
                guard other.author.isSame(as: version.author) else { return Undoing() }
                named.append(other)
            }
            let (before, after) = (try snapshot(parent), try snapshot(version.id))
            let changes = said.redoes.isEmpty ? try inverted(named, at: before) : try repeated(named, at: before)
            var subjects = Set(try subjectsDiffering(from: before, to: after))
            for change in changes { subjects.formUnion([change.subject] + (change.renaming.map { [$0.old, $0.new] } ?? [])) }
            let expected = try before.settings(of: subjects).applying(changes)
            for subject in subjects where try expected[subject] != after.item(subject) { return Undoing() }
            return said
        } catch let error as Problem {
            // What isn't there, can't be read or doesn't fit is not what was done.
            if error.kind == .cannotWrite || error.kind == .busy { throw error }
            return Undoing()
        } catch { return Undoing() }
    }

    /// Whether the store came with this version: what lies before is not the store's.
    private func beginsStore(_ version: Version) throws(Problem) -> Bool {
        guard try snapshot(version.id).content(.store) != nil else { return false }
        return try snapshot(version.parents.first).content(.store) == nil
    }

    /// A person's versions that touch this store and that nobody else built on, newest first. Merges that decided nothing are
    /// stepped over, and so is what others made on the other side of them; a merge that decided something is told of.
    /// Returns the newest version of somebody else's.
    @discardableResult
    private func ownHistory(
        from tip: Snapshot, of person: Person, _ visit: (Version) throws(Problem) -> Bool
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
            queue.push(id, time: try snapshot(id).commit?.time ?? 0)
        }
        try add(tip.id)
        while !waiting.isSubset(of: built), let id = queue.pop() {
            // Of versions of the same second the one that builds on the other is newer.
            let time = try snapshot(id).commit?.time ?? 0
            var isOlder = false
            for other in waiting where other != id {
                guard try snapshot(other).commit?.time ?? 0 == time else { continue }
                if try git({ () throws(GitError) in try repository.isAncestor(id, of: other) }) { isOlder = true }
            }
            if isOlder {
                queue.push(id, time: time)
                continue
            }
            waiting.remove(id)
            let version = try version(id)
            if isBoundary(version) { continue }
            var isBuiltOn = built.contains(id)
            if version.isMerge {
                if try decidedNothing(version) {
                    if isBuiltOn { built.formUnion(version.parents) }
                    for parent in version.parents { try add(parent) }
                    continue
                }
                if !isBuiltOn, try !visit(version) { return other }
            } else if try isDone(version) {
                if !version.author.isSame(as: person) {
                    other = other ?? version
                    isBuiltOn = true
                } else if !isBuiltOn, try !visit(version) {
                    return other
                }
            }
            if isBuiltOn { built.formUnion(version.parents.prefix(1)) }
            try add(version.parents.first)
        }
        return other
    }

    /// Whether a version touches this store, or says something about its questions.
    private func isDone(_ version: Version) throws(Problem) -> Bool {
        if !version.message.resolves.isEmpty { return true }
        let before = try snapshot(version.parents.first)
        if try !subjectsDiffering(from: before, to: try snapshot(version.id)).isEmpty { return true }
        return try !undoing(of: version).isEmpty
    }

    /// Whether a merge is what its two sides give by meaning, with no question left open or settled.
    private func decidedNothing(_ merge: Version) throws(Problem) -> Bool {
        guard merge.parents.count == 2, merge.message.conflicts.isEmpty, merge.message.resolves.isEmpty else { return false }
        let result = try snapshot(merge.id)
        do throws(Problem) {
            let expected = try meaning(of: merge)
            guard expected.conflicts.isEmpty else { return false }
            var subjects = expected.settings.subjects
            for parent in merge.parents { subjects.formUnion(try subjectsDiffering(from: try snapshot(parent), to: result)) }
            for subject in subjects where try result.item(subject) != expected.settings[subject] { return false }
            return true
        } catch {
            guard error.kind == .badData else { throw error }
            return false
        }
    }

    /// Changes that take `versions` (newest first) back, at `tip`: those that `isWanted`, asked with the version and the names
    /// of what changed, then and today.
    func inverted(
        _ versions: [Version], at tip: Snapshot, where isWanted: (Version, Set<Subject>) -> Bool = { _, _ in true }
    ) throws(Problem) -> [Change] {
        var steps: [[Change]] = []
        var names: [[Subject: Subject]] = []
        for version in versions {
            let made = try changes(of: version)
            if let file = made.unreadable.first { throw .history(.unreadable(file.problem, change: false)) }
            let today = try isAnyMissing(made.changes, at: tip) ? renames(from: version.id, to: tip) : [:]
            let wanted = made.changes.filter { change in
                isWanted(version, Set([change.subject, change.renaming?.old, today[change.subject]].compactMap { $0 }))
            }
            steps.append(wanted.inverted)
            names.append(today)
        }
        return try combined(steps, today: names, at: tip)
    }

    /// Changes that make `versions` (oldest first) once more, at `tip`.
    private func repeated(_ versions: [Version], at tip: Snapshot) throws(Problem) -> [Change] {
        var steps: [[Change]] = []
        for version in versions { steps.append(try changes(of: version).changes) }
        return try combined(steps, at: tip)
    }

    private func isAnyMissing(_ changes: [Change], at tip: Snapshot) throws(Problem) -> Bool {
        for change in changes {
            if try tip.content(change.subject) == nil { return true }
        }
        return false
    }

    /// One list of changes that does what `steps` do one after the other. `today`: for each step, what was renamed since.
    private func combined(
        _ steps: [[Change]], today names: [[Subject: Subject]] = [], at tip: Snapshot
    ) throws(Problem) -> [Change] {
        var subjects: Set<Subject> = []
        for names in names { subjects.formUnion(names.values) }
        for change in steps.joined() {
            subjects.insert(change.subject)
            guard let (old, new) = change.renaming else { continue }
            subjects.formUnion([old, new])
            for place in [old, new] {
                guard case .group(let key) = place else { continue }
                subjects.formUnion(try tip.subjects(in: key))
            }
        }
        let base = try tip.settings(of: subjects, acceptingAnyValue: true)
        var state = base
        var renames: [(old: Subject, new: Subject)] = []
        for (index, step) in steps.enumerated() {
            var step = step
            if index < names.count, !step.contains(where: { $0.renaming != nil }) {
                for place in step.indices where state[step[place].subject] == nil {
                    if let today = names[index][step[place].subject] { step[place].subject = today }
                }
            }
            do { state = try state.applying(step) } catch { throw .recording(.changedSince(error.conflicts)) }
            renames += step.compactMap(\.renaming)
        }
        return state.changes(since: base, renames: renames)
    }
}

extension Edit {
    /// Versions that settled questions for what was in force already are taken back and repeated though nothing changes.
    mutating func nameQuestions(of versions: [Version], _ what: String) {
        guard let question = versions.lazy.flatMap(\.message.resolves).first else { return }
        subject = "\(question.subject.key): \(question.facet.name) \(what)"
        isRecordedAnyway = true
    }
}
