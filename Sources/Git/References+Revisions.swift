package import Base
internal import CGit2

extension References {
    /// The commit that a revision names, as `git rev-parse` reads it: an id or its beginning, a reference, `HEAD~2`.
    package func resolve(_ revision: String) throws(GitError) -> ObjectID {
        let operation = "find '\(revision)'"
        try refuseZeroByte(in: revision, operation)
        if let (start, count) = Self.generations(revision) { return try ancestor(try resolve(start), count, operation) }
        let full = try expanded(revision, operation)
        let object = try own(operation, git_object_free, in: git) { git_revparse_single(&$0, git.pointer, full) }
        let commit = try own(operation, git_object_free, in: git) { git_object_peel(&$0, object.pointer, GIT_OBJECT_COMMIT) }
        guard let id = git_object_id(commit.pointer) else {
            throw GitError(.invalid, "it is not a commit", operation: operation)
        }
        return ObjectID(id.pointee)
    }

    /// The branch that was checked out before the present one, by HEAD's reflog; nil where it says nothing, or where no branch of
    /// that name is left.
    package func formerBranch() throws(GitError) -> String? {
        let operation = "read the reflog of HEAD"
        var (object, reference): (OpaquePointer?, OpaquePointer?)
        guard try finds(operation, { git_revparse_ext(&object, &reference, git.pointer, "@{-1}") }) else { return nil }
        defer {
            git_object_free(object)
            git_reference_free(reference)
        }
        return reference.flatMap(git_reference_name).map { String(cString: $0) }
    }

    /// Takes `~N` off a revision's end; nil where it doesn't end so, or searches for a text that may.
    private static func generations(_ revision: String) -> (start: String, count: Int)? {
        guard let sign = revision.lastIndex(of: "~"), sign != revision.startIndex, !revision.contains(":"),
            let count = Int(revision[revision.index(after: sign)...]), count >= 0
        else { return nil }
        return (String(revision[..<sign]), count)
    }

    /// Along first parents. libgit2 would compare each commit on the way with its id.
    private func ancestor(_ id: ObjectID, _ count: Int, _ operation: String) throws(GitError) -> ObjectID {
        var id = id
        for _ in 0..<count {
            guard let parent = try objects.header(id).parents.first else {
                throw GitError(.notFound, "its history is not so long", operation: operation)
            }
            id = parent
        }
        return id
    }

    /// A revision with the beginning of an id at its front made whole. By itself libgit2 reads every object that it might
    /// mean with its own reader of loose objects, which up to 1.9 does not return from a damaged one (issue 7342).
    private func expanded(_ revision: String, _ operation: String) throws(GitError) -> String {
        let beginning = revision.prefix { $0.isASCII && $0.isHexDigit }
        let rest = revision[beginning.endIndex...]
        guard (4..<40).contains(beginning.count), rest.isEmpty || rest.hasPrefix("~") || rest.hasPrefix("^") else {
            return revision
        }
        let name = String(beginning)
        let named = try ownIfFound(operation, git_reference_free) { git_reference_dwim(&$0, git.pointer, name) }
        if named != nil { return revision }
        let padded = name + String(repeating: "0", count: 40 - name.utf8.count)
        guard var raw = ObjectID(hex: padded)?.raw else { return revision }
        let id = try id(operation, in: git) { git_odb_exists_prefix(&$0, git.database, &raw, name.utf8.count) }
        return id.hex + rest
    }
}
