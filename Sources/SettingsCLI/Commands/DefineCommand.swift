import ArgumentParser
import SettingsModel
import SettingsStore

struct DefineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "define",
        abstract: "Make an option or a group, or change what it is.",
        discussion: """
            Running it twice changes nothing. What people chose stays: a choice's
            selection follows its label.

              settings define general.language --choice English French Spanish German
              settings define sound.volume --range 0..200
              settings define general --style section --order language,timer
              settings define / --require-why required
            """)

    @Argument(help: ArgumentHelp("An option, a group, or / for the store.", valueName: "key"), completion: .place)
    var key: String

    @OptionGroup(title: "An option") var definition: DefinitionOptions

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("How a group is shown: section or page.", valueName: "style"))
    var style: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Explains a group, below it.", valueName: "text"))
    var footer: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Names in the order a group shows them, with commas between.", valueName: "names"))
    var order: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Whether each version says why: required, asked or optional.", valueName: "demand"))
    var requireWhy: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Whether each version names who asked for it.", valueName: "demand"))
    var requireRequestedBy: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Whether each version names a ticket.", valueName: "demand"))
    var requireTicket: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        try Recorder(context: context, options: record, json: json.json).edit { tip throws(StoreError) in try edit(tip) }
    }

    private func edit(_ tip: Snapshot) throws(StoreError) -> Edit {
        if key == "/" { return try defineStore(tip) }
        let key = try tip.newKey(key)
        let option = try tip.option(key)
        let holdsSomething = try !tip.subjects(in: key).isEmpty
        let isGroup = definition.kind == nil && option == nil && (hasGroupWords || holdsSomething)
        if hasGroupWords && !isGroup {
            throw StoreError(.usage, "--style, --footer and --order are for groups, and \(key) is an option")
        }
        guard isGroup else {
            if hasPolicy { throw StoreError(.usage, "--require-… is for the store, which is written as /") }
            if option == nil, definition.isEmpty {
                throw StoreError(
                    .missing, "there is no '\(key)' yet",
                    hint: "say what it is: --choice, --switch, --number, --text, --data, or for a group --style")
            }
            let defined = try definition.option(key, from: option)
            return try tip.editing([.option(key)]) { settings in settings.options[key] = defined }
        }
        return try tip.editing([.group(key)]) { settings throws(StoreError) in
            var group = settings.groups[key] ?? Group()
            try define(&group)
            settings.groups[key] = group
        }
    }

    private var hasGroupWords: Bool { style != nil || footer != nil || order != nil }
    private var hasPolicy: Bool { requireWhy != nil || requireRequestedBy != nil || requireTicket != nil }

    private func define(_ group: inout Group) throws(StoreError) {
        if let title = definition.title { group.title = title.isEmpty ? nil : Text(title) }
        if let style {
            guard let known = Group.Style(rawValue: style) else {
                throw StoreError(.usage, "'\(style)' is no style of a group", hint: "it is section or page")
            }
            group.style = known
        }
        if let footer { group.footer = footer.isEmpty ? nil : Text(footer) }
        if let order {
            let names = order.split(separator: ",").map { Text($0.trimmingSpaces) }
            guard Set(names).count == names.count else { throw StoreError(.usage, "--order names something twice") }
            group.order = names.isEmpty ? nil : names
        }
    }

    private func defineStore(_ tip: Snapshot) throws(StoreError) -> Edit {
        try tip.editing([.store, .group(.root)]) { settings throws(StoreError) in
            var definition = settings.definition ?? StoreDefinition()
            if let title = self.definition.title { definition.title = Text(title) }
            if let word = requireWhy { definition.policy.why = try demand(word) }
            if let word = requireRequestedBy { definition.policy.requestedBy = try demand(word) }
            if let word = requireTicket { definition.policy.ticket = try demand(word) }
            settings.definition = definition
            guard hasGroupWords else { return }
            var root = settings.groups[.root] ?? Group()
            let title = root.title
            try define(&root)
            root.title = title
            settings.groups[.root] = root
        }
    }

    private func demand(_ word: String) throws(StoreError) -> StoreDefinition.Demand {
        guard let demand = StoreDefinition.Demand(rawValue: word) else {
            throw StoreError(.usage, "'\(word)' is no demand", hint: "it is required, asked or optional")
        }
        return demand
    }
}
