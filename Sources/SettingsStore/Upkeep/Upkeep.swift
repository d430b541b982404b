import Files
import Git
package import SettingsModel

/// Checks a store and keeps it small and fast.
package final class Upkeep {
    let versions: Versions
    let journal: Journal
    let workTree: WorkTree
    let history: History

    init(_ versions: Versions, _ journal: Journal, _ workTree: WorkTree, _ history: History) {
        self.versions = versions
        self.journal = journal
        self.workTree = workTree
        self.history = history
    }

    package var storage: Storage { Storage(versions.repository.packs.objectStorage()) }

    /// The lock of whoever maintains the store; nil where somebody else does already. Writers don't wait for it.
    package func takeLock() throws(Problem) -> UpkeepLock? {
        // Work trees share their objects.
        let own =
            versions.repository.git.gitDirectory == versions.repository.git.commonDirectory
            ? try journal.ownFolder() : OwnFiles(in: versions.repository.git.commonDirectory).folder
        let shared = versions.repository.git.sharedMode
        try? Folder.make(own, withThoseAbove: false, shared: shared)
        guard let lock = try Lock.take(own + "/maintain", .exclusive, patience: 0, shared: shared) else { return nil }
        versions.repository.packs.removeUnfinishedPacks()
        return UpkeepLock(lock)
    }

    /// Packs what lies loose and writes a commit-graph, by libgit2 alone: for machines without git, whose packs are
    /// smaller. Nothing is pruned. Returns how many objects were packed. `progress`: so many of so many.
    package func maintain(progress: (Int, Int) -> Void) throws(Problem) -> Int {
        try git { () throws(GitError) in
            let count = try versions.repository.packs.packLooseObjects(progress: progress)
            try versions.repository.packs.writeCommitGraph()
            return count
        }
    }

    /// A commit-graph that git makes in a folder of objects which `make` is given.
    package func makeCommitGraph(_ make: (String) throws -> Void) throws {
        try make(try git { () throws(GitError) in try versions.repository.packs.prepareCommitGraph() })
        try git { () throws(GitError) in try versions.repository.packs.placeCommitGraph() }
    }

    /// Before git is let at it: what it would wait for, for ever.
    package func checkForGit() throws(Problem) {
        guard let path = versions.repository.packs.special() else { return }
        throw .file(.isWaitedFor(path))
    }

    /// The folder that git is told to work on.
    package var gitDirectory: String { versions.repository.git.commonDirectory }
    /// The same with what belongs to this work tree alone: its HEAD and its index.
    package var workGitDirectory: String { versions.repository.git.gitDirectory }
}

/// Held as long as the store is being maintained.
package struct UpkeepLock: ~Copyable {
    private let lock: Lock

    init(_ lock: consuming Lock) {
        self.lock = lock
    }
}
