import SettingsModel
import Synchronization

/// The newest snapshot, for whoever asks, from every thread, and for all that follow it, who are told what led there as well.
final class Publisher: Sendable {
    /// A snapshot, and what happened since the one before.
    typealias Arrival = (snapshot: SettingsSnapshot, events: [StoreEvent])

    private struct State {
        var snapshot = SettingsSnapshot()
        /// Of each who follows; nil tells the end.
        var followers: [Int: @Sendable (Arrival?) -> Void] = [:]
        var next = 0
        var isClosed = false
    }
    private let state = Mutex(State())

    var snapshot: SettingsSnapshot { state.withLock { $0.snapshot } }

    func publish(_ snapshot: SettingsSnapshot, _ events: [StoreEvent] = []) {
        let followers = state.withLock {
            $0.snapshot = snapshot
            return Array($0.followers.values)
        }
        for follower in followers { follower((snapshot, events)) }
    }

    func close() {
        let followers = state.withLock { state in
            state.isClosed = true
            defer { state.followers = [:] }
            return Array(state.followers.values)
        }
        for follower in followers { follower(nil) }
    }

    /// What `transform` makes of the present snapshot, and of each that comes after; of those that nobody took in time only the
    /// newest. Nil is passed over.
    func follow<Element: Sendable>(
        _ transform: @escaping @Sendable (SettingsSnapshot) -> Element?
    ) -> AsyncStream<Element> {
        arrivals { arrival in transform(arrival.snapshot) }
    }

    /// As `follow`. `transform` sees every arrival, in order, also those whose elements nobody took.
    func arrivals<Element: Sendable>(
        _ transform: @escaping @Sendable (Arrival) -> Element?
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(1))
        let follower: @Sendable (Arrival?) -> Void = { arrival in
            guard let arrival else { return continuation.finish() }
            if let element = transform(arrival) { continuation.yield(element) }
        }
        let number = state.withLock { state -> Int in
            if state.isClosed {
                continuation.finish()
                return -1
            }
            state.next += 1
            // Before anybody publishes another one.
            follower((state.snapshot, []))
            state.followers[state.next] = follower
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            // What it holds is released when the lock is free again: its end may be told here, too.
            _ = self?.state.withLock { $0.followers.removeValue(forKey: number) }
        }
        return stream
    }
}
