import SettingsModel
import SettingsStore
import SettingsText

/// Prints the events of 'watch', as sentences or as JSON.
struct WatchReporter {
    private let context: Context
    private let form: Words.FormOfJSON?

    init(_ context: Context, _ form: Words.FormOfJSON?) {
        self.context = context
        self.form = form
    }

    var isJSON: Bool { form != nil }
    var reports: Reports { context.reports }

    var now: Time {
        let clock = context.environment.presentClock
        return clock.time(clock.now)
    }

    private var phrases: Phrases {
        var phrases = context.phrases
        phrases.clock = context.environment.presentClock
        return phrases
    }

    /// At a terminal, what is being done; it may take long until the first event.
    func begin(_ branch: String?, at version: VersionID?) {
        guard context.environment.isErrorTerminal, !isJSON else { return }
        try? context.output.print([Phrases.watching(branch, since: version)])
    }

    func event(_ event: StoreEvent) throws {
        // Sentences name what can't be read anyway.
        if !isJSON { return try context.output.line(phrases.event(event, at: now)) }
        try print(reports.documents(of: event, at: now))
    }

    func state(_ state: Watcher.State, at version: VersionID) throws {
        if isJSON {
            try print(
                [reports.snapshot(state.settings, of: version, at: now)]
                    + reports.failures(state.unreadable, in: version, at: now))
        } else {
            for (key, option) in state.settings.options.sorted(by: { $0.key < $1.key }) {
                try context.output.line(phrases.state(of: key, option, in: version, at: now))
            }
            for file in state.unreadable { try context.output.line(phrases.unreadable(file, in: version, at: now)) }
        }
    }

    func draft(_ draft: Draft, since version: VersionID?) throws {
        let changes = VersionChanges(changes: draft.changes, unreadable: draft.unreadable)
        if !isJSON { return try context.output.line(phrases.draft(changes, at: now)) }
        try print(
            [reports.draft(changes, since: version, at: now)] + reports.failures(draft.unreadable, in: version, at: now))
    }

    func bookmark(_ version: VersionID?) throws {
        try print([reports.bookmark(version, at: now)])
    }

    /// Something could not be read, and is tried again.
    func trouble(_ problem: Problem, in version: VersionID?) throws {
        if isJSON {
            try print([reports.failure(problem, in: version, at: now)])
        } else {
            warn(CommandLineHints.reason(problem))
        }
    }

    func warn(_ text: String) {
        try? context.output.print([.warning(text)])
    }

    func note(_ text: String) { context.output.note(text) }

    func flush() throws { try context.output.flush() }

    private func print(_ documents: [JSON]) throws {
        for document in documents { try context.output.json(document, oneLine: form == .lines) }
    }
}
