/// What a name already means as a revision.
package enum NameMeaning: Hashable, Sendable {
    case time, gitsOwn, reference, beginningOfID, branch
    case version(VersionID)
}

/// Why a branch can't be created, deleted or checked out.
package enum BranchProblem: Hashable, Sendable {
    /// With what the name means already; nil where git allows no such name.
    case invalid(String, NameMeaning?)
    case isThere(String)
    /// With the names of all branches, and a remote-tracking branch of that name.
    case isMissing(String, near: [String], all: [String], remote: String?)
    /// No branch was checked out before this one, or it was deleted. With the names of all branches.
    case hasNoFormer(all: [String])
    /// In this work tree, or in the one that git keeps in this folder.
    case isCheckedOut(String, in: String?)
    /// Its versions are neither in the branch that is checked out nor in its upstream.
    case isNotMerged(String)
    /// Switching would change files that belong neither to the store nor to what it keeps in step.
    case hasOtherFiles(String, String)

    package var kind: Problem.Kind {
        switch self {
        case .invalid: .usage
        case .isMissing, .hasNoFormer: .missing
        case .isThere, .isCheckedOut, .isNotMerged, .hasOtherFiles: .conflict
        }
    }
}
