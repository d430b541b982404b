import ArgumentParser
import SettingsModel
import SettingsStore
import SettingsText

struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an option.",
        discussion: """
            A new choice selects its first label, and a new switch is off. The values that
            programs read are made from the labels' text unless they are given.

              settings add general.language --title Language --choice English French
              settings add general.language --title Language --choice en=English fr=French
              settings add display.large --title 'Larger Text' --switch --page Display
              settings add sound.volume --title Volume --number 50 --range 0..100:5
              settings add user.name --title Name --text '' --placeholder 'Your name'
            """)

    @Argument(help: ArgumentHelp("The option's key, such as general.language.", valueName: "key"), completion: .word(.place))
    var key: String

    @OptionGroup(title: "Definition") var definition: DefinitionOptions

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "The title of a group that contains the option, shown as a section of its page. Repeatable.", valueName: "title"))
    var section: [String] = []

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("The title of a group that contains the option, shown as a page. Repeatable.", valueName: "title"))
    var page: [String] = []

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        try Recording(context: context, options: record, json: json.json)
            .edit(.add(key, try definition.definition, groups: EditRequest.NewGroups(sections: section, pages: page)))
        if definition.rare.masked == true { try context.output.print([Phrases.notEncrypted]) }
    }
}
