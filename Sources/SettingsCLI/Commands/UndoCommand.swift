import ArgumentParser
import SettingsStore

struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo your latest version, or your latest N versions.",
        discussion: """
            This records a new version; nothing is lost, and 'settings redo' reverses it.
            Other people's versions are not undone; use 'settings revert' for them.

              settings undo
              settings undo 3
            """)

    @Argument(help: ArgumentHelp("The number of versions (default: 1).", valueName: "n"), transform: Words.number) var count:
        Int = 1

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws { if count < 1 { throw ValidationError("invalid number '\(count)': expected 1 or more") } }

    func run() throws {
        try Recording(context: Context(global), options: record, json: json.json).record(.undo(count))
    }
}

struct RedoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Redo what you undid last, if nothing else has been recorded since.",
        discussion: "  settings redo")

    @Argument(help: ArgumentHelp("The number of versions (default: 1).", valueName: "n"), transform: Words.number) var count:
        Int = 1

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws { if count < 1 { throw ValidationError("invalid number '\(count)': expected 1 or more") } }

    func run() throws {
        try Recording(context: Context(global), options: record, json: json.json).record(.redo(count))
    }
}
