internal import CGit2

extension Repository {
    package func exists(_ id: ObjectID) -> Bool {
        var raw = id.raw
        return git_odb_exists(objects, &raw) == 1
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
        do { try check("read file \(id)") { git_odb_read_header(&size, &type, objects, &raw) } } catch { throw promised(error) }
        guard size <= limit else {
            throw GitError(.tooLarge, "it has \(size) bytes, more than \(limit)", operation: "read file \(id)")
        }
        return try object(id, GIT_OBJECT_BLOB, "read file \(id)") { Array($0) }
    }

    /// Reads an object whole.
    func object<Value>(
        _ id: ObjectID, _ type: git_object_t, _ operation: @autoclosure () -> String, _ read: (UnsafeRawBufferPointer) -> Value
    ) throws(GitError) -> Value {
        let object = try self.object(id, type, operation())
        let bytes = UnsafeRawBufferPointer(
            start: git_odb_object_data(object.pointer), count: git_odb_object_size(object.pointer))
        return read(bytes)
    }

    func object(_ id: ObjectID, _ type: git_object_t, _ operation: @autoclosure () -> String) throws(GitError) -> Owned {
        var raw = id.raw
        let object: Owned
        do { object = try own(operation(), git_odb_object_free) { git_odb_read(&$0, objects, &raw) } } catch {
            throw promised(error)
        }
        guard git_odb_object_type(object.pointer) == type else {
            let name = git_object_type2string(type).map { String(cString: $0) } ?? "object"
            throw GitError(.invalid, "it is no \(name)", operation: operation())
        }
        return object
    }

    /// A missing object's failure, said otherwise in a partial clone: its packs are marked. It isn't asked for here, which
    /// would run the programs that the configuration names.
    private func promised(_ error: GitError) -> GitError {
        guard error.kind == .notFound,
            FileSystem.names(in: commonDirectory + "/objects/pack").contains(where: { $0.hasSuffix(".promisor") })
        else { return error }
        return GitError(.promised, "this partial clone has left it with its remote", operation: error.operation)
    }
}
