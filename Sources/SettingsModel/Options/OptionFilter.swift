/// Criteria for options; all of them must hold.
public struct OptionFilter: Hashable, Sendable {
    /// Only options whose value differs from their default. An option without a default has nothing to differ from.
    public var isChanged: Bool
    /// Each of these occurs in the key, the title, a label, a value of a choice or the help, ignoring case.
    public var words: [String]

    /// The words of `search` are separated by spaces.
    public init(isChanged: Bool = false, search: [String] = []) {
        self.isChanged = isChanged
        words = search.flatMap { $0.lowercased().split(whereSeparator: \.isWhitespace).map(String.init) }
    }

    public var isEmpty: Bool { !isChanged && words.isEmpty }

    public func takes(_ key: Key, _ option: SettingsOption) -> Bool {
        if isChanged, !option.differsFromDefault { return false }
        if words.isEmpty { return true }
        var texts = [key.description, option.title.string, option.help?.string ?? ""]
        for label in option.labels { texts += [label.text.string, label.long?.string ?? "", label.value.bare] }
        texts = texts.map { $0.lowercased() }
        return words.allSatisfy { word in texts.contains { $0.contains(word) } }
    }
}

extension SettingsOption {
    /// Whether it has a default and another value.
    public var differsFromDefault: Bool {
        guard let value, let defaultValue else { return false }
        return value != defaultValue
    }
}

extension SettingsContent {
    /// The same groups with the options that the filter takes.
    public func options(_ filter: OptionFilter) -> SettingsContent {
        if filter.isEmpty { return self }
        var settings = self
        settings.options = options.filter { filter.takes($0.key, $0.value) }
        return settings
    }
}
