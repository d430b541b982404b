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

import Files
import Git
import SettingsModel

final class ConfirmationCache {
    private let versions: Versions
    private let journal: Journal

    init(_ versions: Versions, _ journal: Journal) {
        self.versions = versions
        self.journal = journal
    }

    private static let magic = "settings confirm 1"
    private static let sizeLimit = 1 << 20

    private var name: String { versions.ownFileName("confirm-1") }
    var path: String { versions.ownFiles.path(name) }

    /// Nil where there is no such file, or it is damaged.
    func read() -> (tip: VersionID, open: OpenConfirmations)? {
        guard let bytes = (try? FileSystem.bytes(of: path, atMost: Self.sizeLimit)).flatMap({ $0 }), bytes.count < Self.sizeLimit
        else { return nil }
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.popLast() == "", let sum = lines.popLast(), sum == Self.checksum(of: lines), lines.count >= 2,
            lines[0] == Self.magic, let tip = VersionID(hex: String(lines[1]))
        else { return nil }
        var open: OpenConfirmations = [:]
        for line in lines[2...] {
            let words = line.split(separator: " ")
            guard words.count == 3, let id = VersionID(hex: String(words[0])), let seconds = Int64(words[1]),
                let offset = Int(words[2])
            else { return nil }
            open[id] = Time(seconds: seconds, offset: offset)
        }
        return (tip, open)
    }

    func write(_ tip: VersionID, _ open: OpenConfirmations) {
        guard let own = try? journal.ownFolder(), FileSystem.refusal(toMakeFilesIn: own) == nil else { return }
        var lines = [Self.magic, tip.hex]
        lines += open.sorted { $0.key.hex < $1.key.hex }.map { "\($0.key.hex) \($0.value.seconds) \($0.value.offset)" }
        lines.append(Self.checksum(of: lines.map { $0[...] }))
        let new = "\(own)/new-confirm-\(ThisProcess.id)-\(UInt32.random(in: 0 ... .max))"
        do {
            try Folder.create(new, Array((lines.joined(separator: "\n") + "\n").utf8), .none)
            versions.repository.git.sharedMode.apply(to: new)
            try FileSystem.rename(new, to: path)
        } catch {
            try? FileSystem.remove(new)
        }
    }

    private static func checksum(of lines: [Substring]) -> String {
        let sum = Array(lines.joined(separator: "\n").utf8).withUnsafeBytes { HistoryFile.checksum(of: $0[...]) }
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension Versions {
    /// The name of a file that holds something about this store: a repository may hold several.
    func ownFileName(_ name: String) -> String {
        if prefix.isEmpty { return name }
        let sum = Array(prefix.utf8).withUnsafeBytes { HistoryFile.checksum(of: $0[...]) }
        let digits = String(sum, radix: 16)
        return name + "-" + String(repeating: "0", count: 16 - digits.count) + digits
    }
}
