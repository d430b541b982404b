import ArgumentParser

struct ListCommand: RequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List options with their values, by page and section.",
        discussion: """
            At a terminal, each option takes one line, with its key within the group that
            is named above it, and long titles are cut off. In a pipe and with --long, keys
            and titles are complete.

              settings list
              settings list --changed
              settings list org.gnome --search 'clock format'
              settings list general --json
            """,
        aliases: ["ls"])

    @Argument(help: "Only the options in this group.", completion: .word(.place)) var group: String?

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("Read the store as of this version or time.", valueName: "when"),
        completion: .word(.when))
    var at: String?

    @Flag(name: .long, help: "Only options whose value differs from their default.") var changed = false

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Only options with all of these words in their key, title, labels or help. Repeatable.", valueName: "words"))
    var search: [String] = []

    @Flag(name: .long, help: "Print complete keys and titles, however wide the terminal is.") var long = false

    @OptionGroup var reveal: RevealOption
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    var request: ListRequest {
        ListRequest(
            group: group, at: at, changed: changed, search: search, long: long, reveal: reveal.reveal, json: json.json,
            global: global.request)
    }

    func validate() throws {
        if let problem = request.problem { throw ValidationError(problem) }
    }
}
