import Files
import Git
package import SettingsModel

/// Edits of the files: recording them, discarding them and bringing back what was discarded.
package final class Drafts {
    let versions: Versions
    let journal: Journal
    let workTree: WorkTree
    let recorder: Recorder

    init(_ versions: Versions, _ journal: Journal, _ workTree: WorkTree, _ recorder: Recorder) {
        self.versions = versions
        self.journal = journal
        self.workTree = workTree
        self.recorder = recorder
    }

    /// Records the draft, or the part of it that lies in `places`. Files that only are written in another way get the
    /// form that a store's files have.
    package func record(in places: [Key] = [], _ done: Done) throws(Problem) -> Outcome {
        var rewritten: [Subject] = []
        let outcome = try recorder.record(done) { tip throws(Problem) in
            let draft = try workTree.draft(in: places, checksRecorded: true)
            if let file = draft.unreadable.first {
                throw .recording(.unreadableDraft(file.problem))
            }
            if let edited = draft.disagreements.first(where: \.isIndexEdited) { throw .recording(.indexEdited(edited)) }
            // A file that says the same is put back, unless the last version's lines disagree, too.
            var mended = Set(draft.disagreements.filter(\.isRecorded).map(\.subject))
            for subject in draft.rewritten where try tip.disagreement(subject) != nil { mended.insert(subject) }
            rewritten = draft.rewritten.filter { !mended.contains($0) }
            var edit = Edit(draft.changes)
            edit.recordsDraft = Set(draft.edited).union(mended.intersection(draft.rewritten))
            edit.touched = mended
            edit.draftFiles = draft.files
            edit.sides = draft.sides
            return edit
        }
        guard !done.isDryRun, !rewritten.isEmpty else { return outcome }
        do throws(Problem) {
            try tidy(rewritten, in: places)
            if case .unchanged = outcome { return .tidied(rewritten) }
        } catch {
            // What is recorded is recorded.
            guard case .recorded = outcome else { throw error }
            journal.tell(.isNotTidy(error))
        }
        return outcome
    }

    /// Gives files that only are written in another way the form that a store's files have.
    private func tidy(_ subjects: [Subject], in places: [Key]) throws(Problem) {
        try recorder.underLock { () throws(Problem) in
            // Whoever was faster may have edited them on.
            let draft = try workTree.draft(in: places)
            let tip = try versions.tip()
            for subject in draft.rewritten where subjects.contains(subject) {
                try workTree.writeFile(
                    try workTree.committedFile(subject, in: tip), of: subject, over: .bytes(draft.files[subject]?.bytes))
            }
        }
    }

    /// How long a discarded draft is kept, in seconds.
    package static let keptFor: Int64 = 30 * 86400

    /// A draft that was dropped.
    package struct Discarded: Sendable {
        package var reference: String
        package var time: Time
        package var changes: VersionChanges
    }

    /// Puts the files in `places` (all where there are none) back to the last version, and takes what git's index holds of them
    /// out of it. What the files held, or what was only staged, is kept aside for 30 days. Returns what was dropped. Refused
    /// while git merges or the like: the other side's changes are in the files then.
    package func discard(in places: [Key] = [], _ done: Done) throws(Problem) -> Draft {
        try recorder.underLock { () throws(Problem) in
            try recorder.checkOperation()
            let tip = try versions.tip()
            try tip.checkFormat()
            var draft = try workTree.draft(in: places)
            let onlyStaged = try workTree.addWhatIsOnlyStaged(to: &draft, in: places)
            let subjects = draft.edited + draft.rewritten + draft.broken
            if subjects.isEmpty, let stray = draft.strays.first { throw .file(.cannotDiscard(stray)) }
            guard !subjects.isEmpty, !done.isDryRun else { return draft }
            var replaced: [(subject: Subject, bytes: [UInt8]?)] = []
            for subject in subjects {
                if let content = try tip.content(subject), !content.mode.isRegular { throw .file(.cannotRestore(subject.path)) }
                replaced.append((subject, try workTree.committedFile(subject, in: tip)))
            }
            let unstaged = try workTree.indexUpdates(restoring: subjects, to: tip)
            try replace(replaced, since: tip, done, keeping: onlyStaged, unstaging: unstaged)
            return draft
        }
    }

    /// Puts files back to the last version, under the lock. Returns the reference under which what they held is kept, which
    /// `note` is given before any file changes.
    @discardableResult
    func putAside(
        _ subjects: [Subject], _ done: Done, noting note: ((String) throws(Problem) -> Void)? = nil
    ) throws(Problem) -> String {
        let tip = try versions.tip()
        var replaced: [(subject: Subject, bytes: [UInt8]?)] = []
        for subject in subjects { replaced.append((subject, try workTree.committedFile(subject, in: tip))) }
        return try replace(replaced, since: tip, done, noting: note)
    }

    /// Gives files another content, and puts these updates into git's index. Returns the reference under which what the files
    /// held is kept, which `note` is given before. `staged`: what is kept of files in the place of what they held.
    @discardableResult
    func replace(
        _ replaced: [(subject: Subject, bytes: [UInt8]?)], since tip: Snapshot, _ done: Done,
        keeping staged: [Subject: [UInt8]?] = [:], unstaging unstaged: [TreeUpdate] = [],
        noting note: ((String) throws(Problem) -> Void)? = nil
    ) throws(Problem) -> String {
        var needed: [(path: String, isRemoved: Bool)] = []
        for (subject, bytes) in replaced { needed.append((versions.repositoryPath(subject), bytes == nil)) }
        try workTree.checkWritable(needed)
        return try journal.noted { own throws(Problem) in
            let message = note == nil ? "discarded draft\n" : Self.asideMessage
            let (reference, edited) = try keepAside(replaced, staged, tip, done, message, own)
            do throws(Problem) {
                try note?(reference)
                var files: [Replacement] = []
                for (subject, bytes) in replaced {
                    let before = edited[subject] ?? nil
                    files.append(Replacement(subject: subject, bytes: bytes, old: .bytes(before), before: before))
                }
                if unstaged.isEmpty {
                    try replaceFiles(files) { () throws(Problem) in }
                } else {
                    var locked = try workTree.lockedIndex()
                    try replaceFiles(files) { () throws(Problem) in try workTree.put(unstaged, into: &locked) }
                }
            } catch {
                try? versions.repository.references.deleteReference(reference, own: own)
                throw error
            }
            // The files are as they were: what is in the way of this is for the next one.
            try? dropOld(before: done.time.seconds - Self.keptFor, own)
            return reference
        }
    }

    /// A file, and what takes its place.
    struct Replacement {
        var subject: Subject
        var bytes: [UInt8]?
        /// What it holds.
        var old: ExpectedContent
        /// Those bytes.
        var before: [UInt8]?
    }

    /// Replaces files, then does `rest`; if either fails, the files get back what they held.
    func replaceFiles(_ files: [Replacement], _ rest: () throws(Problem) -> Void) throws(Problem) {
        var replaced: [Replacement] = []
        do throws(Problem) {
            for file in files {
                // Also where writing fails the new one may be there already.
                replaced.append(file)
                try workTree.writeFile(file.bytes, of: file.subject, over: file.old)
            }
            try rest()
        } catch {
            for file in replaced {
                try? workTree.writeFile(file.before, of: file.subject, over: .bytes(file.bytes))
            }
            throw error
        }
    }

    /// Returns the reference under which they are kept, and what the files held.
    private func keepAside(
        _ replaced: [(subject: Subject, bytes: [UInt8]?)], _ staged: [Subject: [UInt8]?], _ tip: Snapshot, _ done: Done,
        _ message: String, _ own: String
    ) throws(Problem) -> (reference: String, edited: [Subject: [UInt8]?]) {
        var files: [(path: String, bytes: [UInt8]?)] = []
        var edited: [Subject: [UInt8]?] = [:]
        var left: [(path: String, bytes: [UInt8]?)] = []
        for (subject, new) in replaced {
            let path = versions.repositoryPath(subject)
            if new != (try workTree.committedFile(subject, in: tip)) { left.append((path, new)) }
            let bytes: [UInt8]?
            do { bytes = try versions.folder.files.read(subject.path, limit: WorkTree.otherFileLimit) } catch {
                // It was one a moment ago. Nothing but a file is kept.
                throw .file(error.isLink ? .isLink(subject.path) : error.isFolder ? .isNotRegular(subject.path) : .failed(error))
            }
            if let bytes, bytes.count > WorkTree.otherFileLimit { throw .file(.isTooLargeToKeep(subject.path)) }
            edited[subject] = .some(bytes)
            files.append((path, staged[subject] ?? bytes))
        }
        let signature = Signature(done.committer, at: done.time)
        return (try recorder.keep(files, leaving: left, beside: tip, by: signature, message: message, own), edited)
    }

    private func dropOld(before limit: Int64, _ own: String) throws(Problem) {
        for (name, _) in try git({ () throws(GitError) in
            try versions.repository.references.references(matching: Recorder.keptReferences + "*")
        }) {
            let time = name.dropFirst(Recorder.keptReferences.count).prefix(while: \.isNumber)
            guard let seconds = Int64(time), seconds < limit else { continue }
            // Whatever is in the way: the next one tries again.
            try? versions.repository.references.deleteReference(name, own: own)
        }
    }

    /// What was discarded and is still kept, newest first.
    package func discarded() throws(Problem) -> [Discarded] {
        let references = try git { () throws(GitError) in
            try versions.repository.references.references(matching: Recorder.keptReferences + "*")
        }
        var found: [Discarded] = []
        for (name, id) in references.reversed() {
            let version = try versions.version(id)
            found.append(Discarded(reference: name, time: version.time, changes: try versions.changes(of: version)))
        }
        return found
    }

    /// Brings back what was discarded last: the files become a draft again. Refuses over newer hand edits.
    package func bringBack(_ done: Done) throws(Problem) -> Discarded {
        try recorder.underLock { () throws(Problem) in
            let tip = try versions.tip()
            try tip.checkFormat()
            guard let last = try discarded().first,
                let id = try git({ () throws(GitError) in try versions.repository.references.reference(named: last.reference) })
            else {
                throw .recording(.nothingDiscarded)
            }
            let kept = try versions.snapshot(id)
            let base = try versions.snapshot(try versions.version(id).parents.first)
            let subjects = try versions.subjectsDiffering(from: base, to: kept)
            var files: [Replacement] = []
            for subject in subjects {
                if let held = try heldSince(subject, base, tip) {
                    let bytes = try workTree.committedFile(subject, in: kept)
                    files.append(Replacement(subject: subject, bytes: bytes, old: .bytes(held), before: held))
                    continue
                }
                let old = try workTree.checkUntouched(subject, since: tip)
                let bytes = try file(of: subject, in: kept, from: base, onto: tip)
                files.append(
                    Replacement(subject: subject, bytes: bytes, old: old, before: try workTree.committedFile(subject, in: tip)))
            }
            if done.isDryRun { return last }
            try journal.noted { own throws(Problem) in
                try replaceFiles(files) { () throws(Problem) in
                    try git { () throws(GitError) in
                        try versions.repository.references.deleteReference(last.reference, own: own)
                    }
                }
            }
            return last
        }
    }

    /// The bytes of a file of which only a part was discarded, if it still holds what that left.
    private func heldSince(_ subject: Subject, _ base: Snapshot, _ tip: Snapshot) throws(Problem) -> [UInt8]?? {
        let content = try base.content(subject)
        guard content != (try tip.content(subject)), let held = try? versions.folder.bytes(of: subject),
            ExpectedContent.content(content).matches(held)
        else { return nil }
        return .some(held)
    }

    /// A kept file as it is brought back: with what newer versions changed in it since. `isInForce`: what it holds counts
    /// where both changed the same.
    func file(
        of subject: Subject, in kept: Snapshot, from base: Snapshot, onto tip: Snapshot, isInForce: Bool = false
    ) throws(Problem) -> [UInt8]? {
        // What can't be read can't be merged either.
        let (old, ours, theirs) = (try base.readable(subject), try tip.readable(subject), try kept.readable(subject))
        let (isKept, isRecorded) = (try kept.has(subject), try tip.has(subject))
        let isUnreadable = isKept && theirs == nil || isRecorded && ours == nil
        let isUnchanged = try tip.content(subject) == base.content(subject)
        if isUnreadable || isUnchanged { return try workTree.committedFile(subject, in: kept) }
        func alone(_ item: SettingsContent.Item?) -> SettingsContent {
            var settings = SettingsContent()
            settings[subject] = item
            return settings
        }
        var merge = SettingsContent.merge(
            base: alone(old), ours: alone(ours), theirs: alone(theirs), populated: [subject.key])
        if isInForce { merge.putInForce(.theirs) }
        guard isInForce || merge.conflicts.isEmpty else {
            throw .recording(.changedSinceDiscarded(subject, merge.conflicts))
        }
        return merge.settings[subject]?.file
    }
}
