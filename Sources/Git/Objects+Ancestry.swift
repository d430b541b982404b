package import Base
internal import CGit2

extension Objects {
    /// Whether a commit is in another's history; it is in its own.
    package func isAncestor(_ ancestor: ObjectID, of descendant: ObjectID) throws(GitError) -> Bool {
        if ancestor == descendant { return true }
        if git.isShallow {
            var history = try ShallowHistory(of: self)
            return try history.reach([descendant], in: self).contains(ancestor)
        }
        var (old, new) = (ancestor.raw, descendant.raw)
        return try check("compare the histories of \(ancestor) and \(descendant)", in: git) {
            git_graph_descendant_of(git.pointer, &new, &old)
        } == 1
    }

    /// Whether a shallow clone cuts the histories of `tips` off before they come to any of `bases`: there may be others.
    package func areCutOff(_ tips: [ObjectID], before bases: [ObjectID]) throws(GitError) -> Bool {
        guard git.isShallow else { return false }
        var history = try ShallowHistory(of: self)
        let reached = try history.reach(tips, in: self).subtracting(try history.reach(bases, in: self))
        return try !shallowEdge().isDisjoint(with: reached)
    }

    /// The commits that two histories last had in common: none, one, or several after criss-cross merges.
    package func mergeBases(of one: ObjectID, and other: ObjectID) throws(GitError) -> [ObjectID] {
        if git.isShallow {
            var history = try ShallowHistory(of: self)
            return try history.mergeBases(of: one, and: other, in: self)
        }
        var (first, second) = (one.raw, other.raw)
        var bases = git_oidarray()
        defer { git_oidarray_dispose(&bases) }
        let found = try finds("compare the histories of \(one) and \(other)", in: git) {
            git_merge_bases(&bases, git.pointer, &first, &second)
        }
        return found ? UnsafeBufferPointer(start: bases.ids, count: bases.count).map { ObjectID($0) } : []
    }
}
