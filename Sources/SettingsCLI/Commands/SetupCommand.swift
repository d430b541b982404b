import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct SetupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Configure git in this clone to merge the store's files by meaning.",
        discussion: """
            'git merge', 'rebase', 'cherry-pick' and 'stash pop' then run this program for
            the store's files. Git is also configured (core.fsync) to wait until
            references and objects are on disk. Run this once in each clone; running it
            again changes nothing. 'git am', 'git rebase --apply' and merges of more than
            two branches still merge the text: the result is read correctly, and 'settings
            verify' lists what a person has to decide.

            --ci prints a job for a hosting service that checks what its own merge of a
            branch would select.

              settings setup
              settings setup --ci github > .github/workflows/settings.yml
            """)

    @Flag(help: "Print a CI job that runs 'settings verify --merge'.")
    var ci = false

    @Argument(help: ArgumentHelp("With --ci: github or gitlab (default: where 'origin' is hosted).", valueName: "service"))
    var service: ContinuousIntegration?

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if service != nil, !ci { throw ValidationError("a service requires --ci") }
        if record.confirm != nil { throw ValidationError("'setup' does not take --confirm") }
        guard ci else { return }
        if json.json { throw ValidationError("--ci and --json cannot be combined") }
        try record.refuse(for: "'setup --ci'")
    }

    func run() throws {
        let context = Context(global)
        if ci {
            let session: Session?
            // A job can be printed before there is a store, but not for one of several.
            do { session = try context.session() } catch is Failure { session = nil }
            let origin = session?.configured("remote.origin.url") ?? ""
            let service = service ?? (origin.contains("gitlab") ? .gitlab : .github)
            let folder = (try? session?.ask(RepositoryQuery()))?.folder ?? ""
            return try context.output.lines(service.lines(storeIn: folder).map { StyledText($0) })
        }
        let session = try context.session()
        let program = Program.command(context.environment)
        let done = try Recording(context: context, options: record, json: json.json).done(in: session)
        try session.perform(SetUpAction(program: program), done)
        let outcome = try session.perform(.nameMergeDriver, done)
        if json.json { return try context.output.json(Reports.document(["driver": .string("\(program) merge-driver")])) }
        if case .recorded(let version, _, _) = outcome {
            try context.output.line(StyledText(version.id.short, .id).adding("  \(version.message.subject)"))
        }
        if !context.output.isQuiet { try context.output.line("git now merges this store's files by meaning in this clone") }
    }
}
