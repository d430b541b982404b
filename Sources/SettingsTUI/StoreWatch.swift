import SettingsStore

/// Says when to look at the store again: soon after a version was recorded or a file was edited, and now and then, because
/// network file systems report nothing.
final class StoreWatch {
    private typealias Instant = ContinuousClock.Instant

    private let versions: Watcher?
    private let files: DraftWatcher?
    private let names: NameWatcher?
    /// Whether branches and tags may be others.
    private var areNamesOld = false
    /// The first of the events that nobody has looked after yet.
    private var first: Instant?
    private var next: Instant

    /// Versions and files often come in bursts: they are looked at when a burst is over, or after so long.
    private static let quiet = Duration.milliseconds(50)
    private static let patience = Duration.milliseconds(300)
    private static let interval = Duration.seconds(5)
    /// Where the system reports nothing.
    private static let intervalOfPolling = Duration.milliseconds(800)

    /// `watchesNames`: branches and tags are shown as well.
    init(_ session: Session, watchesNames: Bool = false) {
        versions = try? session.watcher()
        files = try? session.draftWatcher()
        names = watchesNames ? try? session.nameWatcher() : nil
        next = .now
        begin()
    }

    /// Watches nothing.
    init() {
        versions = nil
        files = nil
        names = nil
        next = .now
    }

    /// Can be read from once there may be news.
    var descriptors: [Int32] { [versions?.descriptor, files?.descriptor, names?.descriptor].compactMap(\.self) }

    /// Whether edits of files go unreported.
    var isBlind: Bool { files?.descriptor == nil }

    /// Watches what there is now. What happens from then on is noticed.
    func begin() {
        _ = try? versions?.tip()
        files?.begin()
        names?.begin()
        rest()
    }

    /// There was nothing new.
    func rest() {
        first = nil
        next = .now + (versions?.descriptor == nil || isBlind ? Self.intervalOfPolling : Self.interval)
    }

    /// Takes what the system has reported. True if there was something.
    @discardableResult
    func take() -> Bool {
        if names?.takeHint() ?? false { areNamesOld = true }
        let hints = [versions?.takeHint() ?? false, files?.takeHint() ?? false, areNamesOld]
        guard hints.contains(true) else { return first != nil }
        let now = Instant.now
        let start = first ?? now
        first = start
        next = min(now + Self.quiet, start + Self.patience)
        return true
    }

    /// Whether branches and tags may be others than at the last time; where the system reports nothing, they may.
    func takeNames() -> Bool {
        defer { areNamesOld = false }
        if areNamesOld { names?.begin() }
        return areNamesOld || names.map { $0.descriptor == nil } ?? false
    }

    /// How long to wait until it is time to look; nothing if it is.
    var patience: Duration { max(next - .now, .zero) }
}
