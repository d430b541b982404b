import ArgumentParser
import Files
import SettingsModel
import SettingsStore
import SettingsText

struct TrackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "track",
        abstract: "Keep other programs' files in step with options.",
        discussion: """
            The file is imported and tracked. From then on, every version that changes one
            of its options also changes the file, in the same commit. Only the values that
            differ are changed; comments, order and layout stay. An edit of the file by
            hand is a draft: 'settings status' shows it, 'settings done' records it.

            Without a file, the tracked files are listed: in step, edited, ahead of the
            store or behind it.

              settings track config/app.yaml -m 'One place for all settings.'
              settings track config/app.yaml --into server
              settings track

            A file outside the repository, or one that git ignores, is tracked only for you
            on this machine, and written after a version is recorded. A copy of what was
            last written, secrets included, is kept in ~/.config/settings/files.d, which
            only you may read.

              settings track ~/.config/app/config.toml .env --into app

            What looks like a secret in a file that git ignores, or that only its owner may
            read, stays there and does not become an option, unless --with-secrets is
            given. A file that only its owner may read is refused if a secret would be
            recorded with it.
            """)

    @Argument(help: ArgumentHelp("Files (default: list the tracked ones).", valueName: "file"), completion: .file())
    var files: [String] = []

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The group in which to create the file's options.", valueName: "group"), completion: .word(.place))
    var into: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The format: \(FormatName.list) (default: detected).", valueName: "format"),
        completion: .list(FormatName.allCases.map(\.rawValue)))
    var format: String?

    @Flag(name: .long, help: "Also import members that look like secrets; every clone gets them.")
    var withSecrets = false

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if files.isEmpty {
            try record.refuse(for: "listing tracked files")
            if into != nil || format != nil || withSecrets { throw ValidationError("name the file to track") }
        }
    }

    func run() throws {
        let context = Context(global)
        if files.isEmpty {
            let states = try context.reader(readsOnly: true).ask(TrackedQuery())
            return try context.output.print(json.json, context.reports.tracked(states), context.phrases.tracked(states))
        }
        if let folder = files.first(where: { FileSystem.kind(of: context.environment.absolute($0)) == .folder }) {
            throw Failure(.badData, "'\(folder)' is a folder, and only files can be tracked", hint: "name the files in it")
        }
        let session = try context.session()
        let group = try into.map { try session.caller.group($0) } ?? .root
        let known = try format.map(FormatName.named)
        let names = ImportNames(store: session.folder, environment: context.environment)
        let action = TrackAction(
            files.map { (context.environment.absolute($0), names.name(of: $0)) }, into: group, format: known,
            takesSecrets: withSecrets)
        var result = TrackAction.Outcome()
        var recording = Recording(context: context, options: record, json: json.json)
        recording.nothing = {
            let tracked = record.dryRun ? "would be tracked" : "tracked"
            return result.isNews ? "\(tracked); no options were added" : "nothing to do: already tracked"
        }
        recording.mostSentences = record.dryRun ? .max : 20
        try recording.record(in: session) { done in
            result = try session.perform(action, done)
            return result.outcome
        }
        if json.json { return }
        if !context.output.isQuiet { try context.output.print(Phrases.repairs(result.notes)) }
        try context.output.print(Phrases.left(result.left, masked: result.masked))
    }
}

struct UntrackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "untrack",
        abstract: "Stop keeping files in step; the files and the options stay.",
        discussion: "  settings untrack config/app.yaml -m 'The app reads the store itself now.'")

    @Argument(help: ArgumentHelp("Tracked files.", valueName: "file"), completion: .file()) var files: [String]

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        let session = try context.session()
        let action = UntrackAction(files.map { (context.environment.absolute($0), $0) })
        var recording = Recording(context: context, options: record, json: json.json)
        recording.nothing = { "no longer tracked; the options stay" }
        try recording.record(in: session) { done in
            try session.perform(action, done)
        }
    }
}
