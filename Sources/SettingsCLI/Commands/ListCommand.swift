import ArgumentParser

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List options with their values, as their pages show them.",
        discussion: """
              settings list
              settings list general --json
            """,
        aliases: ["ls"])

    @Argument(help: "Only what is in this group.", completion: .place) var group: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("As it was then.", valueName: "when"))
    var at: String?

    @OptionGroup var reveal: RevealOption
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    var request: ListRequest {
        ListRequest(group: group, at: at, reveal: reveal.reveal, json: json.json, global: global.request)
    }

    func run() throws { try request.run() }
}
