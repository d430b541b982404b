import Files
import SettingsStore

/// Upkeep by git itself, whose packs are the smallest.
struct GitUpkeep {
    private let git: GitProgram

    /// Nil where git isn't installed.
    init?(environment: Environment) {
        guard let git = GitProgram(environment: environment) else { return nil }
        self.git = git
    }

    /// `whole`: everything into one pack; else as much as is worth it. What nothing refers to is kept.
    func run(on store: Store, whole: Bool, progress: (String) -> Void) throws {
        try store.upkeep.checkForGit()
        let directory = store.upkeep.gitDirectory
        func run(_ words: [String], _ variables: [String: String] = [:]) throws {
            progress("git \(words[0]) …")
            // libgit2 reads a commit-graph of the first generation numbers only, in one file (not reported).
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

    /// Starts `settings maintain --auto` beside this program, which doesn't wait for it, where that is due.
    static func startIfDue(_ session: Session, _ environment: Environment) {
        if let store = try? session.store, store.upkeep.storage.isDue { start(store, environment) }
    }

    /// Does so after a question that the history had to be gone through for, because it has no index.
    static func startIfIndexWasMissed(_ session: Session, _ environment: Environment) {
        if let store = try? session.store, store.history.cache.missedIndex { start(store, environment) }
    }

    private static func start(_ store: Store, _ environment: Environment) {
        guard store.versions.configured("gc.auto").flatMap({ Int($0) }) != 0,
            let program = ThisProcess.programFolder.map({ "\($0)/settings" })
        else { return }
        let words = [program, "maintain", "--auto", "--quiet", "--store", store.folder.path]
        _ = Child.silent(program, words, ThisProcess.variables, detached: true)
    }
}
