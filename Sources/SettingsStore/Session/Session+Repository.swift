import Files
package import SettingsModel

/// The state of a store's repository, as far as git's own commands made it.
package struct RepositoryQuery: Query {
    package init() {}

    package struct Answer: Sendable {
        /// Whether versions are recorded on no branch.
        package var isDetached: Bool
        /// What git is in the middle of, such as `merge` or `rebase`.
        package var operation: String?
        /// The store's folder in the repository; empty for its root.
        package var folder: String
    }

    package func answer(in session: Session) throws(Problem) -> Answer {
        let versions = try session.store.versions
        return Answer(
            isDetached: try versions.branch == nil, operation: try versions.operation, folder: versions.folderInRepository)
    }
}

extension Session {
    /// What becomes of `text` in a file of this process's own, at the path that `edit` is given; nil if it is unchanged or the
    /// file has vanished. The file is gone afterwards.
    package func edited(_ text: String, in name: String, by edit: (_ path: String) throws -> Void) throws -> String? {
        let journal = try store.journal
        let file = try EditedFile.make(
            name, text, in: try journal.ownFolder(), shared: journal.versions.repository.git.sharedMode)
        try edit(file.path)
        let edited = try file.text()
        return edited == text ? nil : edited
    }

    /// Keeps a reason that could not be recorded, in place of the one that was kept last. Returns the path of its file.
    package func keep(reason: String) throws(Problem) -> String {
        let journal = try store.journal
        let path = "\(try journal.ownFolder())/reason"
        let shared = journal.versions.repository.git.sharedMode
        try forWriting(FileSystem.replace(path, with: Array((reason + "\n").utf8), .fast, shared))
        return path
    }

    /// What `git fsck` finds, run by `run` in the git directory that it is given; nil where that is nothing.
    package func fsck(
        by run: (_ gitDirectory: String) -> (status: Int32?, output: String, errors: String)
    ) throws(Problem) -> Finding? {
        let upkeep = try store.upkeep
        try upkeep.checkForGit()
        let (status, output, errors) = run(upkeep.workGitDirectory)
        return try upkeep.finding(ofFsck: output + errors, status)
    }

    /// What a partial clone lacks, as `git rev-list --objects --missing=print` lists it for `run`; nil where nothing is.
    package func promisedObjects(
        by run: (_ gitDirectory: String) -> (status: Int32?, output: String, errors: String)
    ) throws(Problem) -> Finding? {
        let store = try store
        guard store.versions.repository.git.isPartial else { return nil }
        let (status, output, _) = run(store.upkeep.workGitDirectory)
        let missing = output.split(separator: "\n").filter { $0.hasPrefix("?") }.map { String($0.dropFirst()) }
        guard status == 0, !missing.isEmpty else { return nil }
        return Finding(path: ".git", .objectsArePromised(missing.count, Array(missing.prefix(3))))
    }

    /// Opens the store's repository, which else waits until it is needed.
    package func open() throws(Problem) { _ = try store }
}
