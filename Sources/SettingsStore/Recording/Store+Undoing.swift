import Git
import SettingsModel

extension Store {
    /// Takes back the last `count` Dones of `person`, in one version. Somebody else's are not touched.
    package func undo(_ count: Int = 1, by person: Person, _ done: Done) throws(StoreError) -> Outcome {
        try record(done) { tip throws(StoreError) in
            var undone: [Version] = []
            var isUndone: [VersionID: Bool] = [:]
            try self.ownHistory(from: tip) { version throws(StoreError) in
                let named = try self.undoing(of: version)
                for id in named.undoes where isUndone[id] == nil { isUndone[id] = true }
                for id in named.redoes where isUndone[id] == nil { isUndone[id] = false }
                if !named.isEmpty || isUndone[version.id] == true { return true }
                let isFirst = try self.beginsStore(version)
                if version.isMerge || isFirst {
                    if undone.isEmpty {
                        throw StoreError(
                            .no,
                            version.isMerge
                                ? "the last version is a merge, which undo doesn't take apart" : "there is nothing to undo")
                    }
                    return false
                }
                guard version.author.isSame(as: person) else {
                    if !undone.isEmpty { return false }
                    throw StoreError(
                        .no, "the last version, \(version.id.short), is by \(version.author.name), not by you",
                        hint: "'settings revert \(version.id.short)' takes it back all the same"
                    )
                }
                undone.append(version)
                return undone.count < count
            }
            guard !undone.isEmpty else { throw StoreError(.no, "there is nothing to undo") }
            guard undone.count == count else {
                throw StoreError(.no, "only \(undone.count) of your own last versions can be undone")
            }
            var edit = Edit(try self.inverted(undone, at: tip))
            edit.undoes = undone.map(\.id)
            edit.needsWhy = false
            return edit
        }
    }

    /// Makes the last `count` undone Dones again, in one version, as long as nothing else was recorded since.
    package func redo(_ count: Int = 1, by person: Person, _ done: Done) throws(StoreError) -> Outcome {
        try record(done) { tip throws(StoreError) in
            var redone: Set<VersionID> = []
            var waiting: [VersionID] = []
            try self.ownHistory(from: tip) { version throws(StoreError) in
                guard version.author.isSame(as: person) else { return false }
                let named = try self.undoing(of: version)
                if named.isEmpty { return false }
                redone.formUnion(named.redoes)
                // Of several undone at once the oldest comes back first.
                for id in named.undoes.reversed() where redone.remove(id) == nil { waiting.append(id) }
                return true
            }
            guard !waiting.isEmpty else { throw StoreError(.no, "there is nothing to redo") }
            guard waiting.count >= count else { throw StoreError(.no, "only \(waiting.count) can be redone") }
            var versions: [Version] = []
            for id in waiting.prefix(count) { versions.append(try self.version(id)) }
            var edit = Edit(try self.repeated(versions, at: tip))
            edit.redoes = versions.map(\.id)
            edit.needsWhy = false
            return edit
        }
    }

    /// The versions that one undoes or redoes.
    struct Undoing {
        var undoes: [VersionID] = []
        var redoes: [VersionID] = []

        var isEmpty: Bool { undoes.isEmpty && redoes.isEmpty }
    }

    /// What a version's trailers say that it undoes or redoes, if it does. Anybody can write a trailer: it counts only from
    /// the person who made the versions that it names, and only where what they changed is what this version took back or
    /// repeated.
    func undoing(of version: Version) throws(StoreError) -> Undoing {
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
        } catch let error as StoreError {
            // What isn't there, can't be read or doesn't fit is not what was done.
            if error.kind == .cannotWrite || error.kind == .busy { throw error }
            return Undoing()
        } catch { return Undoing() }
    }

    /// Whether the store came with this version: what lies before is not the store's.
    private func beginsStore(_ version: Version) throws(StoreError) -> Bool {
        guard try snapshot(version.id).content(.store) != nil else { return false }
        return try snapshot(version.parents.first).content(.store) == nil
    }

    /// Along first parents, only versions that touch this store.
    private func ownHistory(from tip: Snapshot, _ visit: (Version) throws(StoreError) -> Bool) throws(StoreError) {
        var id = tip.id
        while let next = id {
            let version = try version(next)
            if isBoundary(version) { return }
            let touches = try !subjectsDiffering(from: try snapshot(version.parents.first), to: try snapshot(next)).isEmpty
            if touches || version.isMerge { if try !visit(version) { return } }
            id = version.parents.first
        }
    }

    /// Changes that take `versions` (newest first) back, at `tip`.
    func inverted(_ versions: [Version], at tip: Snapshot, of places: [Key] = []) throws(StoreError) -> [Change] {
        var steps: [[Change]] = []
        var names: [[Subject: Subject]] = []
        for version in versions {
            let made = try changes(of: version)
            if let file = made.unreadable.first { throw StoreError(.badData, file.reason) }
            let today = try isAnyMissing(made.changes, at: tip) ? renames(from: version.id, to: tip) : [:]
            let wanted = made.changes.filter { change in
                change.subject.lies(in: places) || change.renaming.map { $0.old.lies(in: places) } ?? false
                    || today[change.subject].map { $0.lies(in: places) } ?? false
            }
            steps.append(wanted.inverted)
            names.append(today)
        }
        return try combined(steps, today: names, at: tip)
    }

    /// Changes that make `versions` (oldest first) once more, at `tip`.
    private func repeated(_ versions: [Version], at tip: Snapshot) throws(StoreError) -> [Change] {
        var steps: [[Change]] = []
        for version in versions { steps.append(try changes(of: version).changes) }
        return try combined(steps, at: tip)
    }

    private func isAnyMissing(_ changes: [Change], at tip: Snapshot) throws(StoreError) -> Bool {
        for change in changes {
            if try tip.content(change.subject) == nil { return true }
        }
        return false
    }

    /// One list of changes that does what `steps` do one after the other. `today`: for each step, what was renamed since.
    private func combined(
        _ steps: [[Change]], today names: [[Subject: Subject]] = [], at tip: Snapshot
    ) throws(StoreError) -> [Change] {
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
            do { state = try state.applying(step) } catch { throw StoreError(error) }
            renames += step.compactMap(\.renaming)
        }
        return state.changes(since: base, renames: renames)
    }
}
