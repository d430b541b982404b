import Files
import Git
package import SettingsModel

extension WorkTree {
    /// The draft, or the part of it that lies in `places` (options or groups). `checksRecorded`: whether it tells of the
    /// disagreements of files that nobody touched, too.
    package func draft(in places: [Key] = [], checksRecorded: Bool = false) throws(Problem) -> Draft {
        try draftWithFiles(in: places, checksRecorded: checksRecorded).draft
    }

    /// The same, and its edited files as they were read.
    func draftWithFiles(
        in places: [Key] = [], checksRecorded: Bool = false
    ) throws(Problem) -> (draft: Draft, files: [Subject: Folder.Reading]) {
        let tip = try versions.tip().loaded()
        if versions.folder.bareRepository != nil { return (Draft(), [:]) }
        var (listing, gone) = try touched(since: tip)
        var draft = Draft()
        var files: [Subject: Folder.Reading] = [:]
        let convertsLineEnds = self.convertsLineEnds
        let behind = try behind(tip)
        draft.unwritten = (behind?.unwritten ?? []).filter { file in
            versions.subject(atRepositoryPath: file.path)?.lies(in: places) ?? places.isEmpty
        }
        if behind?.uncertain.isEmpty != false, behind?.base == nil { noteCheckout(at: tip) }
        let unwritten = Set(draft.unwritten.map(\.path))
        if !gone.isEmpty {
            let skipped = try skippedPaths
            gone.removeAll { skipped.contains(versions.repositoryPath($0)) }
        }
        for subject in (listing.subjects + gone).sorted() where subject.lies(in: places) {
            do throws(Problem) {
                let content = try tip.content(subject)
                if isForeignAlready(subject, content) { continue }
                let reading = try versions.folder.reading(of: subject)
                if reading == nil, content == nil { continue }
                if let reading, let content, ObjectID.hash(ofBlob: reading.bytes) == content.id { continue }
                if behind?.holds(reading?.bytes, subject) == true {
                    draft.behind.append(subject)
                    continue
                }
                if unwritten.contains(versions.repositoryPath(subject)) { continue }
                let old = try tip.mendableIfReadable(subject)
                var new = try reading.map { reading throws(Problem) in try versions.folder.item(subject, file: reading.bytes) }
                if old == nil, reading == nil, try !tip.isUnreadable(subject) { continue }
                let found = try reading.flatMap { reading throws(Problem) in
                    try versions.disagreement(subject, reading.bytes, new?.option, content)
                }
                if let found { draft.disagreements.append(found) }
                if let former = behind?.former(subject), let laid = try laid(reading?.bytes, of: subject, from: former, onto: tip)
                {
                    new = laid
                }
                if old == new, let reading {
                    let plain = convertsLineEnds ? Self.withLineFeeds(reading.bytes) : reading.bytes
                    // What git checked out with other line ends is no edit, but for lines that `done` corrects.
                    if found != nil || ObjectID.hash(ofBlob: plain) != content?.id {
                        draft.rewritten.append(subject)
                        files[subject] = reading
                    }
                    continue
                }
                draft.sides.before[subject] = old
                draft.sides.after[subject] = new
                draft.edited.append(subject)
                if behind?.uncertain.contains(subject) == true { draft.uncertain.append(subject) }
                files[subject] = reading
            } catch {
                guard error.kind == .badData else { throw error }
                if error.isNoOption, try tip.mendableIfReadable(subject) == nil { continue }
                if let stray = stray(inPlaceOf: subject, error) {
                    draft.hidden.append(subject)
                    draft.add(stray)
                    continue
                }
                draft.unreadable.append(VersionChanges.Unreadable(path: subject.path, error))
                draft.broken.append(subject)
            }
        }
        if places.isEmpty {
            for stray in listing.strays {
                let isRecorded = try tip.hasEntry(at: stray.path)
                if !isRecorded || stray.kind == .linkedGroup { draft.add(stray) }
            }
        }
        draft.changes = try tip.changes(
            draft.sides,
            try (draft.edited + draft.rewritten).map { subject throws(Problem) in
                let bytes = files[subject].map { convertsLineEnds ? Self.withLineFeeds($0.bytes) : $0.bytes }
                return (subject, try tip.content(subject)?.file, bytes.flatMap { ObjectID.hash(ofBlob: $0) })
            })
        if checksRecorded {
            let recorded = try SoundTree(versions, journal).faults(
                at: tip, in: places, besides: Set(draft.disagreements.map(\.subject)))
            draft.disagreements = (draft.disagreements + recorded.disagreements).sorted { $0.subject < $1.subject }
            let touched = Set((draft.broken + draft.hidden + draft.edited).map(\.path))
            draft.unreadableRecorded = recorded.unreadable.filter { !touched.contains($0.path) }
        }
        return (draft, files)
    }

    /// The files, without those that hold what `tip` has, going by what git's index notes of them: as `git status`, 10,000
    /// of them are looked at, not read. And what `tip` has and isn't there any more, or is listed.
    private func touched(since tip: Snapshot) throws(Problem) -> (listing: StoreFolder.Listing, rest: [Subject]) {
        let recorded = tip.contents ?? .nothing
        let noted = versions.repository.index.notedFiles(under: versions.folderInRepository)
        var isSeen = Array(repeating: false, count: recorded.contents.count)
        let ignored = Ignored(versions.folder)
        ignored?.isRecorded = { recorded[$0] != nil }
        let isUntouched = recorded.paths.statuses(in: versions.folder.path) { number, file in
            guard let file, file.kind == .file, let note = noted.known.paths.number(of: number, in: recorded.paths),
                noted.known.contents[note] == recorded.contents[number]
            else { return false }
            return file.status.isUntouched(since: noted.statuses[note])
        }
        let listing = try versions.folder.listing(ignored) { path in
            guard let number = recorded.paths.number(of: path) else { return false }
            isSeen[number] = true
            return isUntouched[number]
        }
        let rest = isSeen.indices.filter { !isSeen[$0] && recorded.contents[$0].mode != .tree }
        return (listing, rest.compactMap { Subject(path: recorded.paths.path($0)) })
    }

    /// What is no regular file and keeps the file from being read. It is left to the person: a copy of it could not be kept.
    private func stray(inPlaceOf subject: Subject, _ problem: Problem) -> Stray? {
        switch problem {
        case .file(.isStray(let stray)): stray
        case .file(.isLink): Stray(path: subject.path, .link)
        case .file(.isNotRegular):
            switch FileSystem.kind(of: versions.folder.files.full(subject.path)) {
            case .folder: Stray(path: subject.path, .folder)
            default: Stray(path: subject.path, .notRegular)
            }
        default: nil
        }
    }

    /// A symbolic link or the like that plain git committed is nobody's draft.
    private func isForeignAlready(_ subject: Subject, _ content: Content?) -> Bool {
        guard let content, !content.mode.isRegular else { return false }
        switch try? versions.folder.files.entry(at: subject.path) {
        case .link?, .special?, .folder?: return true
        default: return false
        }
    }

    /// Whether git may check files out with other line ends than it keeps.
    private var convertsLineEnds: Bool {
        if ["true", "input"].contains(versions.configured("core.autocrlf")?.lowercased()) { return true }
        let root = versions.repository.git.workDirectory ?? versions.folder.path
        let attributes: [String] = [
            "\(root)/.gitattributes", "\(versions.folder.path)/.gitattributes",
            "\(versions.repository.git.commonDirectory)/info/attributes",
        ]
        return attributes.contains { file in (try? FileSystem.isThere(file)) == true }
    }

    func committedFile(_ subject: Subject, in snapshot: Snapshot) throws(Problem) -> [UInt8]? {
        guard let content = try snapshot.content(subject) else { return nil }
        return try git(versions.repository.objects.blob(content.id, atMost: Self.otherFileLimit))
    }
}

extension Subject {
    /// Whether it is one of `places` or lies in one; everywhere where there are none. The root stands for its own two files, since
    /// whoever names all that lies in it limits nothing.
    package func lies(in places: [Key]) -> Bool {
        places.isEmpty || places.contains { $0.isRoot ? key.isRoot : key.isWithin($0) }
    }
}
