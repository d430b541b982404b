import SettingsModel

/// The words of a command line before the one that is completed, told apart into options, their values and the others.
struct TypedWords {
    let shape: CommandShape
    private(set) var positionals: [String] = []
    /// The options that were given.
    private(set) var used: Set<String> = []
    /// Whether `--` was given: no options follow.
    private(set) var isPastOptions = false
    /// The option whose value comes next.
    private var open: CommandShape.Argument?

    init(_ words: some Sequence<String>, of shape: CommandShape) {
        self.shape = shape
        for word in words { take(word) }
    }

    private mutating func take(_ word: String) {
        if let open, !(open.takesSeveral && word.hasPrefix("-")), !shape.isOption(word) {
            if !open.takesSeveral { self.open = nil }
            return
        }
        open = nil
        if isPastOptions || !word.hasPrefix("-") || word == "-" {
            positionals.append(word)
        } else if word == "--" {
            isPastOptions = true
        } else {
            let name = word.prefix { $0 != "=" }
            used.insert(String(name))
            if name.count == word.count, let option = shape.option(name), option.takesValue { open = option }
        }
    }

    /// Whether the next word is the value of an option.
    var awaitsValue: Bool { open != nil }

    enum Wanted {
        case option
        /// A value, after `lead`, which is part of the same word; nothing is known of it where `source` is nil.
        case value(source: CommandShape.Source?, lead: String)
    }

    /// What the next word is, of which `current` is the beginning.
    func wanted(_ current: String) -> Wanted {
        if let open, !(open.takesSeveral && current.hasPrefix("-")) { return .value(source: open.source, lead: "") }
        guard !isPastOptions, current.hasPrefix("-") else {
            return .value(source: shape.positional(positionals.count)?.source, lead: "")
        }
        if let equals = current.firstIndex(of: "="), let option = shape.option(current[..<equals]), option.takesValue {
            return .value(source: option.source, lead: String(current[...equals]))
        }
        return .option
    }

    /// The options that may still be given.
    var unusedOptions: [CommandShape.Argument] {
        shape.options.filter { option in option.isRepeating || !option.names.contains { used.contains($0) } }
    }
}
