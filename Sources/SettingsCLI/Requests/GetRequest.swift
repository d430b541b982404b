import SettingsModel
import SettingsStore
import SettingsText

/// `settings get KEY…`
struct GetRequest: PlainCommand, Equatable {
    var keys: [String]
    var label = false
    var index = false
    var noDefault = false
    var json = false
    var withKey = false
    /// Each answer ends with a zero byte instead of a newline.
    var null = false
    var at: String?
    var global = GlobalRequest()

    /// The usage error of an invalid combination.
    var problem: String? {
        if [label, index, json].count(where: { $0 }) > 1 { return "--label, --index and --json cannot be combined" }
        if json, withKey || null { return "--json cannot be combined with \(withKey ? "--with-key" : "-z")" }
        return nil
    }

    func run() throws {
        let context = Context(global)
        let session = try context.reader(at: at)
        let version = try at.map { try context.version($0, in: session).id }
        let options = try context.ask(OptionsQuery(keys, at: version), in: session)
        if json {
            try context.output.json(Reports(revealsMasked: true).options(options, takesDefault: !noDefault))
            if options.contains(where: { value(of: $0.option) == nil }) { throw Failure(.no) }
            return
        }
        var isMissing = false
        for (key, option) in options {
            guard let text = try text(of: option, key) else {
                isMissing = true
                try context.output.print([Phrases.isNotSet(key)])
                // The answers to several keys stay in their places.
                if options.count > 1, !withKey { try context.output.bytes([null ? 0 : 0x0A]) }
                continue
            }
            let line = withKey ? "\(key)=\(text)" : text
            if null { try context.output.bytes(Array(line.utf8) + [0]) } else { try context.output.value(line) }
        }
        if isMissing { throw Failure(.no) }
    }

    private func value(of option: SettingsOption) -> JSON? { noDefault ? option.value : option.effectiveValue }

    private func text(of option: SettingsOption, _ key: Key) throws -> String? {
        guard let value = value(of: option) else { return nil }
        if label {
            guard let label = option.label(of: value) else {
                throw Failure(.usage, CommandLineHints.noLabels(key, option.type))
            }
            return label.string
        }
        if index {
            guard let index = option.labels.index(of: value) else {
                throw Failure(.usage, CommandLineHints.noIndex(key, option.type))
            }
            return String(index)
        }
        return option.type == .data ? value.compact : value.bare
    }
}

extension GetRequest {
    init?(plain words: ArraySlice<String>) {
        guard
            let words = PlainWords(
                words, flags: ["--label", "--index", "--json", "--no-default", "--with-key", "--null"],
                values: ["--at"]),
            !words.positionals.isEmpty, let global = GlobalRequest(plain: words)
        else { return nil }
        keys = words.positionals
        label = words.has("--label")
        index = words.has("--index")
        noDefault = words.has("--no-default")
        json = words.has("--json")
        withKey = words.has("--with-key")
        null = words.has("--null")
        at = words["--at"]
        self.global = global
        if problem != nil { return nil }
    }
}
