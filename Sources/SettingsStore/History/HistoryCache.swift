import Files
import Git
import SettingsModel

/// The index of the history (see `HistoryIndex`), kept in a file inside git's folder and brought up to date as it is used.
package final class HistoryCache {
    private let versions: Versions
    private let journal: Journal

    /// Whether questions may be answered from the index.
    var usesIndex = true

    /// How many versions must be new for a file of the index to be written.
    var indexWritingLimit = 64

    /// The same of the files that they touch: one version of a million of them is 3 s of work.
    var touchLimit = 1 << 14

    /// The one that was used last.
    var lastIndex: HistoryIndex?

    /// The last version whose index would have taken too long.
    var unindexedHead: VersionID?

    init(_ versions: Versions, _ journal: Journal) {
        self.versions = versions
        self.journal = journal
    }

    /// How many versions may be looked at to have an index before the first answer: 40 ms of work.
    private static let waitingLimit = 2000

    var indexPath: String { versions.historyIndexPath }

    /// The index of the last version's history, where it can be had at once.
    func index() -> HistoryIndex? { index(limit: Self.waitingLimit) }

    /// Makes the index whole, or brings it up to date, however long that takes. Whatever is in the way: it is only a cache.
    package func buildIndex() { _ = index(limit: .max) }

    /// Whether an index is so far behind that it isn't used, and could be brought up to date.
    package var indexIsDue: Bool {
        guard usesIndex, !versions.isShallow, let own = try? journal.ownFolder(), FileSystem.refusal(toMakeFilesIn: own) == nil
        else {
            return false
        }
        return (try? versions.head.commit) != nil && index() == nil
    }

    /// Whether a question was answered by looking at so many versions that an index is worth its time.
    package var missedIndex: Bool { versions.walked > Self.waitingLimit && lastIndex == nil && indexIsDue }

    private func index(limit: Int) -> HistoryIndex? {
        // Versions of a shallow clone may get parents that they hadn't.
        guard usesIndex, !versions.isShallow, let head = try? versions.head.commit else { return nil }
        if let lastIndex, lastIndex.id(lastIndex.count - 1) == head { return noting(lastIndex) }
        if limit == Self.waitingLimit, unindexedHead == head { return nil }
        guard let base = HistoryColumns.read(indexPath, prefix: versions.prefix) ?? .empty(prefix: versions.prefix) else {
            return nil
        }
        var catchingUp = CatchingUp(base, versions)
        // What can't be read is for those to tell who need it.
        guard let index = try? catchingUp.index(of: head, limit: limit) else {
            unindexedHead = head
            return nil
        }
        let isLongWork = index.newer >= max(indexWritingLimit, index.count >> 12) || index.newTouches >= touchLimit
        if isLongWork { write(index) }
        lastIndex = index
        return noting(index)
    }

    /// What it knows of where the store's folder was is looked up nowhere else.
    private func noting(_ index: HistoryIndex) -> HistoryIndex {
        if versions.origin == nil, versions.formerPrefixes == nil { versions.formerPrefixes = index.formerPrefixes }
        return index
    }

    private func write(_ index: HistoryIndex) {
        guard let own = try? journal.ownFolder(), FileSystem.refusal(toMakeFilesIn: own) == nil else { return }
        TemporaryName.removeLeft(in: own) { $0.hasSuffix(FileSystem.newMark) }
        try? FileSystem.replace(indexPath, with: index.file(), .none, versions.repository.git.sharedMode)
    }
}

extension Versions {
    var historyIndexPath: String { ownFiles.path(ownFileName("history-1")) }
}
