import Files
import Git
import SettingsModel

/// Edits of tracked files that are dropped.
extension Drafts {
    /// Puts tracked files back, under the lock. What they held is kept like that of the store's own files.
    func discard(_ all: [Tracking.Discarding], since tip: Snapshot, _ done: Done) throws(Problem) {
        // What no version has is not kept in the repository either.
        for file in all where file.entry.isElsewhere {
            guard let personal = tracking.personal, let place = tracking.place else { throw .tracking(.hasNoHome) }
            guard let old = file.old else { continue }
            try personal.keep(old, leaving: file.new, of: file.entry.file, place, at: done.time.seconds)
            try tracking.write(file.new, to: file.entry, over: old)
        }
        let files = all.filter { !$0.entry.isElsewhere }
        if files.isEmpty { return }
        try workTree.checkIndexIsFree()
        try workTree.checkWritable(files.map { ($0.entry.path, false) })
        try journal.noted { own throws(Problem) in
            let signature = Signature(done.committer, at: done.time)
            let left: [(path: String, bytes: [UInt8]?)] = files.compactMap { file in
                ObjectID.hash(ofBlob: file.new) == file.content.id ? nil : (file.entry.path, file.new)
            }
            try recorder.keep(files.map { ($0.entry.path, $0.old) }, leaving: left, beside: tip, by: signature, own)
            let updates = files.map { file in
                FileUpdate(
                    path: file.entry.path, file: file.new, mode: file.content.mode, isOld: true, old: .bytes(file.old))
            }
            try write(updates)
            var unstaged: [TreeUpdate] = []
            for file in files where try tracking.staged(file.entry)?.id != file.content.id {
                unstaged.append(TreeUpdate(path: file.entry.path, change: .put(file.content.id, file.content.mode)))
            }
            if !unstaged.isEmpty { try workTree.unstage(unstaged) }
        }
    }

    /// What was discarded of tracked files that versions have.
    func trackedStates(from base: Snapshot, to kept: Snapshot) throws(Problem) -> [TrackedState] {
        var states: [TrackedState] = []
        for entry in try tracking.entries(at: versions.tip()) {
            let (old, new) = (try base.content(at: entry.path), try kept.content(at: entry.path))
            guard old != new, let old else { continue }
            let bytes = try new.map { new throws(Problem) in try tracking.blob(new, of: entry.file) }
            states.append(try state(of: entry, from: try tracking.blob(old, of: entry.file), to: bytes))
        }
        return states
    }

    /// What one text of a tracked file changes of another one, as its state.
    private func state(of entry: Tracking.Entry, from old: [UInt8], to new: [UInt8]?) throws(Problem) -> TrackedState {
        var state = TrackedState(entry.file, at: entry.path)
        guard let new else {
            state.absence = .missing
            return state
        }
        do throws(Problem) {
            let (old, new) = (try tracking.text(old, of: entry), try tracking.editedText(new, of: entry))
            let edits = try tracking.edits(from: old, to: new, entry, in: [], at: versions.tip(), acceptsAll: true)
            state.edits = edits.after.changes(since: edits.before)
            (state.hasOtherEdits, state.gone) = (edits.hasOthers, edits.gone)
        } catch {
            if error.isPassing { throw error }
            state.problem = error
        }
        return state
    }

    /// What was discarded of tracked files that no version has, newest first.
    func discardedElsewhere() throws(Problem) -> [(time: Int64, state: TrackedState)] {
        try keptElsewhere().map { text throws(Problem) in (text.time, try state(of: text.entry, from: text.left, to: text.kept)) }
    }

    /// Files that are not the store's of which something was discarded. Each must hold what was left of it then.
    func trackedFiles(from base: Snapshot, to kept: Snapshot) throws(Problem) -> [FileUpdate] {
        var updates: [FileUpdate] = []
        for difference in try git(versions.repository.objects.differences(from: base.tree, to: kept.tree))
        where difference.pathIsValid && versions.subject(atRepositoryPath: difference.path) == nil {
            let held: [UInt8]?
            do { held = try workTree.root.read(difference.path, limit: WorkTree.otherFileLimit) } catch {
                throw .file(.failed(error))
            }
            guard ExpectedContent.content(difference.old).matches(held) else {
                throw .recording(.otherIsHandEdited(difference.path))
            }
            let bytes = try difference.new.map { content throws(Problem) in
                try git(versions.repository.objects.blob(content.id, atMost: WorkTree.otherFileLimit))
            }
            updates.append(
                FileUpdate(
                    path: difference.path, file: bytes, mode: difference.old?.mode ?? .blob, isOld: true, old: .bytes(held)))
        }
        return updates
    }

    /// Edits of a tracked file that were discarded.
    private struct KeptText {
        var entry: Tracking.Entry
        var time: Int64
        var kept: [UInt8]
        var left: [UInt8]
    }

    /// A tracked file into which discarded edits are brought back.
    struct BroughtText {
        var entry: Tracking.Entry
        var old: [UInt8]
        var new: [UInt8]
        var state: TrackedState
        /// What is kept no longer then.
        var time: Int64?
    }

    /// The files that no version has of which something was discarded last: together with, or after, what was discarded at `time`.
    /// One that was changed since gets what was discarded of its options.
    func textsElsewhere(since time: Int64?, at tip: Snapshot) throws(Problem) -> [BroughtText] {
        var found: [BroughtText] = []
        for text in try keptElsewhere() where text.time >= time ?? .min {
            guard !found.contains(where: { $0.entry == text.entry }), found.allSatisfy({ $0.time == text.time }) else { continue }
            guard let there = try tracking.bytes(of: text.entry) else { throw .tracking(.isMissing(text.entry.path)) }
            let state = try state(of: text.entry, from: text.left, to: text.kept)
            var brought = BroughtText(entry: text.entry, old: there, new: text.kept, state: state, time: text.time)
            if there != text.left {
                guard !state.isReplaced else { throw .recording(.otherIsHandEdited(text.entry.path)) }
                if let laid = try laid(text, on: there, in: [], at: tip) { brought.new = laid.bytes }
            }
            found.append(brought)
        }
        return found
    }

    private func keptElsewhere() throws(Problem) -> [KeptText] {
        guard let personal = tracking.personal, let place = tracking.place else { return [] }
        var all: [KeptText] = []
        for entry in try tracking.entriesElsewhere() {
            for kept in try personal.kept(of: entry.file, place) {
                all.append(KeptText(entry: entry, time: kept.time, kept: kept.kept, left: kept.left))
            }
        }
        return all.sorted { $0.time > $1.time }
    }

    /// What was discarded last of each of some options and groups in tracked files, brought back into these as they are now.
    func trackedEdits(in places: [Key], at tip: Snapshot) throws(Problem) -> [BroughtText] {
        var texts = try keptElsewhere()
        let entries = try tracking.entries(at: tip)
        for (_, id) in try recorder.kept {
            let commit = try git(versions.repository.objects.commit(id))
            let (kept, left) = (try versions.snapshot(id), try versions.snapshot(commit.parents.first))
            for entry in entries {
                guard let new = try kept.content(at: entry.path), let old = try left.content(at: entry.path), new != old else {
                    continue
                }
                let (now, then) = (try tracking.blob(new, of: entry.file), try tracking.blob(old, of: entry.file))
                texts.append(KeptText(entry: entry, time: commit.committer.time, kept: now, left: then))
            }
        }
        var (found, open): ([BroughtText], [Key]) = ([], places)
        for text in texts.sorted(by: { $0.time > $1.time }) where !open.isEmpty {
            guard let there = try tracking.bytes(of: text.entry) else { continue }
            let place = found.firstIndex { $0.entry == text.entry }
            guard let (new, changes) = try laid(text, on: place.map { found[$0].new } ?? there, in: open, at: tip) else {
                continue
            }
            if let place {
                found[place].new = new
                found[place].state.edits += changes
            } else {
                var brought = BroughtText(
                    entry: text.entry, old: there, new: new, state: TrackedState(text.entry.file, at: text.entry.path))
                brought.state.edits = changes
                found.append(brought)
            }
            open.removeAll { key in changes.contains { $0.subject.lies(in: [key]) } }
        }
        if let key = open.first { throw .recording(.nothingDiscarded(of: key)) }
        return found
    }

    /// What was discarded in `places`, in what the file holds now; nil where nothing was, or nobody can read it. Refused where these
    /// options were edited since.
    private func laid(
        _ text: KeptText, on there: [UInt8], in places: [Key], at tip: Snapshot
    ) throws(Problem) -> (bytes: [UInt8], changes: [Change])? {
        guard let kept = try? tracking.text(text.kept, of: text.entry) else { return nil }
        let (now, left) = (try tracking.editedText(there, of: text.entry), try tracking.text(text.left, of: text.entry))
        let edits = try tracking.edits(from: left, to: kept, text.entry, in: places, at: tip)
        let changes = edits.after.changes(since: edits.before)
        if changes.isEmpty { return nil }
        let own = try tracking.relative(edits.after, to: text.entry.file.group, with: tip)
        let edited = own.options.keys.filter { key in
            let path = own.memberPath(of: key)
            return now.option(at: path)?.effectiveValue != left.option(at: path)?.effectiveValue
        }
        if !edited.isEmpty {
            throw .tracking(.isEdited(text.entry.path, edited.map { $0.below(text.entry.file.group) }.sorted()))
        }
        let formats = try tracking.known(text.entry)
        let new = try tracking.explaining(text.entry) { () throws(Refusal) in
            try now.writing(Array(own.options.keys), of: own, removing: [], formats)
        }
        return (new, changes)
    }

    /// Writes what is brought back, and keeps no longer what came back as a whole.
    func write(_ texts: [BroughtText]) throws(Problem) {
        try write(
            texts.filter { !$0.entry.isElsewhere }.map { text in
                FileUpdate(path: text.entry.path, file: text.new, isOld: true, old: .bytes(text.old))
            })
        for text in texts where text.entry.isElsewhere {
            try tracking.write(text.new, to: text.entry, over: text.old)
            guard let personal = tracking.personal, let place = tracking.place, let time = text.time else { continue }
            personal.drop(time, of: text.entry.file, place)
        }
    }

    func write(_ updates: [FileUpdate]) throws(Problem) {
        var updates = updates
        let kept = try workTree.writeFiles(&updates, journal.durability) { _ in true }
        if let path = kept.first { throw .recording(.otherIsHandEdited(path)) }
    }
}
