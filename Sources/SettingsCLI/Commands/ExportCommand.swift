import ArgumentParser
import Files
import SettingsModel
import SettingsStore
import SettingsText

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export settings in another program's format.",
        discussion: """
            For formats that keep values and definitions apart, the file's name decides
            which of the two is written, unless --values or --definitions is given.

              settings export json server -o ../config.json
              settings export gsettings org.gnome -o desktop.ini
              settings export settings-bundle -o Settings.bundle
              settings export yaml --at yesterday

            An existing file is edited in place: only the values that differ are changed,
            and comments, order, quotes and layout stay. Missing options are added. What
            the store does not contain stays; --prune removes it, but not comments on lines
            of their own. If a value cannot be edited in place, such as one that comes from
            an alias, nothing is written, and all such values are listed; --rewrite
            rewrites the whole file, and reports what is lost. With -o, the format may be
            omitted if the file's name or content shows it.

              settings export git-config git -o ~/.gitconfig
              settings export -o config.yaml
              settings export yaml server -o config.yaml --rewrite

            If a value in the file was not imported into the store, and the export would
            change it, it is kept unless --overwrite is given; 'settings track' keeps a
            file in step. Without a format, all tracked files are updated from the store:

              settings export
              settings export --check       exit with 1 if a tracked file differs
            """)

    @Argument(
        help: ArgumentHelp("One of \(FormatName.list) (default: that of the file, or all tracked files).", valueName: "format"),
        completion: .list(FormatName.allCases.map(\.rawValue)))
    var format: String?

    @Argument(help: "Only the options in this group.", completion: .word(.place)) var group: String?

    @Option(
        name: [.customShort("o"), .long], parsing: .unconditional,
        help: ArgumentHelp("The file to write; - is standard output (the default).", valueName: "path"), completion: .file())
    var output: String?

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("Read the store as of this version or time.", valueName: "when"),
        completion: .word(.when))
    var at: String?

    @Flag(help: "Export the values, or the definitions.")
    var part: ExportPart?

    @Flag(help: "Rewrite the whole file instead of editing it in place.")
    var rewrite = false

    @Flag(help: "Remove from the file what the store does not contain.")
    var prune = false

    @Flag(name: .long, help: "Overwrite values that only the file has.")
    var overwrite = false

    @Flag(name: .long, help: "Write nothing; exit with 1 if the store and the file differ.")
    var check = false

    @OptionGroup var dry: DryRunOption
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if format == nil, output == nil || output == "-", output != nil || at != nil || part != nil || rewrite {
            throw ValidationError("name the format, one of \(FormatName.list), or a file with -o")
        }
        if check, format != nil, output == nil || output == "-" { throw ValidationError("--check requires -o FILE") }
    }

    private func exportTracked() throws {
        let context = Context(global)
        if check {
            let states = try context.reader(readsOnly: true).ask(TrackedQuery())
            if states.isEmpty { throw Problem.tracking(.tracksNothing) }
            try context.output.print(context.phrases.differences(of: states))
            if states.contains(where: { $0.standing != .inStep }) { throw Failure(.no) }
            return
        }
        var request = RecordRequest()
        request.dryRun = dry.dryRun
        try TrackedExchange(.exporting, overwrites: overwrite, prunes: prune).run(context, request, json: false)
    }

    func run() throws {
        if format == nil, output == nil { return try exportTracked() }
        let interchange = Program.interchange
        let context = Context(global)
        let path = output.flatMap { $0 == "-" ? nil : $0 }.map { context.environment.absolute($0) }
        let name = try format.map(FormatName.named) ?? self.name(ofFormatAt: path ?? "", interchange)
        if group == "-" {
            throw Failure(
                .usage, "'-' is not the key of a group",
                hint: "'settings export' writes to standard output unless -o names a file")
        }
        let session = try context.reader(at: at)
        let version = try at.map { try context.version($0, in: session).id }
        let answer = try session.ask(SettingsQuery(in: group, at: version, isStrict: true))
        let (place, settings) = (answer.place, answer.settings)
        if !place.isRoot, settings.subjects.isEmpty {
            throw Failure(.missing, CommandLineHints.noGroup(place))
        }
        var notes: [String] = []
        let request = ExportRequest(
            format: name, values: part.map { $0 == .values }, output: path, title: settings.title(of: .group(place)),
            rewrites: rewrite, prunes: prune, note: { notes.append($0) })
        let exported: Exported
        do { exported = try interchange.write(settings.relative(to: place), request) } catch { throw Failure(error) }
        if let path {
            try checkIsOutside(path, exported, session.folder)
            if !overwrite, !rewrite || check {
                let renamed = try checkOverwriting(path, name, place, settings, session, context)
                try context.output.print(Phrases.keepsFormerNames(path, renamed))
            }
        }
        notes.forEach { context.output.note($0) }
        if let path {
            if case .text(let bytes) = exported, check {
                if try OutputFile.holds(bytes, at: path) { return }
                throw Failure(.no)
            }
            if dry.dryRun { return try context.output.print([.done(StyledText("would write \(path)"))]) }
        }
        do {
            switch exported {
            case .text(let bytes):
                if let path { try OutputFile.put(bytes, at: path) } else { try context.output.bytes(bytes) }
            case .folder(let files):
                guard let path else {
                    throw Failure(.usage, "\(name.rawValue) is a folder of files", hint: "give its path: -o Settings.bundle")
                }
                try OutputFile.put(files.map { ($0.path, $0.bytes) }, in: path)
            }
        } catch let error as SystemFailure { throw Failure(.file(.failed(error))) }
    }

    /// The format of the file, which need not be there yet.
    private func name(ofFormatAt path: String, _ interchange: any Interchange) throws -> FormatName {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let bytes: [UInt8]
        do throws(SystemFailure) { bytes = try FileSystem.bytes(of: path, atMost: OutputFile.comparedSize) ?? [] } catch {
            throw Failure(.file(.failed(error)))
        }
        do throws(Refusal) { return try interchange.tracked.format(of: bytes, named: path) } catch {
            guard error.remedy == .namingFormat else { throw Failure(error) }
            throw Failure(
                .usage, "can't tell the format of \(file)", hint: "name it before -o: one of \(FormatName.list)")
        }
    }

    /// What only the file has is not overwritten. Returns what it has under former names.
    private func checkOverwriting(
        _ path: String, _ format: FormatName, _ group: Key, _ settings: SettingsContent, _ session: Session, _ context: Context
    ) throws -> [VersionMessage.Rename] {
        let found = (try? FileSystem.bytes(of: path, atMost: OutputFile.comparedSize)).flatMap { $0 }
        guard session.folder.bareRepository == nil, let bytes = found, !bytes.isEmpty else { return [] }
        let name = ImportNames(store: session.folder, environment: context.environment).name(of: path)
        let query = OverwritingQuery(
            name: name, format: format, group: group, bytes: bytes, settings: settings.relative(to: group))
        let answer = try session.ask(query)
        if answer.changes.isEmpty { return prune ? [] : answer.renamed }
        if check { throw Failure(.no) }
        throw Failure(.conflict, context.phrases.overwrites(path, answer.changes))
    }

    /// What is written into the store's folder must not be taken for an option.
    private func checkIsOutside(_ path: String, _ exported: Exported, _ store: StoreFolder) throws {
        let paths = if case .folder(let files) = exported { files.map { "\(path)/\($0.path)" } } else { [path] }
        for path in paths {
            guard let own = try store.ownPath(of: path) else { continue }
            throw Failure(.usage, CommandLineHints.isInside(own, store: store.path))
        }
    }
}

enum ExportPart: String, EnumerableFlag {
    case values, definitions
}
