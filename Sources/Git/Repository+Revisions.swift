internal import CGit2

extension Repository {
    /// The commit that a revision names, as `git rev-parse` reads it: an id or its beginning, a reference, `HEAD~2`.
    package func resolve(_ revision: String) throws(GitError) -> ObjectID {
        let operation = "find ‘\(revision)’"
        try refuseZeroByte(in: revision, operation)
        let object = try own(operation, git_object_free) { git_revparse_single(&$0, pointer, revision) }
        let commit = try own(operation, git_object_free) { git_object_peel(&$0, object.pointer, GIT_OBJECT_COMMIT) }
        guard let id = git_object_id(commit.pointer) else {
            throw GitError(.invalid, "it is no commit", operation: operation)
        }
        return ObjectID(id.pointee)
    }

    /// Whether a commit is in another's history; it is in its own.
    package func isAncestor(_ ancestor: ObjectID, of descendant: ObjectID) throws(GitError) -> Bool {
        if ancestor == descendant { return true }
        var (old, new) = (ancestor.raw, descendant.raw)
        return try check("compare the histories of \(ancestor) and \(descendant)") {
            git_graph_descendant_of(pointer, &new, &old)
        } == 1
    }

    /// The commits that two histories last had in common: none, one, or several after criss-cross merges.
    package func mergeBases(of one: ObjectID, and other: ObjectID) throws(GitError) -> [ObjectID] {
        var (first, second) = (one.raw, other.raw)
        var bases = git_oidarray()
        defer { git_oidarray_dispose(&bases) }
        let found = try finds("compare the histories of \(one) and \(other)") {
            git_merge_bases(&bases, pointer, &first, &second)
        }
        return found ? UnsafeBufferPointer(start: bases.ids, count: bases.count).map { ObjectID($0) } : []
    }
}
