/// Something that happened to a store while it was followed.
package enum StoreEvent: Sendable {
    /// With what the version changed since the one before it on the way from the last one seen: after a merge, what it brought
    /// in, too.
    case recorded(Version, VersionChanges)
    case rewritten(Rewriting)

    /// What is the last version since.
    package var id: VersionID {
        switch self {
        case .recorded(let version, _): version.id
        case .rewritten(let rewriting): rewriting.to
        }
    }

    /// The files that can't be read since.
    package var unreadable: [VersionChanges.Unreadable] {
        switch self {
        case .recorded(_, let changes): changes.unreadable
        case .rewritten(let rewriting): rewriting.changes?.unreadable ?? []
        }
    }
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
