/// A commit's id.
package typealias VersionID = ObjectID

/// A recorded commit: author, time, changes, reason and requesters.
package struct Version: Hashable, Sendable {
    package let id: VersionID
    package let parents: [VersionID]
    package let author: Person
    package let committer: Person
    /// When it was recorded (the committer's time).
    package let time: Time
    package var message: VersionMessage
    /// What it renamed, whether its message says so or its files.
    package let renames: [VersionMessage.Rename]
    /// The versions that its message names.
    package var named: NamedVersions

    package init(
        id: VersionID, parents: [VersionID], author: Person, committer: Person, time: Time, message: VersionMessage,
        renames: [VersionMessage.Rename]? = nil, named: NamedVersions = NamedVersions()
    ) {
        self.id = id
        self.parents = parents
        self.author = author
        self.committer = committer
        self.time = time
        self.message = message
        self.renames = renames ?? message.renames
        self.named = named
    }

    package var isMerge: Bool { parents.count > 1 }

    /// Whether it reverts a version that isn't in its history, or none that it may have reverted.
    package var hasUnknownReverts: Bool {
        message.reverts.contains { named.unknown.contains($0) || named.refused.contains($0) }
    }
}

/// The changes of a version, and the files of it that couldn't be read.
package struct VersionChanges: Sendable {
    package var changes: [Change]
    package var unreadable: [Unreadable]
    /// What it decided, whether or not that changed anything.
    package var decisions: [Decision] = []
    /// What the versions changed that it confirms, extends or takes back, if it changes no file itself.
    package var confirmed: [Subject] = []

    package init(changes: [Change], unreadable: [Unreadable] = []) {
        self.changes = changes
        self.unreadable = unreadable
    }

    package var isEmpty: Bool { changes.isEmpty && unreadable.isEmpty && decisions.isEmpty && confirmed.isEmpty }

    package struct Unreadable: Hashable, Sendable {
        package var path: String
        package var problem: Problem

        package init(path: String, _ problem: Problem) {
            self.path = path
            self.problem = problem
        }

        /// Whether `version` has the file, as opposed to an earlier one that it is compared with.
        package func isUnreadable(in version: VersionID) -> Bool {
            guard case .file(.unreadable(_, _, let other?)) = problem else { return true }
            return other == version
        }
    }
}
