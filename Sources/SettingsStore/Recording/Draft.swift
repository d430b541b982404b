import Files
import Git
package import SettingsModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Edits of the files that no Done has recorded yet.
package struct Draft: Sendable {
    /// What they mean, since the last version.
    package var changes: [Change] = []
    /// The files that differ in more than how they are written.
    package var edited: [Subject] = []
    /// Files that mean what the last version says, written in another way.
    package var rewritten: [Subject] = []
    /// Files that can't be read, and names that no store has.
    package var unreadable: [VersionChanges.Unreadable] = []
    /// Files that nobody touched, and that can't be read as the last version has them.
    package var unreadableRecorded: [VersionChanges.Unreadable] = []
    /// The subjects of `unreadable`.
    package var broken: [Subject] = []
    /// Choices whose two lines name different labels, in a file or in the last version.
    package var disagreements: [Disagreement] = []
    /// The edited items, as the last version has them and as the files do.
    package var sides = (before: Settings(), after: Settings())
    /// The edited files as they were read.
    var files: [Subject: Folder.Reading] = [:]

    package var isEmpty: Bool { edited.isEmpty && rewritten.isEmpty && unreadable.isEmpty }
}

extension Store {
    /// The draft, or the part of it that lies in `places` (options or groups). `checksRecorded`: whether it tells of the
    /// disagreements of files that nobody touched, too.
    package func draft(in places: [Key] = [], checksRecorded: Bool = false) throws(Problem) -> Draft {
        let tip = try tip().loaded()
        var rest = tip.contents ?? [:]
        let listing = try listingOfTouched(since: tip, &rest)
        var draft = Draft()
        let convertsLineEnds = self.convertsLineEnds
        var gone = rest.compactMap { path, content in content.mode == .tree ? nil : Subject(path: path) }
        if !gone.isEmpty {
            let skipped = try skippedPaths
            gone.removeAll { skipped.contains(repositoryPath($0)) }
        }
        for subject in (listing.subjects + gone).sorted() where subject.lies(in: places) {
            do throws(Problem) {
                let content = try tip.content(subject)
                if isForeignAlready(subject, content) { continue }
                let reading = try folder.reading(of: subject)
                if reading == nil, content == nil { continue }
                if let reading, let content, ObjectID.hash(ofBlob: reading.bytes) == content.id { continue }
                let old = try tip.readable(subject)
                let new = try reading.map { reading throws(Problem) in try folder.item(subject, file: reading.bytes) }
                let found = try reading.flatMap { reading throws(Problem) in
                    try disagreement(subject, reading.bytes, new?.option, content)
                }
                if let found { draft.disagreements.append(found) }
                if old == new, let reading {
                    let plain = convertsLineEnds ? Self.withLineFeeds(reading.bytes) : reading.bytes
                    // What git checked out with other line ends is no edit, but for lines that `done` corrects.
                    if found != nil || ObjectID.hash(ofBlob: plain) != content?.id {
                        draft.rewritten.append(subject)
                        draft.files[subject] = reading
                    }
                    continue
                }
                draft.sides.before[subject] = old
                draft.sides.after[subject] = new
                draft.edited.append(subject)
                draft.files[subject] = reading
            } catch {
                guard error.kind == .badData else { throw error }
                draft.unreadable.append(VersionChanges.Unreadable(path: subject.path, error))
                draft.broken.append(subject)
            }
        }
        if places.isEmpty {
            for stray in listing.strays where try !tip.hasEntry(at: stray.path) {
                draft.unreadable.append(VersionChanges.Unreadable(path: stray.path, .file(.isStray(stray))))
            }
        }
        draft.changes = draft.sides.after.changes(since: draft.sides.before)
        if checksRecorded {
            let recorded = try recordedFaults(at: tip, in: places, besides: Set(draft.disagreements.map(\.subject)))
            draft.disagreements = (draft.disagreements + recorded.disagreements).sorted { $0.subject < $1.subject }
            let touched = Set((draft.broken + draft.edited).map(\.path))
            draft.unreadableRecorded = recorded.unreadable.filter { !touched.contains($0.path) }
        }
        return draft
    }

    /// The files, without those that hold what `tip` has, going by what git's index notes of them: as `git status`, 10,000
    /// of them are looked at, not read. Takes those that are there out of `rest`.
    private func listingOfTouched(
        since tip: Snapshot, _ rest: inout [String: Content]
    ) throws(Problem) -> StoreFolder.Listing {
        let noted = repository.notedFiles(under: prefix.trimmingSlash)
        var seen = rest
        defer { rest = seen }
        let ignored = Ignored(folder)
        ignored?.isRecorded = { [contents = rest] in contents[$0] != nil }
        return try folder.listing(ignored) { path, status in
            guard let content = seen.removeValue(forKey: path), let noted = noted[path] else { return false }
            return noted.content == content && status.isUntouched(since: noted.status)
        }
    }

    /// A symbolic link or the like that plain git committed is nobody's draft.
    private func isForeignAlready(_ subject: Subject, _ content: Content?) -> Bool {
        guard let content, !content.mode.isRegular else { return false }
        switch try? folder.files.entry(at: subject.path) {
        case .other?, .folder?: return true
        default: return false
        }
    }

    /// Whether git may check files out with other line ends than it keeps.
    private var convertsLineEnds: Bool {
        if ["true", "input"].contains(configured("core.autocrlf")?.lowercased()) { return true }
        let root = repository.workDirectory ?? folder.path
        let attributes: [String] = [
            "\(root)/.gitattributes", "\(folder.path)/.gitattributes",
            "\(repository.commonDirectory)/info/attributes",
        ]
        return attributes.contains { file in access(file, F_OK) == 0 }
    }

    /// Records the draft, or the part of it that lies in `places`. Files that only are written in another way get the
    /// form that a store's files have.
    package func recordDraft(in places: [Key] = [], _ done: Done) throws(Problem) -> Outcome {
        var rewritten: [Subject] = []
        let outcome = try record(done) { tip throws(Problem) in
            let draft = try self.draft(in: places, checksRecorded: true)
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
            tell(.isNotTidy(error))
        }
        return outcome
    }

    /// Gives files that only are written in another way the form that a store's files have.
    private func tidy(_ subjects: [Subject], in places: [Key]) throws(Problem) {
        let lock = try takeLock()
        defer { withExtendedLifetime(lock) {} }
        try mendUnderLock()
        // Whoever was faster may have edited them on.
        let draft = try draft(in: places)
        let tip = try tip()
        for subject in draft.rewritten where subjects.contains(subject) {
            try writeFile(try committedFile(subject, in: tip), of: subject, over: .bytes(draft.files[subject]?.bytes))
        }
    }

    private func committedFile(_ subject: Subject, in snapshot: Snapshot) throws(Problem) -> [UInt8]? {
        guard let content = try snapshot.content(subject) else { return nil }
        return try git { () throws(GitError) in try repository.blob(content.id, atMost: Self.otherFileLimit) }
    }
}

/// Dropping a draft, and having it back.
extension Store {
    /// How long a discarded draft is kept, in seconds.
    package static let keptFor: Int64 = 30 * 86400

    /// A draft that was dropped.
    package struct Discarded: Sendable {
        package var reference: String
        package var time: Time
        package var changes: VersionChanges
    }

    /// Puts the files in `places` (all where there are none) back to the last version. What they held is kept aside for
    /// 30 days. Returns what was dropped.
    package func discard(in places: [Key] = [], _ done: Done) throws(Problem) -> Draft {
        let lock = try takeLock()
        defer { withExtendedLifetime(lock) {} }
        try mendUnderLock()
        let draft = try draft(in: places)
        let subjects = draft.edited + draft.rewritten + draft.broken
        guard !subjects.isEmpty, !done.isDryRun else { return draft }
        let tip = try tip()
        var needed: [(path: String, isRemoved: Bool)] = []
        for subject in subjects { needed.append((repositoryPath(subject), try !tip.has(subject))) }
        try checkWritable(needed)
        try noted { own throws(Problem) in
            let (reference, edited) = try keepAside(subjects, tip, done, own)
            do throws(Problem) {
                var files: [Replacement] = []
                for subject in subjects {
                    let bytes = try committedFile(subject, in: tip)
                    let old = edited[subject].map { ExpectedContent.bytes($0) }
                    files.append(Replacement(subject: subject, bytes: bytes, old: old, before: edited[subject] ?? nil))
                }
                try replaceFiles(files) { () throws(Problem) in }
            } catch {
                try? repository.deleteReference(reference, own: own)
                throw error
            }
            // The files are as they were: what is in the way of this is for the next one.
            try? dropOld(before: done.time.seconds - Self.keptFor, own)
        }
        return draft
    }

    /// A file, and what takes its place.
    private struct Replacement {
        var subject: Subject
        var bytes: [UInt8]?
        /// What it holds; nil: a symbolic link or the like.
        var old: ExpectedContent?
        /// Those bytes.
        var before: [UInt8]?
    }

    /// Replaces files, and does what goes with that; where either fails, what was there goes back.
    private func replaceFiles(_ files: [Replacement], _ rest: () throws(Problem) -> Void) throws(Problem) {
        var replaced: [Replacement] = []
        do throws(Problem) {
            for file in files {
                // Also where writing fails the new one may be there already.
                replaced.append(file)
                try writeFile(file.bytes, of: file.subject, over: file.old)
            }
            try rest()
        } catch {
            for file in replaced {
                guard file.old != nil else { continue }
                try? writeFile(file.before, of: file.subject, over: .bytes(file.bytes))
            }
            throw error
        }
    }

    /// Returns the reference that they can be had back by, and what the files held.
    private func keepAside(
        _ subjects: [Subject], _ tip: Snapshot, _ done: Done, _ own: String
    ) throws(Problem) -> (reference: String, edited: [Subject: [UInt8]?]) {
        var files: [(path: String, bytes: [UInt8]?)] = []
        var edited: [Subject: [UInt8]?] = [:]
        for subject in subjects {
            let path = repositoryPath(subject)
            let bytes: [UInt8]?
            do { bytes = try folder.files.read(subject.path, limit: Self.otherFileLimit) } catch {
                // A symbolic link is not followed and not kept.
                if error.isLink || error.code == EISDIR { continue }
                throw .file(.failed(error))
            }
            guard let bytes else {
                files.append((path, nil))
                edited[subject] = .some(nil)
                continue
            }
            guard bytes.count <= Self.otherFileLimit else {
                throw .file(.isTooLargeToKeep(subject.path))
            }
            edited[subject] = .some(bytes)
            files.append((path, bytes))
        }
        return (try keep(files, beside: tip, by: Signature(done.committer, at: done.time), own), edited)
    }

    private func dropOld(before limit: Int64, _ own: String) throws(Problem) {
        for (name, _) in try git({ () throws(GitError) in try repository.references(matching: Self.keptReferences + "*") }) {
            let time = name.dropFirst(Self.keptReferences.count).prefix { $0 != "-" }
            guard let seconds = Int64(time), seconds < limit else { continue }
            // Whatever is in the way: the next one tries again.
            try? repository.deleteReference(name, own: own)
        }
    }

    /// What was discarded and is still kept, newest first.
    package func discarded() throws(Problem) -> [Discarded] {
        let references = try git { () throws(GitError) in try repository.references(matching: Self.keptReferences + "*") }
        var found: [Discarded] = []
        for (name, id) in references.reversed() {
            let version = try version(id)
            found.append(Discarded(reference: name, time: version.time, changes: try changes(of: version)))
        }
        return found
    }

    /// Brings back what was discarded last: the files become a draft again. Refuses over newer hand edits.
    package func bringBack(_ done: Done) throws(Problem) -> Discarded {
        let lock = try takeLock()
        defer { withExtendedLifetime(lock) {} }
        try mendUnderLock()
        guard let last = try discarded().first,
            let id = try git({ () throws(GitError) in try repository.reference(named: last.reference) })
        else {
            throw .recording(.nothingDiscarded)
        }
        let kept = try snapshot(id)
        let base = try snapshot(try version(id).parents.first)
        let tip = try tip()
        let subjects = try subjectsDiffering(from: base, to: kept)
        var files: [Replacement] = []
        for subject in subjects {
            let old = try checkUntouched(subject, since: tip)
            let bytes = try file(of: subject, in: kept, from: base, onto: tip)
            files.append(Replacement(subject: subject, bytes: bytes, old: old, before: try committedFile(subject, in: tip)))
        }
        if done.isDryRun { return last }
        try noted { own throws(Problem) in
            try replaceFiles(files) { () throws(Problem) in
                try git { () throws(GitError) in try repository.deleteReference(last.reference, own: own) }
            }
        }
        return last
    }

    /// A kept file as it is brought back: with what newer versions changed in it since.
    private func file(
        of subject: Subject, in kept: Snapshot, from base: Snapshot, onto tip: Snapshot
    ) throws(Problem) -> [UInt8]? {
        if try tip.content(subject) == base.content(subject) { return try committedFile(subject, in: kept) }
        let (old, ours, theirs) = (try base.item(subject), try tip.item(subject), try kept.item(subject))
        func alone(_ item: Settings.Item?) -> Settings {
            var settings = Settings()
            settings[subject] = item
            return settings
        }
        let merge = Settings.merge(base: alone(old), ours: alone(ours), theirs: alone(theirs))
        guard merge.conflicts.isEmpty else {
            throw .recording(.changedSinceDiscarded(subject, merge.conflicts))
        }
        return merge.settings[subject]?.file
    }
}

extension Subject {
    /// Whether it is one of `places` or lies in one; everywhere where there are none.
    package func lies(in places: [Key]) -> Bool {
        if places.isEmpty { return true }
        if self == .store { return false }
        return places.contains { key.isWithin($0) }
    }
}
