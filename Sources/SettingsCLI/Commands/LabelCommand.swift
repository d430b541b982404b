import ArgumentParser
import SettingsModel
import SettingsStore

struct LabelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "label",
        abstract: "Edit a choice's labels; the selection stays on its label.",
        discussion: """
              settings label add general.language Arabic --at 1 -m 'For Cairo'
              settings label rename general.language French Français
              settings label move general.language German 0
              settings label remove general.language Spanish --select English
            """,
        subcommands: [LabelAddCommand.self, LabelRemoveCommand.self, LabelRenameCommand.self, LabelMoveCommand.self])
}

struct LabelAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Add a label.")

    @Argument(help: "The choice.", completion: .word(.key)) var key: String
    @Argument(help: "The label's text.", transform: Words.plain) var label: String

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The position of the label, from 0 (default: last).", valueName: "n"),
        transform: Words.number)
    var at: Int?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The value that programs read (default: made from the text).", valueName: "value"))
    var value: String?

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("A longer text, shown where there is room.", valueName: "text"))
    var long: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws { try editLabels(key, json, record, global, .add(label, value: value, long: long, at: at)) }
}

struct LabelRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a label.", aliases: ["rm"])

    @Argument(help: "The choice.", completion: .word(.key)) var key: String
    @Argument(help: "The label or its value.", completion: .word(.label), transform: Words.plain) var label: String

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The label to select if the selected one is removed.", valueName: "label"))
    var select: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws { try editLabels(key, json, record, global, .remove(label, select: select)) }
}

struct LabelRenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Rename a label; its value stays.", aliases: ["mv"])

    @Argument(help: "The choice.", completion: .word(.key)) var key: String
    @Argument(help: "The label or its value.", completion: .word(.label), transform: Words.plain) var old: String
    @Argument(help: "The new text.", transform: Words.plain) var new: String

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws { try editLabels(key, json, record, global, .rename(old, to: new)) }
}

struct LabelMoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "move", abstract: "Move a label to another position.")

    @Argument(help: "The choice.", completion: .word(.key)) var key: String
    @Argument(help: "The label or its value.", completion: .word(.label), transform: Words.plain) var label: String
    @Argument(help: ArgumentHelp("The new position, from 0.", valueName: "n"), transform: Words.number) var place: Int?

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("The new position, as 'label add' takes it.", valueName: "n"),
        transform: Words.number)
    var at: Int?

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if place != nil, at != nil { throw ValidationError("give the position once, as N or as --at N") }
        if place == nil, at == nil { throw ValidationError("Missing expected argument '<n>'") }
    }

    func run() throws {
        guard let place = place ?? at else { return }
        try editLabels(key, json, record, global, .move(label, to: place))
    }
}

/// Records an edit of one choice.
private func editLabels(
    _ key: String, _ json: JSONOption, _ record: RecordOptions, _ global: GlobalOptions, _ edit: LabelEdit
) throws {
    let context = Context(global)
    try Recording(context: context, options: record, json: json.json).edit(.label(key, edit))
}
