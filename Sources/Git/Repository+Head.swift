internal import CGit2

/// Where HEAD points.
package struct Head: Hashable, Sendable {
    /// The branch's full name (`refs/heads/main`); nil when HEAD is detached.
    package let branch: String?
    /// Nil on a branch without a commit.
    package let commit: ObjectID?

    /// The reference that a new commit moves.
    var reference: String { branch ?? "HEAD" }
}

extension Repository {
    package func head() throws(GitError) -> Head {
        let head = try unresolvedHead()
        guard let branch = head.branch else { return head }
        return Head(branch: branch, commit: try reference(named: branch))
    }

    /// The commit only where HEAD is detached.
    func unresolvedHead() throws(GitError) -> Head {
        let operation = "read HEAD"
        let head = try own(operation, git_reference_free) { git_reference_lookup(&$0, pointer, "HEAD") }
        if let target = git_reference_symbolic_target(head.pointer) {
            return Head(branch: String(cString: target), commit: nil)
        }
        guard let target = git_reference_target(head.pointer) else {
            throw GitError(.corrupt, "it points nowhere", operation: operation)
        }
        return Head(branch: nil, commit: ObjectID(target.pointee))
    }
}
