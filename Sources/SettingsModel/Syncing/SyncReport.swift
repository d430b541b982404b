/// What a pull, a push or both did.
package struct SyncReport: Sendable {
    /// The remote's name, or its address without a password.
    package var remote: String
    package var branch: String
    package var incoming = Versions()
    package var outgoing = Versions()
    /// Versions here that the remote doesn't have yet.
    package var waiting = 0
    /// The conflicts that were left open now, or came in.
    package var questions: [Question] = []
    package var tags = Tags()
    /// Hand edits that now stand on newer versions.
    package var redrafted: [Subject] = []
    package var tries = 1

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
    }

    package struct Question: Sendable {
        package var conflict: Conflict
        package var origin: ConflictOrigin
        /// What is in force until it is resolved.
        package var inForce: Change.Content?

        package init(_ conflict: Conflict, _ origin: ConflictOrigin, inForce: Change.Content?) {
            self.conflict = conflict
            self.origin = origin
            self.inForce = inForce
        }
    }

    package struct Tags: Hashable, Sendable {
        package var incoming: [String] = []
        package var outgoing: [String] = []
        /// These name another version here than there.
        package var different: [String] = []

        package init() {}

        package var isEmpty: Bool { incoming.isEmpty && outgoing.isEmpty && different.isEmpty }
    }

    /// What a later exchange with the same remote did, too.
    package mutating func add(_ later: SyncReport) {
        func joined(_ earlier: Versions, _ later: Versions) -> Versions {
            var joined = earlier
            joined.shown += later.shown
            joined.count += later.count
            return joined
        }
        incoming = joined(incoming, later.incoming)
        outgoing = joined(outgoing, later.outgoing)
        (waiting, tries) = (later.waiting, tries + later.tries)
        questions += later.questions
        redrafted += later.redrafted
        tags.incoming += later.tags.incoming
        tags.outgoing += later.tags.outgoing
        tags.different = later.tags.different
    }

    /// Whether nothing moved.
    package var isEmpty: Bool {
        incoming.count == 0 && outgoing.count == 0 && questions.isEmpty && tags.incoming.isEmpty && tags.outgoing.isEmpty
    }
}
