import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List versions, newest first, in sentences.",
        discussion: """
              settings history
              settings history general.language -n 5
              settings history --since yesterday --author ada
              settings history --ticket FEAT-12
              settings history general.language --became French
            """,
        aliases: ["log"])

    @Argument(help: ArgumentHelp("Options and groups; else everything.", valueName: "key"), completion: .place) var keys:
        [String] = []

    @Option(
        name: [.customShort("n", allowingJoined: true), .customLong("max-count")],
        help: ArgumentHelp("At most so many.", valueName: "n"))
    var count: Int?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Only from then on; a bare date is its beginning.", valueName: "when"))
    var since: String?

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("Only until then; a bare date is its end.", valueName: "when"))
    var until: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Only by this person: a part of the name or e-mail.", valueName: "person"))
    var author: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Only with this ticket.", valueName: "id"))
    var ticket: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Only where this stands in what changed, why, or who asked.", valueName: "text"))
    var search: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Only where something was set to this value or label.", valueName: "value"))
    var became: String?

    @Flag(name: .long, help: "Print JSON, a version a line.") var jsonl = false

    @OptionGroup var reveal: RevealOption
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if let count, count < 0 { throw ValidationError("-n takes a number from 0") }
        if jsonl, json.json { throw ValidationError("--json and --jsonl are two forms; choose one") }
    }

    func run() throws {
        let context = Context(global, reveal: reveal.reveal)
        let store = try context.storeToRead()
        var filter = HistoryFilter()
        filter.places = try places(store, context)
        filter.since = try since.map { try moment($0, .beginning, store, context) }
        filter.until = try until.map { try moment($0, .end, store, context) }
        filter.author = author
        filter.ticket = ticket
        filter.search = search
        filter.became = became
        let tags = Dictionary(grouping: try store.tags(), by: \.commit)
        if json.json || jsonl {
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
        if shown == 0 { context.output.note(try store.tip().id == nil ? "no versions yet" : "no version fits") }
        if !isComplete {
            context.output.note("the history is cut off here: this is a shallow clone; 'git fetch --unshallow' brings the rest")
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
        if count == 0 { return !store.isShallow }
        var rest = count ?? .max
        var stop: (any Error)?
        let isComplete = try store.history(filter) { version, changes throws(StoreError) in
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
        let tip = try store.tip()
        return try keys.map { word in
            do {
                return try tip.places([word], context.environment)[0]
            } catch let missing as Failure {
                let key = try tip.keys(context.environment).parse(word)
                var wasThere = false
                var filter = HistoryFilter()
                filter.places = [key]
                try store.history(filter) { _, _ throws(StoreError) in
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
        case .revision(let name): return try store.version(named: name).time.seconds
        }
    }
}
