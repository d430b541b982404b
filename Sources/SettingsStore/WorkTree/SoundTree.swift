// The last version that was found without faults, so that `settings status` needn't read each of its files again: as many as
// there are options, and all of them zlib's. It lies beside the history's index and is a cache: it may be deleted at any time.
//
//     sound-1                   of the store at the repository's root
//     sound-1-<16 digits>       of a store in a folder of it, as with the index
//
//     settings sound 1
//     <id>                      the tree of the store's folder in that version
//     <16 digits>               a checksum of the lines above
//
// What counts as a fault is part of the format's number.

import Git
import SettingsModel

struct SoundTree {
    private let versions: Versions
    private let journal: Journal

    init(_ versions: Versions, _ journal: Journal) {
        self.versions = versions
        self.journal = journal
    }

    private var cache: CacheFile { CacheFile("sound-1", magic: "settings sound 1", versions, journal) }
    var path: String { cache.path }

    /// The tree that was found sound; nil where none was, or the file is damaged.
    func read() -> ObjectID? {
        guard let lines = cache.read(), lines.count == 1 else { return nil }
        return ObjectID(hex: lines[0])
    }

    /// The faults of the last version in `places`, but for those of the subjects `known`.
    func faults(at tip: Snapshot, in places: [Key], besides known: Set<Subject>) throws(Problem) -> Versions.RecordedFaults {
        guard let tree = try git(tip.folder) else { return Versions.RecordedFaults() }
        let sound = read()
        if sound == tree { return Versions.RecordedFaults() }
        let changed = try sound.flatMap { sound throws(Problem) in try changes(from: sound, to: tree) }
        var count = 0
        let faults = try versions.recordedFaults(at: tip) { subject in
            guard changed?.contains(subject) ?? true, subject.lies(in: places), !known.contains(subject) else { return false }
            count += 1
            return true
        }
        // Not with each Done: few changes are read as fast as the file is written.
        if faults.isEmpty, places.isEmpty, known.isEmpty, count > Snapshot.manyFiles { cache.write([tree.hex]) }
        return faults
    }

    /// Whether the file names a version that has faults.
    func isWrong() throws(Problem) -> Bool {
        guard let sound = read(), let tip = try? versions.tip(), try git(tip.folder) == sound else { return false }
        return try !versions.recordedFaults(at: tip) { _ in true }.isEmpty
    }

    /// What differs between two trees of the store's folder; nil where the older one is there no more.
    private func changes(from old: ObjectID, to new: ObjectID) throws(Problem) -> Set<Subject>? {
        guard try git(versions.repository.objects.exists(old)) else { return nil }
        return Set(try git(versions.repository.objects.differences(from: old, to: new)).compactMap { Subject(path: $0.path) })
    }
}
