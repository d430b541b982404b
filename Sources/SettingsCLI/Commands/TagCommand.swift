import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct TagCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag",
        abstract: "List, create, move or delete tags.",
        discussion: """
              settings tag
              settings tag opening-day
              settings tag before-opening 'yesterday 18:00' -m 'The last quiet evening'
              settings tag --force opening-day HEAD~1
              settings tag --delete before-opening
            """)

    @Argument(help: "The name.", completion: .word(.tag)) var name: String?
    @Argument(help: ArgumentHelp("The version to tag (default: the latest).", valueName: "when"), completion: .word(.when))
    var when: String?

    @Flag(name: [.customShort("d"), .long], help: "Delete the tag. The version stays.") var delete = false
    @Flag(name: [.customShort("f"), .long], help: "Move the tag if it exists.") var force = false

    @OptionGroup var json: JSONOption
    @OptionGroup var reason: ReasonOption
    @OptionGroup var person: AuthorOption
    @OptionGroup var dry: DryRunOption
    @OptionGroup var disk: DurabilityOption
    @OptionGroup var signing: SigningOptions
    @OptionGroup var global: GlobalOptions

    private var request: RecordRequest {
        RecordRequest(
            paragraphs: reason.paragraphs, author: person.author, dryRun: dry.dryRun, durability: disk.durability,
            sign: signing.sign, signKey: signing.signKey)
    }

    func validate() throws {
        if let problem = request.problem { throw ValidationError(problem) }
        if delete, force { throw ValidationError("--delete and --force cannot be combined") }
        if delete || force, name == nil { throw ValidationError("missing argument: the tag's name") }
        if delete, when != nil { throw ValidationError("--delete takes one tag and no version") }
        if name == nil {
            try request.refuse(for: "a list of tags")
        } else if delete {
            try request.refuse(except: ["--dry-run", "--durability"], for: "'tag --delete'")
        }
    }

    func run() throws {
        let context = Context(global)
        let session = try name == nil ? context.reader() : context.session()
        guard let name else { return try list(session, context) }
        let done = try Recording(context: context, options: request, json: json.json)
            .done(in: session, signingKeys: ["tag.gpgSign", "tag.forceSignAnnotated"])
        let isDryRun = request.dryRun
        func report(_ version: Version, _ change: Phrases.TagChange, was old: VersionID? = nil) throws {
            try context.output.print(
                json.json, context.reports.tag(name, change, version, was: old, isPlanned: isDryRun),
                Phrases.tag(name, change, version, was: old, isPlanned: isDryRun))
        }
        if delete { return try report(try session.perform(TagAction.remove(name), done).version, .deleted) }
        let wanted = try when.map { try context.version($0, in: session).id }
        let outcome = try session.perform(TagAction.add(name, wanted, moving: force), done)
        try report(outcome.version, outcome.before == nil ? .created : .moved, was: outcome.before)
    }

    private func list(_ session: Session, _ context: Context) throws {
        let tags = try session.ask(TagsQuery()).map { ($0.tag.name, $0.tag.message, $0.version) }
        if !json.json { context.page(session) }
        try context.output.print(json.json, context.reports.tags(tags), context.phrases.tags(tags))
    }
}
