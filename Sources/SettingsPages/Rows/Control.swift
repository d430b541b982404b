package import SettingsModel

/// What a person changes an option with: a control of a browser's, or a row that has keys.
package enum Control: Hashable, Sendable {
    /// One of several labels.
    case choice(Labels)
    case `switch`
    /// A number between two bounds.
    case slider(minimum: Number, maximum: Number, step: Number?)
    case number(SettingsOption.Range)
    /// A line of text, or several.
    case text(isLong: Bool, placeholder: String?)
    /// Any JSON value.
    case data
}

extension SettingsOption {
    package var control: Control {
        switch type {
        case .choice: return .choice(labels)
        case .switch: return .switch
        case .number:
            guard let minimum = range.minimum, let maximum = range.maximum else { return .number(range) }
            return .slider(minimum: minimum, maximum: maximum, step: range.step)
        case .text:
            let isLong = !isMasked && (value?.bare.contains(where: \.isNewline) ?? false)
            return .text(isLong: isLong, placeholder: placeholder?.string)
        case .data: return .data
        }
    }
}
