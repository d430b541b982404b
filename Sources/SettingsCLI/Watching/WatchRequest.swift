import SettingsModel
import SettingsStore

/// `settings watch [KEY|GROUP]…`
struct WatchRequest {
    var keys: [String]
    var since: String?
    var initial: Bool
    var once: Bool
    var drafts: Bool
    /// Nil for sentences.
    var form: Words.FormOfJSON?
    var debounce: Duration
    /// Zero for never.
    var poll: Duration
    var pollOnly: Bool
    /// Zero for never.
    var bookmark: Duration
    var exitOnError: Bool
    /// None where there are no words.
    var command: [String]

    /// The usage error of an invalid combination.
    var problem: String? {
        if initial, since != nil { return "--initial and --since cannot be combined" }
        if pollOnly, poll == .zero { return "--poll-only needs a --poll other than 0" }
        if exitOnError, command.isEmpty { return "--exit-on-error needs --exec" }
        if drafts, !command.isEmpty { return "--drafts and --exec cannot be combined: the command is given recorded states" }
        return nil
    }

    func run(_ context: Context) throws {
        let session = try context.session(readsOnly: true)
        context.warnOfExpired(in: session)
        let start = try since.map { try context.version($0, in: session).id }
        let watcher = try session.watcher(keys, since: start, watchesFolders: !pollOnly)
        watcher.revealsMasked = context.revealsMasked
        let drafts = drafts ? try session.draftWatcher(keys, watchesFolders: !pollOnly) : nil
        let reporter = WatchReporter(context, form)
        let command = command.isEmpty ? nil : WatchedCommand(command, session, context, debounce: debounce)
        let loop = WatchLoop(self, watcher, drafts, reporter, command)
        try loop.run(since: start)
    }
}
