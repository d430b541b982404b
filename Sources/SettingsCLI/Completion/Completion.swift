import ArgumentParser
import Files
import SettingsModel
import SettingsStore

/// Answers what a shell asks when its user presses the tab key. What fails is not offered, without a word.
struct Completion {
    let shell: CompletionShell
    /// All words after the program's name, for the store that they name.
    let words: [String]
    /// The beginning of the word that is completed.
    let current: String
    /// The quotation mark that is open in it.
    let quote: Character?

    /// The lines that answer `---complete SHELL -- WORD…`; nil for other arguments.
    static func lines(_ arguments: [String]) -> [String]? {
        guard arguments.first == "---complete" else { return nil }
        guard arguments.count > 3, let shell = CompletionShell(rawValue: arguments[1]) else { return [] }
        let completion = Completion(shell, arguments.dropFirst(3))
        return completion.candidates.lines(for: shell, quoted: completion.quote)
    }

    private init(_ shell: CompletionShell, _ typed: ArraySlice<String>) {
        self.shell = shell
        var typed = typed
        while typed.first == "-C", typed.count > 2 {
            try? ThisProcess.enter(typed[typed.startIndex + 1])
            typed = typed.dropFirst(2)
        }
        // Fish has read all but the last.
        words = typed.dropLast().map { shell == .bash ? shell.read($0).text : $0 }
        (current, quote) = shell.read(typed.last ?? "")
    }

    private var candidates: Candidates {
        var rest = words[...]
        if rest.elementsEqual(["-C"]) { return .folders }
        var shape = CommandShape(of: GlobalOptions.self)
        // Options may stand before the command.
        while let word = rest.first, word.hasPrefix("-") {
            guard let option = shape.option(word), option.takesValue else {
                rest = rest.dropFirst()
                continue
            }
            if rest.count == 1 { return answer(TypedWords([word], of: shape)) }
            rest = rest.dropFirst(2)
        }
        guard var name = rest.popFirst() else {
            return current.hasPrefix("-") ? answer(TypedWords([], of: shape)) : .words(commands(SettingsCommand.self))
        }
        if name == "help" {
            let group = rest.first.flatMap(SettingsCommand.named)
            if rest.count > 1 || !rest.isEmpty && group == nil { return .none }
            let topics = [
                Candidate(text: "keys", note: "How options and groups are named."),
                Candidate(text: "options", note: "Options that all commands share."),
                Candidate(text: "times", note: "How versions and times are written."),
            ]
            return .words(
                commands(group ?? SettingsCommand.self) + (group == nil ? topics.filter { $0.begins(with: current) } : []))
        }
        guard var command = SettingsCommand.named(name) else { return .none }
        while !command.configuration.subcommands.isEmpty {
            guard let next = rest.popFirst() else { return .words(commands(command)) }
            name = next
            guard let found = Self.commands(of: command).first(where: { $0.names.contains(name) }) else { return .none }
            command = found.type
        }
        if command == ServeCommand.self { return served(rest) }
        shape = CommandShape(of: command)
        return answer(TypedWords(rest, of: shape))
    }

    /// The words of the server, which describes itself. Its options may stand before and after its own commands.
    private func served(_ rest: ArraySlice<String>) -> Candidates {
        guard var command = ServeCommand.serverDescription else { return .none }
        func subcommands() -> [(name: String, description: JSON)] {
            guard case .array(let all)? = command["subcommands"] else { return [] }
            return all.compactMap { one in
                one["commandName"]?.text.map { ($0.string, one) }
            }.filter { $0.0 != "help" }
        }
        var shape = CommandShape(described: command)
        for word in TypedWords(rest, of: shape).positionals {
            guard let next = subcommands().first(where: { $0.name == word }) else { break }
            command = next.description
            shape.add(command)
        }
        let typed = TypedWords(rest, of: shape)
        if typed.awaitsValue || current.hasPrefix("-") || subcommands().isEmpty { return answer(typed) }
        return .words(
            subcommands().map { Candidate(text: $0.name, note: $0.description["abstract"]?.text?.string ?? "") }.filter(begins))
    }

    private struct Command {
        let type: any ParsableCommand.Type
        var names: [String] { [type._commandName] + type.configuration.aliases }
    }

    private static func commands(of command: any ParsableCommand.Type) -> [Command] {
        command.configuration.subcommands.map { Command(type: $0) }
    }

    /// Another name is offered only where no first one fits.
    private func commands(_ command: any ParsableCommand.Type) -> [Candidate] {
        let all = Self.commands(of: command).filter { $0.type.configuration.shouldDisplay }
        let first = all.map { Candidate(text: $0.names[0], note: $0.type.configuration.abstract) }.filter(begins)
        if !first.isEmpty { return first }
        return all.flatMap { command in
            command.names.dropFirst().map { Candidate(text: $0, note: command.type.configuration.abstract) }
        }.filter(begins)
    }

    private func begins(_ candidate: Candidate) -> Bool { candidate.text.hasPrefix(current) }

    private func answer(_ typed: TypedWords) -> Candidates {
        switch typed.wanted(current) {
        case .option: return .words(options(typed))
        case .value(.files?, _): return .files
        case .value(.folders?, _): return .folders
        case .value(.list(let words)?, let lead):
            let rest = current.dropFirst(lead.count)
            return .words(words.filter { $0.hasPrefix(rest) }.map { Candidate(text: lead + $0) })
        case .value(.word(.placeBeforeCommand)?, _) where typed.isPastOptions: return .files
        case .value(.word(let kind)?, let lead):
            guard let folder = Context.guess(words) else { return .none }
            let named = NamedCandidates(
                shell: shell, folder: folder, positionals: typed.positionals, typed: String(current.dropFirst(lead.count)))
            let wanted = kind == .placeOrDiscarded && typed.used.contains("--undo") ? .discarded : kind
            return .words(named.candidates(wanted).map { Candidate(text: lead + $0.text, note: $0.note) })
        case .value(nil, _): return .none
        }
    }

    private func options(_ typed: TypedWords) -> [Candidate] {
        let open = typed.unusedOptions
        let first = open.map { Candidate(text: $0.names[0], note: $0.abstract) }.filter(begins)
        if !first.isEmpty { return first }
        return open.flatMap { option in option.names.dropFirst().map { Candidate(text: $0, note: option.abstract) } }
            .filter(begins)
    }
}
