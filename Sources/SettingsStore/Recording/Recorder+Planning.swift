import Git
import SettingsModel

extension Recorder {
    /// A Done worked out, nothing written.
    struct Plan {
        var base: Snapshot
        var message: VersionMessage
        var changes: [Change]
        var updates: [FileUpdate]
        var parents: [VersionID]
        var isRecordedAnyway: Bool

        var isNothing: Bool { changes.isEmpty && updates.isEmpty && parents.count < 2 && !isRecordedAnyway }
    }

    /// A tracked file goes with its group, whether that is renamed by a command, by hand or on the other side of a merge.
    private func moveTrackedFiles(_ edit: inout Edit, at base: Snapshot) throws(Problem) {
        let renames = edit.changes.compactMap(\.renaming).filter { $0.old.isGroup }
        if renames.isEmpty || edit.changes.contains(where: { $0.subject == .store }) { return }
        guard case .store(var definition)? = try base.readable(.store), definition.namesFiles else { return }
        let before = SettingsContent(definition: definition)
        for file in definition.trackedFiles.files {
            let moved = file.moved(renames)
            if moved != file { definition.track(moved) }
        }
        let after = SettingsContent(definition: definition)
        let changes = after.changes(since: before)
        if changes.isEmpty { return }
        edit.changes += changes
        guard var sides = edit.sides else { return }
        (sides.before[.store], sides.after[.store]) = (before[.store], after[.store])
        edit.sides = sides
    }

    func prepared(_ done: Done, _ edit: Edit, on base: Snapshot) throws(Problem) -> Plan {
        try base.checkFormat()
        let base = try base.loaded(for: edit.changes.count)
        var edit = edit
        try moveTrackedFiles(&edit, at: base)
        // A version that can't be read is as good as none to whoever mends its file.
        var unreadable: Set<Subject> = []
        for subject in edit.recordsDraft.union(edit.replaces) where try base.isUnreadable(subject) {
            unreadable.insert(subject)
        }
        let (before, after) =
            if let sides = edit.sides { sides } else { try applied(edit.changes, to: base, without: unreadable) }
        if before.definition != nil, after.definition == nil {
            throw .recording(.removesStore)
        }
        if !edit.bringsBack, edit.importedFrom.isEmpty { try tracking.checkValues(from: before, to: after) }
        var updates = edit.files
        for index in updates.indices where updates[index].old == nil {
            updates[index].old = try workTree.checkUntouched(updates[index].path, since: base)
        }
        let mended = try outOfStep(edit, before, after, at: base)
        let (subjectsBefore, subjectsAfter) = (before.subjects, after.subjects)
        var names = Names(base: base, removing: subjectsBefore.subtracting(subjectsAfter))
        // What a version had, git tracked; what is new must not be ignored.
        lazy var ignored = edit.bringsBack ? nil : Ignored(versions.folder, asRecorded: true)
        var untouched = edit.touched.subtracting(edit.recordsDraft)
        // Attributes are given to kinds of files and to folders: one file of each folder tells.
        var folders: Set<Key> = []
        var places: [Subject: Int] = [:]
        for subject in subjectsBefore.union(subjectsAfter).union(unreadable).union(mended.keys).sorted() {
            let (old, new) = (before[subject], mended[subject] ?? after[subject])
            guard old != new || unreadable.contains(subject) || mended[subject] != nil else { continue }
            if old == nil, new != nil, mended[subject] == nil {
                try names.add(subject)
                try checkIsFree(subject, edit, unreadable, base)
                if let ignored { try workTree.checkNotIgnored(subject, ignored) }
            }
            let isDraft = edit.recordsDraft.contains(subject)
            var update = FileUpdate(path: versions.repositoryPath(subject), file: new?.file, isDraft: isDraft)
            if let file = update.file {
                if folders.count < Snapshot.manyFiles, folders.insert(subject.key.group).inserted {
                    try workTree.checkNotConverted(update.path)
                }
                if let reading = edit.draftFiles[subject], reading.bytes == file {
                    update.status = reading.status
                } else {
                    try checkReadable(file, of: subject, since: base)
                }
            }
            if edit.leaves.contains(subject) {
                update.isLeft = true
                update.status = nil
            } else if !isDraft {
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
        for (subject, held) in try workTree.checkUntouched(untouched, since: base) {
            if let place = places[subject] { updates[place].old = held }
        }
        let renames = edit.changes.compactMap(\.renaming).map { VersionMessage.Rename(old: $0.old, new: $0.new) }.net
        updates += try tracking.updates(
            from: before, to: after, renames: renames, undoing: edit.undoes + edit.reverts,
            redoing: edit.redoes, restoring: edit.restoredFrom, skipping: Set(edit.files.map(\.path)).union(edit.inFiles),
            at: base)
        let changes = try base.markingRepairs(
            edit.sides == nil ? after.changes(since: before, renames: renames.map { ($0.old, $0.new) }) : edit.changes)
        if !changes.isEmpty, edit.needsWhy { try checkPolicy(done, base, after.definition) }

        var message = self.message(of: changes, mended: mended.keys.sorted(), removed: unreadable.sorted())
        let details = edit.details + (edit.merges == nil ? Wording().details(of: changes) : [])
        if let subject = edit.subject {
            message.subject = subject
            message.details = edit.merges == nil && details.count < 2 ? [] : details
        } else if !edit.details.isEmpty {
            message.details = details
        }
        let reasons = [done.why, edit.reason].compactMap { $0 }
        message.why = reasons.isEmpty ? nil : reasons.joined(separator: "\n\n")
        message.requestedBy = done.requestedBy
        message.tickets = done.tickets
        message.via = done.via
        try name(edit, in: &message, on: base)
        message.confirmBy = done.confirmBy
        message.importedFrom = edit.importedFrom
        message.importedInto = edit.importedInto
        message.importedDocument = edit.importedDocument
        message.renames = renames
        message.conflicts = edit.conflicts
        message.resolves = edit.resolves
        // A merge says itself what it resolves. What takes versions back is no answer: it says what becomes of theirs.
        if edit.merges == nil, edit.undoes.isEmpty, edit.redoes.isEmpty, edit.reverts.isEmpty, !changes.isEmpty {
            let said = Set(edit.conflicts + edit.resolves)
            message.resolves += try conflicts.resolved(by: (before, after), message.renames, at: base.id)
                .filter { !said.contains($0) }
        }
        let parents = [base.id, edit.merges].compactMap { $0 }
        return Plan(
            base: base, message: message, changes: changes, updates: updates, parents: parents,
            isRecordedAnyway: edit.isRecordedAnyway)
    }

    /// How a version calls those that an edit takes back, repeats, restores or confirms.
    private func name(_ edit: Edit, in message: inout VersionMessage, on base: Snapshot) throws(Problem) {
        message.reverts = try versions.references(to: edit.reverts, from: base.id)
        message.undoes = try versions.references(to: edit.undoes, from: base.id)
        message.redoes = try versions.references(to: edit.redoes, from: base.id)
        message.restoredFrom = try edit.restoredFrom.map { id throws(Problem) in
            try versions.reference(to: id, from: base.id)
        }
        func unconfirmed(_ named: [NamedVersions.Unconfirmed]) throws(Problem) -> [VersionMessage.Unconfirmed] {
            var all: [VersionMessage.Unconfirmed] = []
            for one in named {
                guard let id = one.id else { continue }
                all.append(VersionMessage.Unconfirmed(try versions.reference(to: id, from: base.id), deadline: one.deadline))
            }
            return all
        }
        message.confirms = try unconfirmed(edit.confirms)
        message.extends = try unconfirmed(edit.extends)
        message.unconfirmed = try unconfirmed(edit.unconfirmed)
    }

    /// What a version says that it changed.
    private func message(of changes: [Change], mended: [Subject], removed: [Subject]) -> VersionMessage {
        if !changes.isEmpty {
            let (subject, details) = Wording().message(of: changes)
            var message = VersionMessage(subject: subject)
            message.details = details
            return message
        }
        guard let first = mended.first else {
            return VersionMessage(subject: "\(removed.map(\.path).joined(separator: ", ")) removed")
        }
        let more = mended.count > 1 ? ", and \(mended.count - 1) more" : ""
        return VersionMessage(subject: "\(first.key): index corrected\(more)")
    }

    /// Choices that an edit touches and leaves as they are, whose two lines name different labels: whatever touches them
    /// writes both.
    private func outOfStep(
        _ edit: Edit, _ before: SettingsContent, _ after: SettingsContent, at base: Snapshot
    ) throws(Problem) -> [Subject: SettingsContent.Item] {
        var found: [Subject: SettingsContent.Item] = [:]
        let touched = edit.sides == nil ? edit.touched : edit.touched.union(before.subjects)
        for subject in touched where before[subject] == after[subject] {
            if let selection = try base.disagreement(subject) { found[subject] = .option(selection.option) }
        }
        return found
    }

    /// Nothing new takes the place of another program's file.
    private func checkIsFree(
        _ subject: Subject, _ edit: Edit, _ unreadable: Set<Subject>, _ base: Snapshot
    ) throws(Problem) {
        if edit.bringsBack || edit.recordsDraft.contains(subject) || unreadable.contains(subject) { return }
        let isTaken = try base.has(subject)
        if isTaken || versions.folder.isOfOtherProgram(subject) { throw .file(.isOfOtherProgram(subject.path)) }
    }

    /// Nothing is recorded that no one could read: too large, too deep.
    private func checkReadable(_ file: [UInt8], of subject: Subject, since base: Snapshot) throws(Problem) {
        do { _ = try SettingsContent.Item(file: file, of: subject) } catch {
            // What is wrong already has a place in the version's file.
            if error.misfit != nil, let id = base.id, try base.has(subject), try base.readable(subject) == nil {
                var fault = error
                fault.position = nil
                throw .recording(.lastIsUnreadable(fault, path: subject.path, in: id))
            }
            throw .file(.unreadable(error, path: subject.path))
        }
    }

    /// The items that `changes` are about, before and after them.
    private func applied(
        _ changes: [Change], to base: Snapshot, without unreadable: Set<Subject>
    ) throws(Problem) -> (
        SettingsContent,
        SettingsContent
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
        let populated = try base.populated(by: changes, besides: subjects)
        do { return (before, try before.applying(changes, populated: populated)) } catch {
            throw .recording(.changedSince(error.conflicts))
        }
    }

    private func checkPolicy(_ done: Done, _ base: Snapshot, _ changed: StoreDefinition?) throws(Problem) {
        guard case .store(let definition)? = try base.item(.store) ?? changed.map({ .store($0) }) else { return }
        // What is only shown needs no reason.
        if done.isDryRun { return }
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
}
