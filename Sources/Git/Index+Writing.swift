package import Files
import Base
internal import CGit2

extension Index {
    /// Takes the index's lock: no git commits what the index holds until it has been brought up to date. `.locked`:
    /// somebody else is writing it. `.unknownIndex`: only git can write it. `own` is a folder for second names of locks.
    package func lockIndex(own: String? = nil) throws(GitError) -> LockedIndex {
        if let refusal = FileSystem.refusal(toReplace: git.gitDirectory + "/index") { throw GitError(refusal) }
        let lock = try git.takeLock(of: git.gitDirectory + "/index", "index", own)
        return LockedIndex(lock, try readableIndex(own: own))
    }

    /// Whether somebody else has the index's lock.
    package func isLocked(own: String) throws(GitError) -> Bool {
        try git.isLocked(git.gitDirectory + "/index", "index", own)
    }

    /// Whatever can't be read is found out here, before anything is recorded.
    private func readableIndex(own: String?) throws(GitError) -> LockedIndex.Found {
        guard let (bytes, attributes) = try system(FileSystem.read(git.gitDirectory + "/index", atMost: .max)) else {
            try withCopy(of: [], work(own)) { _ throws(GitError) in }
            return LockedIndex.Found()
        }
        let file = try? IndexFile(bytes, writtenIn: attributes.status.modified.seconds)
        if file == nil {
            try refuseUnknownIndex(bytes)
            try withCopy(of: bytes, work(own)) { _ throws(GitError) in }
        }
        return LockedIndex.Found(bytes: bytes, attributes: attributes, file: file)
    }

    private func work(_ own: String?) -> String { (own ?? git.gitDirectory) + "/index.work" }

    /// Brings these paths of the index up to what has been committed, and no others: what else is staged stays staged.
    ///
    /// A path in conflict is `.conflict`, unless conflicts are to be cleared: then its entries go. `.locked`: somebody
    /// else is writing the index.
    package func recordInIndex(
        _ updates: [TreeUpdate], clearingConflicts: Bool = false, own: String? = nil, durability: Durability = .strict
    ) throws(GitError) {
        var locked = try lockIndex(own: own)
        try recordInIndex(updates, clearingConflicts: clearingConflicts, locked: &locked, own: own, durability: durability)
    }

    /// The same under a lock that is held already, which goes with it.
    package func recordInIndex(
        _ updates: [TreeUpdate], clearingConflicts: Bool = false, locked: inout LockedIndex, own: String? = nil,
        durability: Durability = .strict
    ) throws(GitError) {
        for update in updates { try refuseZeroByte(in: update.path, "write the index") }
        var bytes: [UInt8]?
        var looksAtYoung = true
        if let file = locked.found.file { bytes = try patched(file, updates, clearing: clearingConflicts, &looksAtYoung) }
        if bytes == nil {
            looksAtYoung = false
            bytes = try rewritten(locked.found.bytes, updates, clearing: clearingConflicts, work: work(own))
        }
        try place(bytes ?? [], looksAtYoung: looksAtYoung, &locked, durability)
    }

    /// Replaces what both sides of a path in conflict are, which stays in conflict. The lock is held already, and goes with it.
    package func replaceSides(
        of conflict: PathConflict, locked: inout LockedIndex, own: String? = nil, durability: Durability = .strict
    ) throws(GitError) {
        let operation = "write the index's conflicts"
        let work = work(own)
        let bytes = try withCopy(of: locked.found.bytes ?? [], work) { index throws(GitError) in
            for (stage, content) in [(2 as Int32, conflict.ours), (3, conflict.theirs)] {
                guard let content, var entry = git_index_get_bypath(index, conflict.path, stage)?.pointee else { continue }
                entry.id = content.id.raw
                try check(operation) {
                    conflict.path.withCString { name in
                        entry.path = name
                        return git_index_add(index, &entry)
                    }
                }
            }
            try check(operation) { git_index_write(index) }
            return try system(FileSystem.whole(work)).bytes
        }
        try place(bytes, looksAtYoung: false, &locked, durability)
    }

    private func place(
        _ bytes: [UInt8], looksAtYoung: Bool, _ locked: inout LockedIndex, _ durability: Durability
    ) throws(GitError) {
        try system(locked.lock.write(bytes))
        // Entries that nobody looked at stay as young against the index as they were.
        if !looksAtYoung, let attributes = locked.found.attributes { locked.lock.setTime(of: attributes) }
        try system(locked.lock.sync(durability))
        try system(locked.lock.place())
        locked.hash = Array(bytes.suffix(20))
        if durability == .strict { try system(FileSystem.sync(git.gitDirectory)) }
    }

    /// How many files that may have been touched in the second of the index are looked into.
    private static let racyLimit = 256

    /// Nil where it is for libgit2 to do.
    private func patched(
        _ file: IndexFile, _ updates: [TreeUpdate], clearing: Bool, _ looksAtYoung: inout Bool
    ) throws(GitError) -> [UInt8]? {
        var patches: [[UInt8]: IndexFile.Patch] = [:]
        for update in updates {
            var patch = IndexFile.Patch(path: Array(update.path.utf8))
            if case .put(let id, let mode) = update.change {
                patch.content = Content(id: id, mode: mode)
                patch.status =
                    if let known = update.status { known } else { try self.status(ofFile: update.path, holding: id, mode) }
            }
            patches[patch.path] = patch
        }
        let sorted = patches.values.sorted { $0.path.lexicographicallyPrecedes($1.path) }
        do {
            var smudged: Set<Int> = []
            looksAtYoung = file.racy.count <= Self.racyLimit
            if looksAtYoung {
                for range in file.racy where try isTouched(file.entry(range)) { smudged.insert(range.lowerBound) }
            }
            return try file.patched(sorted, smudging: smudged, clearing: clearing)
        } catch let error as GitError {
            throw error
        } catch { return nil }
    }

    /// Whether a file differs from its entry though size and times are the same.
    private func isTouched(_ entry: (path: String, id: ObjectID, status: FileStatus)?) throws -> Bool {
        guard let entry, let workDirectory = git.workDirectory, entry.status.size > 0 else { return false }
        let file = workDirectory + "/" + entry.path
        guard let (bytes, attributes) = try system(FileSystem.read(file, atMost: Int(entry.status.size))),
            attributes.status.modified.seconds == entry.status.modified.seconds, bytes.count == Int(entry.status.size)
        else { return false }
        return try Git.id("hash \(file)") { git_odb_hash(&$0, bytes, bytes.count, GIT_OBJECT_BLOB) } != entry.id
    }

    /// By libgit2, in a copy: a form that only it knows, or an index that is missing or damaged. That is made anew from
    /// HEAD's tree; without the other entries git would take every other file for removed.
    private func rewritten(
        _ bytes: [UInt8]?, _ updates: [TreeUpdate], clearing: Bool, work: String
    ) throws(GitError) -> [UInt8] {
        try withCopy(of: bytes ?? [], work) { index throws(GitError) in
            for update in updates { try apply(update, to: index, clearing: clearing) }
            try check("write the index") { git_index_write(index) }
            return try system(FileSystem.whole(work)).bytes
        }
    }

    private func withCopy<Result>(
        of bytes: [UInt8], _ work: String, _ body: (OpaquePointer) throws(GitError) -> Result
    ) throws(GitError) -> Result {
        // libgit2's lock of the copy may be a dead process's.
        func clear() { for name in [work, work + ".lock"] { try? FileSystem.remove(name) } }
        clear()
        defer { clear() }
        let index = try copy(of: bytes, work)
        return try body(index.pointer)
    }

    private func copy(of bytes: [UInt8], _ work: String) throws(GitError) -> Owned {
        // Shorter than a header and a hash: libgit2 takes it for no file.
        if bytes.count < 32 { return try indexOfHead(work) }
        try system(FileSystem.write(IndexFile.hashed(bytes), to: work))
        do {
            return try own("read the index", git_index_free) { git_index_open(&$0, work) }
        } catch {
            guard error.kind == .corrupt else { throw error }
            return try indexOfHead(work)
        }
    }

    private func indexOfHead(_ work: String) throws(GitError) -> Owned {
        try? FileSystem.remove(work)
        let index = try own("make an index", git_index_free) { git_index_open(&$0, work) }
        guard let commit = try references.head().commit else { return index }
        var raw = try objects.commit(commit).tree.raw
        let tree = try own("read HEAD's tree", { git_tree_free($0) }, in: git) { git_tree_lookup(&$0, git.pointer, &raw) }
        try check("read HEAD's tree into the index", in: git) { git_index_read_tree(index.pointer, tree.pointer) }
        return index
    }

    private func apply(_ update: TreeUpdate, to index: OpaquePointer, clearing: Bool) throws(GitError) {
        try settle(update.path, in: index, clearing: clearing)
        switch update.change {
        case .put(let id, let mode):
            try check("write the index") { git_index_remove_directory(index, update.path, 0) }
            try put(update.path, id, mode, update.status, into: index)
        case .remove:
            guard git_index_get_bypath(index, update.path, 0) != nil else { return }
            try check("write the index") { git_index_remove(index, update.path, 0) }
        }
    }

    private func settle(_ path: String, in index: OpaquePointer, clearing: Bool) throws(GitError) {
        let conflicting = (1...3).filter { git_index_get_bypath(index, path, $0) != nil }
        guard !conflicting.isEmpty else { return }
        guard clearing else {
            throw GitError(.conflict, "\(path) is in conflict", operation: "write the index")
        }
        for stage in conflicting {
            try check("write the index") { git_index_remove(index, path, stage) }
        }
    }

    private func put(
        _ path: String, _ id: ObjectID, _ mode: FileMode, _ known: FileStatus?, into index: OpaquePointer
    ) throws(GitError) {
        var entry = git_index_entry()
        entry.id = id.raw
        entry.mode = mode.rawValue
        let status = if let known { known } else { try self.status(ofFile: path, holding: id, mode) }
        if let status {
            entry.dev = status.device
            entry.ino = status.inode
            entry.uid = status.user
            entry.gid = status.group
            entry.file_size = status.size
            entry.ctime = git_index_time(status.changed)
            entry.mtime = git_index_time(status.modified)
        }
        try check("put \(path) into the index") {
            path.withCString { name in
                entry.path = name
                return git_index_add(index, &entry)
            }
        }
    }

    /// The file's times and size, only if the file holds these very bytes: git takes a file whose times and size fit for
    /// unchanged, and would not see an edit that was made meanwhile.
    private func status(ofFile path: String, holding id: ObjectID, _ mode: FileMode) throws(GitError) -> FileStatus? {
        guard mode.isRegular, let workDirectory = git.workDirectory else { return nil }
        var raw = id.raw
        var size = 0
        var type = GIT_OBJECT_ANY
        try check("put \(path) into the index", in: git) { git_odb_read_header(&size, &type, git.database, &raw) }
        guard let (bytes, attributes) = try? FileSystem.read(workDirectory + "/" + path, atMost: size) else { return nil }
        let held = try Git.id("hash \(path)") { git_odb_hash(&$0, bytes, bytes.count, GIT_OBJECT_BLOB) }
        return held == id ? attributes.status : nil
    }
}

extension git_index_time {
    fileprivate init(_ moment: FileStatus.Moment) {
        self.init(seconds: Int32(truncatingIfNeeded: moment.seconds), nanoseconds: moment.nanoseconds)
    }
}
