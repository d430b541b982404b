import ArgumentParser
import Files
import SettingsModel
import SettingsStore

/// The arguments before they are parsed.
enum Words {
    /// Marks an argument that is a value although it begins with a hyphen; it is a private-use character that nobody types.
    private static let mark: Character = "\u{F8FF}"

    /// Marks values that the parser would take for options: a hyphen before a digit begins a value, and after the key of a
    /// text comes its value, whatever it looks like, unless it is an option of the command.
    static func protected(_ arguments: [String]) -> [String] {
        let arguments = optionsAfterCommand(arguments)
        var result: [String] = []
        var positionals: [String] = []
        let command = arguments.first { !$0.hasPrefix("-") }
        for (index, word) in arguments.enumerated() {
            if let option = result.last, textOptions.contains(option), option != "--label" || command == "set",
                word.hasPrefix("-"), word.count > 1
            {
                result[result.count - 1] = (option == "-m" ? "--message" : option) + "=" + word
                continue
            }
            if endsOptions(word, command) { return result + arguments[index...] }
            // The parser would take the next word for its value, and record that.
            if word.hasPrefix("--"), word.last == "=", word.count > 3 {
                result += [String(word.dropLast()), ""]
                continue
            }
            if command == "history" || command == "log", let count = Int(word), count < 0 {
                if !awaitsValue(result.last) {
                    // As in `git log -5` and `git log --oneline -5`.
                    result += ["-n", String(-count)]
                    continue
                }
                // The parser would take it for another option.
                if result.last == "-n" { result[result.count - 1] = "--max-count" }
                if result.last == "--max-count" {
                    result[result.count - 1] += "=\(word)"
                    continue
                }
            }
            let previous = result.last
            let isValue =
                word.hasPrefix("-") && word.count > 1
                && (startsNumber(word)
                    || command == "set" && followsTextKey(positionals, previous, arguments)
                        && !CommandShape(of: SetCommand.self, includesHidden: true).isOption(word))
            if isValue, takeValues.contains(command ?? ""), !(previous?.hasPrefix("-") ?? false) {
                result.append(String(mark) + word)
            } else if word.hasPrefix(signKey), !textOptions.contains(previous ?? "") {
                result.append("--sign-key=" + word.dropFirst(signKey.count))
            } else {
                result.append(word)
            }
            // What follows an option is its text and no key: looking it up would take a look at every option's name.
            if !word.hasPrefix("-") && !valueOptions.contains(previous ?? "") || isValue { positionals.append(word) }
        }
        return result
    }

    /// Whether the next word is the value of this option of 'history'.
    private static func awaitsValue(_ word: String?) -> Bool {
        guard let word, word.hasPrefix("-") else { return false }
        return CommandShape(of: HistoryCommand.self, includesHidden: true).option(word)?.takesValue ?? false
    }

    /// The commands of which a word may be a value; others would take the mark for a part of it.
    private static let takeValues: Set = ["set", "is", "resolve", "label", "undo", "redo", "merge", "add", "define"]

    /// The parser has no options whose value may be missing: with its key, `--sign` is another one.
    static let signKey = "--sign="
    /// Options after which a word is a text, whatever it looks like.
    private static let textOptions = [
        "-m", "--message", "--requested-by", "--ticket", "--author", "--title", "--text", "--help-text", "--label",
    ]

    /// These and others whose value is the next word.
    private static let valueOptions = textOptions + ["--confirm", "--index"] + sharedWithValue

    enum FormOfJSON {
        case document, lines
    }

    /// Whether the arguments ask for JSON, also where they are invalid otherwise.
    static func formOfJSON(_ arguments: [String]) -> FormOfJSON? {
        var previous = ""
        let words = protected(arguments)
        let command = words.first { !$0.hasPrefix("-") }
        for word in words {
            defer { previous = word }
            if endsOptions(word, command) { return nil }
            if textOptions.contains(previous) { continue }
            if word == "--json" { return .document }
            if word == "--jsonl" { return .lines }
        }
        return nil
    }

    /// Whether the words from here on are those of somebody else.
    static func endsOptions(_ word: String, _ command: String?) -> Bool {
        word == "--" || word == "--exec" && command == "watch"
    }

    static let sharedWithValue = ["--store", "--color", "--date"]

    /// Whether it is an option of all commands, which may come before the command.
    static func isShared(_ word: String) -> Bool {
        sharedWithValue.contains { word == $0 || word.hasPrefix($0 + "=") }
            || ["--user", "--quiet", "-q", "--no-pager"].contains(word)
    }

    /// Turns `settings --store PATH list` into `settings list --store PATH`: the parser wants options after the command.
    static func optionsAfterCommand(_ arguments: [String]) -> [String] {
        var options: [String] = []
        var rest = arguments[...]
        while let word = rest.first, word.hasPrefix("-") {
            let takesNext = sharedWithValue.contains(word)
            guard isShared(word) else { return arguments }
            options += rest.prefix(takesNext ? 2 : 1)
            rest = rest.dropFirst(takesNext ? 2 : 1)
        }
        guard !options.isEmpty, !rest.isEmpty else { return arguments }
        let end = rest.firstIndex { endsOptions($0, rest.first) } ?? rest.endIndex
        return rest[..<end] + options + rest[end...]
    }

    /// An argument that is not UTF-8 would be recorded differently from how it was typed.
    static func checkArguments() throws {
        if let word = ThisProcess.invalidArgument { throw Failure(.usage, "'\(word)' is not UTF-8", hint: "use a UTF-8 locale") }
        // Another folder may have the name that it is shown by.
        if ThisProcess.folderIsInvalid {
            throw Failure(
                .usage, "the name of the current folder is not UTF-8", hint: "rename it, or go to another one and use --store")
        }
    }

    /// A sentence without the mark: it may name a word.
    static func unmarked(_ text: String) -> String { text.contains(mark) ? text.filter { $0 != mark } : text }

    /// The word without the mark.
    static func plain(_ word: String) -> String { word.first == mark ? String(word.dropFirst()) : word }

    /// A whole number, which may be marked as a value.
    static func number(_ word: String) throws -> Int {
        if let number = Int(plain(word)) { return number }
        throw ValidationError("invalid number '\(plain(word))': expected a whole number")
    }

    private static func startsNumber(_ word: String) -> Bool {
        guard let next = word.dropFirst().unicodeScalars.first else { return false }
        return ("0"..."9").contains(next) || next == "." && word.count > 2
    }

    /// Whether the preceding word was the key of a text; `positionals` are all words since the command, including that key.
    private static func followsTextKey(_ positionals: [String], _ previous: String?, _ arguments: [String]) -> Bool {
        guard positionals.count % 2 == 0, let word = positionals.last, word == previous, !word.contains("="),
            let folder = Context.guess(arguments)
        else { return false }
        return (try? folder.option(named: word, Environment.current.caller(in: folder)))?.option.type == .text
    }

    /// The parser's messages in our style: no capital, no full stop, no "Error:".
    static func sentence(_ text: String) -> String {
        var text = text.hasPrefix("Error: ") ? String(text.dropFirst(7)) : text
        text.removeAll { $0 == mark }
        if text.hasSuffix(".") { text.removeLast() }
        guard let first = text.first, first.isUppercase, text.dropFirst().first?.isUppercase != true else { return text }
        return first.lowercased() + text.dropFirst()
    }
}

extension Context {
    /// The store that the arguments name, or nil without an error, for completion and the like.
    static func guess(_ arguments: [String]) -> StoreFolder? {
        let environment = Environment.current
        var path = environment["SETTINGS_STORE"]
        for (index, word) in arguments.enumerated() {
            if word == "--store", index + 1 < arguments.count { path = arguments[index + 1] }
            if word.hasPrefix("--store=") { path = String(word.dropFirst(8)) }
            if word == "--user" { path = try? environment.userStore }
        }
        if let path { return StoreFolder(path: environment.absolute(path)) }
        return (try? StoreFolder.find(from: environment.folder, sudoUser: environment.sudoUser)).flatMap { $0 }
    }
}
