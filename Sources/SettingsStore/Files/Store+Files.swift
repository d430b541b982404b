// The files in step with the last version.
//
// A Done writes, in this order: objects, a note of what it is about to do (`settings/pending` in git's folder), git's lock
// of the index, the branch, the files, the index in its lock's place; then it says in the note that it has finished, lets
// the store's lock go and waits for the disk. Where the file system keeps no order, each of these is waited for by itself,
// and the note is cleared. Whoever finds a note without its writer finishes the work: a file that still holds what the old
// version had gets what the last one has; any other was edited by hand and stays.

import Files
import Git
package import SettingsModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension Store {
    /// Writes the files of a version that has just been recorded. Returns what there is to say of it.
    func bringInStep(_ updates: [FileUpdate], _ lock: consuming LockFile?) throws(Problem) -> [Notice] {
        var updates = updates
        let kept = try writeFiles(&updates, durability) { _ in true }
        try recordInIndex(updates, lock, durability)
        try finish()
        return kept.map { .keepsEdit(path: $0) }
    }

    /// Writes those of the files that `isWanted` tells and that aren't right already, and notes what they are then. Returns
    /// the paths of those that carry an edit made meanwhile, which stay.
    @discardableResult
    func writeFiles(
        _ updates: inout [FileUpdate], _ durability: Durability, _ isWanted: (FileUpdate) -> Bool
    ) throws(Problem) -> [String] {
        let wanted = updates.indices.filter { updates[$0].status == nil && isWanted(updates[$0]) }
        guard !wanted.isEmpty else { return [] }
        let scratch = try ownFolder()
        let work = work
        var kept: [String] = []
        do {
            var rest: [Int] = []
            for index in wanted {
                let update = updates[index]
                guard let bytes = update.file else {
                    if try !work.remove(update.path, holding: update.old, scratch: scratch, durability) {
                        kept.append(update.path)
                    }
                    continue
                }
                // A file that is right already, as after an edit by hand, costs only this look.
                if !updates[index].isOld, let there = try? work.reading(of: updates[index].path, limit: bytes.count),
                    there.bytes == bytes
                {
                    updates[index].status = there.status
                } else {
                    rest.append(index)
                }
            }
            let files = rest.map { (relative: updates[$0].path, bytes: updates[$0].file ?? [], old: updates[$0].old) }
            for (index, written) in zip(rest, try work.write(files, scratch: scratch, durability)) {
                switch written {
                case .placed(let status): updates[index].status = status
                case .kept: kept.append(updates[index].path)
                }
            }
        } catch {
            throw .file(.failed(error))
        }
        return kept
    }

    /// Nil removes it. Refuses where it doesn't hold `old` any more.
    func writeFile(_ bytes: [UInt8]?, of subject: Subject, over old: ExpectedContent?) throws(Problem) {
        var updates = [FileUpdate(path: repositoryPath(subject), file: bytes, old: old)]
        if try writeFiles(&updates, durability == .none ? .none : .strict, { _ in true }).isEmpty { return }
        throw .recording(.handEdited(subject, .editedMeanwhile))
    }

    /// `lock` is the index's, where it is held already.
    private func recordInIndex(
        _ files: [FileUpdate], _ lock: consuming LockFile?, _ durability: Durability
    ) throws(Problem) {
        let updates = files.map { file in
            TreeUpdate(
                path: file.path, change: file.content.map { .put($0.id, $0.mode) } ?? .remove, status: file.status)
        }
        let own = try ownFolder()
        do throws(GitError) {
            switch consume lock {
            case .some(var lock):
                try repository.recordInIndex(
                    updates, clearingConflicts: true, lock: &lock, own: own, durability: durability)
            case .none:
                var attempts = 50
                while true {
                    do throws(GitError) {
                        return try repository.recordInIndex(
                            updates, clearingConflicts: true, own: own, durability: durability)
                    } catch {
                        attempts -= 1
                        guard error.kind == .locked, attempts > 0 else { throw error }
                        pause()
                    }
                }
            }
        } catch {
            throw Problem(error)
        }
    }

    /// The index's lock, so that no `git commit` takes a version back by committing what the index held before it. Who has
    /// the lock now is waited for a while; a `git commit` among them sees that the branch has moved.
    func lockIndex() throws(Problem) -> LockFile? {
        let own = try ownFolder()
        let deadline = ContinuousClock.now + .seconds(min(patience, 1))
        while true {
            do throws(GitError) { return try repository.lockIndex(own: own) } catch {
                guard error.kind == .locked else { throw Problem(error) }
                guard ContinuousClock.now < deadline else { return nil }
                pause()
            }
        }
    }

    /// Finishes what a dead process had begun. Called before everything else; costs one look where there is nothing.
    func mend() throws(Problem) {
        guard pending.isThere else { return }
        // A reader that may not write reads what is there.
        guard let own = try? ownFolder(), access(own, W_OK) == 0 else { return }
        guard let lock = try Lock.take(own + "/lock", .exclusive, shared: repository.sharedMode) else { return }
        cachedNote = nil
        defer { withExtendedLifetime(lock) {} }
        // Who only reads can do without; who writes tries again, and is told.
        try? mendUnderLock()
    }

    func mendUnderLock() throws(Problem) {
        guard let noted = try lastNote, noted.isToDo else { return }
        let own = try ownFolder()
        let left: [(name: String, entry: Folder.Entry)]
        try git { () throws(GitError) in try repository.removeLeftLocks(own: own) }
        do { left = try Folder(path: own).names() ?? [] } catch { throw .file(.failed(error)) }
        for (name, _) in left
        where name.hasPrefix("new-") || name.hasSuffix(".work") || name.hasSuffix(".work.lock") {
            unlink("\(own)/\(name)")
        }
        if noted.old == nil, let new = noted.new {
            try git { () throws(GitError) in try repository.dropUnbornLog(of: new) }
        }
        let head = try tip()
        var olds: [VersionID?] = []
        var newTree = head.tree
        if let new = noted.new, try isThere(new) {
            olds.append(noted.old)
            newTree = try snapshot(new).tree
        }
        // As long as the system has run on, the files of the Done before are there. After that they need not be, also where
        // nothing is left of what was to come.
        if let since = noted.since, !noted.wasUnderThisBoot { olds.append(since) }
        var before: [Snapshot] = []
        for id in olds {
            if let id, try !isThere(id) { continue }
            before.append(try snapshot(id))
        }
        guard !before.isEmpty else { return try withdraw(mended: noted) }
        var paths: [String] = []
        var seen: Set<[UInt8]> = []
        for old in before {
            for difference in try git({ () throws(GitError) in try repository.differences(from: old.tree, to: newTree) })
            where difference.pathIsValid && FileSystem.isPlain(difference.path)
                && [difference.old?.mode, difference.new?.mode].allSatisfy({ $0 == nil || $0 == .blob })
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
            defer { updates.append(update) }
            let there: [UInt8]?
            do { there = try work.read(path, limit: JSON.sizeLimit) } catch {
                // A link or a folder is somebody's edit; what can't be read is looked at again by the next command.
                if error.isLink || error.code == EISDIR { continue }
                throw .file(.failed(error))
            }
            guard !isFile(there, wanted), try isLeft(there, path, before) else { continue }
            update.file = try git { () throws(GitError) in
                try wanted.map { content throws(GitError) in try repository.blob(content.id, atMost: JSON.sizeLimit) }
            }
            update.isOld = true
            update.old = .bytes(there)
            held.append((path, there))
        }
        // Nobody can tell a file that was not written from one that a person put back to what it held.
        if !held.isEmpty { try keep(held, beside: head, own) }
        try writeFiles(&updates, .strict) { $0.isOld }
        try recordInIndex(updates, nil, .strict)
        try withdraw(mended: noted)
        if !held.isEmpty { tell(.finished(held.map(\.path))) }
    }

    /// The files of the Done before the one that is mended may still not be on the disk.
    private func withdraw(mended noted: PendingNote.Work) throws(Problem) {
        guard let since = noted.since, noted.wasUnderThisBoot else { return try withdraw() }
        let before = PendingNote.Work(old: since, new: try tip().id, boot: noted.boot, isFinished: true)
        try note(before, .none)
    }

    private func isThere(_ id: VersionID) throws(Problem) -> Bool {
        try git { () throws(GitError) in try repository.exists(id) }
    }

    private func isLeft(_ bytes: [UInt8]?, _ path: String, _ before: [Snapshot]) throws(Problem) -> Bool {
        for old in before where isFile(bytes, try old.content(at: path)) { return true }
        return false
    }

    private func isFile(_ bytes: [UInt8]?, _ content: Content?) -> Bool { ExpectedContent.content(content).matches(bytes) }

    func pause() { usleep(UInt32.random(in: 500...8000)) }
}

extension Folder {
    static func sync(_ path: String) {
        let descriptor = openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

extension String {
    var deletingLastPart: String { utf8.lastIndex(of: UInt8(ascii: "/")).map { String(self[..<$0]) } ?? "." }
}

/// A file for a person's editor, inside git's folder.
extension Store {
    package func scratchFile(_ name: String) -> String { repository.gitDirectory.trimmingSlash + "/settings/" + name }

    package func writeScratch(_ text: String, to path: String) throws(Problem) {
        _ = try ownFolder()
        try writing { () throws(SystemFailure) in try Folder.create(path, Array(text.utf8), .none) }
    }

    package func readScratch(_ path: String) throws(Problem) -> String {
        do {
            let bytes = try Folder(path: path.deletingLastPart).read(path.lastPart, limit: JSON.sizeLimit)
            return String(decoding: bytes ?? [], as: UTF8.self)
        } catch {
            throw .file(.failed(error))
        }
    }
}

extension String {
    var lastPart: String { utf8.lastIndex(of: UInt8(ascii: "/")).map { String(self[index(after: $0)...]) } ?? self }
}
