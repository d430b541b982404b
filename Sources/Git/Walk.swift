package import Base
internal import CGit2

/// Commits of a history, one after the other: `while let id = try walk.next()`. Its repository must outlive it.
package struct Walk: ~Copyable {
    package enum Order: Hashable, Sendable {
        /// As `git log` has it: newest first by committer time, no commit before the child that led to it, the first ones
        /// at once.
        case time
        /// No commit before its children, else newest first.
        case topological
    }

    private let handle: Owned
    /// What is left of a shallow history, the next one last; nil where libgit2 walks.
    private var rest: [ObjectID]?

    init(_ handle: consuming Owned, rest: [ObjectID]? = nil) {
        self.handle = handle
        self.rest = rest
    }

    /// The next commit; nil at the end.
    package mutating func next() throws(GitError) -> ObjectID? {
        if rest != nil { return rest?.popLast() }
        var raw = git_oid()
        let code = git_revwalk_next(&raw, handle.pointer)
        if code == GIT_ITEROVER.rawValue { return nil }
        try check("walk the history") { code }
        return ObjectID(raw)
    }
}

extension Objects {
    /// The commits that are in the history of any of `from` and of none of `hiding`.
    package func commits(
        from starts: [ObjectID], hiding: [ObjectID] = [], order: Walk.Order = .time, firstParentOnly: Bool = false
    ) throws(GitError) -> Walk {
        let operation = "walk the history"
        let walk = try own(operation, git_revwalk_free) { git_revwalk_new(&$0, git.pointer) }
        if git.isShallow {
            var history = try ShallowHistory(of: self)
            let ids = try history.reach(starts, firstParentOnly: firstParentOnly, in: self)
            let hidden = try history.reach(hiding, in: self)
            return Walk(walk, rest: history.sorted(ids.subtracting(hidden)).reversed())
        }
        let sorting = order == .time ? GIT_SORT_NONE.rawValue : GIT_SORT_TOPOLOGICAL.rawValue | GIT_SORT_TIME.rawValue
        try check(operation) { git_revwalk_sorting(walk.pointer, sorting) }
        if firstParentOnly { try check(operation) { git_revwalk_simplify_first_parent(walk.pointer) } }
        for id in starts {
            var raw = id.raw
            try check("walk the history of \(id)", in: git) { git_revwalk_push(walk.pointer, &raw) }
        }
        for id in hiding {
            var raw = id.raw
            try check("walk the history without that of \(id)", in: git) { git_revwalk_hide(walk.pointer, &raw) }
        }
        return Walk(walk)
    }
}
