import Files
import SettingsFormats
package import SettingsModel
import SettingsStore
import Synchronization

/// A store that is opened when it is needed, and closed a while later, however much is asked: what git packs and removes meanwhile
/// isn't held open, nor what was read of a long history held in memory.
struct OpenStore {
    private let make: () -> Session
    private var session: Session?
    private var opened = ContinuousClock.now

    /// For how long it stays open.
    static let rest = Duration.seconds(60)

    init(
        _ folder: StoreFolder, by caller: Caller, readsOnly: Bool, _ clock: @escaping @Sendable () -> Clock,
        deadline: Deadline = Deadline()
    ) {
        make = {
            let session = Session(
                folder, by: caller, now: clock, readsOnly: readsOnly,
                // Whoever waits for the lock, or walks through a long history, may want it no longer.
                Session.Reporting(progress: { _ in !Task.isCancelled && !deadline.hasPassed }))
            session.formats = TrackedFormats()
            session.personalFiles = Self.personalFiles
            return session
        }
    }

    private static var personalFiles: PersonalFiles {
        func folder(_ name: String, _ end: String) -> String? {
            ThisProcess.variable(name).flatMap { $0.hasPrefix("/") ? $0 + end : nil }
        }
        return PersonalFiles(folder: folder("XDG_CONFIG_HOME", "/settings") ?? folder("HOME", "/.config/settings"))
    }

    mutating func use() -> Session {
        if let session { return session }
        opened = .now
        let session = make()
        self.session = session
        return session
    }

    /// Closes it if it is time to. Returns how long until then; nil where it is closed.
    mutating func close(after rest: Duration = Self.rest) -> Duration? {
        guard session != nil else { return nil }
        let left = rest - (.now - opened)
        if left > .zero { return left }
        session = nil
        ThisProcess.returnMemory()
        return nil
    }
}

/// Until when an answer is wanted.
final class Deadline: Sendable {
    private let end = Mutex<ContinuousClock.Instant?>(nil)

    var hasPassed: Bool { end.withLock { $0.map { $0 <= .now } ?? false } }

    /// Nil: for ever.
    func set(in limit: Duration?) { end.withLock { $0 = limit.map { .now + $0 } } }
}

/// Reads a store on a thread of its own: nothing waits there for those who write.
actor StoreReader {
    private let thread: ServiceThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private var store: OpenStore
    private let deadline = Deadline()
    private var watcher: Watcher?
    private var drafts: DraftWatcher?
    private var draft: (head: VersionID?, draft: Draft)?

    init(_ folder: StoreFolder, by caller: Caller, _ clock: @escaping @Sendable () -> Clock) throws(SystemFailure) {
        thread = try ServiceThread()
        store = OpenStore(folder, by: caller, readsOnly: true, clock, deadline: deadline)
        thread.whenIdle { [weak self] _ in
            self?.assumeIsolated { ServiceThread.Wait(atMost: $0.store.close()) } ?? ServiceThread.Wait()
        }
    }

    deinit { thread.end() }

    /// `limit`: what takes longer throws `.interrupted`.
    func ask<Question: Query>(_ question: Question, atMost limit: Duration?) throws(Problem) -> Question.Answer {
        if Task.isCancelled { throw .interrupted }
        deadline.set(in: limit)
        defer { deadline.set(in: nil) }
        return try store.use().ask(question)
    }

    /// What takes longer than `limit` ends with what was found until then.
    func versions(_ query: HistoryQuery, atMost limit: Duration?) throws(Problem) -> FoundVersions {
        if Task.isCancelled { throw .interrupted }
        var found = FoundVersions()
        if let before = query.after { _ = try store.use().ask(RevisionQuery(before.hex)) }
        deadline.set(in: limit)
        defer { deadline.set(in: nil) }
        do throws(Problem) {
            found.isComplete = try store.use().walk(query) { version, changes, tags in
                found.versions.append((version, changes))
                if !tags.isEmpty { found.tags[version.id] = tags }
                return true
            }
        } catch {
            guard case .interrupted = error, deadline.hasPassed, !Task.isCancelled else { throw error }
            found.isInTime = false
        }
        return found
    }

    /// Packs the history if that is due.
    func maintain() {
        let session = store.use()
        guard (try? session.ask(UpkeepQuery.packing)) == true else { return }
        _ = try? session.maintain(Maintenance(isAutomatic: true, runGit: nil) { _ in })
        // It has read all of the history.
        _ = store.close(after: .zero)
    }

    /// What happened since a version; since the beginning for nil.
    func events(since id: VersionID?) throws(Problem) -> Watcher.News {
        if Task.isCancelled { throw .interrupted }
        let watcher = if let watcher { watcher } else { try store.use().watcher(watchesFolders: false) }
        self.watcher = watcher
        return try watcher.changes(since: id)
    }

    /// What was recorded since a version; since the beginning for nil.
    func news(since id: VersionID?) throws(Problem) -> (versions: [SettingsVersion], id: VersionID?, hasMore: Bool) {
        let news = try events(since: id)
        let versions = try news.events.map { event throws(Problem) in
            switch event {
            case .recorded(let version, let changes): return SettingsVersion(version, changes.changes)
            case .rewritten(let rewriting):
                guard let changes = rewriting.changes else { throw .history(.noVersion(rewriting.from.hex)) }
                var version = SettingsVersion(try store.use().ask(RevisionQuery(rewriting.to.hex)), changes.changes)
                version.replaces = rewriting.from.hex
                return version
            }
        }
        return (versions, news.id, news.hasMore)
    }

    /// What the files hold and nobody recorded. They are read again once a file or the last version has changed.
    func draft(at head: VersionID?) throws(Problem) -> Draft {
        let drafts = if let drafts { drafts } else { try store.use().draftWatcher() }
        self.drafts = drafts
        if drafts.takeHint() || draft?.head != head { draft = nil }
        if let draft { return draft.draft }
        let new = try drafts.draft()
        // Where the system tells nothing, nobody says when they are old.
        if drafts.descriptor != nil { draft = (head, new) }
        return new
    }

    func close() {
        (watcher, drafts) = (nil, nil)
        _ = store.close(after: .zero)
    }
}

/// Versions with what they changed, the newest first.
package struct FoundVersions: Sendable {
    package var versions: [(version: Version, changes: VersionChanges)] = []
    /// Of those that have any.
    package var tags: [VersionID: [String]] = [:]
    /// Whether all were found: not where a shallow clone ends.
    package var isComplete = true
    /// Whether the time was enough to look for all of them.
    package var isInTime = true
}
