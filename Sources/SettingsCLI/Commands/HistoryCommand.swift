import ArgumentParser

struct HistoryCommand: RequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List versions, newest first, in sentences.",
        discussion: """
              settings history
              settings history general.language -n 5
              settings history --from yesterday --author ada
              settings history v1..v2 --oneline
              settings history --graph
              settings history --ticket FEAT-12
              settings history general.language --became French
            """,
        aliases: ["log"])

    @Argument(
        help: ArgumentHelp("Options, groups, or a range A..B (default: everything).", valueName: "key"),
        completion: .word(.placeOrRange))
    var keys: [String] = []

    @Option(
        name: [.customShort("n", allowingJoined: true), .customLong("max-count")],
        help: ArgumentHelp("Show at most N versions.", valueName: "n"), transform: Words.number)
    var count: Int?

    @Option(
        name: [.long, .customLong("since")], parsing: .unconditional,
        help: ArgumentHelp("Only versions from this time on; a date alone means its start.", valueName: "when"),
        completion: .word(.when))
    var from: String?

    @Option(
        name: [.long, .customLong("until")], parsing: .unconditional,
        help: ArgumentHelp("Only versions up to this time; a date alone means its end.", valueName: "when"),
        completion: .word(.when))
    var to: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Only versions by this person: part of the name or e-mail address.", valueName: "person"),
        completion: .word(.author))
    var author: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Only versions requested by this person: part of the name or address.", valueName: "person"),
        completion: .word(.requester))
    var requestedBy: String?

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("Only versions with this ticket.", valueName: "id"),
        completion: .word(.ticket))
    var ticket: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Only versions with this text in their changes, reason or requester.", valueName: "text"))
    var search: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Only versions that set an option to this value or label.", valueName: "value"),
        completion: .word(.label))
    var became: String?

    @Flag(name: .long, help: "Print one line for each version.") var oneline = false
    @Flag(name: .long, help: "Draw the lines of branches and merges beside the versions.") var graph = false
    @Flag(name: .long, help: "List the oldest version first.") var reverse = false
    @Flag(
        name: [.long, .customShort("p"), .customLong("patch")],
        help: "Print all changes, even for versions that have more than 20.")
    var all = false
    @Flag(name: .long, help: "Check the versions' signatures, and show who signed.") var signatures = false

    @OptionGroup var reveal: RevealOption
    @OptionGroup var json: JSONOption
    @OptionGroup var lines: LinesOption
    @OptionGroup var global: GlobalOptions

    var request: HistoryRequest {
        HistoryRequest(
            keys: keys, count: count, from: from, to: to, author: author, requestedBy: requestedBy, ticket: ticket,
            search: search,
            became: became, oneline: oneline, graph: graph, reverse: reverse, all: all, signatures: signatures,
            jsonl: lines.jsonl, reveal: reveal.reveal,
            json: json.json, global: global.request)
    }

    func validate() throws {
        if let problem = request.problem { throw ValidationError(problem) }
    }
}
