// Which versions wait for being confirmed, so that a command that records one needn't look through the history. It lies beside
// the history's index and is a cache: it may be deleted at any time.
//
//     confirm-1                 of the store at the repository's root
//     confirm-1-<16 digits>     of a store in a folder of it, as with the index
//
//     settings confirm 1
//     <id>                             the last version that was looked at
//     <id> <seconds> <minutes>         for each version that waited then: its deadline and the zone that it is shown in
//     <16 digits>                      a checksum of the lines above
//
// Like the index it is written beside its place and renamed, and nothing waits for the disk: an older file only means that more
// versions are looked at.

import Git
import SettingsModel

final class ConfirmationCache {
    private let file: CacheFile

    init(_ versions: Versions, _ journal: Journal) {
        file = CacheFile("confirm-1", magic: "settings confirm 1", versions, journal)
    }

    var path: String { file.path }

    /// Nil where there is no such file, or it is damaged.
    func read() -> (tip: VersionID, open: OpenConfirmations)? {
        guard let lines = file.read(), let first = lines.first, let tip = VersionID(hex: first) else { return nil }
        var open: OpenConfirmations = [:]
        for line in lines.dropFirst() {
            let words = line.split(separator: " ")
            guard words.count == 3, let id = VersionID(hex: String(words[0])), let seconds = Int64(words[1]),
                let offset = Int(words[2])
            else { return nil }
            open[id] = Time(seconds: seconds, offset: offset)
        }
        return (tip, open)
    }

    func write(_ tip: VersionID, _ open: OpenConfirmations) {
        let waiting = open.sorted { $0.key.hex < $1.key.hex }
        file.write([tip.hex] + waiting.map { "\($0.key.hex) \($0.value.seconds) \($0.value.offset)" })
    }
}
