import ArgumentParser

struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set options; all of them in one Done.",
        discussion: """
            VALUE is an exact value, else an exact label, else a label but for case.
            A switch also takes on, off and toggle; KEY+=5 and KEY-=5 change a number;
            for text and data '-' reads standard input.

              settings set general.language French -m 'The Paris office opens.'
              settings set display.theme=dark sound.volume+=10
              settings set general.language --next
              settings set general.language de --if general.language=en
            """)

    @Argument(help: ArgumentHelp("KEY VALUE pairs, or KEY=VALUE.", valueName: "key-value"), completion: .keyOrValue)
    var words: [String] = []

    @Option(name: .long, parsing: .unconditional, help: "Choose the label with this text.", completion: .label)
    var label: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Choose the label at this place, from 0.", valueName: "n"))
    var index: Int?

    @Flag(name: .long, help: "Choose the next label, add a step.")
    var next = false

    @Flag(name: .long, help: "Choose the previous label, take a step away.")
    var previous = false

    @Option(
        name: .customLong("if"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Only if KEY has this value now. May be given several times.", valueName: "key=value"))
    var conditions: [String] = []

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    var request: SetRequest {
        SetRequest(
            words: words, label: label, index: index, next: next, previous: previous, conditions: conditions, json: json.json,
            record: record.request, global: global.request)
    }

    func run() throws { try request.run() }
}
