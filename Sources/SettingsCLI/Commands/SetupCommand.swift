import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct SetupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Tell this clone's git to merge the store's files by meaning.",
        discussion: """
            'git merge', 'rebase', 'cherry-pick' and 'stash pop' then run this program for the store's files. git is also
            configured (core.fsync) to wait until references and objects are on the disk. Run it once in each clone; running it
            again changes nothing. 'git am', 'git rebase --apply' and merges of more than two branches merge the texts all the
            same: what they leave is read correctly, and 'settings verify' names what a person has to decide.

            --ci prints a job for a hosting service that checks what its own merge of a branch would choose.

              settings setup
              settings setup --ci github > .github/workflows/settings.yml
            """)

    @Option(help: ArgumentHelp("Print a job that runs 'settings verify --merge': github or gitlab.", valueName: "service"))
    var ci: ContinuousIntegration?

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        if let ci {
            let folder = (try? context.store())?.folderInRepository ?? ""
            return try context.output.lines(ci.lines(storeIn: folder).map { StyledText($0) })
        }
        let store = try context.store()
        let program = Program.command(context.environment)
        if !record.dryRun { try store.configureGit(program: program) }
        let recorder = Recorder(context: context, options: record, json: json.json)
        let outcome = try store.nameMergeDriver(try recorder.done(store))
        if json.json { return try context.output.json(Reports.document(["driver": .string("\(program) merge-driver")])) }
        if case .recorded(let version, _, _) = outcome {
            try context.output.line(StyledText(version.id.short, .id).adding("  \(version.message.subject)"))
        }
        if !context.output.isQuiet { try context.output.line("git merges this store's files by meaning in this clone") }
    }
}
