import Files
import Git
import SettingsModel

// How hand edits make room for other versions.
//
// 1. keep    What the files hold becomes a commit under `refs/settings/discarded`, which stays for 30 days.
// 2. note    `settings/aside` names that reference, as long as `settings/aside-lock` is held.
// 3. files   They get what the last version has. Other versions come in.
// 4. lay     The edits are laid on the last version.
// 5. note    It is removed.
//
// Whoever finds the note without its writer, whose lock went with it, lays the edits back. A file that holds something else
// than the last version was not replaced yet, is laid already, or was edited since: it stays.

/// Hand edits that were put aside.
final class Aside {
    let reference: String
    let subjects: [Subject]
    private let lock: Lock

    init(_ reference: String, _ subjects: [Subject], _ lock: consuming Lock) {
        (self.reference, self.subjects) = (reference, subjects)
        self.lock = lock
    }
}

extension Drafts {
    /// Tells hand edits that were put aside from those that a person discarded.
    static let asideMessage = "edits kept during a merge\n"

    /// Puts hand edits of these subjects aside, so that other versions can take their place. Returns what is to be laid on
    /// those; nil where there are none.
    func putAside(whatIsEditedOf subjects: Set<Subject>, _ done: Done) throws(Problem) -> Aside? {
        if subjects.isEmpty { return nil }
        let own = versions.ownFiles
        // Before the store's lock, as whoever lays them back takes both.
        guard try !edited(subjects).isEmpty else { return nil }
        _ = try journal.ownFolder()
        let lock = try journal.takeLock(own.asideLock)
        try layNoted()
        var reference = ""
        let edited = try recorder.underLock { () throws(Problem) in
            let edited = try self.edited(subjects)
            if edited.isEmpty { return edited }
            reference = try putAside(edited, done) { reference throws(Problem) in
                try onDisk(FileSystem.write(Array("\(reference)\n".utf8), to: own.aside))
                if self.journal.durability == .strict {
                    for path in [own.aside, own.folder] { try onDisk(FileSystem.sync(path)) }
                }
            }
            return edited
        }
        return edited.isEmpty ? nil : Aside(reference, edited, lock)
    }

    private func edited(_ subjects: Set<Subject>) throws(Problem) -> [Subject] {
        let draft = try workTree.draft()
        let uncertain = draft.uncertain.filter(subjects.contains)
        if !uncertain.isEmpty { throw .recording(.mayBeBehind(uncertain)) }
        return (draft.edited + draft.rewritten + draft.broken).filter(subjects.contains)
    }

    /// Lays hand edits on the last version. What both have changed stays as the hand edit has it. The files' former bytes are
    /// kept for 30 days.
    func lay(_ aside: Aside) throws(Problem) {
        try lay(aside.subjects, of: aside.reference)
        try? FileSystem.remove(versions.ownFiles.aside)
    }

    /// Lays hand edits back that a process which died had put aside.
    func layLeft() throws(Problem) {
        let own = versions.ownFiles
        guard FileSystem.kind(of: own.aside) == .file, !journal.pending.isThere,
            let lock = try forWriting(
                Lock.take(own.asideLock, .exclusive, patience: 0, shared: versions.repository.git.sharedMode))
        else { return }
        defer { withExtendedLifetime(lock) {} }
        try layNoted()
    }

    /// While `settings/aside-lock` is held.
    private func layNoted() throws(Problem) {
        if let (reference, subjects) = try recorder.notedAside() {
            let tip = try versions.tip()
            var untouched: [Subject] = []
            for subject in subjects {
                do throws(Problem) { _ = try workTree.checkUntouched(subject, since: tip) } catch {
                    guard case .recording = error else { throw error }
                    continue
                }
                untouched.append(subject)
            }
            try recorder.underLock { () throws(Problem) in try recorder.removeLeftFiles() }
            try lay(untouched, of: reference)
            if !untouched.isEmpty { journal.tell(.laidBack(untouched.map(versions.repositoryPath))) }
        }
        try? FileSystem.remove(versions.ownFiles.aside)
    }

    private func lay(_ subjects: [Subject], of reference: String) throws(Problem) {
        try recorder.underLock { () throws(Problem) in
            guard let id = try git(versions.repository.references.reference(named: reference))
            else { return }
            let (kept, tip) = (try versions.snapshot(id), try versions.tip())
            let base = try versions.snapshot(try versions.version(id).parents.first)
            var files: [Replacement] = []
            for subject in subjects {
                let before = try workTree.committedFile(subject, in: tip)
                let old = try workTree.checkUntouched(subject, since: tip)
                let bytes = try file(of: subject, in: kept, from: base, onto: tip, isInForce: true)
                files.append(Replacement(subject: subject, bytes: bytes, old: old, before: before))
            }
            try replaceFiles(files) { () throws(Problem) in }
        }
    }

    /// Of a draft's changes those that were there before a version came in which changed the same facet.
    func overtaken(_ draft: Draft, since tip: Snapshot) throws(Problem) -> [Change] {
        var left = draft.changes.filter { $0.facet != .existence && $0.facet != .key }
        var overtaken: [Change] = []
        if left.isEmpty { return [] }
        for (_, id) in try recorder.kept.reversed() where !left.isEmpty {
            let commit = try git(versions.repository.objects.commit(id))
            let (kept, base) = (try versions.snapshot(id), try versions.snapshot(commit.parents.first))
            for change in left {
                let edited = try kept.readable(change.subject)?.facets[change.facet]
                let before = try base.readable(change.subject)?.facets[change.facet]
                if edited == before { continue }
                left.removeAll { $0 == change }
                // What was discarded, or edited once more, was edited anew since.
                guard commit.message == Self.asideMessage, edited == change.after else { continue }
                if before != change.before { overtaken.append(change) }
            }
        }
        return overtaken
    }
}

extension Recorder {
    /// The hand edits that the note of a process names, which had put them aside; with the reference under which they are kept.
    func notedAside() throws(Problem) -> (reference: String, subjects: [Subject])? {
        let path = versions.ownFiles.aside
        guard FileSystem.kind(of: path) == .file else { return nil }
        let note = try journal.readScratch(path).trimmingSpaces
        try PendingNote.checkFormat(note.utf8, of: path)
        guard note.hasPrefix(Self.keptReferences),
            let id = try git(versions.repository.references.reference(named: note))
        else { return nil }
        let base = try versions.snapshot(try versions.version(id).parents.first)
        return (note, try versions.subjectsDiffering(from: base, to: try versions.snapshot(id)).sorted())
    }
}
