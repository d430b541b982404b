package import Files
package import Base
internal import CGit2
internal import CGitObjects

extension Objects {
    /// Objects that are written from here on stay in memory until `writeObjects`, which every move of a reference calls.
    package func collectObjects() { settings_batch_collect(git.batch, 1) }

    /// Writes what was collected and is not on the disk yet, and collects no more. It stays in memory as well, and a pack of it is
    /// kept from `git repack`, until `confirmObjects` or `dropObjects`.
    package func writeObjects(_ durability: Durability = .strict) throws(GitError) {
        settings_batch_collect(git.batch, 0)
        let count = settings_batch_unwritten(git.batch)
        guard count > 0 else { return }
        git.batch.pointee.shared = git.sharedMode.bits
        let operation = "write \(count) object\(count == 1 ? "" : "s")"
        let trace = Trace.begin()
        defer { trace?.end("wrote \(count) object\(count == 1 ? "" : "s")") }
        let packs = git.objectFolder + "/pack"
        guard count > settings_batch_loose_limit, try system(FileSystem.attributes(of: packs)) != nil else {
            try check(operation) { settings_batch_write_loose(git.batch, durability.sync) }
            return
        }
        let keepFile = try KeepFile.make(in: packs, git.sharedMode)
        try check(operation) { settings_batch_write_pack(git.batch, keepFile.name, durability.sync) }
        git.keepFiles.append(keepFile)
    }

    /// Looks whether what was written is still there, once a reference leads to it, and writes again what is not: until then it is
    /// rubbish to git, which may have taken it away. What was moved into a pack meanwhile counts as gone: such a pack may be
    /// removed yet, by a `git repack` that read the references before this one moved.
    package func confirmObjects(_ durability: Durability = .strict) throws(GitError) {
        defer { dropObjects() }
        guard git.batch.pointee.count > 0 else { return }
        for _ in 0..<Self.confirmations {
            settings_batch_look(git.batch, git.keepFiles.allSatisfy(\.packIsThere) ? 1 : 0)
            if settings_batch_unwritten(git.batch) == 0 { break }
            try writeObjects(durability)
        }
        if !git.keepFiles.isEmpty { try git.refreshObjects() }
    }

    private static let confirmations = 3

    /// Forgets what was collected, and collects no more. Packs of it are like others from here on.
    package func dropObjects() {
        settings_batch_collect(git.batch, 0)
        settings_batch_clear(git.batch)
        git.keepFiles = []
    }

    package func write(blob bytes: [UInt8]) throws(GitError) -> ObjectID {
        try write(bytes, GIT_OBJECT_BLOB, "write a file of \(bytes.count) bytes")
    }

    /// A commit object's bytes.
    ///
    /// `git_commit_create` and its like return success when writing the object failed (every release up to 1.9; not reported), and
    /// `git_commit_create_buffer` reads the tree and all parents as a whole first: the lines are put together here, as
    /// gitformat has them.
    package func commitObject(
        tree: ObjectID, parents: [ObjectID], author: Signature, committer: Signature, message: String
    ) throws(GitError) -> [UInt8] {
        let operation = "write a commit"
        try refuseZeroByte(in: message, operation)
        for id in [tree] + parents where id != .emptyTree {
            if try exists(id) { continue }
            throw GitError(.notFound, "there is no object \(id)", operation: operation)
        }
        var text = "tree \(tree)\n"
        for parent in parents { text += "parent \(parent)\n" }
        text += "author \(try OwnedSignature.make(author).line)\ncommitter \(try OwnedSignature.make(committer).line)\n\n"
        text += message
        return Array(text.utf8)
    }

    package func writeCommit(
        tree: ObjectID, parents: [ObjectID], author: Signature, committer: Signature, message: String
    ) throws(GitError) -> ObjectID {
        try write(
            commit: commitObject(tree: tree, parents: parents, author: author, committer: committer, message: message))
    }

    /// Writes a commit object, with a signature if there is one, and reads it back. No reference moves.
    package func write(commit unsigned: [UInt8], signedBy signature: [UInt8]? = nil) throws(GitError) -> ObjectID {
        let bytes = signature.map { SignedObject.commit(unsigned, signedBy: $0) } ?? unsigned
        let id = try write(bytes, GIT_OBJECT_COMMIT, "write a commit")
        try object(id, GIT_OBJECT_COMMIT, "read back commit \(id)") { _ in }
        return id
    }

    func write(_ bytes: [UInt8], _ type: git_object_t, _ operation: String) throws(GitError) -> ObjectID {
        try retrying { () throws(GitError) in
            try id(operation) { settings_batch_write_object(&$0, git.batch, git.database, bytes, bytes.count, type) }
        }
    }

    /// A `git gc` beside us removes empty folders of objects between libgit2's making and using one (all versions; not
    /// reported), which is an OS error without a code of its own: then once more.
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
