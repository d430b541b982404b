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

    /// Why this can't be, in words.
    var problem: String? {
        if let count, count < 0 { return "invalid number for -n: expected 0 or more" }
        if jsonl, json { return "--json and --jsonl cannot be combined" }
        return nil
    }

    func run() throws {
        let context = Context(global, reveal: reveal)
        let store = try context.storeToRead()
        var filter = HistoryFilter()
        filter.places = try places(store, context)
        filter.since = try since.map { try moment($0, .beginning, store, context) }
        filter.until = try until.map { try moment($0, .end, store, context) }
        filter.author = author
        filter.ticket = ticket
        filter.search = search
        filter.became = became
        let tags = Dictionary(grouping: try store.tags.list(), by: \.commit)
        if json || jsonl {
            try printJSON(filter, store, context, tags)
            return try context.afterReading(store)
        }
        context.page(store)
        var shown = 0
        let isComplete = try each(filter, store) { version, changes in
            if shown > 0 { try context.output.line() }
            shown += 1
            try context.output.lines(context.phrases.version(version, changes, tags: tags[version.id]?.map(\.name) ?? []))
            // Whoever watches sees each at once.
            if context.output.isLive { try context.output.flush() }
        }
        if shown == 0 { context.output.note(try store.versions.tip().id == nil ? "no versions yet" : "no version matches") }
        if !isComplete {
            context.output.note("the history ends here: this is a shallow clone; 'git fetch --unshallow' fetches the rest")
        }
        try context.afterReading(store)
    }

    private func printJSON(_ filter: HistoryFilter, _ store: Store, _ context: Context, _ tags: [VersionID: [VersionTag]]) throws
    {
        var versions: [JSON] = []
        let isComplete = try each(filter, store) { version, changes in
            let report = context.reports.version(version, changes, tags: tags[version.id]?.map(\.name) ?? [])
            if jsonl { try context.output.json(report, oneLine: true) } else { versions.append(report) }
        }
        if !jsonl { try context.output.json(Reports.document(["versions": .array(versions), "complete": .bool(isComplete)])) }
    }

    private func each(_ filter: HistoryFilter, _ store: Store, _ visit: (Version, VersionChanges) throws -> Void) throws -> Bool {
        if count == 0 { return !store.versions.isShallow }
        var rest = count ?? .max
        var stop: (any Error)?
        let isComplete = try store.history.walk(filter) { version, changes throws(Problem) in
            do { try visit(version, changes) } catch {
                stop = error
                return false
            }
            rest -= 1
            return rest > 0
        }
        if let stop { throw stop }
        return isComplete
    }

    /// What is there now, or was once.
    private func places(_ store: Store, _ context: Context) throws -> [Key] {
        let tip = try store.versions.tip()
        return try keys.map { word in
            do {
                return try tip.places([word], context.caller)[0]
            } catch let missing as Problem where missing.kind == .missing {
                let key = try KeyLookup.parse(word)
                var wasThere = false
                var filter = HistoryFilter()
                filter.places = [key]
                try store.history.walk(filter) { _, _ throws(Problem) in
                    wasThere = true
                    return false
                }
                guard wasThere else { throw missing }
                return key
            }
        }
    }

    private func moment(_ text: String, _ edge: When.Edge, _ store: Store, _ context: Context) throws -> Int64 {
        switch When(text, now: context.environment.now, bareDate: edge) {
        case .moment(let seconds): return seconds
        case .revision(let name): return try store.versions.version(named: name).time.seconds
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
