import Files
import Git
package import SettingsModel

/// Edits of the files: recording them, discarding them and bringing back what was discarded.
package final class Drafts {
    let versions: Versions
    let journal: Journal
    let workTree: WorkTree
    let recorder: Recorder
    var tracking: Tracking { recorder.tracking }

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
        var otherLines: [String] = []
        let outcome = try recorder.record(done) { tip throws(Problem) in
            let (draft, files) = try workTree.draftWithFiles(in: places, checksRecorded: true)
            let uncertain = draft.uncertain.filter { !places.contains($0.key) }
            let problems: [RecordingProblem] =
                draft.unreadable.map { .unreadableDraft($0.problem) } + (uncertain.isEmpty ? [] : [.mayBeBehind(uncertain)])
                + draft.disagreements.filter(\.isIndexEdited).map { .indexEdited($0) }
            if let problem = Problem.all(problems.map { .recording($0) }) { throw problem }
            try Self.checkEnvironments(draft.sides, files)
            // A file that says the same is put back, unless the last version's lines disagree, too.
            var mended = Set(draft.disagreements.filter(\.isRecorded).map(\.subject))
            for subject in draft.rewritten where try tip.disagreement(subject) != nil { mended.insert(subject) }
            rewritten = draft.rewritten.filter { !mended.contains($0) }
            var edit = Edit(draft.changes)
            edit.recordsDraft = Set(draft.edited).union(mended.intersection(draft.rewritten))
            edit.touched = mended
            edit.draftFiles = files
            edit.sides = draft.sides
            try tracking.record(in: places, &edit, at: tip)
            otherLines = edit.otherLines
            return edit
        }
        if case .recorded = outcome, !otherLines.isEmpty { journal.tell(.tookOtherLines(otherLines)) }
        guard !done.isDryRun, !rewritten.isEmpty else { return outcome }
        do throws(Problem) {
            try tidy(rewritten, in: places)
            if case .unchanged = outcome { return .reformatted(rewritten) }
        } catch {
            // What is recorded is recorded.
            guard case .recorded = outcome else { throw error }
            journal.tell(.isNotTidy(error))
        }
        return outcome
    }

    /// A hand edit takes no value away that an environment has, and gives none that can't be read.
    static func checkEnvironments(
        _ sides: (before: SettingsContent, after: SettingsContent), _ files: [Subject: Folder.Reading]
    ) throws(Problem) {
        for (key, option) in sides.after.options.sorted(by: { $0.key < $1.key }) {
            let before = sides.before.options[key].map { [$0] } ?? []
            guard let fault = option.environmentFaults(comparedWith: before).first else { continue }
            let subject = Subject.option(key)
            let bytes = files[subject]?.bytes ?? option.file
            // What is recorded may not be what the file holds by now.
            let isThis = (try? SettingsOption(file: bytes, acceptingAnyValue: true)) == option
            let position = isThis ? fault.position(in: bytes) : nil
            let bad = BadFile(fault.reason, at: position, hint: "correct \"for\" in the file, and repeat the command")
            throw .file(.unreadable(bad, path: subject.path))
        }
    }

    /// Gives files that only are written in another way the form that a store's files have.
    private func tidy(_ subjects: [Subject], in places: [Key]) throws(Problem) {
        try recorder.underLock { () throws(Problem) in
            // Whoever was faster may have edited them on.
            let (draft, files) = try workTree.draftWithFiles(in: places)
            let tip = try versions.tip()
            for subject in draft.rewritten where subjects.contains(subject) {
                try workTree.writeFile(
                    try workTree.committedFile(subject, in: tip), of: subject, over: .bytes(files[subject]?.bytes))
            }
        }
    }

    /// Refuses where something else is in the place of a file of the last version; `exactly`: or the file holds something else.
    func checkFiles(in places: [Key], exactly: Bool) throws(Problem) {
        let (tip, draft) = (try versions.tip(), try workTree.draft(in: places))
        for subject in draft.hidden + (exactly ? draft.edited + draft.broken : []) where try tip.content(subject) != nil {
            try workTree.checkUntouched(subject, since: tip)
        }
    }

    /// How long a discarded draft is kept, in seconds.
    package static let keptFor: Int64 = 30 * 86400

    /// Puts the files in `places` (all where there are none) back to the last version, and takes what git's index holds of them
    /// out of it, also what a stash left in conflict. What the files held, or what was only staged, is kept aside for 30 days.
    /// Returns what was dropped. Refused where one of `places` is no regular file, and while git merges or the like: the other
    /// side's changes are in the files then.
    package func discard(in places: [Key] = [], _ done: Done) throws(Problem) -> Draft {
        try recorder.underLock { () throws(Problem) in
            try recorder.checkOperation()
            let tip = try versions.tip()
            try tip.checkFormat()
            var draft = try workTree.draft(in: places)
            let tracked = try tracking.discarding(in: places, at: tip)
            draft.tracked = tracked.map(\.state)
            let onlyStaged = try workTree.addWhatIsOnlyStaged(to: &draft, in: places)
            let subjects = draft.edited + draft.rewritten + draft.broken
            draft.unmerged = try workTree.unmerged(in: places).filter { !subjects.contains($0) }
            let isNothing = subjects.isEmpty && draft.unmerged.isEmpty && tracked.isEmpty
            let named = places.flatMap { [Subject.option($0).path, $0.parts.joined(separator: "/")] }
            let refused = draft.strays.first { isNothing || named.contains($0.path) }
            if let refused { throw .file(.cannotDiscard(refused)) }
            guard !draft.isEmpty || draft.hasReplacedFiles, !done.isDryRun else { return draft }
            var replaced: [(subject: Subject, bytes: [UInt8]?)] = []
            for subject in subjects {
                if let content = try tip.content(subject), !content.mode.isRegular { throw .file(.cannotRestore(subject.path)) }
                replaced.append((subject, try workTree.committedFile(subject, in: tip)))
            }
            try discard(tracked, since: tip, done)
            if subjects.isEmpty, draft.unmerged.isEmpty, onlyStaged.isEmpty { return draft }
            let unstaged = try workTree.indexUpdates(restoring: subjects + draft.unmerged, to: tip)
            if replaced.isEmpty {
                try workTree.unstage(unstaged)
            } else {
                try replace(replaced, since: tip, done, keeping: onlyStaged, unstaging: unstaged)
            }
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
        try workTree.checkIndexIsFree()
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
                    var locked = try workTree.lockIndex()
                    try replaceFiles(files) { () throws(Problem) in
                        try workTree.put(unstaged, into: &locked, clearingConflicts: true)
                    }
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
        for (name, _) in try recorder.kept {
            let time = name.dropFirst(Recorder.keptReferences.count).prefix(while: \.isNumber)
            guard let seconds = Int64(time), seconds < limit else { continue }
            // Whatever is in the way: the next one tries again.
            try? versions.repository.references.deleteReference(name, own: own)
        }
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
            throw .recording(.changedSinceDiscarded(subject, merge.conflicts, kept: nil))
        }
        return merge.settings[subject]?.file
    }
}
