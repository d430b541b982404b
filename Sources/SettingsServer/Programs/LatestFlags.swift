import Files
import NIOCore
import ServiceLifecycle
import SettingsKit
import SettingsModel
import SettingsStore
import SettingsText
import Synchronization

/// The flags of the last version, made when a version comes in.
final class LatestFlags: Service {
    private let settings: Settings
    private struct State {
        var flags: FlagSet
        /// Who waits for the flags of a version that was recorded a moment ago.
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isOver = false
        /// All options as a document, once somebody asked for it, and of which version.
        var list: (version: VersionID?, bytes: ByteBuffer, tag: EntityTag)?
        /// What follows the sets.
        var follower: AsyncStream<FlagSet>.Continuation?

        /// Nil where they are still being made.
        func flags(of head: VersionID?) -> FlagSet? { isOver || flags.isMade && flags.snapshot.head == head ? flags : nil }
    }
    private let state: Mutex<State>

    /// What came in and was not taken yet. `changed` is nil where everything may be another.
    private struct Pending {
        var snapshot: SettingsSnapshot
        var changed: Set<Key>?
    }
    private let pending = Mutex<(isStarted: Bool, pending: Pending?)>((false, nil))

    init(_ site: Site) {
        settings = site.settings
        let first = FlagSet(SettingsSnapshot(), stream: site.address("/ofrep/v1/stream"))
        state = Mutex(State(flags: first))
    }

    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            let news = settings.arrivals { [self] snapshot, events -> Void? in
                note(snapshot, events)
                return ()
            }
            for await _ in news { await take() }
        }
        let (waiting, follower) = state.withLock { state in
            state.isOver = true
            defer { state.waiting = [] }
            return (state.waiting, state.follower)
        }
        for one in waiting { one.resume() }
        follower?.finish()
    }

    private func note(_ snapshot: SettingsSnapshot, _ events: [StoreEvent]) {
        pending.withLock { state in
            // Nothing led to the first one. Without events, what was recorded has nothing to do with the store.
            var changed: Set<Key>? = state.isStarted ? [] : nil
            for event in events { changed = Self.keys(event).flatMap { keys in changed.map { $0.union(keys) } } }
            if let old = state.pending { changed = old.changed.flatMap { old in changed.map { $0.union(old) } } }
            state = (true, Pending(snapshot: snapshot, changed: changed))
        }
    }

    /// The options that may be other ones since; nil where all may be, or be chosen by somebody else, as after a merge.
    private static func keys(_ event: StoreEvent) -> Set<Key>? {
        guard case .recorded(let version, let changes) = event, version.parents.count < 2 else { return nil }
        var keys: Set<Key> = []
        for change in changes.changes {
            guard case .option(let key) = change.subject, change.facet != .key else {
                // A group that is renamed takes its options with it.
                if change.facet == .key { return nil }
                continue
            }
            keys.insert(key)
        }
        for decision in changes.decisions { keys.insert(decision.subject.key) }
        for file in changes.unreadable { if case .option(let key)? = Subject(path: file.path) { keys.insert(key) } }
        return keys
    }

    private func take() async {
        let arrived = pending.withLock { state in
            defer { state.pending = nil }
            return state.pending
        }
        guard let new = arrived else { return }
        let words = new.changed.map { $0.filter { new.snapshot.options[$0] != nil }.map(\.description) }
        var (blames, isComplete): ([Key: Version?], Bool) = ([:], state.withLock { $0.flags.isComplete })
        // Values are served even where the history can't say who chose them.
        if words?.isEmpty != true,
            let answer = try? await settings.askFollowing(BlameQuery(words ?? [], at: new.snapshot.head))
        {
            blames = Dictionary(answer.blames.lazy.map { ($0.key, $0.version) }) { $1 }
            isComplete = answer.isComplete
        }
        var seconds: Int64 = 0
        if let head = new.snapshot.version {
            seconds = (try? await settings.askFollowing(RevisionQuery(head)))?.time.seconds ?? 0
        }
        // Nobody else changes it meanwhile.
        var flags = state.withLock { $0.flags }
        flags.take(new.snapshot, new.changed, blames, isComplete: isComplete, at: seconds)
        let (waiting, follower) = state.withLock { state in
            state.flags = flags
            defer { state.waiting = [] }
            return (state.waiting, state.follower)
        }
        for one in waiting { one.resume() }
        follower?.yield(flags)
        // All of a history was looked at.
        if new.changed == nil { ThisProcess.returnMemory() }
    }

    /// Those of the last version. What was recorded a moment ago is waited for.
    func flags() async -> FlagSet {
        while true {
            let now = settings.snapshot.head
            if let flags = state.withLock({ $0.flags(of: now) }) { return flags }
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    if state.flags(of: now) != nil { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if isThere { continuation.resume() }
            }
        }
    }

    /// The present one, and each that is made after it, for one who follows; only the newest for who is slow.
    func sets() -> AsyncStream<FlagSet> {
        let (stream, continuation) = AsyncStream.makeStream(of: FlagSet.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            state.follower = continuation
            if state.flags.isMade { continuation.yield(state.flags) }
            if state.isOver { continuation.finish() }
        }
        return stream
    }

    // MARK: All options

    /// All options as a document, where it was made for these flags before.
    func list(of flags: FlagSet) -> (bytes: ByteBuffer, tag: EntityTag)? {
        state.withLock { state in
            guard let list = state.list, list.version == flags.snapshot.head else { return nil }
            return (list.bytes, list.tag)
        }
    }

    func keep(_ document: JSON, of flags: FlagSet) {
        let text = Reports.text(of: document, oneLine: true)
        let list = (flags.snapshot.head, ByteBuffer(string: text), EntityTag(of: text))
        state.withLock { $0.list = list }
    }
}
