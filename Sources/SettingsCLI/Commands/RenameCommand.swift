import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct RenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename an option or a group; its history follows.",
        discussion: """
            An option whose new key is a group goes into that group and keeps its name.

              settings rename general.language system.language
              settings rename general system
            """,
        aliases: ["mv"])

    @Argument(help: "The current key.", completion: .word(.place)) var old: String
    @Argument(help: "The new key, or a group that an option goes into.") var new: String

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        var recording = Recording(context: context, options: record, json: json.json)
        recording.nothing = { Phrases.alreadyNamed }
        try recording.edit(.rename(old, to: new))
    }
}
