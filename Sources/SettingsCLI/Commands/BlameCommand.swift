import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct BlameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "blame",
        abstract: "Show who set each current value, when and why.",
        discussion: """
            Edits of labels do not count. Merges and undos are followed to the person who
            made the choice.

              settings blame
              settings blame general.language --facets
            """)

    @Argument(help: ArgumentHelp("Options and groups (default: everything).", valueName: "key"), completion: .place) var keys:
        [String] = []
    @Flag(name: .long, help: "Also show who set titles, labels and other definitions.") var facets = false

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("Read the store as of this version or time.", valueName: "when"))
    var at: String?

    @OptionGroup var reveal: RevealOption
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global, reveal: reveal.reveal)
        let store = try context.storeToRead()
        let snapshot = try at.map { try store.versions.snapshot(try context.version($0, in: store).id) } ?? store.versions.tip()
        let places = try snapshot.places(keys, context.caller)
        let options = try snapshot.options().filter { key in places.isEmpty || places.contains { key.isWithin($0) } }
        let blames = try store.history.blame(options, at: snapshot, facets: facets ? [.value, .title, .labels] : [.value])
            .filter { $0.facet != .labels || $0.option.type == .choice }
        if json.json {
            let rows = blames.map { blame in
                JSON.object([
                    "key": .string(blame.key.description), "title": .string(blame.option.title),
                    "facet": .string(blame.facet.name),
                    "value": blame.facet == .value ? value(blame, context) : nil,
                    "label": blame.facet == .value
                        ? blame.option.value.flatMap { blame.option.label(of: $0) }.map { .string($0) } ?? .null : nil,
                    "version": context.reports.reference(blame.version),
                ])
            }
            try context.output.json(Reports.document(["blame": .array(rows), "complete": .bool(!store.versions.isShallow)]))
        } else {
            context.page(store)
            try context.output.lines(Phrases.table(blames.map { row($0, context.phrases) }))
        }
        try context.afterReading(store)
    }

    private func value(_ blame: Blame, _ context: Context) -> JSON {
        guard let value = blame.option.value else { return .null }
        return blame.option.isMasked && !reveal.reveal ? .string(Wording.dots) : value
    }

    private func row(_ blame: Blame, _ phrases: Phrases) -> [StyledText] {
        let what =
            switch blame.facet {
            case .title: "title \(blame.option.title)"
            case .labels: "\(blame.option.labels.count) labels"
            default: phrases.wording.words(blame.option.value, of: blame.option)
            }
        let origin = blame.version == nil ? StyledText("before this shallow clone", .faint) : phrases.origin(blame.version)
        return [StyledText(blame.key.description, .name), StyledText(what, .after), origin]
    }
}
