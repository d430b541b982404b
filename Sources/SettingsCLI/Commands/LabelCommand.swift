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

    @Argument(help: "The choice.", completion: .key) var key: String
    @Argument(help: "What people read.", transform: Words.plain) var label: String

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Its place, from 0; else the end.", valueName: "n"))
    var at: Int?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Its name for programs; else made from its text.", valueName: "value"))
    var value: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Shown where there is room.", valueName: "text"))
    var long: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try editLabels(key, json, record, global) { key, option throws(StoreError) in
            let place = at ?? option.labels.count
            guard (0...option.labels.count).contains(place) else {
                throw StoreError(
                    .badData, "\(key) has \(option.labels.count) labels, so none can come at \(place)",
                    hint: "a place is from 0 to \(option.labels.count)")
            }
            try checkLabel(label, key)
            let new = Label(
                value: value.map { .string($0) } ?? option.labels.newValue(for: Text(label)), text: Text(label),
                long: long.map { Text($0) })
            if let same = option.labels.label(of: new.value) {
                if same.text == new.text, at == nil { return }
                throw StoreError(
                    .conflict, "\(key): the label \(same.text) has the value \(new.value.compact) already",
                    hint: "give the new one another with --value")
            }
            if value == nil, option.labels.contains(where: { $0.text == new.text }) {
                throw StoreError(
                    .conflict, "\(key) has a label \(label) already",
                    hint: "to have two labels of one text, name the value of this one with --value")
            }
            option.labels.insert(new, at: place)
        }
    }
}

struct LabelRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a label.", aliases: ["rm"])

    @Argument(help: "The choice.", completion: .key) var key: String
    @Argument(help: "The label, or its value.", completion: .label, transform: Words.plain) var label: String

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("What is chosen then, where the chosen one is removed.", valueName: "label"))
    var select: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try editLabels(key, json, record, global) { key, option throws(StoreError) in
            let value = try option.labelValue(label, key)
            let text = option.labels.label(of: value)?.text ?? ""
            option.labels.remove(value)
            if let select {
                option.value = try option.labelValue(select, key)
            } else if option.value == value {
                throw StoreError(.conflict, "\(key): \(text) is chosen", hint: "say what is chosen then, with --select LABEL")
            }
            if option.defaultValue == value {
                throw StoreError(
                    .conflict, "\(key): \(text) is the default",
                    hint: "change the default first: 'settings define \(key) --default VALUE'")
            }
        }
    }
}

struct LabelRenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Rename a label; its value for programs stays.", aliases: ["mv"])

    @Argument(help: "The choice.", completion: .key) var key: String
    @Argument(help: "The label, or its value.", completion: .label, transform: Words.plain) var old: String
    @Argument(help: "What people read from now on.", transform: Words.plain) var new: String

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try editLabels(key, json, record, global) { key, option throws(StoreError) in
            try checkLabel(new, key)
            let value = try option.labelValue(old, key)
            if option.labels.contains(where: { $0.text == Text(new) && $0.value != value }) {
                throw StoreError(
                    .conflict, "\(key) has a label \(new) already", hint: "choose another text, or remove that one first")
            }
            option.labels.rename(value, to: Text(new))
        }
    }
}

struct LabelMoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "move", abstract: "Move a label to another place.")

    @Argument(help: "The choice.", completion: .key) var key: String
    @Argument(help: "The label, or its value.", completion: .label, transform: Words.plain) var label: String
    @Argument(help: ArgumentHelp("Its place then, from 0.", valueName: "n")) var place: Int

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try editLabels(key, json, record, global) { key, option throws(StoreError) in
            guard option.labels.indices.contains(place) else {
                throw StoreError(
                    .badData, "\(key) has \(option.labels.count) labels, so none can be at \(place)",
                    hint: "a place is from 0 to \(option.labels.count - 1)")
            }
            option.labels.move(try option.labelValue(label, key), to: place)
        }
    }
}

/// Records an edit of one choice.
private func editLabels(
    _ word: String, _ json: JSONOption, _ record: RecordOptions, _ global: GlobalOptions,
    _ work: (Key, inout SettingsModel.Option) throws(StoreError) -> Void
) throws {
    let context = Context(global)
    try Recorder(context: context, options: record, json: json.json).edit { tip throws(StoreError) in
        let key = try tip.key(word, context.environment)
        return try tip.editing([.option(key)]) { settings throws(StoreError) in
            guard var option = settings.options[key] else { return }
            guard option.type == .choice else {
                throw StoreError(.badData, "\(key) is a \(option.type.rawValue), which has no labels")
            }
            try work(key, &option)
            settings.options[key] = option
        }
    }
}

extension SettingsModel.Option {
    fileprivate func labelValue(_ word: String, _ key: Key) throws(StoreError) -> JSON {
        do {
            guard let value = try value(for: .word(word)) else { throw StoreError(.badData, "\(key) has no label '\(word)'") }
            return value
        } catch let error as Refusal {
            throw StoreError(.badData, "\(key): \(error.reason)", hint: error.hint)
        } catch {
            throw StoreError(.badData, "\(key) has no label '\(word)'")
        }
    }
}

private func checkLabel(_ label: String, _ key: Key) throws(StoreError) {
    if label.isEmpty { throw StoreError(.usage, "a label of \(key) can't be empty") }
}
