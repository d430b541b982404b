import ArgumentParser

struct GetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print what programs read: the value, or the default where it is unset.",
        discussion: """
            Strings are printed bare, data as JSON, several keys a line each, all from one
            version. Where something has neither value nor default, nothing is printed for
            it and the exit status is 1.

              settings get general.language
              settings get general.language --label --at 'yesterday 18:00'
            """)

    @Argument(help: ArgumentHelp("Options.", valueName: "key"), completion: .key) var keys: [String]

    @Flag(name: .long, help: "Print the label.") var label = false
    @Flag(name: .long, help: "Print the index of the chosen label, from 0.") var index = false
    @Flag(name: .long, help: "Print the value only, never the default.") var noDefault = false

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("As it was then: a version or a time. HEAD: the last version, without hand edits.", valueName: "when"))
    var at: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    var request: GetRequest {
        GetRequest(
            keys: keys, label: label, index: index, noDefault: noDefault, json: json.json, at: at, global: global.request)
    }

    func validate() throws {
        if let problem = request.problem { throw ValidationError(problem) }
    }

    func run() throws { try request.run() }
}

struct IsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "is",
        abstract: "Ask whether an option has a value, or a switch is on: exit status 0 yes, 1 no.",
        discussion: """
              settings is display.dark && start-dark
              settings is general.language French
            """)

    @Argument(help: "The option.", completion: .key) var key: String
    @Argument(
        help: "A value or a label; without one a switch is on, anything else is set.", completion: .keyOrValue,
        transform: Words.plain) var value: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("As it was then.", valueName: "when"))
    var at: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    var request: IsRequest { IsRequest(key: key, value: value, json: json.json, at: at, global: global.request) }

    func run() throws { try request.run() }
}
