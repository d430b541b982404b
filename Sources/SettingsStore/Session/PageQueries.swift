import Git
package import SettingsModel

/// Everything that pages show, as the files have it.
package struct PagesQuery: Query {
    /// An option or a group as somebody wrote it, to be looked up; nil for everything.
    package var place: String?
    /// The version that was the last one before.
    package var before: VersionID?

    package init(at place: String? = nil, since before: VersionID? = nil) {
        self.place = place
        self.before = before
    }

    package struct Answer: Sendable {
        package var place: Key
        package var settings: SettingsContent
        /// Files that can't be read.
        package var unreadable: [Problem] = []
        /// The last version; nil where there is none.
        package var head: Version?
        /// Files with edits that nobody recorded.
        package var handEdited: Set<Subject>
        /// The branch that is checked out.
        package var branch: String?
        /// Whether the last version continues the one before, which nobody took away.
        package var isContinued = true
        /// What was renamed since the version before, the earliest first.
        package var renames: [VersionMessage.Rename] = []
    }

    package func answer(in session: Session) throws(Problem) -> Answer {
        // A version and its files, not the one without the other.
        try session.readingFiles { _ throws(Problem) in try read(session) }
    }

    private func read(_ session: Session) throws(Problem) -> Answer {
        let store = try session.store
        var head: Version?
        if let id = try store.versions.head.commit { head = try store.versions.version(id) }
        let files = try SettingsQuery(in: place).answer(in: session)
        let draft = try store.workTree.draft()
        var answer = Answer(
            place: files.place, settings: files.settings, unreadable: files.unreadable, head: head,
            handEdited: Set(draft.edited + draft.rewritten), branch: try store.versions.branch)
        if let before, let head, head.id != before {
            answer.isContinued = try git(store.versions.repository.objects.isAncestor(before, of: head.id))
            if answer.isContinued { answer.renames = try renames(from: before, to: head, store.versions) }
        }
        return answer
    }

    /// More versions than this are not recorded between two looks at a store.
    private static let mostVersions = 100

    private func renames(
        from before: VersionID, to head: Version, _ versions: Versions
    ) throws(Problem) -> [VersionMessage.Rename] {
        var version = head
        var found: [VersionMessage.Rename] = []
        for _ in 0..<Self.mostVersions where version.id != before {
            found = version.renames + found
            guard let parent = version.parents.first else { break }
            version = try versions.version(parent)
        }
        return found
    }
}

/// What was renamed between two versions, the earliest first.
package struct RenamesQuery: Query {
    package var start: VersionID
    package var end: VersionID

    package init(from start: VersionID, to end: VersionID) { (self.start, self.end) = (start, end) }

    package func answer(in session: Session) throws(Problem) -> [VersionMessage.Rename] {
        try session.store.history.renames(from: start, to: end)
    }
}

/// What is checked out, cheap enough to ask for several times a second.
package struct HeadQuery: Query {
    package init() {}

    package struct Answer: Hashable, Sendable {
        /// Nil where there is no version yet.
        package var id: VersionID?
        /// Nil where none is.
        package var branch: String?

        package init(_ id: VersionID?, on branch: String?) { (self.id, self.branch) = (id, branch) }
    }

    package func answer(in session: Session) throws(Problem) -> Answer {
        let versions = try session.store.versions
        return Answer(try versions.head.commit, on: try versions.branch)
    }
}

/// The reasons of the latest versions, each once.
package struct ReasonsQuery: Query {
    package var limit: Int

    package init(limit: Int = 20) { self.limit = limit }

    /// So many versions are looked through.
    private static let depth = 200

    package func answer(in session: Session) throws(Problem) -> [String] {
        var reasons: [String] = []
        var count = 0
        try session.store.history.walk { version, _ throws(Problem) in
            count += 1
            if let why = version.message.why, !reasons.contains(why) { reasons.append(why) }
            return count < Self.depth && reasons.count < limit
        }
        return reasons
    }
}
