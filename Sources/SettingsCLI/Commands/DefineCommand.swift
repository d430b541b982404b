import ArgumentParser
import SettingsModel
import SettingsStore

struct DefineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "define",
        abstract: "Create an option or a group, or change its definition.",
        discussion: """
            Running the same command twice changes nothing. What people chose stays: a
            choice's selection follows its label.

              settings define general.language --choice English French Spanish German
              settings define sound.volume --range 0..200
              settings define general --style section --order language,timer
              settings define / --require-why required
            """)

    @Argument(help: ArgumentHelp("An option, a group, or / for the store.", valueName: "key"), completion: .word(.place))
    var key: String

    @OptionGroup(title: "An option") var definition: DefinitionOptions

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("How a group is shown: section or page.", valueName: "style"))
    var style: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("An explanation shown below the group.", valueName: "text"))
    var footer: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The order of its entries, separated by commas.", valueName: "names"))
    var order: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Whether versions need a reason: required, asked or optional.", valueName: "policy"))
    var requireWhy: String?

    @OptionGroup var rare: RarePolicyOptions
    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        try Recording(context: context, options: record, json: json.json)
            .edit(.define(key, try definition.definition, try group, try policy))
    }

    private var group: GroupDefinition {
        get throws {
            var group = GroupDefinition()
            group.title = definition.title
            group.style = try style.map { style in
                guard let known = SettingsGroup.Style(rawValue: style) else {
                    throw Failure(.usage, "invalid style '\(style)': expected section or page")
                }
                return known
            }
            group.footer = footer
            group.order = order?.split(separator: ",").map { $0.trimmingSpaces }
            return group
        }
    }

    private var policy: PolicyDefinition {
        get throws {
            var policy = PolicyDefinition()
            policy.why = try requireWhy.map(demand)
            policy.requestedBy = try rare.requireRequestedBy.map(demand)
            policy.ticket = try rare.requireTicket.map(demand)
            return policy
        }
    }

    private func demand(_ word: String) throws -> StoreDefinition.Demand {
        guard let demand = StoreDefinition.Demand(rawValue: word) else {
            throw Failure(.usage, "invalid value '\(word)': expected required, asked or optional")
        }
        return demand
    }
}

/// Policies that few stores have: 'help options' explains them, and the help of `define` leaves them out.
struct RarePolicyOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Whether versions need a requester: required, asked or optional.", valueName: "policy",
            visibility: Help.visibilityOfListedOptions))
    var requireRequestedBy: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Whether versions need a ticket: required, asked or optional.", valueName: "policy",
            visibility: Help.visibilityOfListedOptions))
    var requireTicket: String?
}
