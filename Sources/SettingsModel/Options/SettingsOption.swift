/// One setting: a choice among labels, a switch, a number, a text, or other data.
public struct SettingsOption: Hashable, Sendable {
    public var title: ExactText
    public var type: Kind
    /// The value for programs; nil if unset. For a choice it is the value of the selected label, which may be null.
    public var value: JSON?
    public var defaultValue: JSON?
    public var help: ExactText?
    /// Empty unless this is a choice.
    public var labels: Labels
    /// The bounds of a number.
    public var range: Range
    /// All other members of the file, known ones (`pattern`, `readOnly`, …) and unknown ones.
    public var other: [ExactText: JSON]

    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case choice, `switch`, number, text, data

        /// For a sentence, with its article.
        package var noun: String {
            switch self {
            case .choice, .switch, .number: "a \(rawValue)"
            case .text, .data: "a \(rawValue) option"
            }
        }
    }

    public struct Range: Hashable, Sendable {
        public var minimum: Number?
        public var maximum: Number?
        public var step: Number?

        public init(minimum: Number? = nil, maximum: Number? = nil, step: Number? = nil) {
            self.minimum = minimum
            self.maximum = maximum
            self.step = step
        }
    }

    public init(
        title: ExactText, type: Kind, value: JSON? = nil, defaultValue: JSON? = nil, help: ExactText? = nil,
        labels: Labels = Labels(), range: Range = Range(), other: [ExactText: JSON] = [:]
    ) {
        self.title = title
        self.type = type
        self.value = value
        self.defaultValue = defaultValue
        self.help = help
        self.labels = labels
        self.range = range
        self.other = other
    }
}

extension SettingsOption {
    /// The index of the chosen label; nil if none is chosen. Only a choice has one.
    public var selected: Int? { value.flatMap { labels.index(of: $0) } }

    /// The value in force: the value, or the default if it is unset. Nil if both are missing.
    public var effectiveValue: JSON? { value ?? defaultValue }

    /// The values that a switch stores for off and on.
    public var offOn: (off: JSON, on: JSON) {
        if case .array(let pair)? = other["values"], pair.count == 2 { return (pair[0], pair[1]) }
        return (.bool(false), .bool(true))
    }

    public var pattern: ExactText? { other["pattern"]?.text }
    public var placeholder: ExactText? { other["placeholder"]?.text }
    /// The name in the source that it was imported from.
    public var importedKey: ExactText? { other["key"]?.text }
    /// Whether it is shown as dots.
    public var isMasked: Bool { type == .text && other["masked"] == .bool(true) }

    /// Whether a member of `other` is shown as dots: of a masked text, everything that may hold its value, such as its values for
    /// environments and whatever is unknown.
    package func masks(_ member: ExactText) -> Bool { isMasked && !Self.membersInClear.contains(member) }

    /// The members that never hold a value.
    private static let membersInClear = Set(laterMembers + ["$schema"])

    public var isReadOnly: Bool { other["readOnly"] == .bool(true) }

    /// The name of a value: its label, or `On` and `Off` for a switch; nil if the value has no other name.
    public func label(of value: JSON) -> ExactText? {
        switch type {
        case .choice: return labels.label(of: value)?.text
        case .switch:
            let (off, on) = offOn
            return value == on ? "On" : value == off ? "Off" : nil
        case .number, .text, .data: return nil
        }
    }
}
