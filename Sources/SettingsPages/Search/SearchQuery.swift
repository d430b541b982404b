package import SettingsModel

/// What is searched for: words that all have to occur, and filters that all have to hold.
package struct SearchQuery: Hashable, Sendable {
    package private(set) var words: [String] = []
    package private(set) var isChanged = false
    package private(set) var who: [String] = []
    package private(set) var why: [String] = []
    package private(set) var since: String?
    package private(set) var kind: SettingsOption.Kind?
    /// A filter that isn't one.
    package private(set) var problem: String?

    package init(_ text: String) {
        for word in Self.split(text.lowercased()) {
            guard word.hasPrefix("@") else {
                words.append(word)
                continue
            }
            let name = word.dropFirst().prefix { $0 != ":" }
            let value = String(word.dropFirst(name.count + 2))
            switch name {
            case "changed", "modified": isChanged = true
            case "who" where !value.isEmpty: who.append(value)
            case "why" where !value.isEmpty: why.append(value)
            case "since" where !value.isEmpty: since = value
            case "kind" where !value.isEmpty:
                kind = SettingsOption.Kind.allCases.first { $0.rawValue.hasPrefix(value) }
                if kind == nil { problem = "'\(value)' is not a kind: choice, switch, number, text or data" }
            case "who", "why", "since", "kind": break
            default: problem = "'\(word)' is not a filter: @changed @who: @since: @why: @kind:"
            }
        }
    }

    package var isEmpty: Bool { words.isEmpty && !isChanged && !wantsOrigins && kind == nil }

    /// Whether it asks who chose a value, when or why.
    package var wantsOrigins: Bool { !who.isEmpty || !why.isEmpty || since != nil }

    /// Words are separated by spaces; quotes keep spaces: `@why:"too dark"`.
    private static func split(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var isQuoted = false
        for character in text {
            if character == "\"" {
                isQuoted.toggle()
            } else if character.isWhitespace, !isQuoted {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        return word.isEmpty ? words : words + [word]
    }

    /// The options that match, the best first: exact words before beginnings before parts before typing errors.
    package func matches(in scene: Scene) -> [Key] {
        let moment = since.map { Self.moment($0, scene.phrases.clock) }
        var found: [(key: Key, score: Int)] = []
        for (key, option) in scene.content.options {
            guard passes(key, option, moment, scene), let score = score(key, option, scene) else { continue }
            found.append((key, score))
        }
        return found.sorted { ($0.score, $0.key) < ($1.score, $1.key) }.map(\.key)
    }

    private func passes(_ key: Key, _ option: SettingsOption, _ moment: Int64??, _ scene: Scene) -> Bool {
        if let kind, option.type != kind { return false }
        if isChanged, !option.differsFromDefault, scene.draft.base.options[key] == option { return false }
        guard wantsOrigins else { return true }
        guard let version = scene.facts.origins[key] ?? nil else { return false }
        let person = (version.author.name + " " + version.author.email).lowercased()
        if !who.allSatisfy({ person.contains($0) }) { return false }
        let reason = (version.message.why ?? "").lowercased()
        if !why.allSatisfy({ reason.contains($0) }) { return false }
        if let moment { return moment.map { version.time.seconds >= $0 } ?? false }
        return true
    }

    /// `2d`, `3h`, `1w`, or a time as commands take it. Nil for what is neither.
    private static func moment(_ text: String, _ clock: Clock) -> Int64? {
        let units: [Character: Int64] = ["m": 60, "h": 3600, "d": 86400, "w": 7 * 86400, "y": 365 * 86400]
        if let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()), count < 1 << 20 {
            return clock.now - count * unit
        }
        return When(text, clock, bareDate: .beginning).seconds
    }

    /// How badly an option matches the words; nil if one of them doesn't occur.
    private func score(_ key: Key, _ option: SettingsOption, _ scene: Scene) -> Int? {
        if words.isEmpty { return 0 }
        var texts = [option.title.string.lowercased(), key.description.lowercased()]
        for label in option.labels.prefix(200) { texts.append(label.text.string.lowercased()) }
        if let help = option.help { texts.append(help.string.lowercased()) }
        if let version = scene.facts.origins[key] ?? nil, let why = version.message.why { texts.append(why.lowercased()) }
        var sum = 0
        for word in words {
            var best: Int?
            for (place, text) in texts.enumerated() {
                guard let score = Self.score(word, in: text) else { continue }
                // A title or a key counts more than a label, a help or a reason.
                best = min(best ?? .max, score * 2 + (place > 1 ? 1 : 0))
                if best == 0 { break }
            }
            guard let best else { return nil }
            sum += best
        }
        return sum
    }

    /// 0 for the word itself, 1 for its beginning, 2 for a part, 3 for a typing error.
    private static func score(_ word: String, in text: String) -> Int? {
        if text.contains(word) {
            var score = 2
            for part in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
                if part == word { return 0 }
                if part.hasPrefix(word) { score = 1 }
            }
            return score
        }
        guard word.count > 3 else { return nil }
        let letters = Array(word)
        for part in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) where abs(part.count - letters.count) <= 1 {
            if Nearest.distance(letters, Array(part)) <= 1 { return 3 }
        }
        return nil
    }
}
