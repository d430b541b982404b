import Synchronization

/// The newest snapshot, for whoever asks, from every thread, and for all that follow it.
final class Publisher: Sendable {
    private struct State {
        var snapshot = SettingsSnapshot()
        /// Of each who follows; nil tells the end.
        var followers: [Int: @Sendable (SettingsSnapshot?) -> Void] = [:]
        var next = 0
        var isClosed = false
    }
    private let state = Mutex(State())

    var snapshot: SettingsSnapshot { state.withLock { $0.snapshot } }

    func publish(_ snapshot: SettingsSnapshot) {
        let followers = state.withLock {
            $0.snapshot = snapshot
            return Array($0.followers.values)
        }
        for follower in followers { follower(snapshot) }
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
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(1))
        let follower: @Sendable (SettingsSnapshot?) -> Void = { snapshot in
            guard let snapshot else { return continuation.finish() }
            if let element = transform(snapshot) { continuation.yield(element) }
        }
        let (number, present) = state.withLock { state -> (Int, SettingsSnapshot?) in
            if state.isClosed { return (-1, nil) }
            state.next += 1
            state.followers[state.next] = follower
            return (state.next, state.snapshot)
        }
        continuation.onTermination = { [weak self] _ in
            // What it holds is released when the lock is free again: its end may be told here, too.
            _ = self?.state.withLock { $0.followers.removeValue(forKey: number) }
        }
        follower(present)
        return stream
    }
}
