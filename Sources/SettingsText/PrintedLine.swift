import SettingsModel

/// A line of what an interface shows for an answer. The command line prints all of them; a page has its own remedies and leaves
/// the hints out.
package enum PrintedLine: Hashable, Sendable {
    /// What was asked for.
    case answer(StyledText)
    /// What a command did, which `--quiet` leaves out.
    case done(StyledText)
    /// Beside the answer.
    case note(String)
    /// What to do next, as a command.
    case hint(String)
    /// What is not as it should be, after a word that says how.
    case warning(StyledText, label: String = "warning")

    static func answer(_ text: String) -> PrintedLine { .answer(StyledText(text)) }
    static func done(_ text: String) -> PrintedLine { .done(StyledText(text)) }
    package static func warning(_ text: String) -> PrintedLine { .warning(StyledText(text)) }

    /// A version in a line: its id, and what is said of it, or else its subject.
    static func answer(_ version: Version, _ words: String? = nil) -> PrintedLine { .answer(line(version, words)) }
    static func done(_ version: Version, _ words: String? = nil) -> PrintedLine { .done(line(version, words)) }

    static func line(_ version: Version, _ words: String? = nil) -> StyledText {
        StyledText(version.id.short, .id).adding("  \(words ?? version.message.subject)")
    }
}

extension [StyledText] {
    /// Lines that belong to the one above them.
    var indented: [StyledText] { map { StyledText("    ") + $0 } }
}
