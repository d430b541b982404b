import ArgumentParser
import SettingsModel
import SettingsStore

struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove options or groups; their history stays, and restore brings them back.",
        discussion: """
              settings remove general.timer -m 'Nobody uses it'
              settings remove sound --recursive
            """,
        aliases: ["rm"])

    @Argument(help: ArgumentHelp("Options and groups.", valueName: "key"), completion: .word(.place))
    var keys: [String]

    @Flag(name: [.short, .long], help: "Remove groups and everything in them.")
    var recursive = false

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        try Recording(context: context, options: record, json: json.json).edit(.remove(keys, recursive: recursive))
    }
}
