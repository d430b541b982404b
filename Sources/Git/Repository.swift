import Files
internal import CGit2
internal import CGitObjects

/// An open repository, by what it consists of. It belongs to one thread at a time.
package struct Repository: ~Copyable {
    package let git: GitDirectory
    package let objects: Objects
    package let references: References
    package let index: Index
    package let configuration: RepositoryConfiguration
    package let packs: Packs

    private init(_ git: GitDirectory) {
        self.git = git
        objects = Objects(git: git)
        configuration = RepositoryConfiguration(git: git)
        references = References(git: git, objects: objects, configuration: configuration)
        index = Index(git: git, objects: objects, references: references)
        packs = Packs(git: git, configuration: configuration)
    }

    /// Opens the repository of this work tree's root, or this git directory; does not look above it.
    ///
    /// `sudoUser` is whose repositories root may use besides its own. `durable` syncs everything that is written.
    /// `readsOnly` makes it faster to go through a long history: objects are neither kept in memory nor compared with their ids.
    package static func open(
        at path: String, sudoUser: UInt32? = nil, durable: Bool = true, readsOnly: Bool = false
    ) throws(GitError) -> Repository {
        let trace = Trace.begin()
        try Library.start()
        let operation = "open the repository \(path)"
        try refuseZeroByte(in: path, operation)
        try checkFiles(at: path)
        let handle = try own(operation, git_repository_free) {
            git_repository_open_ext(&$0, path, GIT_REPOSITORY_OPEN_NO_SEARCH.rawValue, nil)
        }
        let repository = try around(handle, durable: durable, readsOnly: readsOnly, operation)
        try repository.checkOwner(sudoUser: sudoUser)
        if let trace {
            let packs = repository.git.names(in: repository.git.objectFolder + "/pack").count { $0.hasSuffix(".pack") }
            trace.end("opened the repository \(path), \(packs) packs")
        }
        return repository
    }

    private static func around(
        _ handle: consuming Owned, durable: Bool, readsOnly: Bool, _ operation: String
    ) throws(GitError) -> Repository {
        let pointer = handle.pointer
        try replaceFiles(of: pointer)
        if let own = try Configuration.of(pointer).level(GIT_CONFIG_LEVEL_LOCAL),
            let format = try own.value("extensions.objectformat"),
            format.lowercased() != "sha1"
        {
            throw GitError(.otherFormat, "extensions.objectformat is \(format)", operation: operation)
        }
        let database = try own(operation, git_odb_free) { git_repository_odb(&$0, pointer) }
        var batch: UnsafeMutablePointer<settings_batch>?
        let objects = database.pointer
        try check(operation) { settings_batch_add(&batch, objects, Library.batchPriority) }
        guard let batch else { throw GitError(.other, "out of memory", operation: operation) }
        let git = GitDirectory(handle, database, batch, durable: durable, readsOnly: readsOnly)
        try check(operation) { settings_batch_locate(batch, git.objectFolder) }
        try check(operation) { settings_loose_add(git.database, git.objectFolder, Library.loosePriority) }
        try Library.incoming?.add(to: git)
        return Repository(git)
    }

    /// The repository's configuration is read once, and then is libgit2's as well.
    private static func replaceFiles(of repository: OpaquePointer) throws(GitError) {
        guard Library.environment.files != (nil, nil) else { return }
        let handle = try own("read the configuration", git_config_free) { git_repository_config(&$0, repository) }
        try Configuration.replaceFiles(of: handle.pointer)
    }

    /// The git directory of the repository that this path lies in, if any. As git does, it looks no further up than the
    /// root of the file system that the path is on.
    package static func discover(from path: String) throws(GitError) -> String? {
        try Library.start()
        try refuseZeroByte(in: path, "look for a repository")
        return try text("look for a repository above \(path)") { git_repository_discover(&$0, path, 0, nil) }
            .map(FileSystem.trimmed)
    }
}
