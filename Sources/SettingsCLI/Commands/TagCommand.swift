import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct TagCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag",
        abstract: "List names for versions, or name one.",
        discussion: """
              settings tag
              settings tag opening-day
              settings tag before-opening 'yesterday 18:00' -m 'The last quiet evening'
            """)

    @Argument(help: "The name.") var name: String?
    @Argument(help: ArgumentHelp("Which version; else the last.", valueName: "when")) var when: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        let store = try context.store()
        guard let name else { return try list(store, context) }
        var version = try when.map { try context.version($0, in: store) }
        if record.dryRun {
            version = try version ?? store.version(named: "HEAD")
        } else {
            let done = try Recorder(context: context, options: record, json: json.json).done(store)
            version = try store.tag(name, version?.id, done)
        }
        guard let version else { return }
        if json.json {
            return try context.output.json(
                Reports.document(["tag": .string(name), "version": context.reports.reference(version)]))
        }
        if !context.output.isQuiet {
            try context.output.line(
                StyledText(version.id.short, .id).adding("  is \(record.dryRun ? "to be " : "")called \(name)"))
        }
    }

    private func list(_ store: Store, _ context: Context) throws {
        let tags = try store.tags()
        let versions = try tags.map { try store.version($0.commit) }
        if json.json {
            let rows = zip(tags, versions).map { tag, version in
                JSON.object([
                    "name": .string(tag.name), "message": tag.message.map { .string($0.trimmingSpaces) } ?? .null,
                    "version": context.reports.reference(version),
                ])
            }
            return try context.output.json(Reports.document(["tags": .array(rows)]))
        }
        context.page(store)
        let rows = zip(tags, versions).map { tag, version in
            let message = tag.message?.trimmingSpaces ?? ""
            let why = message.isEmpty || message == tag.name ? "" : "  “\(message.split(separator: "\n")[0])”"
            return [StyledText(tag.name, .name), context.phrases.headline(version) + StyledText(why)]
        }
        try context.output.lines(Phrases.table(rows))
        if tags.isEmpty { context.output.note("no version has a name yet") }
    }
}
