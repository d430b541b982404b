import ArgumentParser
import SettingsStore

struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take your own last Done back, or the last N.",
        discussion: """
            It makes a new version; nothing is lost, and 'settings redo' brings it back.
            Somebody else's last Done is not undone: 'settings revert' does that.

              settings undo
              settings undo 3
            """)

    @Argument(help: ArgumentHelp("How many.", valueName: "n")) var count: Int = 1

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws { if count < 1 { throw ValidationError("undo takes a number from 1") } }

    func run() throws {
        let context = Context(global)
        let store = try context.store()
        try Recorder(context: context, options: record, json: json.json).record(store, asks: false) { done in
            try store.undo(count, by: done.author, done)
        }
    }
}

struct RedoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo",
        abstract: "Make again what you undid last, as long as nothing else was recorded since.",
        discussion: "  settings redo")

    @Argument(help: ArgumentHelp("How many.", valueName: "n")) var count: Int = 1

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws { if count < 1 { throw ValidationError("redo takes a number from 1") } }

    func run() throws {
        let context = Context(global)
        let store = try context.store()
        try Recorder(context: context, options: record, json: json.json).record(store, asks: false) { done in
            try store.redo(count, by: done.author, done)
        }
    }
}
