import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct BundleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle",
        abstract: "Write the history to one file, as an off-site copy.",
        discussion: """
            The file is verified before it replaces an earlier one. 'settings clone FILE'
            and 'settings pull FILE' read it. With --since-last, the file contains only
            what the bundles in the same folder don't; to restore it, all earlier ones are
            needed.

              settings bundle /mnt/backup/shop.bundle
              settings bundle /mnt/backup/shop-2.bundle --since-last
              settings bundle week.bundle --since '7 days ago'
            """,
        shouldDisplay: !Help.isAsked)

    @Argument(help: "The file.", completion: .file()) var file: String
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Leave out versions recorded before this time.", valueName: "when"),
        completion: .word(.when))
    var since: String?
    @Flag(name: .long, help: "Leave out what the bundles in that folder contain.") var sinceLast = false

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if since != nil, sinceLast { throw ValidationError("--since and --since-last cannot be combined") }
    }

    func run() throws {
        let context = Context(global)
        let session = try context.session()
        let program = try NetworkOptions.program(context, limit: .max, for: "make and check bundles")
        let begin = try begin(context, session)
        let path = context.environment.absolute(file)
        let done = try Recording(context: context, options: RecordRequest(), json: json.json).done(in: session)
        let outcome = try context.interruptibly { try session.perform(BundleAction(path, since: begin, by: program), done) }
        let (version, count, bytes) = (outcome.version, outcome.count, outcome.bytes)
        try context.output.print(
            json.json, context.reports.bundled(version, count, bytes: bytes, at: path),
            Phrases.bundled(version, count, bytes: bytes, at: path))
    }

    private func begin(_ context: Context, _ session: Session) throws -> BundleAction.Since {
        guard let since else { return sinceLast ? .last : .beginning }
        do { return .version(try context.version(since, in: session).id) } catch Problem.history(.isBeforeFirst) {
            // Nothing is left out.
            return .beginning
        }
    }
}
