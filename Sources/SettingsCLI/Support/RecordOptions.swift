import ArgumentParser
import SettingsStore

/// The options of every command that records a version.
struct RecordOptions: ParsableArguments {
    @Option(
        name: [.customShort("m", allowingJoined: true), .customLong("message")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("The reason for the change. Repeated, each becomes a paragraph.", valueName: "reason"))
    var paragraphs: [String] = []

    @Flag(name: [.customShort("e"), .long], help: "Write the reason in your editor.")
    var edit = false

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Who asked for the change. Repeatable.", valueName: "person"), completion: .word(.requester))
    var requestedBy: [String] = []

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A ticket that the change belongs to. Repeatable.", valueName: "id"), completion: .word(.ticket))
    var ticket: [String] = []

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Who made the change, as 'Name <e-mail>' (default: you).", valueName: "person"),
        completion: .word(.author))
    var author: String?

    @Flag(name: [.customShort("n"), .long], help: "Show what would be done without writing anything.")
    var dryRun = false

    @Option(
        name: .customLong("if-version"), parsing: .unconditional,
        help: ArgumentHelp("Record only if the store is still at this version.", valueName: "version"),
        completion: .word(.version))
    var ifVersion: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Durability: strict, fast or none (default: the store's setting, or fast where that is safe).",
            valueName: "mode"))
    var durability: Durability?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Take the version back after this time unless 'settings confirm' keeps it: 10m, 1h30m, '2 hours'.",
            valueName: "time"))
    var confirm: String?

    @Flag(
        name: .customLong("sign"), inversion: .prefixedNo,
        help: "Sign the version; --sign=KEY names the key (default: as commit.gpgSign says).")
    var sign: Bool?

    /// `--sign=KEY`, see `Words.protected`.
    @Option(name: .customLong("sign-key"), parsing: .unconditional, help: .hidden)
    var signKey: String?

    var request: RecordRequest {
        RecordRequest(
            paragraphs: paragraphs, edit: edit, requestedBy: requestedBy, ticket: ticket, author: author, dryRun: dryRun,
            ifVersion: ifVersion, durability: durability, confirm: confirm, sign: sign, signKey: signKey)
    }

    func validate() throws {
        if let problem = request.problem { throw ValidationError(problem) }
    }

    /// The usage error if an option was given that `what` has no use for; `used` are the others.
    func refuse(except used: [String] = [], for what: String) throws {
        let given: [(name: String, isGiven: Bool)] = [
            ("-m", !paragraphs.isEmpty), ("--edit", edit), ("--requested-by", !requestedBy.isEmpty),
            ("--ticket", !ticket.isEmpty),
            ("--author", author != nil), ("--dry-run", dryRun), ("--if-version", ifVersion != nil),
            ("--durability", durability != nil), ("--confirm", confirm != nil),
        ]
        for option in given where option.isGiven && !used.contains(option.name) {
            throw ValidationError("\(what) does not take \(option.name)")
        }
    }
}

extension Recording {
    init(context: Context, options: RecordOptions, json: Bool, nothing: (() -> String)? = nil) {
        self.init(context: context, options: options.request, json: json)
        if let nothing { self.nothing = nothing }
    }
}

extension Durability: ExpressibleByArgument {}
