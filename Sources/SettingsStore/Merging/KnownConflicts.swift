// What merges left open, so that `status` counts it without a walk through the history. It lies beside the history's index and is
// a cache: it may be deleted at any time.
//
//     conflicts-1                 of the store at the repository's root
//     conflicts-1-<16 digits>     of a store in a folder of it, as with the index
//
//     settings conflicts 1
//     <id>                        the last version that was looked at
//     open <path>                 for each conflict that was open then: the file that it is about, under its name of then
//     resolved <path>             the others that merges had left open: a later version may open them again
//     <16 digits>                 a checksum of the lines above
//
// Like the index it is written beside its place and renamed, and nothing waits for the disk.

import Git
package import SettingsModel

/// The conflicts that merges up to a version left open.
struct KnownConflicts: Equatable {
    var tip: VersionID
    var open: [Subject] = []
    var resolved: Set<Subject> = []
}

final class ConflictCache {
    private let file: CacheFile

    init(_ versions: Versions, _ journal: Journal) {
        file = CacheFile("conflicts-1", magic: "settings conflicts 1", versions, journal)
    }

    var path: String { file.path }

    /// Nil where there is no such file, or it is damaged.
    func read() -> KnownConflicts? {
        guard let lines = file.read(), let first = lines.first, let tip = VersionID(hex: first) else { return nil }
        var known = KnownConflicts(tip: tip)
        for line in lines.dropFirst() {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard words.count == 2, let subject = Subject(path: words[1]) else { return nil }
            switch words[0] {
            case "open": known.open.append(subject)
            case "resolved": known.resolved.insert(subject)
            default: return nil
            }
        }
        return known
    }

    func write(_ known: KnownConflicts) {
        let resolved = known.resolved.sorted().map { "resolved \($0.path)" }
        file.write([known.tip.hex] + known.open.map { "open \($0.path)" } + resolved)
    }
}

extension Merging {
    /// After so many versions the cache is written again.
    private static let writingLimit = 16

    /// How many versions may have to be looked at, once for each merge that left something open: 50 ms of work.
    private static let waitingLimit = 5000

    /// How many conflicts are open; nil where that takes a walk through a long history.
    package func openConflictCount() throws(Problem) -> Int? {
        guard let tip = try versions.head.commit else { return 0 }
        // A shallow clone may get versions that it hadn't.
        if versions.isShallow { return try isShort(from: tip) ? openConflicts().count : nil }
        if let count = try cachedConflictCount(at: tip) { return count }
        return try isNear(tip) ? openConflicts().count : nil
    }

    /// What the cache says; nil where that may have changed since.
    func cachedConflictCount(at tip: VersionID) throws(Problem) -> Int? {
        guard var known = conflictCache.read(), let newer = try versions.newerVersions(leaving: known, upTo: tip)
        else { return nil }
        if newer >= Self.writingLimit {
            known.tip = tip
            conflictCache.write(known)
        }
        return known.open.count
    }

    /// Whether merges that left something open are so near that all behind them can be looked at.
    private func isShort(from tip: VersionID) throws(Problem) -> Bool {
        var walk = try git(versions.repository.objects.commits(from: [tip], order: .topological))
        for _ in 0..<Self.waitingLimit where try versions.next(&walk) == nil { return true }
        return false
    }

    private func isNear(_ tip: VersionID) throws(Problem) -> Bool {
        guard let index = history.cache.index() else { return false }
        var count = 0
        for number in index.otherParents().keys.sorted(by: >) {
            if try versions.version(index.id(number)).message.conflicts.isEmpty { continue }
            count += index.count - number
            if count > Self.waitingLimit { return false }
        }
        return true
    }
}

extension Versions {
    private static let words = ["conflict:", "resolves:", "renamed:", "undoes:", "redoes:", "reverts:", "via:"].map {
        Array($0.utf8)
    }
    private static let (opening, resolving, renaming) = (UInt16(1), UInt16(2), UInt16(4))
    private static let (undoing, recording) = (UInt16(8 | 16 | 32), UInt16(64))

    /// How many versions came after those of `known`, if none of them opened or resolved a conflict; nil where one may have, and
    /// where the history is another one.
    fileprivate func newerVersions(leaving known: KnownConflicts, upTo tip: VersionID) throws(Problem) -> Int? {
        if known.tip == tip { return 0 }
        let objects = repository.objects
        var count = 0
        // Nearly always a straight line.
        var id = tip
        while count < 256 {
            let commit = try git(objects.header(id, noticing: Self.words))
            guard commit.parents.count == 1 else { break }
            if try mayAffect(known, commit) { return nil }
            count += 1
            id = commit.parents[0]
            if id == known.tip { return count }
        }
        guard (try? objects.exists(known.tip)) == true,
            try git(objects.isAncestor(known.tip, of: tip))
        else { return nil }
        count = 0
        var walk = try git(objects.commits(from: [tip], hiding: [known.tip]))
        while let id = try next(&walk) {
            count += 1
            let commit = try git(objects.header(id, noticing: Self.words))
            if try mayAffect(known, commit) { return nil }
        }
        return count
    }

    private func mayAffect(_ known: KnownConflicts, _ commit: CommitHeader) throws(Problem) -> Bool {
        if commit.noticed & Self.opening != 0 { return true }
        let all = known.resolved.union(known.open)
        if all.isEmpty { return false }
        if commit.noticed & Self.resolving != 0 { return true }
        if try touches(known.open, commit) { return true }
        if commit.noticed & (Self.renaming | Self.undoing) == 0, commit.noticed & Self.recording != 0 { return false }
        let version = try version(commit.id)
        let renames = version.renames
        if all.contains(where: { subject in renames.contains { subject.renamed(from: $0.old, to: $0.new) != subject } }) {
            return true
        }
        if commit.noticed & Self.undoing != 0, try touches(all, commit) { return true }
        // What was settled is open again where that is taken back.
        for id in version.named.undoes + version.named.redoes + version.named.reverts {
            let named = try git(repository.objects.header(id, noticing: Self.words))
            // What is named may take something back itself.
            if named.noticed & (Self.resolving | Self.undoing) != 0 { return true }
            if try touches(all, named) { return true }
        }
        return false
    }

    /// Whether a version changed one of these files; a merge, other than all that it was made from.
    private func touches(_ subjects: some Sequence<Subject>, _ commit: CommitHeader) throws(Problem) -> Bool {
        var parents: [ObjectID] = []
        for id in commit.parents { parents.append(try git(repository.objects.header(id).tree)) }
        if parents.contains(commit.tree) { return false }
        for subject in subjects {
            let path = repositoryPath(subject)
            let new = try git(repository.objects.entry(at: path, in: commit.tree))?.id
            var isNew = parents.isEmpty ? new != nil : true
            for tree in parents where isNew {
                isNew = try git(repository.objects.entry(at: path, in: tree))?.id != new
            }
            if isNew { return true }
        }
        return false
    }
}
