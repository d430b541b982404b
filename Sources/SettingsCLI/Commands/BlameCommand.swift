import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct BlameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "blame",
        abstract: "Show who set each current value, when and why.",
        discussion: """
            Edits of labels do not count. Merges, undos, reverts, restores and expired
            confirmations are followed to the person who made the choice.

              settings blame
              settings blame general.language --parts
            """)

    @Argument(help: ArgumentHelp("Options and groups (default: everything).", valueName: "key"), completion: .word(.place))
    var keys: [String] = []
    @Flag(name: .long, help: "Also show who set titles, labels and other definitions.") var parts = false

    /// The earlier name.
    @Flag(name: .long, help: .hidden) var facets = false

    @Flag(name: .long, help: "Print each option with its whole key on one line, however wide that is.") var long = false

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("Read the store as of this version or time.", valueName: "when"),
        completion: .word(.when))
    var at: String?

    @OptionGroup var reveal: RevealOption
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global, reveal: reveal.reveal)
        let session = try context.reader(readsOnly: true)
        let version = try at.map { try context.version($0, in: session).id }
        let answer = try session.ask(
            BlameQuery(keys, at: version, facets: parts || facets ? [.value, .title, .labels] : [.value]))
        let blames = answer.blames
        if json.json {
            try context.output.json(context.reports.blame(blames, isComplete: answer.isComplete))
        } else {
            context.page(session)
            let list = BlameList(blames)
            let columns = long ? nil : context.environment.columns
            let lines = columns.map { list.fitted(context.phrases, into: $0) } ?? list.whole(context.phrases)
            try context.output.lines(lines)
        }
        try context.afterReading(session)
        try context.report(answer.unreadable, in: session)
    }
}
