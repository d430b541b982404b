import ArgumentParser
import SettingsStore

/// The options of every command that records a version.
struct RecordOptions: ParsableArguments {
    @OptionGroup var reason: ReasonOption

    @OptionGroup var wish: WishOptions
    @OptionGroup var dry: DryRunOption
    @OptionGroup var rare: RareRecordOptions

    var requestedBy: [String] { wish.requestedBy }
    var ticket: [String] { wish.ticket }
    var dryRun: Bool { dry.dryRun }
    var edit: Bool { rare.edit }
    var confirm: String? { rare.confirm }

    var request: RecordRequest {
        RecordRequest(
            paragraphs: reason.paragraphs, edit: edit, requestedBy: requestedBy, ticket: ticket, author: rare.person.author,
            dryRun: dryRun, ifVersion: rare.ifVersion, durability: rare.disk.durability, confirm: confirm,
            sign: rare.signing.sign, signKey: rare.signing.signKey)
    }

    func validate() throws {
        if let problem = request.problem { throw ValidationError(problem) }
    }

    /// As `RecordRequest.refuse`.
    func refuse(except used: [String] = [], for what: String) throws { try request.refuse(except: used, for: what) }
}

/// Those that few changes need: 'help options' explains them, and the help of a command leaves them out.
struct RareRecordOptions: ParsableArguments {
    @Flag(
        name: [.customShort("e"), .long],
        help: ArgumentHelp("Write the reason in your editor.", visibility: Help.visibilityOfListedOptions))
    var edit = false

    @OptionGroup var person: AuthorOption

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Revert the version after this time unless 'settings confirm' keeps it: 10m, 1h30m, '2 hours'.",
            valueName: "time", visibility: Help.visibilityOfListedOptions))
    var confirm: String?

    @Option(
        name: .customLong("if-version"), parsing: .unconditional,
        help: ArgumentHelp(
            "Record only if the store is still at this version.", valueName: "version",
            visibility: Help.visibilityOfListedOptions),
        completion: .word(.version))
    var ifVersion: String?

    @OptionGroup var disk: DurabilityOption
    @OptionGroup var signing: SigningOptions
}

/// Part of `RecordOptions`, as are those below, for commands that have no use for all of them.
struct ReasonOption: ParsableArguments {
    @Option(
        name: [.customShort("m", allowingJoined: true), .customLong("message")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("The reason; each further -m adds a paragraph.", valueName: "reason"))
    var paragraphs: [String] = []
}

/// Who asked for a change, and by which tickets.
struct WishOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Who asked for the change. Repeatable.", valueName: "person"), completion: .word(.requester))
    var requestedBy: [String] = []

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A ticket that the change belongs to. Repeatable.", valueName: "id"), completion: .word(.ticket))
    var ticket: [String] = []
}

/// Who made a change.
struct AuthorOption: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Who made the change, as 'Name <e-mail>' (default: you).", valueName: "person",
            visibility: Help.visibilityOfListedOptions),
        completion: .word(.author))
    var author: String?
}

struct DryRunOption: ParsableArguments {
    @Flag(name: [.customShort("n"), .long], help: "Show what would be done without writing anything.")
    var dryRun = false
}

struct DurabilityOption: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Durability: strict, fast or none (default: the store's setting, or fast where that is safe).",
            valueName: "mode", visibility: Help.visibilityOfListedOptions))
    var durability: Durability?
}

struct SigningOptions: ParsableArguments {
    @Flag(
        name: .customLong("sign"), inversion: .prefixedNo,
        help: ArgumentHelp(
            "Sign the version; --sign=KEY names the key (default: git's commit.gpgSign).",
            visibility: Help.visibilityOfListedOptions))
    var sign: Bool?

    /// `--sign=KEY`, see `Words.protected`.
    @Option(name: .customLong("sign-key"), parsing: .unconditional, help: .hidden)
    var signKey: String?
}

extension RecordRequest {
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
