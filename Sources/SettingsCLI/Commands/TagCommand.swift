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
        if delete {
            let version = try session.perform(TagAction.remove(name), done).version
            return try report(
                name, version, "deleted", "\(request.dryRun ? "would no longer be" : "is no longer") tagged", context)
        }
        let wanted = try when.map { try context.version($0, in: session).id }
        let outcome = try session.perform(TagAction.add(name, wanted, moving: force), done)
        let status = outcome.before == nil ? "created" : "moved"
        try report(
            name, outcome.version, status, request.dryRun ? "would be tagged" : "is tagged", context, was: outcome.before)
    }

    private func report(
        _ name: String, _ version: Version, _ status: String, _ words: String, _ context: Context, was old: VersionID? = nil
    ) throws {
        if json.json {
            let status = request.dryRun ? "planned" : status
            return try context.output.json(context.reports.tag(name, status, version, was: old))
        }
        if context.output.isQuiet { return }
        let before = old.map { $0 == version.id ? "" : " (before: \($0.short))" } ?? ""
        try context.output.line(StyledText(version.id.short, .id).adding("  \(words) \(name)\(before)"))
    }

    private func list(_ session: Session, _ context: Context) throws {
        let tags = try session.ask(TagsQuery())
        if json.json {
            return try context.output.json(context.reports.tags(tags.map { ($0.tag.name, $0.tag.message, $0.version) }))
        }
        context.page(session)
        let rows = tags.map { context.phrases.tag($0.tag.name, $0.tag.message, $0.version) }
        try context.output.lines(Phrases.table(rows))
        if tags.isEmpty { context.output.note("there are no tags yet") }
    }
}
