import ArgumentParser
import SettingsModel
import SettingsStore

struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an option.",
        discussion: """
            A choice starts on its first label, a switch off. Labels get values for
            programs, made from their text unless named.

              settings add general.language --title Language --choice English French
              settings add general.language --title Language --choice en=English fr=French
              settings add display.large --title 'Larger Text' --switch --page Display
              settings add sound.volume --title Volume --number 50 --range 0..100:5
              settings add user.name --title Name --text '' --placeholder 'Your name'
            """)

    @Argument(help: ArgumentHelp("Where it goes, as general.language.", valueName: "key"), completion: .place)
    var key: String

    @OptionGroup(title: "What it is") var definition: DefinitionOptions

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("The title of a group on the way, shown as a section of its page.", valueName: "title"))
    var section: [String] = []

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("The title of a group on the way, shown as a page.", valueName: "title"))
    var page: [String] = []

    @OptionGroup var json: JSONOption
    @OptionGroup var record: RecordOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        let context = Context(global)
        try Recorder(context: context, options: record, json: json.json).edit { tip throws(StoreError) in
            let key = try tip.newKey(key)
            if try tip.item(.option(key)) != nil {
                throw StoreError(
                    .conflict, "there is an option '\(key)' already", hint: "'settings define \(key) …' changes it")
            }
            let option = try definition.option(key, from: nil)
            let groups = try groups(on: key)
            return try tip.editing([.option(key)] + groups.map { .group($0.key) }) { settings throws(StoreError) in
                settings.options[key] = option
                for (group, wanted) in groups where settings.groups[group] == nil { settings.groups[group] = wanted }
            }
        }
        if definition.masked == true {
            context.output.note(
                "note: a masked text is shown as dots; it is not encrypted, and stands in the file and its history")
        }
    }

    /// Titles go to the innermost groups: pages first, then sections.
    private func groups(on key: Key) throws(StoreError) -> [(key: Key, value: Group)] {
        let titles = page.map { ($0, Group.Style.page) } + section.map { ($0, Group.Style.section) }
        let depth = key.parts.count - 1
        guard titles.count <= depth else {
            let groups = depth == 0 ? "lies in no group" : "lies in \(depth) group\(depth == 1 ? "" : "s")"
            let given = titles.count == 1 ? "1 title was" : "\(titles.count) titles were"
            throw StoreError(.usage, "\(key) \(groups), and \(given) given with --section and --page")
        }
        var group = key.group
        var groups: [(key: Key, value: Group)] = []
        for (title, style) in titles.reversed() {
            groups.append((group, Group(title: Text(title), style: style)))
            group = group.group
        }
        return groups.reversed()
    }
}

extension Snapshot {
    /// A key for something new.
    func newKey(_ word: String) throws(StoreError) -> Key {
        do { return try Key(word) } catch { throw StoreError(error, key: word) }
    }
}
