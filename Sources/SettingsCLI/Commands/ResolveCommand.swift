import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct ResolveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Resolve a conflict that a merge left open, in a new version.",
        discussion: """
              settings resolve general.language German -m 'Berlin decides'
              settings resolve general.language:title --theirs

            During a merge, rebase or cherry-pick by git, any option can be given a value,
            and an answer can be changed until 'git commit'. --ours and --theirs resolve
            every conflict in the option with that side, and also take that side's value if
            only the other side changed it; everything else is merged. If several parts of
            an option are in conflict, such as its value and its title, KEY:PART resolves
            one of them: general.language:title.

            This also settles a value that 'settings verify A..B' reports because nobody
            selected it, even if the value stays as it is.
            """)

    @Argument(
        help: ArgumentHelp("The option, and the part of it if several are in conflict.", valueName: "key[:part]"),
        completion: .word(.key))
    var place: String

    @Argument(help: ArgumentHelp("The new value.", valueName: "value"), completion: .word(.label), transform: Words.plain)
    var value: String?

    @Flag(name: .long, help: "Take our side.") var ours = false
    @Flag(name: .long, help: "Take their side.") var theirs = false

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if [value != nil, ours, theirs].count(where: { $0 }) != 1 {
            throw ValidationError("give one of VALUE, --ours or --theirs")
        }
    }

    func run() throws {
        let context = Context(global)
        let session = try context.session()
        let parts = place.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let key = try session.ask(ConflictKeyQuery(parts[0]))
        let facet = try parts.dropFirst().first.map { name in try contestedFacet(name, of: key, session) }
        let answer: ConflictAnswer = ours ? .ours : theirs ? .theirs : .word(value ?? "")
        let recording = Recording(context: context, options: record, json: json.json)
        // During a merge by git, only the file is resolved; git's own commit records it, with the reason.
        let operation = try session.ask(RepositoryQuery()).operation
        let isTakenAsAsked = try value == nil && fitsTogether(key, session)
        if try session.ask(TextConflictQuery(key)),
            let resolved = try session.perform(ResolveTextAction(key, facet, answer), try metadata(recording, session))
        {
            let (changes, open) = (resolved.changes, resolved.open)
            return try context.output.print(
                json.json, context.reports.resolved(changes, open: open, isPlanned: record.dryRun),
                context.phrases.resolved(
                    key, facet, changes, open: open, side: isTakenAsAsked ? ours ? "our" : "their" : nil,
                    operation: operation, hasReason: hasReason, isPlanned: record.dryRun))
        }
        try recording.record(.resolve(key, facet, answer), in: session)
    }

    private var hasReason: Bool {
        !record.reason.paragraphs.isEmpty || record.edit || !record.requestedBy.isEmpty || !record.ticket.isEmpty
    }

    /// Whether git could not merge the texts of an option, but by meaning its sides fit together.
    private func fitsTogether(_ key: Key, _ session: Session) throws -> Bool {
        try session.ask(ConflictsQuery()).texts.contains {
            $0.subject.key == key && $0.facet == .existence && $0.ours == nil && $0.theirs == nil
        }
    }

    /// The facet that a word names: as in '--json', or as 'settings conflicts' prints it.
    private func contestedFacet(_ name: String, of key: Key, _ session: Session) throws -> Facet {
        if let facet = Facet(token: name) { return facet }
        let answer = try session.ask(ConflictsQuery())
        let open = Set((answer.open.map(\.conflict) + answer.texts).filter { $0.subject.key == key }.map(\.facet))
        let facets = open.filter { $0.name == name }
        guard facets.count == 1, let facet = facets.first else {
            let parts = open.map(\.token).sorted().joined(separator: ", ")
            throw Failure(
                .usage, "invalid part '\(name)'",
                hint: parts.isEmpty
                    ? "\(key) has no open conflict; parts are value, title, labels and so on, as in \(key):title"
                    : "the parts of \(key) in conflict are: \(parts)")
        }
        return facet
    }

    /// The metadata for git's commit.
    private func metadata(_ recording: Recording, _ session: Session) throws -> Done {
        if record.rare.person.author != nil {
            throw Failure(
                .usage,
                "--author has no effect while a \(try session.ask(RepositoryQuery()).operation ?? "merge") is in progress",
                hint: "leave it out, and use 'git commit --author'")
        }
        return try recording.done(in: session)
    }
}
