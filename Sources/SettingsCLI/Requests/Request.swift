/// A parsed command in plain values.
///
/// Each command is declared once for the parser, in Commands, and builds a request from its arguments. Commands that scripts
/// and prompts call often can also build it here, without the parser, if the arguments have their usual forms: of the
/// 11.9 million instructions of a `settings get`, the parser took 10.4 million. Anything unusual or invalid
/// goes to the parser, which prints the message.
protocol PlainCommand {
    func run() throws
}

/// The request for `words` if they have the usual forms. The first word is the command's name.
func plainRequest(_ words: [String]) -> (any PlainCommand)? {
    let rest = words.dropFirst()
    switch words.first {
    case "get": return GetRequest(plain: rest)
    case "is": return IsRequest(plain: rest)
    case "list", "ls": return ListRequest(plain: rest)
    case "show": return ShowRequest(plain: rest)
    case "set": return SetRequest(plain: rest)
    case "edit": return EditPagesRequest(plain: rest)
    case "browse": return EditPagesRequest(plain: rest, isBrowser: true)
    case "history", "log": return HistoryRequest(plain: rest)
    default: return nil
    }
}
