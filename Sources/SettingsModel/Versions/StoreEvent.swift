/// Something that happened to a store while it was followed.
package enum StoreEvent: Sendable {
    /// With what the version changed since the one before it on the way from the last one seen: after a merge, what it brought
    /// in, too.
    case recorded(Version, VersionChanges)
    case rewritten(Rewriting)
}

/// HEAD came to a version that doesn't build on the last one seen: after a reset, a rebase, a checkout of another branch.
package struct Rewriting: Sendable {
    package var from: VersionID
    package var to: VersionID
    /// In short; nil where HEAD is detached.
    package var branch: String?
    /// What differs between the two; nil where the old version isn't in the repository any more.
    package var changes: VersionChanges?

    package init(from: VersionID, to: VersionID, branch: String?, changes: VersionChanges?) {
        self.from = from
        self.to = to
        self.branch = branch
        self.changes = changes
    }
}
