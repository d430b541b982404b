internal import CGit2
internal import Synchronization

/// libgit2 as a whole: started once, never shut down.
package enum Library {
    /// Starts libgit2. Opening a repository does it too; here is the place to do it early.
    package static func start() throws(GitError) { try started.get() }

    private static let started = Result { () throws(GitError) in
        try check("start libgit2") { git_libgit2_init() }
        // libgit2 before 1.6 does not honour `safe.directory=*` (issue 6391) and reports a foreign owner as "not found" (pull
        // request 6408): Repository+Owner checks.
        try check("set up libgit2") { settings_git_set_owner_validation(0) }
        // Repositories that git of today makes with these are no others to who adds commits: `config.worktree` says nothing
        // that is asked for here, a clone may lack objects, and none are ever removed. Of the formats of objects, opening a
        // repository refuses all but SHA-1.
        let extensions = ["objectformat", "partialclone", "preciousobjects", "worktreeconfig"]
        try check("set up libgit2") {
            var names = extensions.map { UnsafePointer<CChar>(strdup($0)) }
            defer { for name in names { free(UnsafeMutablePointer(mutating: name)) } }
            return settings_git_set_extensions(&names, names.count)
        }
        // 2 and 1 otherwise: room for our own reader of loose objects between the packs' and libgit2's.
        try check("set up libgit2") { settings_git_set_packed_priority(packPriority) }
        try check("set up libgit2") { settings_git_set_mapped_limit(mappedLimit) }
        try check("set up libgit2") { settings_git_set_cache_limit(cacheLimit) }
        // The option is the process's, so that no repository can do without. What is written often is not written by libgit2.
        try check("set up libgit2") { settings_git_enable_fsync(1) }
        // `Configuration.replaceFiles` replaces the others; where the user's is looked for is also where `~/` leads.
        if environment.files.machine != nil { try search(in: "", [GIT_CONFIG_LEVEL_PROGRAMDATA]) }
        if environment.files.user != nil { try search(in: "", [GIT_CONFIG_LEVEL_XDG]) }
    }

    /// The version that this was built with, without asking libgit2.
    package static var version: String { LIBGIT2_VERSION }

    /// How much of packs is mapped into memory at once, in bytes.
    private static let mappedLimit = 128 << 20

    /// How much of objects that were read is kept, in bytes; 256 MiB otherwise, of which a walk through 100,000 commits takes 40.
    private static let cacheLimit = 8 << 20

    static let batchPriority: Int32 = 4
    private static let packPriority: Int32 = 3
    static let loosePriority: Int32 = 2

    /// Looks for the user's and the system's configuration in these folders only.
    package static func searchConfiguration(in folders: [String]) throws(GitError) {
        try start()
        try search(in: folders.joined(separator: ":"), Configuration.userLevels)
        searchFolders.withLock { $0 = folders }
    }

    private static func search(in path: String, _ levels: [git_config_level_t]) throws(GitError) {
        for level in levels {
            try check("set up libgit2") { settings_git_set_search_path(level.rawValue, path) }
        }
    }

    private static let searchFolders = Mutex<[String]?>(nil)

    private static let user = Mutex<(home: String, git: String)?>(nil)

    /// Tells where the user's `.gitconfig` lies and the user's folder of git's, by what HOME and XDG_CONFIG_HOME say.
    package static func lookForUser(home: String?, configuration: String?) {
        func filled(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
        guard let home = filled(home) ?? filled(configuration) else { return }
        let git = (filled(configuration) ?? home + "/.config") + "/git"
        user.withLock { $0 = (home, git) }
    }

    private static let given = Mutex(EnvironmentConfiguration.none)

    /// What the environment says of git's configuration. It is set before libgit2 is started.
    package static var environment: EnvironmentConfiguration {
        get { given.withLock { $0 } }
        set { given.withLock { $0 = newValue } }
    }

    private static let pushed = Mutex(IncomingObjects?.none)

    /// What the environment says of the objects of a push. It is set before a repository is opened.
    package static var incoming: IncomingObjects? {
        get { pushed.withLock { $0 } }
        set { pushed.withLock { $0 = newValue } }
    }

    /// Where the user's `.gitconfig` lies, and the user's folder of git's.
    static var userFolders: [(home: String, git: String)] {
        if let folders = searchFolders.withLock({ $0 }) { return folders.map { ($0, $0) } }
        return user.withLock { $0 }.map { [$0] } ?? []
    }

    /// The machine's configuration and the user's, the strongest last.
    static var configurationFiles: [String] {
        let (machine, user) = environment.files
        return (machine.map { [$0] } ?? (searchFolders.withLock { $0 } ?? ["/etc"]).map { $0 + "/gitconfig" })
            + (user.map { [$0] } ?? userFolders.flatMap { [$0.git + "/config", $0.home + "/.gitconfig"] })
    }
}
