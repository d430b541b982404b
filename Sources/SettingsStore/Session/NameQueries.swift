import Git
package import SettingsModel

/// The names of branches, those of this repository first, then the remote-tracking ones.
package struct BranchNamesQuery: Query {
    package init() {}

    package struct Branch: Hashable, Sendable {
        /// As git's users type it: `main`, `origin/main`.
        package var name: String
        package var isRemote: Bool
    }

    package func answer(in session: Session) throws(Problem) -> [Branch] {
        let references = try session.store.versions.repository.references
        var branches: [Branch] = []
        for (folder, isRemote) in [("refs/heads/", false), ("refs/remotes/", true)] {
            for (name, _) in try git(references.references(matching: folder + "*")) {
                // What a remote repository has checked out is a branch with a name of its own.
                if isRemote, name.hasSuffix("/HEAD") { continue }
                branches.append(Branch(name: String(name.dropFirst(folder.count)), isRemote: isRemote))
            }
        }
        return branches
    }
}

/// The branches of this repository, each with its version. `isCurrent`: the one that is checked out.
package struct BranchesQuery: Query {
    package init() {}

    package func answer(in session: Session) throws(Problem) -> [(name: String, version: Version, isCurrent: Bool)] {
        let store = try session.store
        let current = try store.versions.branch
        return try store.branches.list().map { branch throws(Problem) in
            (branch.name, try store.versions.version(branch.version).at(session.clock), branch.name == current)
        }
    }
}

/// The branch that was checked out before this one.
package struct FormerBranchQuery: Query {
    package init() {}

    package func answer(in session: Session) throws(Problem) -> String { try session.store.branches.former() }
}

/// Whether a version is on a branch of this repository.
package struct IsOnBranchQuery: Query {
    package var version: VersionID

    package init(_ version: VersionID) { self.version = version }

    package func answer(in session: Session) throws(Problem) -> Bool {
        let store = try session.store
        for (_, tip) in try store.branches.list() {
            if tip == version { return true }
            if try git(store.versions.repository.objects.isAncestor(version, of: tip)) { return true }
        }
        return false
    }
}

/// The newest versions that may have changed something of the store, without their changes.
package struct RecentVersionsQuery: Query {
    package var limit: Int
    /// No more commits are looked at.
    package var examined: Int

    package init(limit: Int, examining examined: Int) {
        self.limit = limit
        self.examined = examined
    }

    package func answer(in session: Session) throws(Problem) -> [Version] {
        let store = try session.store
        guard let head = try store.versions.head.commit else { return [] }
        let everything = Places([])
        var walk = try git(store.versions.repository.objects.history(of: head))
        var found: [Version] = []
        for _ in 0..<examined where found.count < limit {
            guard let step = try git(walk.next(in: store.versions.repository.objects)) else { break }
            try store.versions.countOne()
            if !step.isBoundary, !step.isMerge, try !store.history.mayChange(step, everything) { continue }
            found.append(try store.versions.version(step.commit.id))
        }
        return found
    }
}
