import Files
import SettingsModel
import SettingsStore
import SettingsText

/// The command of 'watch': run once for each burst of changes, one at a time, and always for the last one.
struct WatchedCommand {
    private let words: [String]
    private let folder: StoreFolder
    private let variables: [String: String]
    private let temporaryFolder: String
    private let reports: Reports
    private let debounce: Duration

    private var running: Child?
    private var events: [JSON] = []
    /// The version whose state it was given last.
    private var given: VersionID?
    /// When it is to be run; nil where nothing has changed since.
    private(set) var due: ContinuousClock.Instant?
    /// How often it has ended.
    private(set) var runs = 0

    var isRunning: Bool { running != nil }

    init(_ words: [String], _ session: Session, _ context: Context, debounce: Duration) {
        self.words = words
        self.debounce = debounce
        folder = session.folder
        reports = context.reports
        let temporary = context.environment["TMPDIR"]
        temporaryFolder = temporary.map { context.environment.absolute($0) } ?? "/tmp"
        var variables = ThisProcess.variables
        for name in ["VERSION", "KEY", "VALUE", "OLD_VALUE"] { variables["SETTINGS_" + name] = nil }
        variables["SETTINGS_STORE"] = session.folder.path
        self.variables = variables
    }

    /// It is run for what changes after this version.
    mutating func begin(at version: VersionID?) { given = version }

    /// It is to be run once no more than this is gathered.
    mutating func gather(_ event: JSON, at now: ContinuousClock.Instant) {
        events.append(event)
        due = due ?? now + debounce
    }

    /// Runs it with a version as it is.
    mutating func run(with state: Watcher.State, at version: VersionID, _ now: Time) throws(SystemFailure) {
        given = version
        let document = reports.snapshot(state.settings, of: version, at: now)
        let options = state.settings.options
        let value = options.count == 1 ? options.first.flatMap { shown($0.value) } : nil
        try start(document, version, Array(options.keys).sorted(), value, nil)
    }

    /// Runs it with what has changed up to a version.
    mutating func run(upTo version: VersionID, _ watcher: Watcher, _ now: Time) throws {
        let changes = given == version ? VersionChanges(changes: []) : try watcher.difference(from: given, to: version)
        let document = reports.burst(from: given, to: version, changes, events: events, at: now)
        var keys: [Key] = []
        let subjects = (changes?.changes ?? []).map(\.subject) + (changes?.unreadable ?? []).compactMap { Subject(path: $0.path) }
        for case .option(let key) in subjects where !keys.contains(key) { keys.append(key) }
        var (value, old): (String?, String?)
        if keys.count == 1 {
            let before = changes?.changes.lazy.compactMap(\.renaming).first?.old.key ?? keys[0]
            value = try watcher.option(keys[0], at: version).flatMap(shown)
            old = try watcher.option(before, at: given).flatMap(shown)
        }
        // The files follow the commit: whoever writes them is waited for.
        try folder.reading { _ in }
        given = version
        events = []
        due = nil
        try start(document, version, keys, value, old)
    }

    mutating func postpone(to instant: ContinuousClock.Instant) { due = instant }

    private mutating func start(
        _ document: JSON, _ version: VersionID, _ keys: [Key], _ value: String?, _ old: String?
    ) throws(SystemFailure) {
        var variables = variables
        variables["SETTINGS_VERSION"] = version.hex
        variables["SETTINGS_KEY"] = passed(keys.map(\.description).joined(separator: " "))
        variables["SETTINGS_VALUE"] = value.flatMap(passed)
        variables["SETTINGS_OLD_VALUE"] = old.flatMap(passed)
        do throws(SystemFailure) {
            running = try Command(typed: words, variables)
                .start(reading: Array(document.pretty.utf8), temporaryFolder: temporaryFolder)
            Interrupts.pass(to: running)
        } catch {
            runs += 1
            throw error
        }
    }

    /// A variable has no zero byte, and the system takes none that is much larger.
    private func passed(_ text: String) -> String? {
        text.utf8.count > 1 << 16 || text.utf8.contains(0) ? nil : text
    }

    /// As 'get' prints it; nil where it is not to be shown, and where nothing is in force.
    private func shown(_ option: SettingsOption) -> String? {
        guard !option.isMasked || reports.revealsMasked, let value = option.effectiveValue else { return nil }
        return option.type == .data ? value.compact : value.bare
    }

    /// How it has ended; nil as long as it runs, and where it doesn't.
    mutating func takeEnding() -> CommandLineHints.CommandEnding? {
        guard let ending = running?.ending() else { return nil }
        running = nil
        Interrupts.pass(to: nil)
        runs += 1
        switch ending {
        case .exited(let status): return .exited(status)
        case .killed(let signal): return .killed(signal: signal)
        case .notStarted(let failure): return .notStarted(failure)
        }
    }

    /// Its name, for messages.
    var name: String { words.first ?? "" }

    mutating func end() {
        running?.end(leavingRest: true)
        running = nil
        Interrupts.pass(to: nil)
    }
}
