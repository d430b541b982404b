import SettingsModel

/// The label that a choice's DefaultValue means. Some apps give it in another type than the Values, or as a title:
/// of 71 real choices 61 were exact, 7 were equal as numbers, 1 as text, and 2 were titles.
enum ChoiceDefault {
    /// The label, and why it matches if the value isn't equal; nil if none matches.
    static func label(
        of value: PropertyList, among labels: Labels, titles: [PropertyList]
    ) -> (label: ChoiceLabel, rule: String?)? {
        guard let scalar = value.scalar else { return nil }
        if let label = labels.label(of: scalar) { return (label, nil) }
        if case .number(let number) = scalar,
            let label = labels.first(where: { if case .number(let other) = $0.value { number.isEqual(to: other) } else { false } }
            )
        {
            return (label, "a number of another type")
        }
        let word = scalar.bare
        if let label = labels.first(where: { ExactText($0.value.bare) == ExactText(word) }) { return (label, "of another type") }
        if let text = value.text {
            if let label = labels.first(where: { $0.text == text || $0.long == text }) { return (label, "a title, not a value") }
            if titles.count == labels.count, let index = titles.firstIndex(of: value) {
                return (labels[index], "a title, not a value")
            }
        }
        return nil
    }
}

/// The meaning of a switch's DefaultValue.
enum ToggleDefault {
    /// Whether it is on, and why if the value isn't equal; nil if it is neither on nor off.
    static func isOn(_ value: PropertyList, off: JSON, on: JSON) -> (isOn: Bool, rule: String?)? {
        guard let scalar = value.scalar else { return nil }
        if scalar == on { return (true, nil) }
        if scalar == off { return (false, nil) }
        if case .bool(let isOn) = scalar { return (isOn, "a boolean, but its values are not") }
        if case .number(let number) = scalar {
            if case .number(let other) = on, number.isEqual(to: other) { return (true, "a number of another type") }
            if case .number(let other) = off, number.isEqual(to: other) { return (false, "a number of another type") }
        }
        switch scalar.bare.lowercased() {
        case "yes", "true", "1": return (true, "of another type")
        case "no", "false", "0": return (false, "of another type")
        default: return nil
        }
    }
}
