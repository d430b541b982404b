import Files
import Git
package import SettingsModel

extension Store {
    /// Writes history: everything that makes a version comes through here.
    ///
    /// `edit` is given the last version and says what to change. It runs under the store's lock, and again where plain
    /// git was faster. When this returns, the version is on the disk and the files are in step with it; when it throws,
    /// nothing has changed.
    package func record(_ done: Done, _ edit: (Snapshot) throws(Problem) -> Edit) throws(Problem) -> Outcome {
        let deadline = ContinuousClock.now + .seconds(patience)
        while true {
            do throws(Problem) {
                if done.isDryRun { return try plan(done, edit) }
                return try settled(try recorded(done, edit))
            } catch {
                guard error.kind == .busy, ContinuousClock.now < deadline else { throw error }
                pause()
            }
        }
    }

    /// A version that is recorded, and what there is to wait for until it counts. Signals are blocked that long.
    private struct Recorded: ~Copyable {
        let outcome: Outcome
        var signals: BlockedSignals?
        var unsettled: Unsettled?
    }

    private struct Unsettled: ~Copyable {
        let move: BranchMove
        let id: VersionID
        let old: VersionID
    }

    private func recorded(_ done: Done, _ edit: (Snapshot) throws(Problem) -> Edit) throws(Problem) -> Recorded {
        let lock = try takeLock()
        defer { withExtendedLifetime(lock) {} }
        try mendUnderLock()
        return try recordUnderLock(done, edit)
    }

    private func settled(_ recorded: consuming Recorded) throws(Problem) -> Outcome {
        let outcome = recorded.outcome
        let signals = recorded.signals
        if let unsettled = recorded.unsettled {
            try settle(unsettled.move, unsettled.id, from: unsettled.old)
        } else if let id = outcome.id {
            settleFiles(of: id)
        }
        withExtendedLifetime(signals) {}
        return outcome
    }

    private func plan(_ done: Done, _ edit: (Snapshot) throws(Problem) -> Edit) throws(Problem) -> Outcome {
        let base = try base(of: done)
        let edit = try edit(base)
        if let target = edit.forwardsTo { return try forwarded(from: base, to: target, moving: false, done) }
        let plan = try prepared(done, edit, on: base)
        if plan.isNothing { return .unchanged }
        return .planned(subject: plan.message.subject, plan.changes)
    }

    private func recordUnderLock(_ done: Done, _ edit: (Snapshot) throws(Problem) -> Edit) throws(Problem) -> Recorded {
        let base = try base(of: done)
        let edit = try edit(base)
        if let target = edit.forwardsTo {
            return Recorded(outcome: try forwarded(from: base, to: target, moving: true, done))
        }
        var plan = try prepared(done, edit, on: base)
        if plan.isNothing { return Recorded(outcome: .unchanged) }
        let signals = BlockedSignals()
        try checkWritable(plan.updates.lazy.map { ($0.path, $0.file == nil) })
        try settleDraft(&plan)
        let id = try writeCommit(&plan, done)
        let version = try version(id)
        let lock = try lockIndex()
        // Files that were edited by hand stay as they are where the branch has to go back, so they wait until it needn't.
        let old = plan.updates.contains(where: \.isDraft) ? nil : plan.base.id
        let move = try moveBranch(
            to: id, from: plan.base.id, Signature(done.committer, at: done.time), note: plan.message.subject,
            callerWaits: old != nil)
        var notes: [Notice] = []
        do throws(Problem) {
            notes = try bringInStep(plan.updates, lock)
        } catch {
            notes.append(.isNotInStep(error, isForwarded: false))
        }
        var recorded = Recorded(outcome: .recorded(version, plan.changes, notes: notes), signals: signals)
        if let move, let old { recorded.unsettled = Unsettled(move: move, id: id, old: old) }
        return recorded
    }

    /// Hand edits that are about to be recorded are first written in their final form: what they mean must not depend on
    /// the version that they were made from once there is a newer one.
    ///
    /// Those that have it already are waited for like those that are written: an editor may have left them to the system,
    /// and what a loss of power made of them would look like an edit.
    private func settleDraft(_ plan: inout Plan) throws(Problem) {
        do {
            try work.sync(plan.updates.filter { $0.isDraft && $0.status != nil }.map(\.path), durability)
        } catch {
            throw .file(.failed(error))
        }
        try writeFiles(&plan.updates, durability) { $0.isDraft && $0.file != nil }
    }

    /// A Done worked out, nothing written.
    private struct Plan {
        var base: Snapshot
        var message: VersionMessage
        var changes: [Change]
        var updates: [FileUpdate]
        var parents: [VersionID]
        var isRecordedAnyway: Bool

        var isNothing: Bool { changes.isEmpty && updates.isEmpty && parents.count < 2 && !isRecordedAnyway }
    }

    /// The last version, if a Done may build on it.
    private func base(of done: Done) throws(Problem) -> Snapshot {
        try checkOperation()
        let base = try tip()
        if let expected = done.expected, base.id != expected {
            throw .recording(.isNotAt(expected, but: base.id))
        }
        return base
    }

    private func prepared(_ done: Done, _ edit: Edit, on base: Snapshot) throws(Problem) -> Plan {
        let base = try base.loaded(for: edit.changes.count)
        // A version that can't be read is as good as none to whoever mends its file.
        var unreadable: Set<Subject> = []
        for subject in edit.recordsDraft where try base.content(subject) != nil {
            if try base.readable(subject) == nil { unreadable.insert(subject) }
        }
        let (before, after) =
            if let sides = edit.sides { sides } else { try applied(edit.changes, to: base, without: unreadable) }
        if before.definition != nil, after.definition == nil {
            throw .recording(.removesStore)
        }
        var updates = edit.files
        for index in updates.indices { updates[index].old = try checkUntouched(updates[index].path, since: base) }
        let mended = try outOfStep(edit, before, after, at: base)
        let (subjectsBefore, subjectsAfter) = (before.subjects, after.subjects)
        var names = Names(base: base, removing: subjectsBefore.subtracting(subjectsAfter))
        // What a version had, git tracked; what is new must not be ignored.
        lazy var ignored = edit.bringsBack ? nil : Ignored(folder, asRecorded: true)
        var untouched = edit.touched.subtracting(edit.recordsDraft)
        var places: [Subject: Int] = [:]
        for subject in subjectsBefore.union(subjectsAfter).union(unreadable).union(mended.keys).sorted() {
            let (old, new) = (before[subject], mended[subject] ?? after[subject])
            guard old != new || unreadable.contains(subject) || mended[subject] != nil else { continue }
            if old == nil, new != nil, mended[subject] == nil {
                try names.add(subject)
                if let ignored { try checkNotIgnored(subject, ignored) }
            }
            let isDraft = edit.recordsDraft.contains(subject)
            var update = FileUpdate(path: repositoryPath(subject), file: new?.file, isDraft: isDraft)
            if let file = update.file {
                if let reading = edit.draftFiles[subject], reading.bytes == file {
                    update.status = reading.status
                } else {
                    try checkReadable(file, of: subject)
                }
            }
            if !isDraft {
                update.isOld = true
                update.old = .content(try base.content(subject))
                untouched.insert(subject)
                places[subject] = updates.count
            } else if let reading = edit.draftFiles[subject] {
                update.old = .bytes(reading.bytes)
            } else if update.file == nil {
                update.old = .bytes(nil)
            }
            updates.append(update)
        }
        for (subject, held) in try checkUntouched(untouched, since: base) {
            if let place = places[subject] { updates[place].old = held }
        }
        let renames = edit.changes.compactMap(\.renaming)
        let changes = edit.sides == nil ? after.changes(since: before, renames: renames) : edit.changes
        if !changes.isEmpty, edit.needsWhy { try checkPolicy(done, base, after.definition) }

        var message = VersionMessage(
            subject: edit.subject ?? self.subject(of: changes, mended: mended.keys.sorted(), removed: unreadable.sorted()),
            why: done.why
        )
        message.requestedBy = done.requestedBy
        message.tickets = done.tickets
        message.via = done.via
        message.reverts = edit.reverts
        message.undoes = edit.undoes
        message.redoes = edit.redoes
        message.restoredFrom = edit.restoredFrom
        message.importedFrom = edit.importedFrom
        message.importedInto = edit.importedInto
        message.importedDocument = edit.importedDocument
        message.renames = renames.map { VersionMessage.Rename(old: $0.old, new: $0.new) }
        message.details = edit.details
        message.conflicts = edit.conflicts
        message.resolves = edit.resolves
        let parents = [base.id, edit.merges].compactMap { $0 }
        return Plan(
            base: base, message: message, changes: changes, updates: updates, parents: parents,
            isRecordedAnyway: edit.isRecordedAnyway)
    }

    /// The first line of a version.
    private func subject(of changes: [Change], mended: [Subject], removed: [Subject]) -> String {
        if !changes.isEmpty { return Wording().subject(of: changes) }
        guard let first = mended.first else { return "\(removed.map(\.path).joined(separator: ", ")) removed" }
        return mended.count == 1 ? "\(first.key): index corrected" : "\(mended.count) settings: index corrected"
    }

    /// Choices that an edit touches and leaves as they are, whose two lines name different labels: whatever touches them
    /// writes both.
    private func outOfStep(
        _ edit: Edit, _ before: Settings, _ after: Settings, at base: Snapshot
    ) throws(Problem) -> [Subject: Settings.Item] {
        var found: [Subject: Settings.Item] = [:]
        let touched = edit.sides == nil ? edit.touched : edit.touched.union(before.subjects)
        for subject in touched where before[subject] == after[subject] {
            if let selection = try base.disagreement(subject) { found[subject] = .option(selection.option) }
        }
        return found
    }

    /// Nothing is recorded that no one could read: too large, too deep.
    private func checkReadable(_ file: [UInt8], of subject: Subject) throws(Problem) {
        do { _ = try Settings.Item(file: file, of: subject) } catch { throw .file(.unreadable(error, path: subject.path)) }
    }

    /// The items that `changes` are about, before and after them.
    private func applied(
        _ changes: [Change], to base: Snapshot, without unreadable: Set<Subject>
    ) throws(Problem) -> (
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
        let before = try base.settings(of: subjects.subtracting(unreadable), acceptingAnyValue: true)
        do { return (before, try before.applying(changes)) } catch { throw .recording(.changedSince(error.conflicts)) }
    }

    func checkOperation() throws(Problem) {
        guard let operation = try operation, operation != "bisect" else { return }
        throw .repository(.isInTheMiddle(of: operation))
    }

    private func checkPolicy(_ done: Done, _ base: Snapshot, _ changed: StoreDefinition?) throws(Problem) {
        guard case .store(let definition)? = try base.item(.store) ?? changed.map({ .store($0) }) else { return }
        if definition.policy.why == .required, done.why == nil {
            throw .recording(.isDemanded(.why))
        }
        if definition.policy.requestedBy == .required, done.requestedBy.isEmpty {
            throw .recording(.isDemanded(.requestedBy))
        }
        if definition.policy.ticket == .required, done.tickets.isEmpty {
            throw .recording(.isDemanded(.ticket))
        }
    }

    private func writeCommit(_ plan: inout Plan, _ done: Done) throws(Problem) -> VersionID {
        let author = Signature(done.author, at: done.authorTime)
        let committer = Signature(done.committer, at: done.time)
        return try git { () throws(GitError) -> ObjectID in
            repository.collectObjects()
            var updates: [TreeUpdate] = []
            for (index, update) in plan.updates.enumerated() {
                let content = try update.file.map { file throws(GitError) in
                    Content(id: try repository.write(blob: file), mode: .blob)
                }
                plan.updates[index].content = content
                updates.append(TreeUpdate(path: update.path, change: content.map { .put($0.id, $0.mode) } ?? .remove))
            }
            let tree = try repository.tree(updating: plan.base.tree, with: updates)
            let id = try repository.writeCommit(
                tree: tree, parents: plan.parents, author: author, committer: committer,
                message: plan.message.text
            )
            try repository.writeObjects(durability)
            return id
        }
    }

    /// Moves the branch, noted before: what comes after can be finished by whoever finds the note. `callerWaits`: what is
    /// returned is for `settle`.
    @discardableResult
    func moveBranch(
        to new: VersionID, from old: VersionID?, _ committer: Signature, note: String, callerWaits: Bool = false
    ) throws(Problem) -> BranchMove? {
        let own = try ownFolder()
        let before = try announce(from: old, to: new)
        do {
            return try repository.moveHead(
                to: new, from: old, by: committer, note: "settings: \(note)", own: own, durability: durability,
                callerWaits: callerWaits)
        } catch {
            if error.kind == .durabilityUnknown {
                throw .recording(.mayBeLost(new, reason: .repository(.failed(reason: error.message))))
            }
            try? withdraw(to: before)
            throw Problem(error)
        }
    }
}

extension Store {
    /// The lock that whoever writes holds.
    func takeLock() throws(Problem) -> Lock {
        ownFolderIsThere = false
        cachedNote = nil
        guard
            let lock = try Lock.take(
                try ownFolder() + "/lock", .exclusive, patience: patience, shared: repository.sharedMode)
        else {
            throw .recording(.isBusy(seconds: Int(patience)))
        }
        return lock
    }
}
