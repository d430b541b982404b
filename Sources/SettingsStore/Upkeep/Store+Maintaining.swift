import Files
import Git
package import SettingsModel

/// How a store is kept, and whether something is due.
package struct Upkeep: Sendable {
    private var storage: ObjectStorage

    init(_ storage: ObjectStorage) {
        self.storage = storage
    }

    /// About how many objects lie in a file of their own.
    package var loose: Int { storage.loose }
    package var packs: Int { storage.packs }
    package var packedBytes: Int { storage.packedBytes }
    package var hasCommitGraph: Bool { storage.hasCommitGraph }

    /// Loose objects from which on packing is due: 16 KB of disk and four files a version become half a KB.
    static let looseLimit = 2048
    /// Packs from which on they are made one.
    static let packLimit = 50

    package var isDue: Bool { storage.loose >= Upkeep.looseLimit || storage.packs >= Upkeep.packLimit }

    /// As people read it.
    package var words: String {
        let size = packedBytes < 1 << 20 ? "\(packedBytes >> 10) KB" : "\(packedBytes >> 20) MB"
        let packs = self.packs == 1 ? "1 pack" : "\(self.packs) packs"
        let loose = self.loose == 0 ? "few" : "about \(self.loose)"
        return "\(packs) of \(size), \(loose) loose objects, \(hasCommitGraph ? "a" : "no") commit-graph"
    }
}

extension Store {
    package var upkeep: Upkeep { Upkeep(repository.objectStorage()) }

    /// The lock of whoever maintains the store; nil where somebody else does already. Writers don't wait for it.
    package func takeUpkeepLock() throws(Problem) -> UpkeepLock? {
        // Work trees share their objects.
        let own =
            repository.gitDirectory == repository.commonDirectory ? try ownFolder() : repository.commonDirectory + "/settings"
        let shared = repository.sharedMode
        if (try? Folder.make(own)) != nil { shared.apply(to: own) }
        guard let lock = try Lock.take(own + "/maintain", .exclusive, patience: 0, shared: shared) else { return nil }
        repository.removeUnfinishedPacks()
        return UpkeepLock(lock)
    }

    /// Packs what lies loose and writes a commit-graph, by libgit2 alone: for machines without git, whose packs are
    /// smaller. Nothing is pruned. Returns how many objects were packed. `progress`: so many of so many.
    package func maintain(progress: (Int, Int) -> Void) throws(Problem) -> Int {
        try git { () throws(GitError) in
            let count = try repository.packLooseObjects(progress: progress)
            try repository.writeCommitGraph()
            return count
        }
    }

    /// A commit-graph that git makes in a folder of objects which `make` is given.
    package func makeCommitGraph(_ make: (String) throws -> Void) throws {
        try make(try git { () throws(GitError) in try repository.prepareCommitGraph() })
        try git { () throws(GitError) in try repository.placeCommitGraph() }
    }

    /// Before git is let at it: what it would wait for, for ever.
    package func checkForGit() throws(Problem) {
        guard let path = repository.special() else { return }
        throw .file(.isWaitedFor(path))
    }

    /// The folder that git is told to work on.
    package var gitDirectory: String { repository.commonDirectory }
    /// The same with what belongs to this work tree alone: its HEAD and its index.
    package var workGitDirectory: String { repository.gitDirectory.trimmingSlash }
}

/// Held as long as the store is being maintained.
package struct UpkeepLock: ~Copyable {
    private let lock: Lock

    init(_ lock: consuming Lock) {
        self.lock = lock
    }
}
