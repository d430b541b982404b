/// What a pull, a push or both did.
package struct SyncReport: Sendable {
    /// The remote's name, or its address without a password.
    package var remote: String
    package var branch: String
    package var incoming = Versions()
    package var outgoing = Versions()
    /// Commits that changed no settings.
    package var otherIncoming = OtherCommits()
    package var otherOutgoing = OtherCommits()
    /// Versions here that the remote doesn't have yet, and commits that changed no settings.
    package var waiting = 0
    package var otherWaiting = 0
    /// Whether the remote is a bundle, which nothing can be sent to.
    package var isBundle = false
    /// The conflicts that were left open now, or came in.
    package var questions: [Question] = []
    /// The conflicts that a version which moved has resolved.
    package var resolved: [Resolution] = []
    package var tags = Tags()
    /// So many versions were dropped here, because the remote has lost them, and what keeps them.
    package var dropped: (count: Int, reference: String)?
    /// Hand edits that now stand on newer versions.
    package var redrafted: [Subject] = []
    package var tries = 1
    /// Whether the files have the content of the version that the branch is at.
    package var filesAreInStep = true

    package init(remote: String, branch: String) {
        self.remote = remote
        self.branch = branch
    }

    /// Versions that moved in one direction, without merges that decided nothing.
    package struct Versions: Sendable {
        /// The newest ones, oldest first.
        package var shown: [(version: Version, changes: VersionChanges)] = []
        package var count = 0

        package init() {}

        package mutating func add(_ later: Versions) {
            shown += later.shown
            count += later.count
        }
    }

    /// Commits that moved in one direction and changed no settings: other files, or how a file is formatted.
    package struct OtherCommits: Sendable {
        /// The newest ones, oldest first.
        package var shown: [OtherCommit] = []
        package var count = 0

        package init() {}

        package mutating func add(_ later: OtherCommits) {
            shown += later.shown
            count += later.count
        }
    }

    package struct OtherCommit: Sendable {
        package var version: Version
        /// The first of the files that it touched, by their paths in the repository, and how many there are.
        package var files: [String]
        package var fileCount: Int

        package init(_ version: Version, files: [String], fileCount: Int) {
            (self.version, self.files, self.fileCount) = (version, files, fileCount)
        }
    }

    package struct Question: Sendable {
        package var conflict: Conflict
        package var origin: ConflictOrigin
        /// What is in force until it is resolved.
        package var inForce: Change.Content?

        package var id: VersionMessage.Question { VersionMessage.Question(conflict.subject, conflict.facet) }

        package init(_ conflict: Conflict, _ origin: ConflictOrigin, inForce: Change.Content?) {
            self.conflict = conflict
            self.origin = origin
            self.inForce = inForce
        }
    }

    /// A conflict that was open, and is no longer.
    package struct Resolution: Sendable {
        package var conflict: Conflict
        package var inForce: Change.Content?
        /// What resolved it.
        package var version: Version

        package init(_ conflict: Conflict, inForce: Change.Content?, by version: Version) {
            (self.conflict, self.inForce, self.version) = (conflict, inForce, version)
        }

        /// Whether an open conflict is about what this decided.
        package func isContradicted(by question: Question) -> Bool {
            let (subject, facet) = (question.conflict.subject, question.conflict.facet)
            if subject == conflict.subject { return [.existence, conflict.facet].contains(facet) }
            if facet == .key, conflict.facet == .key { return !question.conflict.names.isDisjoint(with: conflict.names) }
            // It has another name on the side that kept it.
            let sides = [question.origin.ours, question.origin.theirs]
            return conflict.facet == .key && facet == .existence && sides.contains { $0?.id == version.id }
        }
    }

    package struct Tags: Hashable, Sendable {
        package var incoming: [String] = []
        package var outgoing: [String] = []
        /// These name another version here than there.
        package var different: [String] = []
        /// Whether there are more new ones than are taken in at once.
        package var hasMore = false

        package init() {}

        package var isEmpty: Bool { incoming.isEmpty && outgoing.isEmpty && different.isEmpty }
    }

    /// What a later exchange with the same remote did, too.
    package mutating func add(_ later: SyncReport) {
        incoming.add(later.incoming)
        outgoing.add(later.outgoing)
        otherIncoming.add(later.otherIncoming)
        otherOutgoing.add(later.otherOutgoing)
        (waiting, otherWaiting, tries) = (later.waiting, later.otherWaiting, tries + later.tries)
        questions += later.questions
        resolved += later.resolved
        redrafted += later.redrafted
        dropped = later.dropped ?? dropped
        tags.incoming += later.tags.incoming
        tags.outgoing += later.tags.outgoing
        tags.different = later.tags.different
        tags.hasMore = later.tags.hasMore
    }

    /// Whether nothing moved.
    package var isEmpty: Bool {
        !hasIncoming && dropped == nil && outgoing.count == 0 && otherOutgoing.count == 0 && questions.isEmpty
            && tags.outgoing.isEmpty
    }

    /// Whether anything came in.
    package var hasIncoming: Bool { incoming.count > 0 || otherIncoming.count > 0 || !tags.incoming.isEmpty }
}
