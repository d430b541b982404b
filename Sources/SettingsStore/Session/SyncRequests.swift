package import SettingsModel

/// Exchanges versions of the branch that is checked out with another repository.
package struct SyncAction: Action {
    package var wish: SyncWish
    package var program: NetworkProgram

    package init(_ wish: SyncWish, by program: NetworkProgram) {
        self.wish = wish
        self.program = program
    }

    package func perform(in session: Session, _ done: Done) throws(Problem) -> SyncReport {
        let store = try session.store
        try session.takeBackExpired(done)
        return try store.syncing.sync(wish, by: program, done, session.clock)
    }
}

/// The names of remotes.
package struct RemoteNamesQuery: Query {
    package init() {}

    package func answer(in session: Session) throws(Problem) -> [String] { try Remotes(session.store.versions).names }
}

/// The remotes that are named, each once, or all; none where the branch's own is meant. Throws for one that doesn't exist.
package struct RemotesToSync: Query, Sendable {
    package var words: [String]
    package var all: Bool

    package init(words: [String] = [], all: Bool = false) { (self.words, self.all) = (words, all) }

    package func answer(in session: Session) throws(Problem) -> [String] {
        let remotes = try Remotes(session.store.versions)
        if all, remotes.names.isEmpty { throw .sync(.noRemote) }
        var found: [String] = []
        // What the branch's own remote has is in force before that of the others.
        let own = all ? try? remotes.remote(nil, for: try session.store.versions.branch ?? "main").name : nil
        let names = (own.map { [$0] } ?? []) + remotes.names
        for word in all ? names : words where !found.contains(word) {
            _ = try remotes.remote(word, for: "main")
            found.append(word)
        }
        return found
    }
}
