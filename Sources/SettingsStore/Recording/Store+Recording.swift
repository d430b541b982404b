import Git
import SettingsModel

extension Store {
    /// Writes history: everything that makes a version comes through here.
    ///
    /// `edit` is given the last version and says what to change. It runs under the store's lock, and again where plain
    /// git was faster. When this returns, the version is on the disk and the files are in step with it; when it throws,
    /// nothing has changed.
    package func record(_ done: Done, _ edit: (Snapshot) throws(StoreError) -> Edit) throws(StoreError) -> Outcome {
        let deadline = ContinuousClock.now + .seconds(patience)
        while true {
            do throws(StoreError) {
                if done.isDryRun { return try plan(done, edit) }
                let lock = try takeLock()
                defer { withExtendedLifetime(lock) {} }
                try mendUnderLock()
                return try recordUnderLock(done, edit)
            } catch {
                guard error.kind == .busy, ContinuousClock.now < deadline else { throw error }
                pause()
            }
        }
    }

    private func plan(_ done: Done, _ edit: (Snapshot) throws(StoreError) -> Edit) throws(StoreError) -> Outcome {
        let plan = try prepared(done, edit)
        guard !plan.changes.isEmpty || plan.parents.count > 1 else { return .unchanged }
        return .planned(subject: plan.message.subject, plan.changes)
    }

    private func recordUnderLock(_ done: Done, _ edit: (Snapshot) throws(StoreError) -> Edit) throws(StoreError) -> Outcome {
        let plan = try prepared(done, edit)
        if plan.updates.isEmpty, plan.changes.isEmpty, plan.parents.count < 2, plan.message.resolves.isEmpty { return .unchanged }
        let signals = BlockedSignals()
        defer { withExtendedLifetime(signals) {} }
        for update in plan.updates { try checkWritable(update.path) }
        try settleDraft(plan)
        let version = try commit(plan, done)
        var notes: [String] = []
        do throws(StoreError) {
            try bringInStep(plan.updates, at: version.id)
        } catch {
            notes.append("recorded, but the files are not in step yet (\(error.reason)); the next command tries again")
        }
        return .recorded(version, plan.changes, notes: notes)
    }

    /// Hand edits that are about to be recorded are first written in their final form: what they mean must not depend on
    /// the version that they were made from once there is a newer one.
    private func settleDraft(_ plan: Plan) throws(StoreError) {
        for case let update in plan.updates where update.isDraft && update.file != nil {
            try writeFile(update.file, at: update.path)
        }
    }

    /// A Done worked out, nothing written.
    private struct Plan {
        var base: Snapshot
        var message: VersionMessage
        var changes: [Change]
        var updates: [FileUpdate]
        var parents: [VersionID]
    }

    private func prepared(_ done: Done, _ edit: (Snapshot) throws(StoreError) -> Edit) throws(StoreError) -> Plan {
        try checkOperation()
        let base = try tip()
        if let expected = done.expected, base.id != expected {
            throw StoreError(
                .conflict, "the store is no longer at \(expected.short) but at \(base.id?.short ?? "no version")",
                hint: "look at what came since with 'settings diff --from \(expected.short)', then try again"
            )
        }
        let edit = try edit(base)
        // A version that can't be read is as good as none to whoever mends its file.
        var unreadable: Set<Subject> = []
        for subject in edit.recordsDraft where try base.content(subject) != nil {
            if try base.readable(subject) == nil { unreadable.insert(subject) }
        }
        let (before, after) = try applied(edit.changes, to: base, without: unreadable)
        if before.definition != nil, after.definition == nil {
            throw StoreError(
                .usage, "that would remove _store.json, and without it this is no store",
                hint: "'git rm' removes a store; its versions stay in git's history"
            )
        }
        var updates = edit.files
        for update in updates { try checkUntouched(update.path, since: base) }
        for subject in before.subjects.union(after.subjects).union(unreadable).sorted() {
            guard before[subject] != after[subject] || unreadable.contains(subject) else { continue }
            if before[subject] == nil, after[subject] != nil {
                try checkName(
                    of: subject, in: base,
                    removing: before.subjects.subtracting(after.subjects))
            }
            let isDraft = edit.recordsDraft.contains(subject)
            let file = after[subject]?.file
            if let file { try checkReadable(file, of: subject) }
            updates.append(FileUpdate(path: repositoryPath(subject), file: file, isDraft: isDraft))
            if !isDraft { try checkUntouched(subject, since: base) }
        }
        for subject in edit.untouched.subtracting(edit.recordsDraft).sorted() { try checkUntouched(subject, since: base) }
        let renames = edit.changes.compactMap(\.renaming)
        let changes = after.changes(since: before, renames: renames)
        if !changes.isEmpty, edit.needsWhy { try checkPolicy(done, base, after.definition) }

        let removed = "\(unreadable.sorted().map(\.path).joined(separator: ", ")) removed"
        var message = VersionMessage(
            subject: edit.subject ?? (changes.isEmpty ? removed : Wording().subject(of: changes)), why: done.why
        )
        message.requestedBy = done.requestedBy
        message.tickets = done.tickets
        message.via = done.via
        message.reverts = edit.reverts
        message.undoes = edit.undoes
        message.redoes = edit.redoes
        message.restoredFrom = edit.restoredFrom
        message.importedFrom = edit.importedFrom
        message.renames = renames.map { VersionMessage.Rename(old: $0.old, new: $0.new) }
        message.details = edit.details
        message.conflicts = edit.conflicts
        message.resolves = edit.resolves
        let parents = [base.id, edit.merges].compactMap { $0 }
        return Plan(base: base, message: message, changes: changes, updates: updates, parents: parents)
    }

    /// Nothing is recorded that no one could read: too large, too deep.
    private func checkReadable(_ file: [UInt8], of subject: Subject) throws(StoreError) {
        do { _ = try Settings.Item(file: file, of: subject) } catch { throw StoreError(error, in: subject.path) }
    }

    /// The items that `changes` are about, before and after them.
    private func applied(
        _ changes: [Change], to base: Snapshot, without unreadable: Set<Subject>
    ) throws(StoreError) -> (
        Settings,
        Settings
    ) {
        var subjects: Set<Subject> = []
        for change in changes {
            subjects.insert(change.subject)
            guard let (old, new) = change.renaming else { continue }
            subjects.formUnion([old, new])
            guard case .group = old else { continue }
            subjects.formUnion(try base.subjects(in: old.key))
            subjects.formUnion(try base.subjects(in: new.key))
        }
        let before = try base.settings(of: subjects.subtracting(unreadable))
        do { return (before, try before.applying(changes)) } catch { throw StoreError(error) }
    }

    func checkOperation() throws(StoreError) {
        guard let operation, operation != "bisect" else { return }
        let end = operation == "merge" ? "commit" : "\(operation) --continue"
        throw StoreError(
            .conflict, "git is in the middle of a \(operation) in this repository",
            hint: "finish it with 'git \(end)' or drop it with 'git \(operation) --abort'"
        )
    }

    private func checkPolicy(_ done: Done, _ base: Snapshot, _ changed: StoreDefinition?) throws(StoreError) {
        guard case .store(let definition)? = try base.item(.store) ?? changed.map({ .store($0) }) else { return }
        if definition.policy.why == .required, done.why == nil {
            throw StoreError(
                .policy, "this store wants to know why, and no reason was given", hint: "say it with -m 'the reason'")
        }
        if definition.policy.requestedBy == .required, done.requestedBy.isEmpty {
            throw StoreError(.policy, "this store wants to know who asked for it", hint: "say it with --requested-by NAME")
        }
        if definition.policy.ticket == .required, done.tickets.isEmpty {
            throw StoreError(.policy, "this store wants a ticket", hint: "say it with --ticket ID")
        }
    }

    /// A new name must not differ by case alone from one that stays.
    private func checkName(of subject: Subject, in base: Snapshot, removing: Set<Subject>) throws(StoreError) {
        var folder = Key.root
        for (depth, part) in subject.key.parts.enumerated() {
            let isLast = depth == subject.key.parts.count - 1
            for (name, isFolder) in try base.names(in: folder) where name != part && name.lowercased() == part.lowercased() {
                let other = try keyed { () throws(Key.Malformed) in try folder.appending(name) }
                if !isFolder, !isLast || removing.contains(.option(other)) { continue }
                if isFolder, removing.contains(where: { $0.key.isWithin(other) }) { continue }
                throw StoreError(
                    .usage, "\(subject.key) differs from \(other) by case alone, which some file systems can't tell apart",
                    hint: "use \(other), or another name"
                )
            }
            folder = try keyed { () throws(Key.Malformed) in try folder.appending(part) }
        }
    }

    private func keyed(_ make: () throws(Key.Malformed) -> Key) throws(StoreError) -> Key {
        do { return try make() } catch { throw StoreError(error, key: "") }
    }

    private func commit(_ plan: Plan, _ done: Done) throws(StoreError) -> Version {
        let author = Signature(done.author, at: done.authorTime)
        let committer = Signature(done.committer, at: done.time)
        let id = try git { () throws(GitError) -> ObjectID in
            var updates: [TreeUpdate] = []
            for update in plan.updates {
                var change = TreeUpdate.Change.remove
                if let file = update.file { change = .put(try repository.write(blob: file), .blob) }
                updates.append(TreeUpdate(path: update.path, change: change))
            }
            let tree = try repository.tree(updating: plan.base.tree, with: updates)
            return try repository.writeCommit(
                tree: tree, parents: plan.parents, author: author, committer: committer,
                message: plan.message.text
            )
        }
        try moveBranch(to: id, from: plan.base.id, committer, note: plan.message.subject)
        return try version(id)
    }

    /// Moves the branch, noted before: what comes after can be finished by whoever finds the note.
    func moveBranch(to new: VersionID, from old: VersionID?, _ committer: Signature, note: String) throws(StoreError) {
        try announce(from: old, to: new)
        do {
            try repository.moveHead(to: new, from: old, by: committer, note: "settings: \(note)")
        } catch {
            if error.kind != .durabilityUnknown { try? withdraw() }
            throw StoreError(error)
        }
    }
}

extension Store {
    /// The lock that whoever writes holds.
    func takeLock() throws(StoreError) -> Lock {
        guard let lock = try Lock.take(try ownFolder() + "/lock", .exclusive, patience: patience) else {
            throw StoreError(
                .busy, "another process has been writing to this store for \(Int(patience)) seconds", hint: "try again")
        }
        return lock
    }
}

extension Snapshot {
    /// The names in a folder, an option's without its ending; whether each is a folder.
    func names(in group: Key) throws(StoreError) -> [(name: String, isFolder: Bool)] {
        guard let tree else { return [] }
        let path = (store.prefix + group.parts.joined(separator: "/")).trimmingSlash
        return try git { () throws(GitError) -> [TreeEntry] in
            guard !path.isEmpty else { return try store.repository.entries(of: tree) }
            guard let folder = try store.repository.entry(at: path, in: tree), folder.mode == .tree else { return [] }
            return try store.repository.entries(of: folder.id)
        }.compactMap { entry in
            if entry.mode == .tree { return (entry.name, true) }
            return entry.name.hasSuffix(".json") ? (String(entry.name.dropLast(5)), false) : nil
        }
    }
}
