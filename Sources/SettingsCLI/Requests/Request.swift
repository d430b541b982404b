/// What a command was asked to do, in plain values.
///
/// A command is declared once for the parser, in Commands, and what was typed becomes a request there. The commands that
/// scripts and prompts call all day have their request read here as well, without the parser, where the words are in their
/// usual forms: of the 11.9 million instructions of a `settings get`, 10.4 million were the parser's. Whatever is not
/// understood here, or would be refused, goes to the parser, which knows how to say it.
protocol PlainCommand {
    func run() throws
}

/// The request that `words` make, where they are in the usual forms. The first word is the command's name.
func plainRequest(_ words: [String]) -> (any PlainCommand)? {
    let rest = words.dropFirst()
    switch words.first {
    case "get": return GetRequest(plain: rest)
    case "is": return IsRequest(plain: rest)
    case "list", "ls": return ListRequest(plain: rest)
    case "show": return ShowRequest(plain: rest)
    case "set": return SetRequest(plain: rest)
    case "history", "log": return HistoryRequest(plain: rest)
    default: return nil
    }
}
