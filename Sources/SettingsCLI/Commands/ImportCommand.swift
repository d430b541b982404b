import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Bring settings in from another program's files.",
        discussion: """
            The files are recognised by their names and what is in them. Importing
            again brings what changed since; what people chose meanwhile stays.

              settings import Settings.bundle -m 'From the app.'
              settings import /usr/share/glib-2.0/schemas --values desktop.ini
              settings import package.json --into editor --dry-run
              settings import config.toml --into server
            """)

    @Argument(help: ArgumentHelp("Files, or folders of them.", valueName: "path"), completion: .file()) var paths: [String]

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("What the files are: \(FormatName.list). Else it is told from them.", valueName: "format"),
        completion: .list(FormatName.allCases.map(\.rawValue)))
    var format: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Bring everything into this group.", valueName: "group"), completion: .place)
    var into: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("What is set, where the format keeps that in a file of its own.", valueName: "file"),
        completion: .file())
    var values: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The language of titles and labels, where the files have several.", valueName: "language"))
    var language: String?

    @Flag(name: .long, help: "Refuse files that need a repair.")
    var strict = false

    @Flag(name: .long, help: "What the files have wins over what people changed since the last import.")
    var overwrite = false

    @Flag(name: .long, help: "Remove what an earlier import of the same files brought and they no longer have.")
    var prune = false

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        guard let interchange = Program.interchange else { try Program.becomeInterchange() }
        let context = Context(global)
        let group = try into.map { try Keys(environment: context.environment) { [] }.parse($0) } ?? .root
        let store = try context.store()
        let imported = try read(interchange, group, store, context)
        if !json.json { try tell(imported.repairs, context) }

        let names = ImportNames(store: store, environment: context.environment)
        var wish = ImportWish(paths.map { VersionMessage.ImportSource(format: imported.format, name: names.name(of: $0)) })
        wish.group = group
        wish.overwrites = overwrite
        wish.prunes = prune
        var result = ImportResult()
        var recorder = Recorder(context: context, options: record, json: json.json)
        recorder.nothing = "nothing to import: everything is so already"
        recorder.mostSentences = record.dryRun ? .max : 20
        recorder.more = { context.reports.imported(imported, result) }
        try recorder.record(store) { done in
            try store.record(done) { tip throws(StoreError) in
                context.output.progress("\(imported.settings.options.count) options are compared …")
                result = try store.importing(imported, wish, tip)
                context.output.progress("\(result.edit.changes.count) changes are recorded …")
                return result.edit
            }
        }
        if !json.json { try tell(result, context) }
    }

    private func read(
        _ interchange: any Interchange, _ group: Key, _ store: Store, _ context: Context
    ) throws -> Imported {
        let known = try format.map { word in
            if let name = FormatName(rawValue: word) { return name }
            throw Failure(.usage, "'\(word)' is no format", hint: "it is one of \(FormatName.list)")
        }
        let request = ImportRequest(
            paths: paths, format: known, values: values, language: language,
            existing: { (try? store.tip().settings(in: group).relative(to: group)) ?? Settings() },
            progress: { done, all in context.output.progress("\(done) of \(all) files read …") })
        let imported: Imported
        do {
            imported = try interchange.read(request).moved(into: group)
        } catch let error as Key.Malformed {
            throw Failure(.badData, "the names there are too deep for the group \(group): \(error.reason)")
        } catch let refusal as Refusal {
            throw Failure(refusal)
        }
        if strict, let repair = imported.repairs.first(where: { $0.kind == .repaired }) {
            let count = imported.repairs.count { $0.kind == .repaired }
            throw Failure(
                .badData, "\(repair.place): \(repair.found)" + (count > 1 ? " (and \(count - 1) more)" : ""),
                hint: "without --strict it is imported with this: \(repair.done)")
        }
        return imported
    }

    /// What had to be put right, and what has no meaning here.
    private func tell(_ repairs: [Repair], _ context: Context) throws {
        guard !context.output.isQuiet else { return }
        for repair in repairs where repair.kind == .repaired {
            context.output.error(
                StyledText("repaired: ", .warning) + StyledText("\(repair.place): \(repair.found); \(repair.done)"))
        }
        let kept = repairs.count { $0.kind == .kept }
        if kept > 0 {
            context.output.note(
                "kept for export though it has no meaning here: \(kept) thing\(kept == 1 ? "" : "s"); --json lists what")
        }
    }

    private func tell(_ result: ImportResult, _ context: Context) throws {
        guard !context.output.isQuiet else { return }
        for conflict in result.kept {
            context.output.error(StyledText("kept: ", .warning) + context.phrases.conflict(conflict))
        }
        if !result.kept.isEmpty { context.output.note("hint: --overwrite takes what the files have") }
        let single = result.gone.filter { key in !result.goneGroups.contains { key.isWithin($0) && key != $0 } }
        let names = result.goneGroups.map { "\($0) (group)" } + single.map(\.description)
        guard !names.isEmpty else { return }
        let more = names.count > 5 ? " and \(names.count - 5) more" : ""
        let list = names.prefix(5).joined(separator: ", ") + more
        context.output.note("no longer in these files, and left as it is: \(list); --prune removes it")
    }
}

extension Failure {
    init(_ refusal: Refusal) {
        var place = refusal.file.map { "\($0)" } ?? ""
        if let position = refusal.position { place += ":\(position.line):\(position.column)" }
        let reason = place.isEmpty ? refusal.reason : "\(place): \(refusal.reason)"
        self.init(refusal.isMissing ? .missing : .badData, reason, hint: refusal.hint ?? "nothing was changed")
    }
}

extension Repair {
    /// The file, page and key that it is about.
    var place: String {
        var place = line.map { "\(file):\($0)" } ?? file
        for part in [page, key].compactMap({ $0 }) { place += " \(part)" }
        return place
    }
}

extension FormatName {
    static let list = allCases.map(\.rawValue).joined(separator: ", ")
}
