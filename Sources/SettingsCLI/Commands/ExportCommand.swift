import ArgumentParser
import SettingsModel
import SettingsStore

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write settings as another program's files.",
        discussion: """
            What a format keeps apart, values and definitions, is told from the name
            that is written to, or by --values and --definitions.

              settings export json server -o config.json
              settings export gsettings org.gnome -o desktop.ini
              settings export settings-bundle -o Settings.bundle
              settings export yaml --at yesterday

            A file of YAML, TOML, JSON or .env that is there already is edited in place: only the values that differ are
            changed, and comments, order, quotes and layout stay. Options that it lacks are added. What the store doesn't have
            stays; --prune removes it with its lines, but not comments on lines of their own. What can't be edited so, such as
            a value that comes from an alias, is refused; --rewrite writes the whole file anew.

              settings export yaml server -o config.yaml
              settings export yaml server -o config.yaml --rewrite
            """)

    @Argument(
        help: ArgumentHelp("One of \(FormatName.list).", valueName: "format"),
        completion: .list(FormatName.allCases.map(\.rawValue)))
    var format: String

    @Argument(help: "Only what is in this group.", completion: .place) var group: String?

    @Option(
        name: [.customShort("o"), .long], parsing: .unconditional,
        help: ArgumentHelp("Where to write it, else to standard output.", valueName: "path"), completion: .file())
    var output: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("As it was then.", valueName: "when"))
    var at: String?

    @Flag(help: "What is set, or what can be set.")
    var part: ExportPart?

    @Flag(help: "Write the whole file anew instead of editing it in place.")
    var rewrite = false

    @Flag(help: "Remove from the file what the store doesn't have.")
    var prune = false

    @OptionGroup var global: GlobalOptions

    func run() throws {
        guard let interchange = Program.interchange else { try Program.becomeInterchange() }
        let context = Context(global)
        guard let name = FormatName(rawValue: format) else {
            throw Failure(.usage, "'\(format)' is no format", hint: "it is one of \(FormatName.list)")
        }
        let place = try group.map { try KeyLookup.parse($0) } ?? .root
        let settings = try read(place, context)
        if !place.isRoot, settings.subjects.isEmpty {
            throw Failure(.missing, "there is no group '\(place)'", hint: "'settings list' shows what there is")
        }
        let path = output.map { context.environment.absolute($0) }
        let request = ExportRequest(
            format: name, values: part.map { $0 == .values }, output: path, title: settings.title(of: .group(place)),
            rewrites: rewrite, prunes: prune)
        let exported: Exported
        do { exported = try interchange.write(settings.relative(to: place), request) } catch { throw Failure(error) }
        switch exported {
        case .text(let bytes):
            if let path { try OutputFile.put(bytes, at: path) } else { try context.output.bytes(bytes) }
        case .folder(let files):
            guard let path else {
                throw Failure(.usage, "\(format) is a folder of files", hint: "say where: -o Settings.bundle")
            }
            try OutputFile.put(files, in: path)
        }
    }

    private func read(_ place: Key, _ context: Context) throws -> Settings {
        if let at {
            let store = try context.store()
            return try store.snapshot(try context.version(at, in: store).id).settings(in: place)
        }
        return try context.folder().reading { folder in
            try folder.settings(of: place, context.caller) { problem throws(Problem) in throw problem }
        }
    }
}

enum ExportPart: String, EnumerableFlag {
    case values, definitions
}
