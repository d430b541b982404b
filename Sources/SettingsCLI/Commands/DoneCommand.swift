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
              settings done --staged    only what 'git add' put into git's index
            """,
        aliases: ["commit"])

    @Argument(help: ArgumentHelp("Options and groups (default: everything).", valueName: "key"), completion: .word(.place))
    var keys: [String] = []

    @Flag(name: .long, help: "Record only what is staged in git's index; other edits stay in the files.") var staged = false

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if staged, !keys.isEmpty { throw ValidationError("--staged cannot be combined with keys") }
    }

    func run() throws {
        var recording = Recording(context: Context(global), options: record, json: json.json)
        recording.nothing = { "nothing to record: there are no unrecorded edits" }
        if staged { recording.nothing = { "nothing to record: nothing is staged" } }
        try recording.record(staged ? .recordStaged() : .recordDraft(keys))
    }
}
