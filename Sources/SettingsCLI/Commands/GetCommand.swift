import ArgumentParser

struct GetCommand: RequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print an option's value as programs read it; an unset option gives its default.",
        discussion: """
            Strings are printed without quotes and data as JSON, one line per key, all from
            the same version. If an option has neither a value nor a default, the exit
            status is 1, and nothing is printed for it, or an empty line among several.

            With --at, as with 'settings list', 'show' and 'blame', a key is the name that
            the option had then, or its present one if nothing had that name then.

              settings get general.language
              settings get general.language --label --at 'yesterday 18:00'
              settings get --with-key -z sound.volume sound.mute | xargs -0 settings set
            """)

    @Argument(help: ArgumentHelp("Options.", valueName: "key"), completion: .word(.key)) var keys: [String]

    @Flag(name: .long, help: "Print the label.") var label = false
    @Flag(name: .long, help: "Print the index of the selected label, from 0.") var index = false
    @Flag(name: .long, help: "Print nothing instead of the default.") var noDefault = false
    @Flag(name: .long, help: "Print KEY=VALUE, as 'settings set' accepts it.") var withKey = false
    @Flag(name: [.customShort("z"), .customLong("null")], help: "End each answer with a zero byte instead of a newline.")
    var null = false

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Read the store as of this version or time; HEAD ignores unrecorded edits.", valueName: "when"),
        completion: .word(.when))
    var at: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    var request: GetRequest {
        GetRequest(
            keys: keys, label: label, index: index, noDefault: noDefault, json: json.json, withKey: withKey, null: null, at: at,
            global: global.request)
    }

    func validate() throws {
        if let problem = request.problem { throw ValidationError(problem) }
    }
}

struct IsCommand: RequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "is",
        abstract: "Test whether an option has a value, a switch is on, or anything is set: exit 0 if so, 1 if not.",
        discussion: """
              settings is display.dark && start-dark
              settings is general.language French
            """)

    @Argument(help: "The option.", completion: .word(.key)) var key: String
    @Argument(
        help: "A value or a label (default: on for a switch, otherwise any value).", completion: .word(.label),
        transform: Words.plain) var value: String?

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("Read the store as of this version or time.", valueName: "when"),
        completion: .word(.when))
    var at: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    var request: IsRequest { IsRequest(key: key, value: value, json: json.json, at: at, global: global.request) }
}
