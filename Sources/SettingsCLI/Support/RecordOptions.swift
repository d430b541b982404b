import ArgumentParser
import SettingsStore

/// What every command takes that records a version.
struct RecordOptions: ParsableArguments {
    @Option(
        name: [.customShort("m", allowingJoined: true), .customLong("message")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Why it is done. Given several times: a paragraph each.", valueName: "reason"))
    var paragraphs: [String] = []

    @Flag(name: [.customShort("e"), .long], help: "Write why in your editor.")
    var edit = false

    @Option(name: .long, parsing: .unconditionalSingleValue, help: ArgumentHelp("Who asked for it.", valueName: "person"))
    var requestedBy: [String] = []

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A ticket it belongs to. May be given several times.", valueName: "id"))
    var ticket: [String] = []

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Who made the change, as 'Name <e-mail>'; else you.", valueName: "person"))
    var author: String?

    @Flag(name: [.customShort("n"), .long], help: "Show what would be done and write nothing.")
    var dryRun = false

    @Option(
        name: .customLong("if-version"), parsing: .unconditional,
        help: ArgumentHelp("Only if the store is still at this version.", valueName: "version"))
    var ifVersion: String?

    /// Why, as it was typed.
    var message: String? { paragraphs.isEmpty ? nil : paragraphs.joined(separator: "\n\n") }

    func validate() throws {
        if let message, VersionMessage.cleaned(message) == nil {
            throw ValidationError("the reason given with -m is empty; say why, or leave -m out")
        }
        if edit, message != nil { throw ValidationError("-m and -e both say why; choose one") }
        for (name, values) in [("--requested-by", requestedBy), ("--ticket", ticket)] {
            for value in values where value.allSatisfy(\.isWhitespace) || value.contains(where: \.isNewline) {
                throw ValidationError("\(name) takes one line that isn't empty")
            }
        }
    }
}
