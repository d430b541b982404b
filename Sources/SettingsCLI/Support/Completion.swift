import ArgumentParser
import SettingsModel
import SettingsStore

extension CompletionKind {
    /// Keys of options.
    static var key: CompletionKind {
        .custom { words, _, prefix in Completion.keys(words, prefix) }
    }

    /// Keys of options and groups.
    static var place: CompletionKind {
        .custom { words, _, prefix in Completion.places(words, prefix) }
    }

    /// As `place`, until '--'; a command follows that.
    static var placeBeforeCommand: CompletionKind {
        .custom { words, index, prefix in
            words.prefix(max(index, 0)).contains("--") ? [] : Completion.places(words, prefix)
        }
    }

    /// The next key or value of `set KEY VALUE …`.
    static var keyOrValue: CompletionKind {
        .custom { words, index, prefix in Completion.keysOrValues(words, index, prefix) }
    }

    /// Names of versions.
    static var tag: CompletionKind {
        .custom { words, _, prefix in Completion.tags(words, prefix) }
    }

    /// Versions that have to be confirmed.
    static var waiting: CompletionKind {
        .custom { words, _, prefix in Completion.waiting(words, prefix) }
    }

    /// The labels of the option whose key precedes.
    static var label: CompletionKind {
        .custom { words, _, prefix in Completion.labels(words, prefix) }
    }
}

private enum Completion {
    static func keys(_ words: [String], _ prefix: String) -> [String] {
        guard let listing = try? Context.guess(words)?.listing() else { return [] }
        return listing.subjects.options.map(\.description).filter { $0.hasPrefix(prefix) }.sorted()
    }

    static func places(_ words: [String], _ prefix: String) -> [String] {
        guard let listing = try? Context.guess(words)?.listing() else { return [] }
        var groups: [String] = []
        for key in listing.subjects.options {
            var group = key.group
            while !group.isRoot {
                groups.append(group.description)
                group = group.group
            }
        }
        let all = listing.subjects.options.map(\.description) + groups
        return Set(all).filter { $0.hasPrefix(prefix) }.sorted()
    }

    static func tags(_ words: [String], _ prefix: String) -> [String] {
        guard let folder = Context.guess(words),
            let names = try? Session(folder, by: Caller(), at: Environment.current.clock).ask(TagNamesQuery())
        else { return [] }
        return names.filter { $0.hasPrefix(prefix) }.sorted()
    }

    static func waiting(_ words: [String], _ prefix: String) -> [String] {
        guard let folder = Context.guess(words),
            let open = try? Session(folder, by: Caller(), at: Environment.current.clock).ask(ConfirmationsQuery())
        else { return [] }
        return open.map(\.confirmation.version.id).filter { $0.hex.hasPrefix(prefix) }.map(\.short)
    }

    static func keysOrValues(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        if let equals = prefix.firstIndex(of: "=") {
            let key = String(prefix[..<equals])
            return values(of: key, words).map { "\(key)=\($0)" }.filter { $0.hasPrefix(prefix) }
        }
        // bash treats the = of KEY=VALUE as a word.
        let before = words.prefix(max(index, 0)).dropFirst(2).filter { $0 != "=" }
        guard let key = before.last else { return keys(words, prefix) }
        let offered = values(of: key, words)
        return offered.isEmpty ? keys(words, prefix) : offered.filter { $0.lowercased().hasPrefix(prefix.lowercased()) }
    }

    static func labels(_ words: [String], _ prefix: String) -> [String] {
        for word in words.reversed() where !word.hasPrefix("-") {
            let offered = values(of: word, words)
            if !offered.isEmpty { return offered.filter { $0.lowercased().hasPrefix(prefix.lowercased()) } }
        }
        return []
    }

    /// The label, or its value if the shell would split the label. Only bash leaves the quoting to us.
    private static func name(of label: ChoiceLabel) -> String {
        let text = label.text.string
        let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "-_.,:@%+/".contains($0) }
        return isPlain || Environment.current["SAP_SHELL"] != "bash" ? text : label.value.bare
    }

    private static func values(of word: String, _ words: [String]) -> [String] {
        guard let key = try? Key(word), let folder = Context.guess(words),
            (try? folder.ignoreRule(for: .option(key))) == .some(nil), let option = try? folder.item(.option(key))?.option
        else { return [] }
        switch option.type {
        case .choice: return option.labels.map { name(of: $0) }
        case .switch: return ["on", "off", "toggle"]
        case .number, .text, .data: return []
        }
    }
}
