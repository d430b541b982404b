import Files
import Git
package import SettingsModel

/// What was discarded, and how it comes back.
extension Drafts {
    /// A draft that was dropped.
    package struct Discarded: Sendable {
        /// Empty where nothing of the repository was dropped.
        package var reference: String
        package var time: Time
        package var changes: VersionChanges
        /// What it was of tracked files.
        package var tracked: [TrackedState] = []
    }

    /// What was discarded and is still kept, newest first.
    package func discarded() throws(Problem) -> [Discarded] {
        var all = try recorder.kept.reversed().map { name, id throws(Problem) in
            let version = try versions.version(id)
            let base = try versions.snapshot(versions.snapshot(id).commit?.parents.first)
            return Discarded(
                reference: name, time: version.time, changes: try versions.changes(of: version),
                tracked: try trackedStates(from: base, to: versions.snapshot(id)))
        }
        for (time, state) in try discardedElsewhere() {
            if let place = all.firstIndex(where: { $0.time.seconds == time }) {
                all[place].tracked.append(state)
            } else {
                let place = all.firstIndex { $0.time.seconds < time } ?? all.endIndex
                let own = Discarded(
                    reference: "", time: Time(seconds: time, offset: 0), changes: VersionChanges(changes: []), tracked: [state])
                all.insert(own, at: place)
            }
        }
        return all
    }

    /// The files of which something is kept.
    func keptSubjects() throws(Problem) -> Set<Subject> {
        var subjects: Set<Subject> = []
        for (name, id) in try recorder.kept { subjects.formUnion(try kept(name, id).all) }
        return subjects
    }

    /// Edits that a reference keeps.
    private struct Kept {
        var reference: String
        var commit: Commit
        /// What the files held, and what they held when the edits were made.
        var snapshot: Snapshot
        var base: Snapshot
        /// The files that were edited.
        var all: [Subject]
        /// Those that are brought back.
        var wanted: [Subject]
        /// Those of which the files hold what is kept as well, so that nothing is lost.
        var replacing: Set<Subject> = []
    }

    private func kept(_ reference: String, _ id: ObjectID) throws(Problem) -> Kept {
        let commit = try git(versions.repository.objects.commit(id))
        let (snapshot, base) = (try versions.snapshot(id), try versions.snapshot(commit.parents.first))
        let all = try versions.subjectsDiffering(from: base, to: snapshot)
        return Kept(reference: reference, commit: commit, snapshot: snapshot, base: base, all: all, wanted: all)
    }

    /// What was discarded last, or of each of `places` what was discarded last there and is not there already.
    private func newestKept(in places: [Key]) throws(Problem) -> [Kept] {
        if places.isEmpty, let (name, id) = try recorder.kept.last { return [try kept(name, id)] }
        let all = try recorder.kept.reversed().map { name, id throws(Problem) in try kept(name, id) }
        var there: [String: Set<Subject>] = [:]
        for kept in all {
            for subject in kept.all where subject.lies(in: places) {
                if try isThere(subject, as: kept) { there[kept.reference, default: []].insert(subject) }
            }
        }
        let safe = there.values.reduce(into: Set<Subject>()) { $0.formUnion($1) }
        var (found, left): ([Kept], [Key]) = ([], places)
        var taken: Set<Subject> = []
        for takesWhatIsThere in [false, true] {
            for var kept in all where !left.isEmpty {
                let passedOver = takesWhatIsThere ? [] : there[kept.reference] ?? []
                let wanted = kept.all.filter { $0.lies(in: left) && !passedOver.contains($0) }
                left.removeAll { place in wanted.contains { $0.lies(in: [place]) } }
                kept.wanted = wanted.filter { taken.insert($0).inserted }
                kept.replacing = safe.intersection(kept.wanted)
                if let place = found.firstIndex(where: { $0.reference == kept.reference }) {
                    found[place].wanted += kept.wanted
                    found[place].replacing.formUnion(kept.replacing)
                } else if !kept.wanted.isEmpty {
                    found.append(kept)
                }
            }
        }
        if !found.isEmpty, left.isEmpty { return found }
        throw .recording(.nothingDiscarded(of: left.first))
    }

    /// Whether a file holds what was discarded.
    private func isThere(_ subject: Subject, as kept: Kept) throws(Problem) -> Bool {
        guard let held = try? versions.folder.bytes(of: subject) else { return false }
        return try held == workTree.committedFile(subject, in: kept.snapshot)
    }

    /// Brings back what was discarded last: the files become a draft again. In `places`, of each what was discarded last there,
    /// and what else was discarded with it stays kept. Refuses over newer hand edits, and while git merges or the like.
    package func bringBack(in places: [Key] = [], _ done: Done) throws(Problem) -> Draft {
        try recorder.underLock { () throws(Problem) in
            try recorder.checkOperation()
            let tip = try versions.tip()
            try tip.checkFormat()
            let (found, texts) = try kept(in: places, at: tip)
            var brought = Draft()
            brought.tracked = texts.map(\.state)
            var files: [Replacement] = []
            for kept in found {
                for subject in kept.wanted { files.append(try replacement(of: subject, in: kept, onto: tip)) }
                let made = try versions.changes(from: kept.base, to: kept.snapshot)
                brought.changes += made.changes.filter { kept.wanted.contains($0.subject) }
                let paths = Set(kept.wanted.map(\.path))
                brought.unreadable += made.unreadable.filter { paths.contains($0.path) }
            }
            // Tracked files are brought back as a whole.
            var tracked: [FileUpdate] = []
            for kept in found where places.isEmpty {
                tracked += try trackedFiles(from: kept.base, to: kept.snapshot)
                brought.tracked += try trackedStates(from: kept.base, to: kept.snapshot)
            }
            if done.isDryRun { return brought }
            try journal.noted { own throws(Problem) in
                try replaceFiles(files) { () throws(Problem) in
                    try write(tracked)
                    try write(texts)
                    try release(found, done, own)
                }
            }
            return brought
        }
    }

    /// What comes back of the store's own files and of tracked ones. An option that somebody edited in both comes back in its own.
    private func kept(in places: [Key], at tip: Snapshot) throws(Problem) -> (own: [Kept], tracked: [BroughtText]) {
        guard places.isEmpty else {
            let own = places.filter { (try? newestKept(in: [$0])) != nil }
            let others = places.filter { !own.contains($0) }
            return (own.isEmpty ? [] : try newestKept(in: own), others.isEmpty ? [] : try trackedEdits(in: others, at: tip))
        }
        let last = try recorder.kept.last.map { name, id throws(Problem) in try kept(name, id) }
        let texts = try textsElsewhere(since: last?.commit.committer.time, at: tip)
        // What was discarded later comes back first.
        if let time = texts.first?.time, time > last?.commit.committer.time ?? .min { return ([], texts) }
        return (try newestKept(in: []), texts)
    }

    private func replacement(of subject: Subject, in kept: Kept, onto tip: Snapshot) throws(Problem) -> Replacement {
        if let held = try heldSince(subject, kept.base, tip) {
            let bytes = try workTree.committedFile(subject, in: kept.snapshot)
            return Replacement(subject: subject, bytes: bytes, old: .bytes(held), before: held)
        }
        do throws(Problem) {
            if kept.replacing.contains(subject) {
                let held = try versions.folder.bytes(of: subject)
                let bytes = try file(of: subject, in: kept.snapshot, from: kept.base, onto: tip)
                return Replacement(subject: subject, bytes: bytes, old: .bytes(held), before: held)
            }
            let old = try workTree.checkUntouched(subject, since: tip)
            let bytes = try file(of: subject, in: kept.snapshot, from: kept.base, onto: tip)
            return Replacement(subject: subject, bytes: bytes, old: old, before: try workTree.committedFile(subject, in: tip))
        } catch {
            let isThere = try kept.snapshot.has(subject)
            let place = isThere ? "\(kept.reference):\(versions.repositoryPath(subject))" : nil
            switch error {
            case .recording(.changedSinceDiscarded(let subject, let conflicts, _)):
                throw .recording(.changedSinceDiscarded(subject, conflicts, kept: place))
            case .recording(.handEdited(let subject, let edit)):
                throw .recording(.editedSinceDiscarded(subject, edit, kept: place))
            default: throw error
            }
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

    /// Keeps no longer what is brought back. The rest stays, in its place in the order.
    private func release(_ found: [Kept], _ done: Done, _ own: String) throws(Problem) {
        var rests: [String] = []
        func drop(_ reference: String?) throws(Problem) {
            guard let reference else { return }
            try git(versions.repository.references.deleteReference(reference, own: own))
        }
        do throws(Problem) {
            for kept in found where kept.wanted.count < kept.all.count { rests.append(try keepRest(of: kept, done, own)) }
            try drop(found.first?.reference)
        } catch {
            for rest in rests { try? drop(rest) }
            throw error
        }
        // From here on nothing would be left to go back to: what comes back and stays kept as well is in nobody's way.
        for kept in found.dropFirst() { try? drop(kept.reference) }
    }

    /// Returns the reference to what is not brought back of what another one keeps.
    private func keepRest(of kept: Kept, _ done: Done, _ own: String) throws(Problem) -> String {
        var updates: [TreeUpdate] = []
        for subject in kept.wanted {
            let content = try kept.base.content(subject)
            updates.append(
                TreeUpdate(path: versions.repositoryPath(subject), change: content.map { .put($0.id, $0.mode) } ?? .remove))
        }
        let (objects, references) = (versions.repository.objects, versions.repository.references)
        let commit = kept.commit
        objects.collectObjects()
        let rest = try git(
            objects.writeCommit(
                tree: objects.tree(updating: commit.tree, with: updates), parents: commit.parents,
                author: commit.author, committer: commit.committer, message: commit.message))
        let name = Recorder.keptReference(rest, inPlaceOf: kept.reference)
        // It is there where a process died that had begun this.
        if try git(references.reference(named: name)) != rest {
            try git(
                references.setReference(
                    name, to: rest, from: nil, by: Signature(done.committer, at: done.time), note: "settings: discard", own: own,
                    durability: journal.durability))
        }
        return name
    }
}
