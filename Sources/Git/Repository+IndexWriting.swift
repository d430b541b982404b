internal import CGit2

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension Repository {
    /// Brings these paths of the index up to what has been committed, and no others: what else is staged stays staged.
    /// Then syncs the index, which libgit2 never does.
    ///
    /// A path in conflict is `.conflict`, unless conflicts are to be cleared: then its entries go. `.locked`: somebody
    /// else is writing the index.
    package func recordInIndex(
        _ updates: [TreeUpdate], clearingConflicts: Bool = false
    ) throws(GitError) {
        let operation = "write the index"
        let index = try wholeIndex()
        do {
            for update in updates { try apply(update, to: index.pointer, clearing: clearingConflicts) }
            try check(operation) { git_index_write(index.pointer) }
        } catch {
            // libgit2 keeps one index for a repository, and with it what could not be written.
            git_index_read(index.pointer, 1)
            git_error_clear()
            throw error
        }
        guard let path = git_index_path(index.pointer) else { return }
        try sync(String(cString: path), gitDirectory)
    }

    /// The index, made anew from HEAD's tree where it is missing or damaged: without the other entries git would take
    /// every other file for removed.
    private func wholeIndex() throws(GitError) -> Owned {
        let path = gitDirectory + "/index"
        if let size = try FileSystem.status(of: path)?.st_size, size > 0 {
            do { return try index(fresh: true) } catch { guard error.kind == .corrupt else { throw error } }
        }
        let handle = try own("read the index", git_index_free) { git_repository_index(&$0, pointer) }
        try check("read the index") { git_index_clear(handle.pointer) }
        guard let commit = try head().commit else { return handle }
        var raw = try self.commit(commit).tree.raw
        let tree = try own("read HEAD's tree", { git_tree_free($0) }) { git_tree_lookup(&$0, pointer, &raw) }
        try check("read HEAD's tree into the index") { git_index_read_tree(handle.pointer, tree.pointer) }
        return handle
    }

    private func apply(_ update: TreeUpdate, to index: OpaquePointer, clearing: Bool) throws(GitError) {
        try refuseZeroByte(in: update.path, "write the index")
        try settle(update.path, in: index, clearing: clearing)
        switch update.change {
        case .put(let id, let mode): try put(update.path, id, mode, update.status, into: index)
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

    /// Adds an entry. The file's times and size go with it only if the file holds these very bytes: git takes a file
    /// whose times and size fit for unchanged, and would not see an edit that was made meanwhile.
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

    private func status(ofFile path: String, holding id: ObjectID, _ mode: FileMode) throws(GitError) -> FileStatus? {
        guard mode == .blob || mode == .executable, let workDirectory else { return nil }
        var raw = id.raw
        var size = 0
        var type = GIT_OBJECT_ANY
        try check("put \(path) into the index") { git_odb_read_header(&size, &type, objects, &raw) }
        guard let (bytes, status) = FileSystem.read(workDirectory + "/" + path, atMost: size) else { return nil }
        let held = try Git.id("hash \(path)") { git_odb_hash(&$0, bytes, bytes.count, GIT_OBJECT_BLOB) }
        return held == id ? FileStatus(status) : nil
    }
}

extension git_index_time {
    fileprivate init(_ moment: FileStatus.Moment) {
        self.init(seconds: Int32(truncatingIfNeeded: moment.seconds), nanoseconds: moment.nanoseconds)
    }
}
