package import Git
package import SettingsModel

/// A commit's id.
package typealias VersionID = ObjectID

/// Settings that were recorded by one Done: who, when, what, why, asked for by whom.
package struct Version: Sendable {
    package let id: VersionID
    package let parents: [VersionID]
    package let author: Person
    package let committer: Person
    /// When it was recorded (the committer's time).
    package let time: Time
    package let message: VersionMessage

    init(_ commit: Commit) {
        id = commit.id
        parents = commit.parents
        author = commit.author.person
        committer = commit.committer.person
        time = commit.committer.when
        message = VersionMessage(commit.message)
    }

    package var isMerge: Bool { parents.count > 1 }
}

/// What a version changed, and what of it couldn't be read.
package struct VersionChanges: Sendable {
    package var changes: [Change]
    package var unreadable: [Unreadable]

    package init(changes: [Change], unreadable: [Unreadable] = []) {
        self.changes = changes
        self.unreadable = unreadable
    }

    package struct Unreadable: Hashable, Sendable {
        package var path: String
        package var reason: String
    }
}
