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
        session.takeBackExpired(done)
        return try store.syncing.sync(wish, by: program, done, session.clock)
    }
}

/// The names of remotes.
package struct RemoteNamesQuery: Query {
    package init() {}

    package func answer(in session: Session) throws(Problem) -> [String] { try Remotes(session.store.versions).names }
}
