import Git
import SettingsModel

extension Storage {
    init(_ storage: ObjectStorage) {
        self.init(
            loose: storage.loose, packs: storage.packs, packedBytes: storage.packedBytes, hasCommitGraph: storage.hasCommitGraph)
    }
}
