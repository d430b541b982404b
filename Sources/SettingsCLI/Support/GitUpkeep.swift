import Files
import SettingsStore

/// Upkeep by git itself, whose packs are the smallest.
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
            let program = ThisProcess.programFolder.map({ "\($0)/settings" })
        else { return }
        let words = [program, "maintain", "--auto", "--quiet", "--store", store.folder.path]
        _ = Child.silent(program, words, ThisProcess.variables, detached: true)
    }
}
