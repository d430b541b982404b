import ArgumentParser
import SettingsStore

/// What every command takes that records a version.
struct RecordOptions: ParsableArguments {
    @Option(
        name: [.customShort("m", allowingJoined: true), .customLong("message")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Why it is done. Given several times: a paragraph each.", valueName: "reason"))
    var paragraphs: [String] = []

    @Flag(name: [.customShort("e"), .long], help: "Write why in your editor.")
    var edit = false

    @Option(name: .long, parsing: .unconditionalSingleValue, help: ArgumentHelp("Who asked for it.", valueName: "person"))
    var requestedBy: [String] = []

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A ticket it belongs to. May be given several times.", valueName: "id"))
    var ticket: [String] = []

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Who made the change, as 'Name <e-mail>'; else you.", valueName: "person"))
    var author: String?

    @Flag(name: [.customShort("n"), .long], help: "Show what would be done and write nothing.")
    var dryRun = false

    @Option(
        name: .customLong("if-version"), parsing: .unconditional,
        help: ArgumentHelp("Only if the store is still at this version.", valueName: "version"))
    var ifVersion: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "How it outlasts a loss of power: strict, fast or none. Else as _store.json says; else fast where that is safe.",
            valueName: "mode"))
    var durability: Durability?

    var request: RecordRequest {
        RecordRequest(
            paragraphs: paragraphs, edit: edit, requestedBy: requestedBy, ticket: ticket, author: author, dryRun: dryRun,
            ifVersion: ifVersion, durability: durability)
    }

    func validate() throws {
        if let problem = request.problem { throw ValidationError(problem) }
    }
}

extension Recorder {
    init(context: Context, options: RecordOptions, json: Bool, nothing: (() -> String)? = nil) {
        self.init(context: context, options: options.request, json: json)
        if let nothing { self.nothing = nothing }
    }
}

extension Durability: ExpressibleByArgument {}
