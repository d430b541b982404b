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
        for term in SearchTerm.terms(in: text) {
            let value = term.value
            switch term.filter {
            case nil: words.append(term.text)
            case "changed", "modified": isChanged = true
            case "who" where !value.isEmpty: who.append(value)
            case "why" where !value.isEmpty: why.append(value)
            case "since" where !value.isEmpty: since = value
            case "kind" where !value.isEmpty:
                kind = SettingsOption.Kind.allCases.first { $0.rawValue.hasPrefix(value) }
                if kind == nil { problem = "'\(value)' is not a kind: choice, switch, number, text or data" }
            case "who", "why", "since", "kind": break
            default: problem = "'\(term.text)' is not a filter: @changed @who: @since: @why: @kind:"
            }
        }
    }

    package var isEmpty: Bool { words.isEmpty && !isChanged && !wantsOrigins && kind == nil }

    /// Whether it asks who chose a value, when or why.
    package var wantsOrigins: Bool { !who.isEmpty || !why.isEmpty || since != nil }

    /// The options that match, the best first: exact words before beginnings before parts before typing errors.
    package func matches(in scene: Scene) -> [Key] {
        let moment = since.map { Self.moment($0, scene.phrases.clock) }
        let index = scene.index ?? SearchIndex(scene.content)
        let words = words.map { Array($0.utf8) }
        func matches(_ score: (SearchIndex.Entry) -> Int?) -> [(key: Key, score: Int)] {
            index.entries.compactMap { entry in
                guard let score = score(entry), let option = scene.content.options[entry.key],
                    passes(entry.key, option, moment, scene)
                else { return nil }
                return (entry.key, score)
            }
        }
        var found = matches { Self.score(words, in: $0, why: scene.facts.why(of: $0.key)) }
        if found.isEmpty, words.contains(where: { $0.count > 3 }) { found = matches { Self.distantScore(words, in: $0) } }
        // The entries are in order, which a sort by the score alone keeps where it is told to.
        return found.enumerated().sorted { ($0.element.score, $0.offset) < ($1.element.score, $1.offset) }.map(\.element.key)
    }

    /// The label that has the words which neither the title nor the key has; nil where there is none, or no such word.
    func label(of option: SettingsOption, _ key: Key) -> JSON? {
        let names = [option.title.string.lowercased(), key.description]
        let rest = words.filter { word in !names.contains { $0.contains(word) } }
        guard !rest.isEmpty else { return nil }
        return option.labels.first { label in
            let texts = [label.text.string, label.long?.string ?? ""].map { $0.lowercased() }
            return rest.allSatisfy { word in texts.contains { $0.contains(word) } }
        }?.value
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
    static func moment(_ text: String, _ clock: Clock) -> Int64? {
        let units: [Character: Int64] = ["m": 60, "h": 3600, "d": 86400, "w": 7 * 86400, "y": 365 * 86400]
        if let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()), count < 1 << 20 {
            return clock.now - count * unit
        }
        return When(text, clock, bareDate: .beginning).seconds
    }

    /// How badly an option matches the words; nil if one of them doesn't occur. A title or a key counts more than a label, a
    /// help or a reason.
    private static func score(_ words: [[UInt8]], in entry: SearchIndex.Entry, why: String?) -> Int? {
        var sum = 0
        for word in words {
            if let score = SearchIndex.score(word, in: entry.names) {
                sum += score * 2
            } else if let score = SearchIndex.score(word, in: entry.texts) {
                sum += score * 2 + 1
            } else if let why, why.utf8.count >= word.count, why.lowercased().contains(String(decoding: word, as: UTF8.self)) {
                sum += 5
            } else {
                return nil
            }
        }
        return sum
    }

    /// The same where one typing error is allowed in each word.
    private static func distantScore(_ words: [[UInt8]], in entry: SearchIndex.Entry) -> Int? {
        var sum = 0
        for word in words {
            if let score = SearchIndex.score(word, in: entry.names) ?? SearchIndex.score(word, in: entry.texts) {
                sum += score * 2
            } else if word.count > 3, SearchIndex.isNear(word, SearchIndex.letters(of: word), in: entry) {
                sum += 6
            } else {
                return nil
            }
        }
        return sum
    }
}
