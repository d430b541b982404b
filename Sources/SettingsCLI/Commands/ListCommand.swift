import ArgumentParser

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List options with their values, by page and section.",
        discussion: """
              settings list
              settings list general --json
            """,
        aliases: ["ls"])

    @Argument(help: "Only the options in this group.", completion: .place) var group: String?

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("Read the store as of this version or time.", valueName: "when"))
    var at: String?

    @OptionGroup var reveal: RevealOption
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    var request: ListRequest {
        ListRequest(group: group, at: at, reveal: reveal.reveal, json: json.json, global: global.request)
    }

    func run() throws { try request.run() }
}
