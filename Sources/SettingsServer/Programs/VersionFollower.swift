import NIOCore
import SettingsKit
import SettingsModel
import SettingsStore
import SettingsText
import Synchronization

/// What happened between two looks at the store, for all who follow it.
struct VersionBatch: Sendable {
    /// What was the last version before, and what is it since.
    var base: VersionID?
    var end: VersionID?
    /// The events as they are sent; nil where they are too many to be kept for those who are slow.
    var bytes: ByteBuffer?

    /// Of events: one for each version, with its id, and one for each file that can't be read.
    static func bytes(_ events: [StoreEvent], at now: Time) -> ByteBuffer {
        var bytes = ByteBuffer()
        let reports = Reports()
        for event in events {
            for (index, document) in reports.documents(of: event, at: now).enumerated() {
                if index == 0 { bytes.writeString("id: \(event.id.hex)\n") }
                // Ends with the end of its line.
                bytes.writeString("data: \(Reports.text(of: document, oneLine: true))\n")
            }
        }
        return bytes
    }

    /// What is to be told.
    final class Pending: Sendable {
        private struct State {
            var last: VersionID?
            var arrivals: [(base: VersionID?, end: VersionID?, events: [StoreEvent])] = []
        }
        private let state = Mutex(State())

        /// More events than these are read again by everybody.
        private static let most = 256

        func note(_ snapshot: SettingsSnapshot, _ events: [StoreEvent]) -> Void? {
            state.withLock { state in
                defer { state.last = snapshot.head }
                if events.isEmpty { return nil }
                state.arrivals.append((state.last, snapshot.head, events.count > Self.most ? [] : events))
                return ()
            }
        }

        func take(_ now: Clock) -> [VersionBatch] {
            let arrivals = state.withLock { state in
                defer { state.arrivals = [] }
                return state.arrivals
            }
            return arrivals.map { base, end, events in
                VersionBatch(
                    base: base, end: end,
                    bytes: events.isEmpty ? nil : VersionBatch.bytes(events, at: now.time(now.now)))
            }
        }
    }
}

/// Tells each version once and in order: from what was told last it reads on, whatever it missed meanwhile.
struct VersionFollower: Sendable {
    let settings: Settings
    var last: VersionID?

    mutating func take(_ batch: VersionBatch, _ send: (ByteBuffer) async throws -> Void) async throws {
        if batch.end == last { return }
        if batch.base == last, let bytes = batch.bytes {
            last = batch.end
            return try await send(bytes)
        }
        var hasMore = true
        while hasMore {
            let news = try await settings.events(since: last)
            last = news.id
            hasMore = news.hasMore
            let now = settings.present
            if !news.events.isEmpty { try await send(VersionBatch.bytes(news.events, at: now.time(now.now))) }
        }
    }
}
