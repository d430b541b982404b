import ArgumentParser
import SettingsModel
import SettingsStore

struct DoneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "done",
        abstract: "Record edits made to the store's files.",
        discussion: """
              settings done -m 'Tidied the labels'
              settings done general.language -m 'German for Berlin'
            """,
        aliases: ["commit"])

    @Argument(help: ArgumentHelp("Options and groups (default: everything).", valueName: "key"), completion: .word(.place))
    var keys: [String] = []

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        var recording = Recording(context: Context(global), options: record, json: json.json)
        recording.nothing = { "nothing to record: there are no unrecorded edits" }
        try recording.record(.recordDraft(keys))
    }
}
