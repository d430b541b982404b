internal import CGit2

extension Repository {
    /// Objects that are written from here on stay in memory until `writeObjects`, which every move of a reference calls.
    package func collectObjects() { settings_batch_collect(batch, 1) }

    /// Writes what was collected, and collects no more.
    package func writeObjects(_ durability: Durability = .strict) throws(GitError) {
        settings_batch_collect(batch, 0)
        let count = batch.pointee.count
        let folder = commonDirectory + "/objects/pack"
        if count > settings_batch_loose_limit, try FileSystem.status(of: folder) != nil {
            try check("write \(count) objects") { settings_batch_write_pack(batch, folder, durability.sync) }
            try check("look for packs") { git_odb_refresh(objects) }
        } else if count > 0 {
            try check("write \(count) objects") {
                settings_batch_write_loose(batch, commonDirectory + "/objects", durability.sync)
            }
        }
    }

    package func write(blob bytes: [UInt8]) throws(GitError) -> ObjectID {
        try bytes.withUnsafeBufferPointer { buffer throws(GitError) in
            try write(UnsafeRawBufferPointer(buffer), GIT_OBJECT_BLOB, "write a file of \(bytes.count) bytes")
        }
    }

    /// Writes a commit object and reads it back. No reference moves.
    ///
    /// `git_commit_create` and its like return success when writing the object failed (every release up to 1.9), so the
    /// bytes are made by `git_commit_create_buffer` and written by `git_odb_write`.
    package func writeCommit(
        tree: ObjectID, parents: [ObjectID], author: Signature, committer: Signature, message: String
    ) throws(GitError) -> ObjectID {
        let operation = "write a commit"
        try refuseZeroByte(in: message, operation)
        let author = try OwnedSignature.make(author)
        let committer = try OwnedSignature.make(committer)
        var raw = tree.raw
        let tree = try own(operation, git_tree_free) { git_tree_lookup(&$0, pointer, &raw) }
        var commits = OwnedList(git_commit_free)
        for parent in parents {
            var raw = parent.raw
            commits.append(try own(operation, git_commit_free) { git_commit_lookup(&$0, pointer, &raw) })
        }
        var buffer = git_buf()
        defer { git_buf_dispose(&buffer) }
        var pointers = commits.pointers
        try check(operation) {
            git_commit_create_buffer(
                &buffer, pointer, author.pointer, committer.pointer, nil, message, tree.pointer, pointers.count, &pointers)
        }
        let bytes = UnsafeRawBufferPointer(start: buffer.ptr, count: buffer.size)
        let id = try write(bytes, GIT_OBJECT_COMMIT, operation)
        try object(id, GIT_OBJECT_COMMIT, "read back commit \(id)") { _ in }
        return id
    }

    func write(_ bytes: UnsafeRawBufferPointer, _ type: git_object_t, _ operation: String) throws(GitError) -> ObjectID {
        try retrying { () throws(GitError) in
            try id(operation) { settings_batch_write_object(&$0, batch, objects, bytes.baseAddress, bytes.count, type) }
        }
    }

    /// A `git gc` beside us removes empty folders of objects between libgit2's making and using one (an OS error without a
    /// code of its own): then once more.
    @discardableResult
    private func retrying<Result>(_ work: () throws(GitError) -> Result) throws(GitError) -> Result {
        var attempts = 3
        while true {
            do {
                return try work()
            } catch {
                attempts -= 1
                guard attempts > 0, error.category == GIT_ERROR_OS.rawValue, error.kind == .other else { throw error }
            }
        }
    }
}
