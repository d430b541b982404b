internal import CGit2

extension Repository {
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

    /// Writes an object. A `git gc` beside us removes empty folders of objects between libgit2's making and using one
    /// (an OS error without a code of its own): then once more.
    func write(_ bytes: UnsafeRawBufferPointer, _ type: git_object_t, _ operation: String) throws(GitError) -> ObjectID {
        var attempts = 3
        while true {
            do {
                return try id(operation) { git_odb_write(&$0, objects, bytes.baseAddress, bytes.count, type) }
            } catch {
                attempts -= 1
                guard attempts > 0, error.category == GIT_ERROR_OS.rawValue, error.kind == .other else { throw error }
            }
        }
    }
}
