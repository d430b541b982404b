import ArgumentParser

struct ShowCommand: RequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an option in full, or a version with its changes.",
        discussion: """
              settings show general.language
              settings show 3f2a91c
              settings show general.language --at v1
              settings show HEAD~2 --json
            """)

    @Argument(help: ArgumentHelp("An option's key, or a version.", valueName: "key-or-version"), completion: .word(.keyOrVersion))
    var word: String

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Show the option as of this version or time; HEAD ignores unrecorded edits.", valueName: "when"),
        completion: .word(.when))
    var at: String?

    @OptionGroup var reveal: RevealOption
    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    var request: ShowRequest { ShowRequest(word: word, at: at, reveal: reveal.reveal, json: json.json, global: global.request) }
}
