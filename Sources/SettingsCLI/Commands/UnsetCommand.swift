import ArgumentParser
import SettingsModel
import SettingsStore

struct UnsetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset",
        abstract: "Clear the values of options; programs then read the default, if there is one.",
        discussion: "  settings unset general.language -m 'Each office chooses'")

    @Argument(help: ArgumentHelp("Options.", valueName: "key"), completion: .word(.key)) var keys: [String]

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws { try grant(.json(nil), to: keys, json, record, global) }
}

struct ResetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Set options to their defaults.", discussion: "  settings reset general.language display.theme",
        shouldDisplay: !Help.isAsked)

    @Argument(help: ArgumentHelp("Options.", valueName: "key"), completion: .word(.key)) var keys: [String]

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws { try grant(.reset, to: keys, json, record, global) }
}

private func grant(_ wish: Wish, to keys: [String], _ json: JSONOption, _ record: RecordOptions, _ global: GlobalOptions) throws {
    let context = Context(global)
    try Recording(context: context, options: record, json: json.json)
        .edit(.set(keys.map { EditRequest.Assignment($0, wish) }))
}
