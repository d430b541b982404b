/// A commit's id.
package typealias VersionID = ObjectID

/// Settings that were recorded by one Done: who, when, what, why, asked for by whom.
package struct Version: Hashable, Sendable {
    package let id: VersionID
    package let parents: [VersionID]
    package let author: Person
    package let committer: Person
    /// When it was recorded (the committer's time).
    package let time: Time
    package let message: VersionMessage

    package init(
        id: VersionID, parents: [VersionID], author: Person, committer: Person, time: Time, message: VersionMessage
    ) {
        self.id = id
        self.parents = parents
        self.author = author
        self.committer = committer
        self.time = time
        self.message = message
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
        package var problem: Problem

        package init(path: String, _ problem: Problem) {
            self.path = path
            self.problem = problem
        }
    }
}
