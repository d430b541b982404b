import Files
import Git
import SettingsModel

/// They are noted in `settings/unwritten` in git's folder, each as `<content or none> <errno> <path>` and a zero byte, in place
/// of which there is no file where all are written. `<errno>-<content>` also says what the edits in it were made from. An edit
/// of such a file is one of what it held. Files of which nobody can tell whether they were edited at all are noted there as well,
/// with zeros for the content and the errno.
extension UnwrittenFile {
    fileprivate static let unknown = ObjectID(repeating: 0)

    func holds(_ bytes: [UInt8]?) -> Bool { bytes.flatMap { ObjectID.hash(ofBlob: $0) } == held }
}

extension WorkTree {
    var hasUnwritten: Bool { (try? FileSystem.isThere(versions.ownFiles.unwritten)) != false }

    var unwritten: [UnwrittenFile] {
        get throws(Problem) {
            let bytes = try git(system(FileSystem.bytes(of: versions.ownFiles.unwritten, atMost: .max)))
            let lines = (bytes ?? []).split(separator: 0)
            return lines.compactMap { line in
                let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2).map { String(decoding: $0, as: UTF8.self) }
                guard words.count == 3, let code = words[1].split(separator: "-").first.flatMap({ Int32($0) }) else { return nil }
                let base = words[1].split(separator: "-").dropFirst().first.flatMap { ObjectID(hex: String($0)) }
                let held = ObjectID(hex: words[0])
                guard held != nil || words[0] == "none" else { return nil }
                let failure = SystemFailure(code: code, operation: "write", path: root.full(words[2]))
                return UnwrittenFile(path: words[2], held: held, failure: failure, base: base)
            }
        }
    }

    /// Whether a file that holds these bytes could not be written, and was not edited since.
    func isUnwritten(_ path: String, holding bytes: [UInt8]?) throws(Problem) -> Bool {
        try unwrittenFile(path, holding: bytes) != nil
    }

    func unwrittenFile(_ path: String, holding bytes: [UInt8]?) throws(Problem) -> UnwrittenFile? {
        // What is saved in a file whose edits are known by what they were made from is one more of them.
        hasUnwritten ? try unwritten.first { $0.path == path && ($0.holds(bytes) || $0.base != nil && bytes != nil) } : nil
    }

    /// Those that still are as they were when they could not be written, where `tip` has something else; and what those of the
    /// store held that somebody has edited since.
    func stillUnwritten(
        at tip: Snapshot
    ) throws(Problem) -> (left: [UnwrittenFile], edited: [Subject: ObjectID?]) {
        guard hasUnwritten else { return ([], [:]) }
        var left: [UnwrittenFile] = []
        var edited: [Subject: ObjectID?] = [:]
        for file in try unwritten {
            let content = try tip.content(at: file.path)
            guard content?.mode.isRegular != false, content?.id != file.held else { continue }
            switch held(at: file.path) {
            case .success(let bytes) where file.holds(bytes) || file.base != nil && bytes != nil: left.append(file)
            case .success(let bytes) where !ExpectedContent.content(content).matches(bytes):
                if let subject = versions.subject(atRepositoryPath: file.path) { edited[subject] = .some(file.held) }
            case .failure(let failure) where !failure.isLink && !failure.isFolder: left.append(file)
            default: break
            }
        }
        return (left, edited)
    }

    /// What a file holds; nil where it isn't there.
    func held(at path: String) -> Result<[UInt8]?, SystemFailure> {
        Result { () throws(SystemFailure) in try root.read(path, limit: Self.otherFileLimit) }
    }

    /// Writes the files of a version, and all their entries into git's index, under its lock, which goes with that: a commit by
    /// git of other files must not take back what a file could not be given. Notes those files.
    func bringInStep(
        _ updates: inout [FileUpdate], _ durability: Durability, _ lock: consuming LockedIndex, at version: VersionID?,
        _ isWanted: (FileUpdate) -> Bool
    ) throws(Problem) -> Written {
        let written = try write(&updates, durability, isWanted)
        try recordInIndex(updates, lock, at: version)
        let paths = Set(updates.map(\.path))
        let failed = written.failed + saved(written.kept, updates)
        try note(failed, of: updates, inPlaceOf: hasUnwritten ? unwritten.filter { !paths.contains($0.path) } : [])
        return written
    }

    /// Files that another program has saved meanwhile, whose edits are laid on the new content.
    func saved(_ kept: [String], _ updates: [FileUpdate]) -> [(path: String, failure: SystemFailure)] {
        let known = Set(updates.filter { $0.editedFrom != nil }.map(\.path))
        return kept.filter(known.contains).map { path in
            (path, .busy("write", root.full(path)))
        }
    }

    /// Notes the files of `Behind.uncertain`. The next version that is recorded brings the index to itself, which then no longer
    /// says that these are not.
    func noteUncertain(_ subjects: Set<Subject>) throws(Problem) {
        let noted = try unwritten
        let paths = Set(subjects.map(versions.repositoryPath)).subtracting(noted.map(\.path))
        if paths.isEmpty { return }
        let files = paths.sorted().map { path in
            UnwrittenFile(
                path: path, held: UnwrittenFile.unknown,
                failure: SystemFailure(code: 0, operation: "write", path: root.full(path)))
        }
        _ = try journal.ownFolder()
        try note([], of: [], inPlaceOf: noted + files)
    }

    /// Notes those of the files that could not be written, besides `others` that are noted already.
    func note(
        _ failed: [(path: String, failure: SystemFailure)], of updates: [FileUpdate], inPlaceOf others: [UnwrittenFile]
    ) throws(Problem) {
        var files = others
        for (path, failure) in failed {
            // What can't be read may have been edited.
            guard case .success(let bytes) = held(at: path) else { continue }
            files.append(
                UnwrittenFile(
                    path: path, held: bytes.flatMap { ObjectID.hash(ofBlob: $0) }, failure: failure,
                    base: updates.first { $0.path == path }?.editedFrom))
        }
        let place = versions.ownFiles.unwritten
        if files.isEmpty { return hasUnwritten ? try onDisk(FileSystem.remove(place)) : () }
        var bytes: [UInt8] = []
        for file in files {
            let base = file.base.map { "-" + $0.hex } ?? ""
            bytes += Array("\(file.held?.hex ?? "none") \(file.failure.code)\(base) \(file.path)\0".utf8)
        }
        try onDisk(FileSystem.replace(place, with: bytes, journal.durability, versions.repository.git.sharedMode))
    }
}

extension Recorder {
    /// What there is to report of files that an earlier command could not write, and that still can't be written.
    func unwritten() throws(Problem) -> [Notice] {
        guard workTree.hasUnwritten else { return [] }
        let left = try workTree.stillUnwritten(at: try versions.tip()).left
        guard let first = left.first else { return [] }
        return [.isStillNotWritten(left.map(\.path), .file(.failed(first.failure)))]
    }

    /// Tries again to write the files that could not be written, while the store's lock is held. What can't be written is left
    /// for later, and keeps nothing else from being recorded.
    func writeUnwritten() throws(Problem) {
        guard workTree.hasUnwritten, try versions.operation == nil else { return }
        let tip = try versions.tip()
        let (left, edited) = try workTree.stillUnwritten(at: tip)
        var updates: [FileUpdate] = []
        var held: [(path: String, bytes: [UInt8]?)] = []
        for file in left {
            guard case .success(let bytes) = workTree.held(at: file.path) else { continue }
            var update = FileUpdate(path: file.path, content: try tip.content(at: file.path), old: .bytes(bytes))
            update.mode = update.content?.mode ?? .blob
            update.isOld = true
            update.file = try update.content.map { content throws(Problem) in
                try git(versions.repository.objects.blob(content.id, atMost: WorkTree.otherFileLimit))
            }
            if let base = file.base, let bytes, let new = update.file {
                // What can't be laid on the new content stays, as an edit.
                let entry = try tracking.entries(at: tip).first { $0.path == file.path }
                guard let laid = try tracking.laid(bytes, entry, from: base, onto: new) else { continue }
                (update.edited, update.editedFrom) = (laid, base)
            }
            updates.append(update)
            held.append((file.path, bytes))
        }
        let all = updates
        let written = try workTree.write(&updates, journal.durability) { _ in true }
        let still = Set(written.failed.map(\.path) + written.kept)
        updates.removeAll { still.contains($0.path) }
        held.removeAll { still.contains($0.path) }
        if !held.isEmpty {
            // Nobody can tell a file that was not written from one that a person put back to what it held.
            try keep(held, beside: tip, try journal.ownFolder())
            try workTree.recordInIndex(updates, try workTree.lockIndex())
            journal.tell(.finished(held.map(\.path), edited: []))
        }
        let done = still.union(held.map(\.path))
        let kept = Set(left.filter { $0.base == nil }.map(\.path)).subtracting(done).union(
            edited.keys.map(versions.repositoryPath))
        let failed = written.failed + workTree.saved(written.kept, all)
        try workTree.note(failed, of: all, inPlaceOf: try workTree.unwritten.filter { kept.contains($0.path) })
    }
}
