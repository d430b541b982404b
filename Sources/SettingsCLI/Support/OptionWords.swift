import ArgumentParser
import SettingsModel

/// Options whose value was forgotten: what follows one is its value whatever it looks like, except a word that is an option of
/// the command. `add name --text --masked` would add a text of the words "--masked", which nobody meant.
enum OptionWords {
    /// Fails where an option that takes a value is followed by another one. The command line is as it was typed, with the
    /// options of all commands after the command.
    static func check(_ words: [String]) throws {
        // What options a command has takes a moment to find out.
        let mayBeWrong = zip(words, words.dropFirst()).contains { looksLikeOption($0) && looksLikeOption($1) }
        guard mayBeWrong || words.contains(where: CommandShape.ends) else { return }
        guard let (command, name, rest) = command(of: words) else { return }
        if name == "set", let (key, option) = optionAsValueOfSet(words), CommandShape.ends(option) {
            throw missingValue(of: key, option)
        }
        let shape = CommandShape(of: command, includesHidden: true)
        guard let found = optionAsValue(rest, shape, command._commandName) else { return }
        let long = shape.option(found.option)?.names.first ?? found.option
        throw Failure(
            .usage, "missing value for '\(found.option)': '\(found.value)' is an option of 'settings \(name)'",
            hint: "'\("\(long)=\(found.value)".shellWord)' means the text '\(found.value)'")
    }

    /// The first option that is followed by one where its value would be. `rest` is what follows the command.
    static func optionAsValue(
        _ rest: ArraySlice<String>, _ shape: CommandShape, _ command: String
    ) -> (option: String, value: String)? {
        var words = rest
        while let word = words.popFirst(), !Words.endsOptions(word, command) {
            guard let option = shape.option(word), option.takesValue, let next = words.first else { continue }
            if shape.isOption(next) { return (word, next) }
            if !option.takesSeveral { words = words.dropFirst() }
        }
        return nil
    }

    /// `set KEY` where an option stands in place of the value.
    static func missingValue(of key: String, _ option: String) -> Failure {
        Failure(
            .usage, "missing VALUE for \(key): '\(option)' is an option of 'settings set'",
            hint: "'\("\(key)=\(option)".shellWord)' means the text '\(option)'")
    }

    /// The first key of `set` that an option follows where its value would be.
    static func optionAsValueOfSet(_ arguments: [String]) -> (key: String, option: String)? {
        let shape = CommandShape(of: SetCommand.self, includesHidden: true)
        var words = Words.optionsAfterCommand(arguments).dropFirst()
        var key: String?
        while let word = words.popFirst(), !Words.endsOptions(word, "set") {
            guard shape.isOption(word) else {
                key = key == nil && !word.contains("=") ? word : nil
                continue
            }
            if let key { return (key, word) }
            if shape.option(word)?.takesValue == true { words = words.dropFirst() }
        }
        return nil
    }

    private static func looksLikeOption(_ word: String) -> Bool { word.hasPrefix("-") && word.count > 1 }

    /// The command or subcommand, its name, and what follows it.
    private static func command(
        of words: [String]
    ) -> (command: any ParsableCommand.Type, name: String, rest: ArraySlice<String>)? {
        guard let name = words.first, let command = SettingsCommand.named(name) else { return nil }
        let subcommands = command.configuration.subcommands
        if subcommands.isEmpty { return (command, name, words.dropFirst()) }
        guard words.count > 1, let sub = subcommands.first(where: { UsageError.names(of: $0).contains(words[1]) }) else {
            return nil
        }
        return (sub, "\(name) \(words[1])", words.dropFirst(2))
    }
}

extension CommandShape {
    /// The options that the parser itself gives every command.
    static let everywhere: Set = [
        "--help", "-h", "--help-hidden", "--version", "--experimental-dump-help", "--generate-completion-script",
    ]

    /// Whether the parser prints something for it in place of what the command does, and it is no help that somebody asked for.
    static func ends(_ word: String) -> Bool {
        let name = String(word.prefix { $0 != "=" })
        return everywhere.contains(name) && !["--help", "-h", "--help-hidden"].contains(name)
    }

    /// Whether a word is an option of the command, with its value where that follows '=', or short options joined: `-nq`, and
    /// `-mhi`, whose value is "hi".
    func isOption(_ word: String) -> Bool {
        guard word.hasPrefix("-") else { return false }
        let name = word.prefix { $0 != "=" }
        if Self.everywhere.contains(String(name)) { return true }
        if word.hasPrefix(Words.signKey), option("--sign") != nil { return true }
        if let option = option(name), name.count == word.count || option.takesValue { return true }
        return isJoined(word)
    }

    private func isJoined(_ word: String) -> Bool {
        guard word.count > 2, !word.hasPrefix("--") else { return false }
        for letter in word.dropFirst() {
            guard letter == "h" || option("-\(letter)") != nil else { return false }
            // What follows is its value.
            if option("-\(letter)")?.takesValue == true { return true }
        }
        return true
    }
}
