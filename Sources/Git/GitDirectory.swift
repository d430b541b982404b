package import Files
internal import CGit2
internal import CGitObjects

/// A git directory that is open: libgit2's handles, where things lie, and locks. It belongs to one thread at a time.
package final class GitDirectory {
    private let handle: Owned
    private let objects: Owned
    private let durable: Bool
    /// It goes through long histories and writes nothing: see `Repository.open`.
    let readsOnly: Bool
    /// Belongs to the database of objects.
    let batch: UnsafeMutablePointer<settings_batch>
    /// Of the packs that were written from it.
    var keepFiles: [KeepFile] = []
    let trees = TreeCache()
    private var knownSharedMode: SharedMode?

    var pointer: OpaquePointer { handle.pointer }
    var database: OpaquePointer { objects.pointer }

    init(
        _ handle: consuming Owned, _ objects: consuming Owned, _ batch: UnsafeMutablePointer<settings_batch>, durable: Bool,
        readsOnly: Bool
    ) {
        self.handle = handle
        self.objects = objects
        self.batch = batch
        self.durable = durable
        self.readsOnly = readsOnly
    }

    /// Syncs what libgit2 does not.
    func sync(_ paths: String...) throws(GitError) {
        guard durable else { return }
        for path in paths { try system(FileSystem.sync(path)) }
    }

    /// What the configuration says of others' access, looked up when the first file is made.
    package var sharedMode: SharedMode {
        if let knownSharedMode { return knownSharedMode }
        let mode = SharedMode((try? RepositoryConfiguration(git: self).configured("core.sharedRepository")) ?? nil)
        knownSharedMode = mode
        return mode
    }

    var objectFolder: String { commonDirectory + "/objects" }

    /// Looks for packs that others have put there.
    func refreshObjects() throws(GitError) { try check("look for packs") { git_odb_refresh(database) } }

    /// Throws `.damagedIndex` for a pack or an index that libgit2 passes over, so that its objects are missing.
    /// `git repack` may be putting a pack in the place of one of the same name, and its index next: so it looks twice.
    package func checkPacks() throws(GitError) {
        do throws(GitError) { try PackIndexes.checkWhole(in: objectFolder) } catch {
            ThisProcess.pause(100_000)
            try PackIndexes.checkWhole(in: objectFolder)
        }
    }

    /// The names in a folder; none where it can't be read.
    func names(in folder: String) -> [String] { ((try? FileSystem.entries(of: folder)) ?? []).map(\.name) }

    /// What somebody began in this repository and has not ended.
    package enum Operation: Hashable, Sendable {
        case none, merge, revert, cherryPick, bisect, rebase, applyMailbox
    }

    /// The work tree's own git directory, without a slash at the end.
    package var gitDirectory: String { path(git_repository_path(pointer)) ?? "" }

    /// The git directory that all work trees share.
    package var commonDirectory: String { path(git_repository_commondir(pointer)) ?? gitDirectory }

    /// The work tree's root; nil in a bare repository.
    package var workDirectory: String? { path(git_repository_workdir(pointer)) }

    package var isBare: Bool { git_repository_is_bare(pointer) == 1 }

    package var isShallow: Bool { git_repository_is_shallow(pointer) == 1 }

    /// Whether a remote kept some objects back: git marks the packs of a partial clone.
    package var isPartial: Bool { names(in: commonDirectory + "/objects/pack").contains { $0.hasSuffix(".promisor") } }

    /// As libgit2 has it, which takes what it can't look at for missing (all versions; not reported).
    package var operation: Operation {
        get throws(GitError) {
            for (name, operation) in Self.operations where try system(FileSystem.isThere("\(gitDirectory)/\(name)")) {
                return operation
            }
            return .none
        }
    }

    private static let operations: [(name: String, operation: Operation)] = [
        ("rebase-merge", .rebase), ("rebase-apply/rebasing", .rebase), ("rebase-apply", .applyMailbox), ("MERGE_HEAD", .merge),
        ("REVERT_HEAD", .revert), ("CHERRY_PICK_HEAD", .cherryPick), ("BISECT_LOG", .bisect),
    ]

    private func path(_ text: UnsafePointer<CChar>?) -> String? {
        text.map { FileSystem.trimmed(String(cString: $0)) }
    }
}
