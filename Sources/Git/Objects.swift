import Files
package import Base
internal import CGit2
internal import CGitObjects

/// Commits, trees and files: reading and writing them, and going through histories.
package struct Objects {
    let git: GitDirectory

    package func exists(_ id: ObjectID) throws(GitError) -> Bool {
        var raw = id.raw
        if git_odb_exists(git.database, &raw) == 1 { return true }
        guard try isAnythingUnseen(id) else { return false }
        return git_odb_exists(git.database, &raw) == 1
    }

    /// libgit2 takes what it can't open for what isn't there (all versions; not reported): a file that the system refuses, a
    /// pack for which it has no descriptor. Whether it may have been so, and is no more; what still can't be read is an error.
    private func isAnythingUnseen(_ id: ObjectID) throws(GitError) -> Bool {
        let loose = "\(git.objectFolder)/\(id.hex.prefix(2))/\(id.hex.dropFirst(2))"
        let packs = try system(FileSystem.entries(of: git.objectFolder + "/pack")).map(\.name)
            .filter { $0.hasSuffix(".idx") || $0.hasSuffix(".pack") }
        for path in [loose] + packs.map({ "\(git.objectFolder)/pack/\($0)" }) { try system(FileSystem.checkOpens(path)) }
        git_odb_refresh(git.database)
        return true
    }

    /// Asks for what isn't there once more, once that is sure.
    private func surely<Result: ~Copyable>(_ id: ObjectID, _ ask: () throws(GitError) -> Result) throws(GitError) -> Result {
        do { return try ask() } catch {
            guard error.kind == .notFound, try isAnythingUnseen(id) else { throw promised(error) }
        }
        do { return try ask() } catch { throw promised(error) }
    }

    package func commit(_ id: ObjectID) throws(GitError) -> Commit {
        let commit = try object(id, GIT_OBJECT_COMMIT, "read commit \(id)") { Commit(id: id, bytes: $0) }
        guard let commit else { throw GitError(.corrupt, "it names no tree", operation: "read commit \(id)") }
        return commit
    }

    /// A file's bytes. The size is looked up first: what is larger than `limit` fails with `.tooLarge`, unread.
    package func blob(_ id: ObjectID, atMost limit: Int) throws(GitError) -> [UInt8] {
        var raw = id.raw
        var size = 0
        var type = GIT_OBJECT_ANY
        try surely(id) { () throws(GitError) in
            _ = try check("read file \(id)", in: git) { git_odb_read_header(&size, &type, git.database, &raw) }
        }
        guard size <= limit else {
            throw GitError(.tooLarge, "it has \(size) bytes, more than \(limit)", operation: "read file \(id)")
        }
        return try object(id, GIT_OBJECT_BLOB, "read file \(id)") { Array($0) }
    }

    /// Whether an object that is there is a commit.
    package func isCommit(_ id: ObjectID) throws(GitError) -> Bool {
        var raw = id.raw
        var (size, type) = (0, GIT_OBJECT_ANY)
        try surely(id) { () throws(GitError) in
            _ = try check("read object \(id)", in: git) { git_odb_read_header(&size, &type, git.database, &raw) }
        }
        return type == GIT_OBJECT_COMMIT
    }

    /// An object's size in bytes, without reading it.
    package func size(of id: ObjectID) throws(GitError) -> Int {
        var raw = id.raw
        var (size, type) = (0, GIT_OBJECT_ANY)
        try surely(id) { () throws(GitError) in
            _ = try check("read object \(id)", in: git) { git_odb_read_header(&size, &type, git.database, &raw) }
        }
        return size
    }

    /// Reads an object whole.
    func object<Value>(
        _ id: ObjectID, _ type: git_object_t, _ operation: @autoclosure () -> String, _ read: (UnsafeRawBufferPointer) -> Value
    ) throws(GitError) -> Value {
        let object = try self.object(id, type, operation())
        return read(object.bytes)
    }

    func object(_ id: ObjectID, _ type: git_object_t, _ operation: @autoclosure () -> String) throws(GitError) -> ReadObject {
        Trace.count(.objectsRead)
        var raw = id.raw
        let object: ReadObject
        if git.readsOnly, let unchecked = ReadObject(unchecked: &raw, in: git.database) {
            object = unchecked
        } else {
            object = ReadObject(
                try surely(id) { () throws(GitError) in
                    try own(operation(), git_odb_object_free, in: git) { git_odb_read(&$0, git.database, &raw) }
                })
        }
        guard object.type == type else {
            let name = git_object_type2string(type).map { String(cString: $0) } ?? "object"
            throw GitError(.invalid, "it is not a \(name)", operation: operation())
        }
        return object
    }

    /// A missing object's failure, said otherwise in a partial clone: its packs are marked. It isn't asked for here, which
    /// would run the programs that the configuration names.
    private func promised(_ error: GitError) -> GitError {
        guard error.kind == .notFound, git.isPartial else { return error }
        return GitError(.promised, "this partial clone has left it with its remote", operation: error.operation)
    }
}

/// An object that has been read, freed when it goes out of scope.
struct ReadObject: ~Copyable {
    let type: git_object_t
    let bytes: UnsafeRawBufferPointer
    private let owner: Owned

    init(_ object: consuming Owned) {
        type = git_odb_object_type(object.pointer)
        bytes = UnsafeRawBufferPointer(
            start: git_odb_object_data(object.pointer), count: git_odb_object_size(object.pointer))
        owner = object
    }

    /// Nil where it can't be had at once: then it is read in libgit2's way, which looks again and names the cause.
    init?(unchecked id: inout git_oid, in database: OpaquePointer) {
        var data: UnsafeMutableRawPointer?
        var size = 0
        var type = GIT_OBJECT_INVALID
        guard settings_read_unchecked(&data, &size, &type, database, &id) == 0, let data else { return nil }
        self.type = type
        bytes = UnsafeRawBufferPointer(start: data, count: size)
        owner = Owned(OpaquePointer(data)) { settings_free_unchecked($0.map { UnsafeMutableRawPointer($0) }) }
    }
}
