import ArgumentParser
import SettingsModel
import SettingsText

/// What the parser finds wrong with the arguments, in this program's words.
struct UsageError {
    private var message: String
    private let words: [String]
    private let command: (any ParsableCommand.Type)?

    init(_ message: String, _ arguments: [String]) {
        let all = Words.protected(arguments)
        words = Array(all.prefix { !$0.hasPrefix("-") })
        command = words.first.flatMap(SettingsCommand.named)
        self.message = message
        // The parser reports these before an unknown option, which is often their cause.
        guard
            ["Missing", "missing", "Unexpected", "unexpected", "give one of"].contains(where: {
                Self.reason(message).hasPrefix($0)
            })
        else {
            return
        }
        guard let command = subcommand ?? command, let option = Self.unknownOption(in: all, of: command) else { return }
        self.message = "Unknown option '\(option)'"
    }

    private var reason: Substring { Self.reason(message) }

    private static func reason(_ message: String) -> Substring { message.dropFirst(message.hasPrefix("Error: ") ? 7 : 0) }

    /// The first word that looks like an option and is none of the command's.
    private static func unknownOption(in words: [String], of command: any ParsableCommand.Type) -> String? {
        let shape = CommandShape(of: command, includesHidden: true)
        var words = words[...]
        while let word = words.popFirst(), !Words.endsOptions(word, command._commandName) {
            guard word.hasPrefix("-"), word.count > 1, !CommandShape.everywhere.contains(word) else { continue }
            let name = word.prefix { $0 != "=" }
            if let option = shape.option(name) {
                if option.takesValue, name.count == word.count, let next = words.first, !shape.isOption(next) {
                    words = words.dropFirst()
                }
            } else if word.hasPrefix("--") || shape.option(word.prefix(2)) == nil {
                return String(name)
            }
        }
        return nil
    }

    private var subcommand: (any ParsableCommand.Type)? {
        guard let command, words.count > 1 else { return nil }
        return command.configuration.subcommands.first { Self.names(of: $0).contains(words[1]) }
    }

    static func names(of command: any ParsableCommand.Type) -> [String] {
        [command._commandName] + command.configuration.aliases
    }

    var failure: Failure {
        let help = command.map { "see 'settings help \($0._commandName)'" } ?? "'settings --help' lists the commands"
        if let command, let refusal = Help.refusal(message, of: command._commandName) {
            return Failure(.usage, refusal, hint: unknownOption.flatMap(foreign) ?? help)
        }
        if let name = unknownOption {
            return Failure(.usage, "unknown option '\(name)'", hint: foreign(name) ?? suggestion(for: name) ?? help)
        }
        if let (word, near) = unknownSubcommand {
            let hint = foreign(words[1]) ?? Nearest.question(near) ?? help
            return Failure(.usage, "unknown command '\(word)'", hint: hint)
        }
        let missing = "Missing expected argument '"
        if message.hasPrefix(missing) {
            var name = String(message.dropFirst(missing.count).prefix { $0 != "'" })
            if name.hasSuffix(" ...") { name.removeLast(4) }
            let kind = name.hasPrefix("-") ? "option" : "argument"
            return Failure(.usage, "missing \(kind) '\(name)'", hint: example.map { "for example: \($0)" } ?? help)
        }
        if let hint = valueOfSwitch { return Failure(.usage, Words.sentence(message), hint: hint) }
        if let invalid = invalidValue { return Failure(.usage, invalid, hint: help) }
        if let flags = exclusiveFlags { return Failure(.usage, "\(flags) cannot be combined", hint: help) }
        return Failure(
            .usage, Words.sentence(message.split(separator: "\n").first.map(String.init) ?? "invalid arguments"), hint: help)
    }

    /// The first example in the help of the command that has an argument.
    private var example: String? {
        guard let command else { return nil }
        let name = "settings " + ([command] + [subcommand].compactMap(\.self)).map { $0._commandName }.joined(separator: " ")
        let lines = command.configuration.discussion.split(separator: "\n").lazy.map { $0.drop { $0 == " " } }
        return lines.first { $0.hasPrefix(name + " ") }.map(String.init)
    }

    /// Options of all commands, and no command after them.
    static func withoutCommand(_ words: [String]) -> Failure {
        if let last = words.last, Words.sharedWithValue.contains(last) {
            return Failure(.usage, "missing value for '\(last)'", hint: "'settings help options' explains it")
        }
        return Failure(.usage, "no command is given", hint: "'settings --help' lists the commands")
    }

    /// What to do instead of `--switch on`.
    private var valueOfSwitch: String? {
        guard command == AddCommand.self || command == DefineCommand.self,
            let word = ["on", "off"].first(where: { reason.hasPrefix("Unexpected argument '\($0)'") })
        else { return nil }
        return "--switch takes no value: a new switch is off, and 'settings set KEY \(word)' sets it"
    }

    /// The parser's "The value 'x' is invalid for '--color <when>'. Please provide one of 'auto', 'always' or 'never'.", or a
    /// reason of our own after it.
    private var invalidValue: String? {
        let parts = reason.split(separator: "'", omittingEmptySubsequences: false)
        guard parts.count > 4, parts[0] == "The value ", parts[2] == " is invalid for ",
            let option = parts[3].split(separator: " ").first
        else { return nil }
        if parts[4].hasPrefix(": ") {
            let own = Words.sentence(String(parts[4...].joined(separator: "'").dropFirst(2)))
            return option.hasPrefix("-") ? "\(option): \(own)" : own
        }
        let values = stride(from: 5, to: parts.count, by: 2).map { String(parts[$0]) }
        let expected = values.isEmpty ? "a whole number" : "\(values.dropLast().joined(separator: ", ")) or \(values.last ?? "")"
        return "invalid value '\(parts[1])' for \(option): expected \(expected)"
    }

    /// The parser's "Value to be set with flag '--values' had already been set with flag '--definitions'."
    private var exclusiveFlags: String? {
        let parts = reason.split(separator: "'", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0] == "Value to be set with flag " else { return nil }
        return "\(parts[3]) and \(parts[1])"
    }

    private var unknownOption: String? {
        let start = "Unknown option '"
        guard message.hasPrefix(start) else { return nil }
        return String(message.dropFirst(start.count).prefix { $0 != "'" })
    }

    /// What does the work of another program's option or subcommand.
    private func foreign(_ word: String) -> String? { command.flatMap { ForeignCommands.options[$0._commandName]?[word] } }

    private func suggestion(for option: String) -> String? {
        guard option.hasPrefix("--"), let command = subcommand ?? command else { return nil }
        let names = CommandShape(of: command).options.flatMap(\.names).filter { $0.hasPrefix("--") }
        let word = option.dropFirst(2).prefix { $0 != "=" }
        return Nearest.question(
            Nearest.words(to: String(word), among: names.map { String($0.dropFirst(2)) }).map { "--" + $0 })
    }

    private var unknownSubcommand: (word: String, near: [String])? {
        guard let command, !command.configuration.subcommands.isEmpty, subcommand == nil, words.count > 1,
            message.contains("nexpected argument")
        else { return nil }
        let start = command._commandName + " "
        let names = command.configuration.subcommands.flatMap(Self.names)
        return (start + words[1], Nearest.words(to: words[1], among: names).map { "settings \(start)\($0)" })
    }
}
