import Git
import SettingsModel

/// How a store is kept, and whether something is due.
package struct Storage: Sendable {
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

    package var isDue: Bool { storage.loose >= Self.looseLimit || storage.packs >= Self.packLimit }

    /// As people read it.
    package var words: String {
        let size = packedBytes < 1 << 20 ? "\(packedBytes >> 10) KB" : "\(packedBytes >> 20) MB"
        let packs = self.packs == 0 ? "no packs" : self.packs == 1 ? "1 pack of \(size)" : "\(self.packs) packs of \(size)"
        let loose = self.loose == 0 ? "few" : "about \(self.loose)"
        return "\(packs), \(loose) loose objects, \(hasCommitGraph ? "a" : "no") commit-graph"
    }
}
