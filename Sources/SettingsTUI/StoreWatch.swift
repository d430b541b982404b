import SettingsStore

/// Says when to look at the store again: soon after a version was recorded or a file was edited, and now and then, because
/// network file systems report nothing.
final class StoreWatch {
    private typealias Instant = ContinuousClock.Instant

    private let versions: Watcher?
    private let files: DraftWatcher?
    /// The first of the events that nobody has looked after yet.
    private var first: Instant?
    private var next: Instant

    /// Versions and files often come in bursts: they are looked at when a burst is over, or after so long.
    private static let quiet = Duration.milliseconds(50)
    private static let patience = Duration.milliseconds(300)
    private static let interval = Duration.seconds(5)
    /// Where the system reports nothing.
    private static let intervalOfPolling = Duration.milliseconds(800)

    init(_ session: Session) {
        versions = try? session.watcher()
        files = try? session.draftWatcher()
        next = .now
        begin()
    }

    /// Watches nothing.
    init() {
        versions = nil
        files = nil
        next = .now
    }

    /// Can be read from once there may be news.
    var descriptors: [Int32] { [versions?.descriptor, files?.descriptor].compactMap(\.self) }

    /// Whether edits of files go unreported.
    var isBlind: Bool { files?.descriptor == nil }

    /// Watches what there is now. What happens from then on is noticed.
    func begin() {
        _ = try? versions?.tip()
        files?.begin()
        rest()
    }

    /// There was nothing new.
    func rest() {
        first = nil
        next = .now + (descriptors.count < 2 ? Self.intervalOfPolling : Self.interval)
    }

    /// Takes what the system has reported. True if there was something.
    @discardableResult
    func take() -> Bool {
        let hints = [versions?.takeHint() ?? false, files?.takeHint() ?? false]
        guard hints.contains(true) else { return first != nil }
        let now = Instant.now
        let start = first ?? now
        first = start
        next = min(now + Self.quiet, start + Self.patience)
        return true
    }

    /// How long to wait until it is time to look; nothing if it is.
    var patience: Duration { max(next - .now, .zero) }
}
