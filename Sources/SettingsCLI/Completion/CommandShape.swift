import ArgumentParser
import SettingsModel

/// The arguments and options of a command, as far as completion needs to know them.
struct CommandShape {
    enum Source: Hashable {
        case word(WordKind)
        case list([String])
        case files
        case folders
    }

    struct Argument {
        /// With hyphens; the one that is offered first. Empty for an argument that is found by its position.
        var names: [String]
        var takesValue: Bool
        /// Whether all words up to the next option are its values.
        var takesSeveral: Bool
        var isRepeating: Bool
        var source: Source?
        var abstract: String
    }

    /// Before the name of a `WordKind`, where the parser keeps words to choose from.
    static let mark = "\u{1}"

    private(set) var options: [Argument] = []
    private(set) var positionals: [Argument] = []

    /// The parser describes its commands in JSON only.
    init(of command: any ParsableArguments.Type, includesHidden: Bool = false) {
        guard let description = (try? JSON(parsing: command._dumpHelp()))?["command"] else { return }
        add(description, includesHidden: includesHidden)
    }

    /// The same of a command of another program.
    init(described description: JSON) { add(description) }

    /// Adds the arguments of a command, such as those of one of its own.
    mutating func add(_ description: JSON, includesHidden: Bool = false) {
        guard case .array(let arguments)? = description["arguments"] else { return }
        for argument in arguments where includesHidden || argument["shouldDisplay"] == .bool(true) {
            let read = Argument(argument)
            if read.names.isEmpty { positionals.append(read) } else { options.append(read) }
        }
    }

    func option(_ name: some StringProtocol) -> Argument? { options.first { $0.names.contains(String(name)) } }

    /// The argument at a position; the last one may stand for all that follow.
    func positional(_ index: Int) -> Argument? {
        if index < positionals.count { return positionals[index] }
        return positionals.last.flatMap { $0.isRepeating ? $0 : nil }
    }
}

extension CommandShape.Argument {
    fileprivate init(_ description: JSON) {
        func name(_ description: JSON) -> String {
            let name = description["name"]?.text?.string ?? ""
            return description["kind"]?.text == "long" ? "--" + name : "-" + name
        }
        var names: [String] = []
        if case .array(let all)? = description["names"] { names = all.map(name) }
        // The long ones first: they say what they are.
        self.names = names.filter { $0.hasPrefix("--") } + names.filter { !$0.hasPrefix("--") }
        takesValue = description["kind"]?.text != "flag"
        takesSeveral = description["parsingStrategy"]?.text == "upToNextOption"
        isRepeating = description["isRepeating"] == .bool(true)
        abstract = description["abstract"]?.text?.string ?? ""
        guard let kind = description["completionKind"] else { return }
        if case .array(let values)? = kind["list"]?["values"] {
            let words = values.compactMap { $0.text?.string }
            if let word = words.first, word.hasPrefix(CommandShape.mark) {
                source = WordKind(rawValue: String(word.dropFirst(CommandShape.mark.count))).map { .word($0) }
            } else {
                source = .list(words)
            }
        } else if kind["file"] != nil {
            source = .files
        } else if kind["directory"] != nil {
            source = .folders
        }
    }
}
