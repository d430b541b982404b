import Base
public import SettingsModel
import SettingsStore

extension Settings {
    /// The last version's settings, from memory.
    public nonisolated var snapshot: SettingsSnapshot { publisher.snapshot }

    /// The present snapshot, and each that comes after. Who is slow gets the newest alone. Ends when the settings are closed.
    public nonisolated func snapshots() -> some AsyncSequence<SettingsSnapshot, Never> & Sendable {
        publisher.follow { $0 }
    }

    /// The value in force, and each that it changes to.
    public nonisolated func values<Value: SettingsValue & Equatable>(
        of setting: Setting<Value>
    ) -> some AsyncSequence<Value, Never> & Sendable {
        readings { $0[setting] }
    }

    /// What the present snapshot is read as, and what it is read as whenever that differs from what was told last.
    package nonisolated func readings<Value: Equatable & Sendable>(
        _ read: @escaping @Sendable (SettingsSnapshot) -> Value
    ) -> some AsyncSequence<Value, Never> & Sendable {
        Readings(snapshots: publisher.follow { $0 }, read: read)
    }

    /// The versions that are recorded after one, whoever records them, each once and in order; `since` is the id of that version, and
    /// nil stands for the present one. Nothing is kept in memory for who is slow.
    ///
    /// The sequence throws `.missing` where there is no such version, and where the store or its branch was removed.
    public nonisolated func versions(since id: String? = nil) -> some AsyncSequence<SettingsVersion, any Error> & Sendable {
        SettingsVersions(settings: self, start: id)
    }

    /// Versions with what they changed, the newest first: of one option or group, or of everything; those that follow `before`, and
    /// none where that is not in the history any more.
    public nonisolated func history(
        of key: Key? = nil, before version: String? = nil, limit: Int = 50
    ) async throws(SettingsError) -> [SettingsVersion] {
        var query = HistoryQuery()
        query.keys = key.map { [$0.description] } ?? []
        query.after = try version.map { word throws(SettingsError) in try Self.id(word) }
        query.limit = limit
        do throws(Problem) {
            return try await reader.versions(query, atMost: nil).versions.map {
                SettingsVersion($0.version, $0.changes.changes)
            }
        } catch { throw SettingsError(error) }
    }
}

/// What snapshots are read as. What differs is decided where it is taken: what nobody took is no update.
private struct Readings<Value: Equatable & Sendable>: AsyncSequence, Sendable {
    let snapshots: AsyncStream<SettingsSnapshot>
    let read: @Sendable (SettingsSnapshot) -> Value

    func makeAsyncIterator() -> Iterator {
        Iterator(snapshots: snapshots.makeAsyncIterator(), read: read)
    }

    struct Iterator: AsyncIteratorProtocol {
        var snapshots: AsyncStream<SettingsSnapshot>.Iterator
        let read: @Sendable (SettingsSnapshot) -> Value
        private var last: Value?

        init(snapshots: AsyncStream<SettingsSnapshot>.Iterator, read: @escaping @Sendable (SettingsSnapshot) -> Value) {
            (self.snapshots, self.read) = (snapshots, read)
        }

        mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
            while let snapshot = await snapshots.next(isolation: actor) {
                let value = read(snapshot)
                if value != last {
                    last = value
                    return value
                }
            }
            return nil
        }

        mutating func next() async -> Value? { await next(isolation: nil) }
    }
}

/// What is recorded, version by version.
private struct SettingsVersions: AsyncSequence, Sendable {
    let settings: Settings
    let start: String?

    func makeAsyncIterator() -> Iterator {
        Iterator(settings: settings, start: start, heads: settings.publisher.follow { $0.head }.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        let settings: Settings
        let start: String?
        /// Tells when to look.
        var heads: AsyncStream<VersionID>.Iterator
        private var isStarted = false
        private var last: VersionID?
        private var found: ArraySlice<SettingsVersion> = []

        init(settings: Settings, start: String?, heads: AsyncStream<VersionID>.Iterator) {
            (self.settings, self.start, self.heads) = (settings, start, heads)
            last = settings.snapshot.head
        }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> SettingsVersion? {
            if !isStarted {
                if let start { last = try Settings.id(start) }
                isStarted = true
            }
            while true {
                if let version = found.popFirst() { return version }
                let news: (versions: [SettingsVersion], id: VersionID?, hasMore: Bool)
                do throws(Problem) { news = try await settings.follower.news(since: last) } catch {
                    if error == .interrupted { return nil }
                    throw SettingsError(error)
                }
                found = news.versions[...]
                last = news.id
                if !found.isEmpty || news.hasMore { continue }
                guard await heads.next(isolation: actor) != nil else { return nil }
            }
        }

        mutating func next() async throws -> SettingsVersion? { try await next(isolation: nil) }
    }
}
