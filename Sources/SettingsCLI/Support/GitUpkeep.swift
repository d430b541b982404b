import SettingsStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Maintenance by git itself, whose packs are the smallest.
struct GitUpkeep {
    private let git: GitProgram

    /// Nil if git is not installed.
    init?(environment: Environment) {
        guard let git = GitProgram(environment: environment) else { return nil }
        self.git = git
    }

    /// `whole`: repacks everything into one pack; otherwise only as much as is worthwhile. Unreferenced objects are kept.
    func run(on store: Store, whole: Bool, progress: (String) -> Void) throws {
        try store.upkeep.checkForGit()
        let directory = store.upkeep.gitDirectory
        func run(_ words: [String], _ variables: [String: String] = [:]) throws {
            progress("git \(words[0]) …")
            // libgit2 reads only a commit-graph of generation version 1, in one file (not reported).
            let configuration = ["core.fsync=all", "commitGraph.generationVersion=1"]
            guard git.run(words, in: directory, configuration: configuration, variables: variables) == 0 else {
                throw Failure(
                    .cannotWrite, "git \(words[0]) failed in \(directory)",
                    hint: "nothing is lost; 'git --git-dir=\(directory) \(words.joined(separator: " "))' says why")
            }
        }
        try run(whole ? ["repack", "-a", "-d", "-k", "-l", "-q"] : ["repack", "--geometric=2", "-d", "-l", "-q"])
        try store.upkeep.makeCommitGraph { folder in
            try run(
                ["commit-graph", "write", "--reachable", "--changed-paths", "--no-progress"],
                ["GIT_OBJECT_DIRECTORY": folder])
        }
    }

    /// Starts `settings maintain --auto` in the background if it is due.
    static func startIfDue(_ session: Session, _ environment: Environment) {
        if let store = try? session.store, store.upkeep.storage.isDue { start(store, environment) }
    }

    /// Starts it as well after a query that had to walk the history because there is no index.
    static func startIfIndexIsMissing(_ session: Session, _ environment: Environment) {
        if let store = try? session.store, store.history.cache.missedIndex { start(store, environment) }
    }

    private static func start(_ store: Store, _ environment: Environment) {
        guard store.versions.configured("gc.auto").flatMap({ Int($0) }) != 0,
            let program = Environment.programFolder.map({ "\($0)/settings" })
        else { return }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (descriptor, mode) in [(STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY), (STDERR_FILENO, O_WRONLY)] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", mode, 0)
        }
        let words = [program, "maintain", "--auto", "--quiet", "--store", store.folder.path]
        _ = Child.spawn(program, words, environment.variables, &actions, detached: true)
    }
}

/// A child process.
enum Child {
    #if os(Linux)
        /// glibc's POSIX_SPAWN_SETSID, which is declared only under _GNU_SOURCE.
        private static let newSession: Int16 = 0x80
    #else
        private static let newSession = Int16(POSIX_SPAWN_SETSID)
    #endif

    /// `detached`: in its own session, so that it outlives the terminal.
    static func spawn(
        _ program: String, _ words: [String], _ variables: [String: String],
        _ actions: UnsafePointer<posix_spawn_file_actions_t>?, detached: Bool
    ) -> pid_t? {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        if detached { posix_spawnattr_setflags(&attributes, newSession) }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var entries: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer {
            for word in arguments { free(word) }
            for entry in entries { free(entry) }
        }
        var process = pid_t()
        return posix_spawn(&process, program, actions, &attributes, &arguments, &entries) == 0 ? process : nil
    }
}
