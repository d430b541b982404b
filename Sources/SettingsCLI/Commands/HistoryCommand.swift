import ArgumentParser

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

    var request: HistoryRequest {
        HistoryRequest(
            keys: keys, count: count, since: since, until: until, author: author, ticket: ticket, search: search, became: became,
            jsonl: jsonl, reveal: reveal.reveal, json: json.json, global: global.request)
    }

    func validate() throws {
        if let problem = request.problem { throw ValidationError(problem) }
    }

    func run() throws { try request.run() }
}
