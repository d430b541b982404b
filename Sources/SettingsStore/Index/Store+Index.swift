import Files
import Git
import SettingsModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension Store {
    /// How many versions may be looked at to have an index before the first answer: 40 ms of work.
    private static let waitingLimit = 2000

    private var indexName: String {
        if prefix.isEmpty { return "history-1" }
        let sum = Array(prefix.utf8).withUnsafeBytes { HistoryFile.checksum(of: $0[...]) }
        let digits = String(sum, radix: 16)
        return "history-1-" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    var indexPath: String { repository.gitDirectory.trimmingSlash + "/settings/" + indexName }

    /// The index of the last version's history, where it can be had at once.
    func index() -> HistoryIndex? { index(limit: Self.waitingLimit) }

    /// Makes the index whole, or brings it up to date, however long that takes. Whatever is in the way: it is only a cache.
    package func buildIndex() { _ = index(limit: .max) }

    /// Whether an index is so far behind that it isn't used, and could be brought up to date.
    package var indexIsDue: Bool {
        guard usesIndex, !isShallow, let own = try? ownFolder(), access(own, W_OK | X_OK) == 0 else { return false }
        return (try? head.commit) != nil && index() == nil
    }

    /// Whether a question was answered by looking at so many versions that an index is worth its time.
    package var missedIndex: Bool { walked > Self.waitingLimit && lastIndex == nil && indexIsDue }

    private func index(limit: Int) -> HistoryIndex? {
        // Versions of a shallow clone may get parents that they hadn't.
        guard usesIndex, !isShallow, let head = try? head.commit else { return nil }
        if let lastIndex, lastIndex.id(lastIndex.count - 1) == head { return lastIndex }
        if limit == Self.waitingLimit, unindexedHead == head { return nil }
        guard let base = HistoryColumns.read(indexPath, prefix: prefix) ?? .empty(prefix: prefix) else { return nil }
        var catchingUp = CatchingUp(base, self)
        // What can't be read is for those to tell who need it.
        guard let index = try? catchingUp.index(of: head, limit: limit) else {
            unindexedHead = head
            return nil
        }
        let isLongWork = index.newer >= max(indexWritingLimit, index.count >> 12) || index.newTouches >= touchLimit
        if isLongWork { write(index) }
        lastIndex = index
        return index
    }

    private func write(_ index: HistoryIndex) {
        guard let own = try? ownFolder(), access(own, W_OK | X_OK) == 0 else { return }
        let temporary = ".new-"
        removeLeft(in: own, beginning: indexName + temporary)
        let new = "\(indexPath)\(temporary)\(getpid())-\(UInt32.random(in: 0 ... .max))"
        do {
            try Folder.create(new, index.file(), .none)
            repository.sharedMode.apply(to: new)
            if rename(new, indexPath) != 0 { unlink(new) }
        } catch {
            unlink(new)
        }
    }

    /// What a process left that ended while it wrote.
    private func removeLeft(in folder: String, beginning: String) {
        guard let names = try? Folder(path: folder).names() else { return }
        for (name, _) in names where name.hasPrefix(beginning) {
            var status = stat()
            let path = "\(folder)/\(name)"
            if lstat(path, &status) == 0, time(nil) - status.changed > 3600 { unlink(path) }
        }
    }
}

extension stat {
    /// Seconds since 1970.
    fileprivate var changed: Int {
        #if canImport(Darwin)
            st_mtimespec.tv_sec
        #else
            st_mtim.tv_sec
        #endif
    }
}
