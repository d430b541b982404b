/// How a store is kept, and whether something is due.
package struct Storage: Sendable {
    /// About how many objects lie in a file of their own.
    package var loose: Int
    package var packs: Int
    package var packedBytes: Int
    package var hasCommitGraph: Bool

    package init(loose: Int, packs: Int, packedBytes: Int, hasCommitGraph: Bool) {
        self.loose = loose
        self.packs = packs
        self.packedBytes = packedBytes
        self.hasCommitGraph = hasCommitGraph
    }

    /// Loose objects from which on packing is due: 16 KB of disk and four files a version become half a KB.
    static let looseLimit = 2048
    /// Packs from which on they are made one.
    static let packLimit = 50

    package var isDue: Bool { loose >= Self.looseLimit || packs >= Self.packLimit }

    /// What was done about it.
    package enum Work: Hashable, Sendable {
        case nothingIsDue
        case onlyIndex
        case packedByGit
        /// So many objects, by libgit2.
        case packed(Int)
    }
}
