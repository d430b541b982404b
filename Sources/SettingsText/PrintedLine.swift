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
    case warning(String)

    static func answer(_ text: String) -> PrintedLine { .answer(StyledText(text)) }
    static func done(_ text: String) -> PrintedLine { .done(StyledText(text)) }
}

extension [StyledText] {
    /// Lines that belong to the one above them.
    var indented: [StyledText] { map { StyledText("    ") + $0 } }
}
