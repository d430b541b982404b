import Files
import Git
import SettingsModel

extension Recorder {
    /// Finishes what a process that died had begun. Called before everything else; costs one look if there is nothing to do.
    func mend() {
        guard journal.pending.isThere || workTree.hasUnwritten else { return }
        // A reader that may not write reads what is there.
        guard FileSystem.isWritable(versions.ownFiles.folder) else { return }
        // Who only reads can do without; who writes tries again, and is told.
        do throws(Problem) {
            _ = try journal.ownFolder()
            guard let lock = try journal.waitForLock(versions.ownFiles.lock) else { return }
            defer { withExtendedLifetime(lock) {} }
            journal.cachedNote = nil
            try mendUnderLock()
        } catch {
            if journal.pending.isThere { unfinished = error }
        }
    }

    /// Removes what processes that died were writing. While the store's lock is held, nobody else writes there.
    func removeLeftFiles(where isLeft: (String) -> Bool = { $0.hasPrefix("new-") }) throws(Problem) {
        let own = try journal.ownFolder()
        let left = try onDisk(Folder(path: own).names()) ?? []
        for (name, _) in left where isLeft(name) { try? FileSystem.remove("\(own)/\(name)") }
        // Without the lock: see `FileSystem.replace`.
        TemporaryName.removeLeft(in: own) { $0.hasSuffix(FileSystem.newMark) }
    }

    func mendUnderLock() throws(Problem) {
        try writeUnwritten()
        if let noted = try journal.lastNote, noted.isToDo { try mend(noted) }
    }

    private func mend(_ noted: PendingNote.Work) throws(Problem) {
        let own = try journal.ownFolder()
        try git(versions.repository.git.removeLeftLocks(own: own))
        try removeLeftFiles { $0.hasPrefix("new-") || $0.hasSuffix(".work") || $0.hasSuffix(".work.lock") }
        versions.repository.packs.removeLeftKeepFiles()
        if noted.old == nil, let new = noted.new { try git(versions.repository.references.dropUnbornLog(of: new)) }
        let head = try versions.tip()
        var olds: [VersionID?] = []
        var newTree = head.tree
        if let new = noted.new, try isThere(new) {
            olds.append(noted.old)
            newTree = try versions.snapshot(new).tree
        }
        // As long as the system has run on, the files of the Done before are there. After that they need not be, also where
        // nothing is left of what was to come.
        if let since = noted.since, !noted.wasUnderThisBoot { olds.append(since) }
        var before: [Snapshot] = []
        for id in olds {
            if let id, try !isThere(id) { continue }
            before.append(try versions.snapshot(id))
        }
        guard !before.isEmpty else { return try withdraw(mended: noted) }
        var paths: [String] = []
        var seen: Set<[UInt8]> = []
        for old in before {
            for difference in try git(versions.repository.objects.differences(from: old.tree, to: newTree))
            where difference.pathIsValid && FileSystem.isPlain(difference.path)
                && difference.isOfRegularFiles
                && seen.insert(Array(difference.path.utf8)).inserted
            {
                paths.append(difference.path)
            }
        }
        var updates: [FileUpdate] = []
        var held: [(path: String, bytes: [UInt8]?)] = []
        for path in paths {
            let wanted = try head.content(at: path)
            var update = FileUpdate(path: path, content: wanted)
            update.mode = wanted?.mode ?? .blob
            defer { updates.append(update) }
            let there: [UInt8]?
            do { there = try workTree.root.read(path, limit: JSON.sizeLimit) } catch {
                // A link or a folder is somebody's edit; what can't be read is looked at again by the next command.
                if error.isLink || error.isFolder { continue }
                throw .file(.failed(error))
            }
            guard !isFile(there, wanted) else { continue }
            if try !isLeft(there, path, before) {
                guard versions.subject(atRepositoryPath: path) == nil,
                    let completed = try? tracking.completed(path, holding: there, from: before, to: head)
                else { continue }
                (update.edited, update.editedFrom) = completed
            }
            update.file = try wanted.map { content throws(Problem) in
                try git(versions.repository.objects.blob(content.id, atMost: JSON.sizeLimit))
            }
            update.isOld = true
            update.old = .bytes(there)
            held.append((path, there))
        }
        // Edits that were put aside are laid on these files next.
        let aside = Set(try notedAside()?.subjects.map(versions.repositoryPath) ?? [])
        held.removeAll { aside.contains($0.path) }
        // Nobody can tell a file that was not written from one that a person put back to what it held.
        if !held.isEmpty { try keep(held, beside: head, own) }
        let durability: Durability = journal.durability == .none ? .none : .strict
        // Where the branch was moved elsewhere since, other files may be behind.
        let version = [noted.new, noted.old].contains(head.id) ? head.id : nil
        let written = try workTree.bringInStep(&updates, durability, try workTree.lockIndex(), at: version) { $0.isOld }
        let failed = Set(written.failed.map(\.path))
        let finished = held.map(\.path).filter { !failed.contains($0) }
        if !finished.isEmpty { journal.tell(.finished(finished, edited: [])) }
        try withdraw(mended: noted)
    }

    /// The files of the Done before the one that is mended may still not be on the disk.
    private func withdraw(mended noted: PendingNote.Work) throws(Problem) {
        guard let since = noted.since, noted.wasUnderThisBoot else { return try journal.withdraw() }
        let before = PendingNote.Work(old: since, new: try versions.tip().id, boot: noted.boot, isFinished: true)
        try journal.note(before, .none)
    }

    private func isThere(_ id: VersionID) throws(Problem) -> Bool {
        try git(versions.repository.objects.exists(id))
    }

    private func isLeft(_ bytes: [UInt8]?, _ path: String, _ before: [Snapshot]) throws(Problem) -> Bool {
        for old in before where isFile(bytes, try old.content(at: path)) { return true }
        return false
    }

    private func isFile(_ bytes: [UInt8]?, _ content: Content?) -> Bool { ExpectedContent.content(content).matches(bytes) }
}
