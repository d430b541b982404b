/// A shell whose user presses the tab key. Its script hands the words of the command line to this program.
enum CompletionShell: String, CaseIterable {
    case bash, zsh, fish

    /// How a word is written on the command line, in which a quotation mark is open or not; nil where it can't be. Bash takes
    /// what it is given without a further look, so `$(…)` in a name would be run.
    func written(_ text: String, inside quote: Character?) -> String? {
        guard self == .bash else { return text }
        if let quote {
            let special = quote == "'" ? "'" : "\"$`\\!"
            return text.contains(where: special.contains) ? nil : text
        }
        var written = ""
        for character in text {
            let isPlain = !character.isASCII || character.isLetter || character.isNumber || "-_.,:@%+/=^".contains(character)
            if !isPlain, !(character == "~" && !written.isEmpty) { written += "\\" }
            written.append(character)
        }
        return written
    }

    /// A word as it was typed, without the marks that quote it; and the mark that is still open at its end.
    func read(_ word: String) -> (text: String, quote: Character?) {
        // Zsh has removed them.
        guard self != .zsh else { return (word, nil) }
        var (text, quote) = ("", Character?.none)
        var characters = word[...]
        while let character = characters.popFirst() {
            switch character {
            case "\\" where quote != "'":
                if let next = characters.popFirst() { text.append(next) }
            case "'", "\"":
                if quote == nil {
                    quote = character
                } else if quote == character {
                    quote = nil
                } else {
                    text.append(character)
                }
            default: text.append(character)
            }
        }
        return (text, quote)
    }

    /// The shell whose script `--generate-completion-script [SHELL]` asks for; nil for other arguments.
    static func withScript(_ arguments: [String]) throws -> CompletionShell? {
        let option = "--generate-completion-script"
        guard let first = arguments.first, first == option || first.hasPrefix(option + "=") else { return nil }
        let named = first == option ? arguments.dropFirst().first : String(first.dropFirst(option.count + 1))
        let name = named ?? Environment.current["SHELL"]?.split(separator: "/").last.map(String.init) ?? ""
        guard let shell = CompletionShell(rawValue: name) else {
            throw Failure(.usage, "invalid shell '\(name)': expected bash, zsh or fish", hint: "'settings \(option) bash'")
        }
        return shell
    }

    /// The script that a user installs.
    var script: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }
}
