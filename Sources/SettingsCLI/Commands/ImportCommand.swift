import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import settings from another program's files.",
        discussion: """
            The format is detected from the files' names and contents. Several files are
            imported as one version; if two contain the same option, the later one takes
            precedence. If no format takes a folder as a whole, each file in it becomes a
            group, and so does each document of a YAML file.

            Key files (ini, git-config, properties, systemd, keyfile, postgresql, my-cnf,
            npmrc, editorconfig, php-ini) are each read by the rules of the program that
            uses them, which is recognized by the file's name, extension or folder. If
            several sets of rules fit a file and read it differently, the import fails and
            --format decides.

            A repeated import picks up the changes in the files and keeps what people have
            chosen since. Text options whose names suggest a secret (password, token,
            api-key) are masked: they are shown as dots, but not encrypted. Secrets in a
            file that git ignores, or that only its owner may read, stay there unless
            --with-secrets is given.

              settings import Settings.bundle -m 'From the app.'
              settings import /usr/share/glib-2.0/schemas --values desktop.ini
              settings import package.json --into editor --dry-run
              settings import defaults.toml local.env config.d --into server
              kubectl get configmap web -o yaml | settings import - --into web
              settings import deploy.yaml --document 2 --mask '*dsn*'

            Without a file, all tracked files are imported: see 'settings help track'.
            """)

    @Argument(
        help: ArgumentHelp(
            "Files, or folders of them; - reads standard input (default: all tracked files).", valueName: "path"),
        completion: .file())
    var paths: [String] = []

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The format: \(FormatName.list) (default: detected).", valueName: "format"),
        completion: .list(FormatName.allCases.map(\.rawValue)))
    var format: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Import everything into this group.", valueName: "group"), completion: .word(.place))
    var into: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The file of values, for formats that keep values and definitions apart.", valueName: "file"),
        completion: .file())
    var values: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The language of titles and labels, if the files have several.", valueName: "language"))
    var language: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Import only this document of a YAML file, counted from 1.", valueName: "n"))
    var document: Int?

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Mask text options whose key matches; * matches anything. A pattern without a dot matches the last part. Repeatable.",
            valueName: "pattern"), completion: .word(.key))
    var mask: [String] = []

    @Flag(name: .long, help: "Do not mask text options whose names suggest a secret.")
    var noMask = false

    @Flag(name: .long, help: "Also import secrets from private files; every clone gets them.")
    var withSecrets = false

    @Flag(name: .long, help: "Fail if a file needs repairs.")
    var strict = false

    @Flag(name: .long, help: "Let the files take precedence over changes made since the last import.")
    var overwrite = false

    @Flag(name: .long, help: "Remove options that an earlier import of these files added and that they no longer contain.")
    var prune = false

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        let isOfFiles = format != nil || into != nil || values != nil || language != nil || document != nil || !mask.isEmpty
        if paths.isEmpty, isOfFiles || noMask || withSecrets || strict {
            throw ValidationError("name the files to import")
        }
    }

    func run() throws {
        if paths.isEmpty {
            let exchange = TrackedExchange(.importing, overwrites: overwrite, prunes: prune)
            return try exchange.run(Context(global), record.request, json: json.json)
        }
        let interchange = Program.interchange
        let context = Context(global)
        let session = try context.session()
        let group = try into.map { try session.caller.group($0) } ?? .root
        let imported = try read(interchange, group, session, context)
        if !json.json, !context.output.isQuiet { try context.output.print(Phrases.repairs(imported.repairs)) }

        let names = ImportNames(store: session.folder, environment: context.environment)
        var wish = ImportWish(
            imported.parts.sources.map { VersionMessage.ImportSource(format: $0.format, name: names.name(of: $0.path)) })
        wish.group = group
        wish.document = document
        wish.overwrites = overwrite
        wish.prunes = prune
        var result = ImportResult()
        var recording = Recording(context: context, options: record, json: json.json)
        recording.nothing = { Phrases.nothingImported(result) }
        recording.mostSentences = record.dryRun ? .max : 20
        recording.more = { context.reports.imported(imported, result) }
        let action = ImportAction(imported, wish) { context.output.progress("recording \($0) changes") }
        try recording.record(in: session) { done in
            context.output.progress("comparing \(imported.settings.options.count) options")
            let (outcome, found) = try session.perform(action, done)
            result = found
            return outcome
        }
        if !json.json, !context.output.isQuiet { try context.output.print(context.phrases.imported(imported, result)) }
    }

    private func read(
        _ interchange: any Interchange, _ group: Key, _ session: Session, _ context: Context
    ) throws -> Imported {
        let known = try format.map(FormatName.named)
        if let document, document < 1 {
            throw Failure(.usage, "invalid document \(document): expected 1 or more", hint: "the first one is --document 1")
        }
        if paths.count(where: { $0 == "-" }) > 1 {
            throw Failure(.usage, "standard input can be read only once", hint: "name '-' once")
        }
        let request = ImportRequest(
            paths: paths, format: known, group: group, values: values, language: language, document: document, masks: mask,
            masksSecrets: !noMask,
            leavesSecrets: { path in
                !withSecrets && (try? session.ask(PrivateFileQuery(context.environment.absolute(path)))) ?? true
            },
            existing: { (try? session.ask(RecordedQuery(in: group)).relative(to: group)) ?? SettingsContent() },
            progress: { done, all in context.output.progress("\(done) of \(all) files read") })
        for path in paths where path != "-" {
            try session.ask(UntrackedFileQuery(context.environment.absolute(path), into: group))
        }
        let imported: Imported
        do { imported = try interchange.read(request) } catch { throw Failure(error) }
        if strict, let refusal = CommandLineHints.refusal(imported.repairs) { throw Failure(.badData, refusal) }
        return imported
    }
}

extension Failure {
    init(_ refusal: Refusal) {
        self.init(
            refusal.isMissing ? .missing : refusal.isUnreadable ? .cannotWrite : .badData,
            CommandLineHints.explanation(of: refusal))
    }
}

extension FormatName {
    static let list = allCases.map(\.rawValue).joined(separator: ", ")

    /// The format that a person names.
    static func named(_ word: String) throws -> FormatName {
        if let name = FormatName(rawValue: word) { return name }
        // A dump of dconf has the values of GSettings.
        if word == "dconf" { return .gsettings }
        throw Failure(
            .usage, "invalid format '\(word)': expected one of \(list)",
            hint: Nearest.question(Nearest.words(to: word, among: allCases.map(\.rawValue))))
    }
}
