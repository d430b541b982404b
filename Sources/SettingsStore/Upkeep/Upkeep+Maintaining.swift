import Files
import Git
import SettingsModel

/// Packs the history. Other processes can write meanwhile.
extension Upkeep {
    /// Does `work` while nobody else maintains the store, `git gc` included; nil where somebody does already. Writers don't wait for
    /// it.
    func underLock<Result>(_ work: () throws(Problem) -> Result) throws(Problem) -> Result? {
        // Work trees share their objects.
        let git = versions.repository.git
        let own = OwnFiles(in: git.commonDirectory)
        if git.gitDirectory == git.commonDirectory {
            _ = try journal.ownFolder()
        } else {
            try? Folder.make(own.folder, withThoseAbove: false, shared: git.sharedMode)
        }
        let lock = try forWriting(Lock.take(own.path("maintain"), .exclusive, patience: 0, shared: git.sharedMode))
        guard let lock else { return nil }
        defer { withExtendedLifetime(lock) {} }
        guard let gitLock = try forWriting(UpkeepLock.take(in: git, own: own.path("gc"))) else { return nil }
        defer { withExtendedLifetime(gitLock) {} }
        versions.repository.packs.removeUnfinishedPacks()
        return try work()
    }

    /// Packs what lies loose and writes a commit-graph, by libgit2 alone: for machines without git, whose packs are
    /// smaller. Nothing is pruned. Returns how many objects were packed. `progress`: so many of so many.
    func pack(progress: (Int, Int) -> Void) throws(Problem) -> Int {
        let count = try git(versions.repository.packs.packLooseObjects(progress: progress))
        try git(versions.repository.packs.writeCommitGraph())
        return count
    }

    /// The same by git itself, whose packs are the smallest. `isWhole`: everything into one pack; otherwise only as much as is
    /// worthwhile. Unreferenced objects are kept.
    func pack(isWhole: Bool, by runGit: Maintenance.RunGit, progress: (String) -> Void) throws(Problem) {
        try checkForGit()
        let directory = versions.repository.git.commonDirectory
        func run(_ words: [String], _ variables: [String: String] = [:]) throws(Problem) {
            progress(words[0])
            // libgit2 reads only a commit-graph of generation version 1, in one file (not reported).
            let configuration = ["core.fsync=all", "commitGraph.generationVersion=1"]
            guard runGit(words, directory, configuration, variables) == 0 else {
                try git(versions.repository.git.checkPacks())
                throw .repository(.gitFailed(words, directory: directory))
            }
        }
        // Without -n it would write info/refs, into whatever folder a link in the place of info leads to.
        try run(
            isWhole ? ["repack", "-a", "-d", "-k", "-l", "-n", "-q"] : ["repack", "--geometric=2", "-d", "-l", "-n", "-q"])
        let folder = try git(versions.repository.packs.prepareCommitGraph())
        try run(
            ["commit-graph", "write", "--reachable", "--changed-paths", "--no-progress"], ["GIT_OBJECT_DIRECTORY": folder])
        try git(versions.repository.packs.placeCommitGraph())
    }
}
