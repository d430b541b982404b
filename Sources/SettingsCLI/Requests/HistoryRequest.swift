import SettingsModel
import SettingsStore
import SettingsText

/// `settings history [KEY|GROUP]…`
struct HistoryRequest: PlainCommand, Equatable {
    var keys: [String] = []
    var count: Int?
    var since: String?
    var until: String?
    var author: String?
    var ticket: String?
    var search: String?
    var became: String?
    var jsonl = false
    var reveal = false
    var json = false
    var global = GlobalRequest()

    /// The usage error of an invalid combination.
    var problem: String? {
        if let count, count < 0 { return "invalid number for -n: expected 0 or more" }
        if jsonl, json { return "--json and --jsonl cannot be combined" }
        return nil
    }

    func run() throws {
        let context = Context(global, reveal: reveal)
        let session = try context.session(readsOnly: true)
        var query = HistoryQuery()
        query.keys = keys
        query.limit = count
        query.filter.since = try since.map { try moment($0, .beginning, session, context) }
        query.filter.until = try until.map { try moment($0, .end, session, context) }
        query.filter.author = author
        query.filter.ticket = ticket
        query.filter.search = search
        query.filter.became = became
        if json || jsonl {
            try printJSON(query, session, context)
            return try context.afterReading(session)
        }
        context.page(session)
        var shown = 0
        let isComplete = try each(query, session) { version, changes, tags in
            if shown > 0 { try context.output.line() }
            shown += 1
            try context.output.lines(context.phrases.version(version, changes, tags: tags))
            // At a terminal, each version appears at once.
            if context.output.isLive { try context.output.flush() }
        }
        if shown == 0 {
            let hasVersions = (try? session.ask(RevisionQuery("HEAD"))) != nil
            context.output.note(hasVersions ? "no version matches" : "no versions yet")
        }
        if !isComplete {
            context.output.note("the history ends here: this is a shallow clone; 'git fetch --unshallow' fetches the rest")
        }
        try context.afterReading(session)
    }

    private func printJSON(_ query: HistoryQuery, _ session: Session, _ context: Context) throws {
        var versions: [JSON] = []
        let isComplete = try each(query, session) { version, changes, tags in
            let report = context.reports.version(version, changes, tags: tags)
            if jsonl { try context.output.json(report, oneLine: true) } else { versions.append(report) }
        }
        if !jsonl { try context.output.json(Reports.document(["versions": .array(versions), "complete": .bool(isComplete)])) }
    }

    /// A pipe that closes ends the walk with its own error.
    private func each(
        _ query: HistoryQuery, _ session: Session, _ visit: (Version, VersionChanges, [String]) throws -> Void
    ) throws -> Bool {
        var failure: (any Error)?
        let isComplete = try session.walk(query) { version, changes, tags in
            do { try visit(version, changes, tags) } catch { failure = error }
            return failure == nil
        }
        if let failure { throw failure }
        return isComplete
    }

    private func moment(_ text: String, _ edge: When.Edge, _ session: Session, _ context: Context) throws -> Int64 {
        switch When(text, now: context.environment.now, bareDate: edge) {
        case .moment(let seconds): return seconds
        case .revision(let name): return try session.ask(RevisionQuery(name)).time.seconds
        }
    }
}

extension HistoryRequest {
    init?(plain words: ArraySlice<String>) {
        guard
            let words = PlainWords(
                words, flags: ["--jsonl", "--reveal", "--json"],
                values: ["-n", "--max-count", "--since", "--until", "--author", "--ticket", "--search", "--became"]),
            let global = GlobalRequest(plain: words)
        else { return nil }
        if let typed = words["-n"] ?? words["--max-count"] {
            guard let number = Int(typed), words["-n"] == nil || words["--max-count"] == nil else { return nil }
            count = number
        }
        keys = words.positionals
        since = words["--since"]
        until = words["--until"]
        author = words["--author"]
        ticket = words["--ticket"]
        search = words["--search"]
        became = words["--became"]
        jsonl = words.has("--jsonl")
        reveal = words.has("--reveal")
        json = words.has("--json")
        self.global = global
        if problem != nil { return nil }
    }
}
