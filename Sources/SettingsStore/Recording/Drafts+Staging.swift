import Files
import Git
package import SettingsModel

/// Edits of the files by change: git's index holds those that the next version is to have.
///
/// What is staged is an item in its final form, so that `git diff --cached` shows what would be recorded, and a plain
/// `git commit` records the same.
extension Drafts {
    /// Makes `changes` in what git's index holds; the files stay as they are. The inverse of a change takes it out again.
    package func stage(_ changes: [Change]) throws(Problem) {
        try recorder.underLock { () throws(Problem) in
            let edits = try workTree.handEdits()
            let tip = try versions.tip()
            let subjects = Set(changes.map(\.subject)).sorted()
            var before = SettingsContent()
            for subject in subjects {
                before[subject] =
                    edits.stagedSubjects.contains(subject) ? edits.inIndex[subject] : try tip.mendableIfReadable(subject)
            }
            let after = try applied(changes, to: before)
            var updates: [TreeUpdate] = []
            for subject in subjects where before[subject] != after[subject] {
                var content = try tip.content(subject)
                if after[subject] != (try tip.mendableIfReadable(subject)) {
                    content = try after[subject].map { item throws(Problem) in
                        Content(id: try git(versions.repository.objects.write(blob: item.file)), mode: .blob)
                    }
                }
                updates.append(
                    TreeUpdate(
                        path: versions.repositoryPath(subject), change: content.map { .put($0.id, $0.mode) } ?? .remove))
            }
            if !updates.isEmpty { try workTree.stage(updates) }
        }
    }

    /// Settings with changes of which each leaves a valid option.
    private func applied(_ changes: [Change], to before: SettingsContent) throws(Problem) -> SettingsContent {
        let after: SettingsContent
        let groups = Set(changes.map(\.subject).filter(\.isGroup).map(\.key))
        do { after = try before.applying(changes, populated: groups) } catch { throw .recording(.changedSince(error.conflicts)) }
        for (key, option) in after.options where before.options[key] != option {
            if let fault = option.faults().first, before.options[key]?.faults().isEmpty != false {
                throw .recording(.needsOthers(key, fault))
            }
        }
        return after
    }

    /// Records what git's index holds; other edits stay in the files. `expected`: what the person looked at.
    package func recordStaged(_ expected: [Change]?, _ done: Done) throws(Problem) -> Outcome {
        var left: Set<Subject> = []
        let outcome = try recorder.record(done) { tip throws(Problem) in
            let edits = try workTree.handEdits()
            if let file = edits.unreadableStaged.first { throw .recording(.unreadableDraft(file.problem)) }
            if let expected, expected != edits.staged { throw .recording(.stagedSince) }
            if !edits.uncertain.isEmpty { throw .recording(.mayBeBehind(edits.uncertain)) }
            if let edited = edits.disagreements.first(where: { $0.isIndexEdited && edits.stagedSubjects.contains($0.subject) }) {
                throw .recording(.indexEdited(edited))
            }
            var sides = (before: SettingsContent(), after: SettingsContent())
            for subject in edits.stagedSubjects where edits.recorded[subject] != edits.inIndex[subject] {
                sides.before[subject] = edits.recorded[subject]
                sides.after[subject] = edits.inIndex[subject]
            }
            var edit = Edit(
                try tip.changes(
                    sides,
                    try edits.stagedContents.map { subject, content throws(Problem) in
                        (subject, try tip.content(subject)?.file, content?.file)
                    }))
            for subject in sides.before.subjects.union(sides.after.subjects) {
                let isWhole = !edits.broken.contains(subject) && edits.inFiles[subject] == edits.inIndex[subject]
                if isWhole { edit.recordsDraft.insert(subject) } else { edit.leaves.insert(subject) }
            }
            try Self.checkEnvironments(sides, edits.files)
            edit.sides = sides
            if edit.changes.isEmpty, let path = try tracking.stagedFile(since: tip) { throw .tracking(.isStaged(path)) }
            edit.draftFiles = edits.files.filter { edit.recordsDraft.contains($0.key) }
            left = edit.leaves
            return edit
        }
        guard case .recorded = outcome, !left.isEmpty else { return outcome }
        // What is recorded is recorded.
        do throws(Problem) { try correctSelections(of: left) } catch { journal.tell(.isNotTidy(error)) }
        return outcome
    }

    /// Where a value was recorded and the file keeps other edits, the line that goes with the value may still say what it was
    /// before. Left alone, it would look like an edit of that line.
    private func correctSelections(of subjects: Set<Subject>) throws(Problem) {
        try recorder.underLock { () throws(Problem) in
            for edit in try workTree.draft().disagreements where edit.isIndexEdited && subjects.contains(edit.subject) {
                guard let bytes = try versions.folder.bytes(of: edit.subject), let corrected = edit.selection.corrected(bytes)
                else { continue }
                try workTree.writeFile(corrected, of: edit.subject, over: .bytes(bytes))
            }
        }
    }

    /// Takes changes back in the files, and puts whole files back to what the index holds. What they held is kept aside for
    /// 30 days, as with `discard`.
    package func discard(_ changes: [Change], files: [Subject] = [], _ done: Done) throws(Problem) {
        try recorder.underLock { () throws(Problem) in
            try recorder.checkOperation()
            let edits = try workTree.handEdits()
            let tip = try versions.tip()
            let edited = Set(changes.map(\.subject)).subtracting(files)
            var before = SettingsContent()
            for subject in edited {
                before[subject] =
                    edits.recorded[subject] == nil && edits.inFiles[subject] == nil && edits.inIndex[subject] == nil
                    ? try tip.mendableIfReadable(subject) : edits.inFiles[subject]
            }
            let after = try applied(changes.filter { edited.contains($0.subject) }.inverted, to: before)
            var replaced: [(subject: Subject, bytes: [UInt8]?)] = []
            for subject in edited.union(files).sorted() {
                let isWhole = files.contains(subject) || after[subject] == edits.inIndex[subject]
                if !isWhole, after[subject] == before[subject] { continue }
                let bytes = isWhole ? try fileInIndex(subject, edits, tip) : after[subject]?.file
                replaced.append((subject, bytes))
            }
            guard !replaced.isEmpty, !done.isDryRun else { return }
            let unmerged = try workTree.unmerged().filter(files.contains)
            try replace(replaced, since: tip, done, unstaging: try workTree.indexUpdates(restoring: unmerged, to: tip))
        }
    }

    /// A file as git's index holds it.
    private func fileInIndex(_ subject: Subject, _ edits: HandEdits, _ tip: Snapshot) throws(Problem) -> [UInt8]? {
        guard let staged = edits.stagedContents[subject] else { return try workTree.committedFile(subject, in: tip) }
        return try staged.map { content throws(Problem) in
            try git(versions.repository.objects.blob(content.id, atMost: WorkTree.otherFileLimit))
        }
    }
}

extension WorkTree {
    /// Puts entries into git's index.
    fileprivate func stage(_ updates: [TreeUpdate]) throws(Problem) {
        var locked = try lockIndex()
        try put(updates, into: &locked)
    }

    /// Puts entries into git's index, also in the place of conflicts.
    func unstage(_ updates: [TreeUpdate]) throws(Problem) {
        var locked = try lockIndex()
        try put(updates, into: &locked, clearingConflicts: true)
    }

    /// Files of the store that git's index holds in conflict.
    func unmerged(in places: [Key] = []) throws(Problem) -> [Subject] {
        try git(versions.repository.index.conflicts())
            .compactMap { versions.subject(atRepositoryPath: $0.path) }.filter { $0.lies(in: places) }
    }

    /// What makes git's index hold what the last version has of these subjects.
    func indexUpdates(restoring subjects: [Subject], to tip: Snapshot) throws(Problem) -> [TreeUpdate] {
        let under = versions.folderInRepository
        guard let entries = try git(versions.repository.index.contents(under: under)) else { return [] }
        let unmerged = Set(try unmerged())
        var updates: [TreeUpdate] = []
        for subject in subjects {
            let (path, recorded) = (versions.repositoryPath(subject), try tip.content(subject))
            let isAsRecorded = entries[subject.path].map { $0 != nil && $0 == recorded } ?? (recorded == nil)
            if isAsRecorded, !unmerged.contains(subject) { continue }
            updates.append(TreeUpdate(path: path, change: recorded.map { .put($0.id, $0.mode) } ?? .remove))
        }
        return updates
    }

    /// Adds to the draft what git's index holds and neither the last version nor a file does. Returns what the index has there.
    func addWhatIsOnlyStaged(to draft: inout Draft, in places: [Key]) throws(Problem) -> [Subject: [UInt8]?] {
        let tip = try versions.tip().loaded()
        let known = Set(draft.edited + draft.rewritten + draft.broken + draft.hidden)
        let strays = Set(draft.strays.map(\.path))
        var found: [Subject: [UInt8]?] = [:]
        for (subject, content) in try stagedContents(since: tip).sorted(by: { $0.key < $1.key })
        where subject.lies(in: places) && !known.contains(subject) && !strays.contains(subject.path) {
            guard content?.mode.isRegular != false, try !skippedPaths.contains(versions.repositoryPath(subject)) else { continue }
            let bytes = try content.map { content throws(Problem) in
                try git(versions.repository.objects.blob(content.id, atMost: Self.otherFileLimit))
            }
            found[subject] = .some(bytes)
            do throws(Problem) {
                draft.sides.after[subject] = try bytes.map { bytes throws(Problem) in
                    try versions.folder.item(subject, file: bytes)
                }
                draft.sides.before[subject] = try tip.mendableIfReadable(subject)
                draft.edited.append(subject)
            } catch {
                guard error.kind == .badData else { throw error }
                if error.isNoOption, try tip.mendableIfReadable(subject) == nil { continue }
                draft.unreadable.append(VersionChanges.Unreadable(path: subject.path, error))
                draft.broken.append(subject)
            }
        }
        if !found.isEmpty {
            let renames = draft.changes.compactMap(\.renaming)
            draft.changes = try tip.markingRepairs(draft.sides.after.changes(since: draft.sides.before, renames: renames))
        }
        return found
    }
}
