import Files
import Git
package import SettingsModel

/// Follows a store: what was recorded since a version, each version once and in order, whoever recorded it.
///
/// It calls nobody back. Whoever uses it waits until `descriptor` can be read from, or for as long as is bearable where the
/// system tells nothing (network file systems), and then asks for the `changes(since:)` the last version that was seen. What
/// is read are the commits, never the files. It belongs to one thread.
package final class Watcher {
    package struct News: Sendable {
        package var events: [StoreEvent] = []
        /// What to ask from next time. It is later than the last event where versions changed nothing that is watched.
        package var id: VersionID?
        /// Whether more is known already: then ask again at once.
        package var hasMore = false

        package init(events: [StoreEvent] = [], id: VersionID? = nil) { (self.events, self.id) = (events, id) }
    }

    private let folder: StoreFolder
    private let sudoUser: UInt32?
    /// Reads references only, so that it holds nothing open that git removes.
    private let versions: Versions
    private var watch: FolderWatch?
    /// Why nothing tells of events; nil while something does, and where nothing was to.
    package private(set) var failure: SystemFailure?
    /// Options and groups, by the names that they had so far; everything where there are none.
    private var places: [Key]
    /// The versions that are still to be told, the oldest first, and the version that they build on.
    private var rest: (base: VersionID?, path: ArraySlice<VersionID>) = (nil, [])

    /// Whether versions say what is masked, or was when it was removed.
    package var revealsMasked = false

    /// No more versions are told at once.
    private static let batch = 256

    init(_ folder: StoreFolder, _ places: [Key], sudoUser: UInt32?, watchesFolders: Bool) throws(Problem) {
        self.folder = folder
        self.places = places
        self.sudoUser = sudoUser
        versions = try Versions.open(folder, sudoUser: sudoUser, readsOnly: true)
        guard watchesFolders else { return }
        do { watch = try FolderWatch() } catch { failure = error }
    }

    /// Can be read from once there may be news; it is to be waited for and not to be read. Nil where nothing tells of events.
    package var descriptor: Int32? { watch?.descriptor }

    /// To be called after `descriptor` could be read from: whether there may be news, as opposed to other work in git's folder.
    package func takeHint() -> Bool { watch?.takeEvents() ?? false }

    /// The last version, from when on `descriptor` tells of others.
    package func tip() throws(Problem) -> VersionID? {
        try arm()
        return try versions.head.commit
    }

    /// The branch that versions go to; nil where HEAD is detached.
    package var branch: String? { get throws(Problem) { try versions.branch } }

    /// What has happened since a version was the last one; since the beginning for nil.
    ///
    /// Nothing is told while git is in the middle of a rebase. Throws `.repository(.isGone)` where the store was removed, and
    /// `.history(.hasNoVersion)` where its branch was; after any other problem it can be asked again.
    package func changes(since id: VersionID?) throws(Problem) -> News {
        do throws(Problem) {
            if rest.path.isEmpty || rest.base != id { rest = (id, []) }
            if !rest.path.isEmpty { return try nextNews() }
            try arm()
            if try git(versions.repository.references.isRebasing) { return News(id: id) }
            guard let tip = try versions.head.commit else {
                if id == nil { return News() }
                throw .history(.hasNoVersion)
            }
            return tip == id ? News(id: id) : try news(since: id, until: tip)
        } catch {
            guard (try? versions.repository.references.isGone) == true else { throw error }
            throw .repository(.isGone(folder: folder.path))
        }
    }

    /// Watches the folders where HEAD and its branch are now.
    private func arm() throws(Problem) {
        guard let watch else { return }
        _ = watch.takeEvents()
        // Until a look finds the same folders as the one before: what changes from then on is noticed.
        for _ in 0..<8 {
            let places = try git(versions.repository.references.placesWhereHeadMoves())
            do {
                if try !watch.watch(places) { return }
            } catch {
                failure = error
                self.watch = nil
                return
            }
        }
    }

    private func news(since id: VersionID?, until tip: VersionID) throws(Problem) -> News {
        let history = try freshHistory()
        if let path = try history.path(from: id, to: tip) {
            rest = (id, path[...])
            return try nextNews(history)
        }
        guard let id else { return News(id: tip) }
        let changes = try difference(from: id, to: tip, history)
        follow(changes?.changes ?? [])
        var shown = changes.map(watched)
        if let told = shown { shown = try masked(history)?.masking(told) ?? told }
        let rewriting = Rewriting(from: id, to: tip, branch: try versions.branch, changes: shown)
        return News(events: [.rewritten(rewriting)], id: tip)
    }

    private func nextNews(_ history: History? = nil) throws(Problem) -> News {
        let history = if let history { history } else { try freshHistory() }
        let masked = try masked(history)
        let start = rest.base
        var news = News(id: start)
        for id in rest.path.prefix(Self.batch) {
            do throws(Problem) {
                let version = try history.versions.version(id)
                let changes = try history.changes(of: version, since: news.id, decisionsIn: places)
                follow(changes.changes)
                let (shown, told) = try masked?.masking(version, changes) ?? (version, changes)
                let mattering = watched(told)
                if !mattering.isEmpty { news.events.append(.recorded(shown, mattering)) }
            } catch {
                // First what came before it; nothing is passed over.
                if news.id == start { throw error }
                break
            }
            news.id = id
            rest = (id, rest.path.dropFirst())
        }
        news.hasMore = !rest.path.isEmpty
        return news
    }

    /// What is not told; nil where everything is.
    private func masked(_ history: History) throws(Problem) -> MaskedNames? {
        revealsMasked ? nil : try MaskedNames(history)
    }

    /// Opened anew each time: what git packs or removes meanwhile is not held open, however long this goes on.
    private func freshHistory() throws(Problem) -> History {
        let versions = try Versions.open(folder, sudoUser: sudoUser, readsOnly: true)
        return History(versions, HistoryCache(versions, Journal(versions)))
    }

    /// What is renamed is watched by its new name, too.
    private func follow(_ changes: [Change]) {
        guard !places.isEmpty else { return }
        for (old, new) in changes.compactMap(\.renaming) {
            for name in places.compactMap({ $0.renamed(from: old, to: new) }) where !places.contains(name) { places.append(name) }
        }
    }

    private func watched(_ changes: VersionChanges) -> VersionChanges {
        if places.isEmpty { return changes }
        var changes = changes
        changes.changes = changes.changes.filter { change in
            change.lies(in: places) || change.renaming.map { $0.old.holds(places) } ?? false
        }
        changes.unreadable = changes.unreadable.filter { Subject(path: $0.path)?.lies(in: places) ?? false }
        return changes
    }
}

extension Watcher {
    /// What is watched, as a version has it.
    package struct State: Sendable {
        package var settings: SettingsContent
        package var unreadable: [VersionChanges.Unreadable]
    }

    /// One option as a version has it; nil where there is none, or none that can be read.
    package func option(_ key: Key, at id: VersionID?) throws(Problem) -> SettingsOption? {
        try freshHistory().versions.snapshot(id).readable(.option(key))?.option
    }

    /// Files as a version has them: nil for one that isn't there, the problem for one that can't be read.
    package func items(
        _ subjects: Set<Subject>, at id: VersionID
    ) throws(Problem) -> [Subject: Result<SettingsContent.Item?, Problem>] {
        let snapshot = try freshHistory().versions.snapshot(id)
        var items: [Subject: Result<SettingsContent.Item?, Problem>] = [:]
        for subject in subjects {
            do throws(Problem) { items[subject] = .success(try snapshot.item(subject)) } catch {
                guard error.kind == .badData else { throw error }
                items[subject] = .failure(error)
            }
        }
        return items
    }

    package func state(at id: VersionID) throws(Problem) -> State {
        let snapshot = try freshHistory().versions.snapshot(id)
        var state = State(settings: SettingsContent(), unreadable: [])
        for subject in try snapshot.subjects() where subject.lies(in: places) {
            do throws(Problem) { state.settings[subject] = try snapshot.item(subject) } catch {
                guard error.kind == .badData else { throw error }
                state.unreadable.append(VersionChanges.Unreadable(path: subject.path, error))
            }
        }
        return state
    }

    /// What differs of what is watched between two versions; nil where the old one isn't there any more.
    package func difference(from old: VersionID?, to new: VersionID) throws(Problem) -> VersionChanges? {
        try difference(from: old, to: new, try freshHistory()).map(watched)
    }

    private func difference(
        from old: VersionID?, to new: VersionID, _ history: History
    ) throws(Problem) -> VersionChanges? {
        if let old, try !history.versions.isThere(old) { return nil }
        let versions = history.versions
        return try versions.changes(
            from: try versions.snapshot(old), to: try versions.snapshot(new), renames: try history.renames(from: old, to: new))
    }
}

extension Session {
    /// Follows the store, or some of its options and groups. With `since` they are watched by the names that they have had
    /// from that version on.
    package func watcher(
        _ words: [String] = [], since id: VersionID? = nil, watchesFolders: Bool = true
    ) throws(Problem) -> Watcher {
        var places = try pastPlaces(words)
        if !places.isEmpty, let id {
            for rename in try store.history.renames(from: id, to: try store.versions.tip().id).reversed() {
                for name in places.compactMap({ $0.renamed(from: rename.new, to: rename.old) }) where !places.contains(name) {
                    places.append(name)
                }
            }
        }
        return try Watcher(folder, places, sudoUser: caller.sudoUser, watchesFolders: watchesFolders)
    }
}

extension Key {
    /// What it is called where `old` is called `new`; nil where that is no other name.
    fileprivate func renamed(from old: Subject, to new: Subject) -> Key? {
        if case .group = old { return isWithin(old.key) && !isRoot ? moved(from: old.key, to: new.key) : nil }
        return self == old.key ? new.key : nil
    }
}
