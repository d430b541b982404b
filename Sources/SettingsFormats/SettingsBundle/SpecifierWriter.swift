import SettingsModel

extension SettingsOption {
    /// The row of this option in a Settings.bundle. `value` is the row's default.
    func specifier(key: ExactText, value: JSON?) -> PropertyList.Members {
        var row = PropertyList.Members()
        row["Type"] = .string(specifierType)
        row["Key"] = .string(key)
        row["Title"] = .string(title)
        row["DefaultValue"] = value.flatMap { defaultValue(of: $0) }
        row["FooterText"] = help.map { .string($0) }
        switch type {
        case .switch:
            let (off, on) = offOn
            if (off, on) != (.bool(false), .bool(true)) {
                row["FalseValue"] = PropertyList(off)
                row["TrueValue"] = PropertyList(on)
            }
        case .choice:
            if !labels.isEmpty || !isReadOnly {
                row["Values"] = .array(labels.compactMap { PropertyList($0.value) })
                row["Titles"] = .array(labels.map { .string($0.long ?? $0.text) })
                if labels.contains(where: { $0.long != nil }) { row["ShortTitles"] = .array(labels.map { .string($0.text) }) }
            }
        case .number:
            if specifierType == Specifier.slider {
                row["MinimumValue"] = range.minimum.flatMap { PropertyList(.number($0)) }
                row["MaximumValue"] = range.maximum.flatMap { PropertyList(.number($0)) }
            } else if !isReadOnly {
                row["KeyboardType"] = "NumbersAndPunctuation"
            }
        case .text: if isMasked { row["IsSecure"] = .boolean(true) }
        case .data: break
        }
        return row
    }

    private var specifierType: ExactText {
        if isReadOnly { return Specifier.title }
        switch type {
        case .switch: return Specifier.toggle
        case .choice: return Specifier.choice
        case .number: return range.minimum != nil && range.maximum != nil ? Specifier.slider : Specifier.textField
        case .text: return Specifier.textField
        case .data: return Specifier.title
        }
    }

    /// A row shows data as JSON.
    private func defaultValue(of value: JSON) -> PropertyList? {
        type == .data ? .string(value.bare) : PropertyList(value)
    }
}

extension PropertyList: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .string(ExactText(value)) }
}
