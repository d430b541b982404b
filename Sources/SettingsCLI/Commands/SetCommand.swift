import ArgumentParser

struct SetCommand: RequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set options, all of them in one version.",
        discussion: """
            VALUE is matched against values, then labels, then labels ignoring case.
            A switch also takes on, off and toggle; KEY+=5 and KEY-=5 change a number;
            for text and data '-' reads standard input.

              settings set general.language French -m 'The Paris office opens.'
              settings set display.theme=dark sound.volume+=10
              settings set general.language --next
              settings set general.language de --if general.language=en
            """)

    @Argument(help: ArgumentHelp("KEY VALUE pairs, or KEY=VALUE.", valueName: "key-value"), completion: .word(.keyOrValue))
    var words: [String] = []

    @Option(name: .long, parsing: .unconditional, help: "Select the label with this text.", completion: .word(.label))
    var label: String?

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("Select the label at this position, from 0.", valueName: "n"))
    var index: Int?

    @Flag(name: .long, help: "Select the next label, or add one step.")
    var next = false

    @Flag(name: .long, help: "Select the previous label, or subtract one step.")
    var previous = false

    @Option(
        name: .customLong("if"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Set only if KEY has this value now. Repeatable.", valueName: "key=value"),
        completion: .word(.assignment))
    var conditions: [String] = []

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    var request: SetRequest {
        SetRequest(
            words: words, label: label, index: index, next: next, previous: previous, conditions: conditions, json: json.json,
            record: record.request, global: global.request)
    }
}
