import ArgumentParser

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an option in full, or a version with its changes.",
        discussion: """
              settings show general.language
              settings show 3f2a91c
              settings show HEAD~2 --json
            """)

    @Argument(help: ArgumentHelp("An option's key, or a version.", valueName: "key-or-version"), completion: .word(.keyOrVersion))
    var word: String

    @OptionGroup var reveal: RevealOption
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    var request: ShowRequest { ShowRequest(word: word, reveal: reveal.reveal, json: json.json, global: global.request) }

    func run() throws { try request.run() }
}
