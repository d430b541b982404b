import SettingsModel

/// Converts an option to a row.
struct SpecifierWriter {
    let option: SettingsOption

    /// The option's row in a Settings.bundle. `value` is the row's default.
    func row(key: ExactText, value: JSON?) -> PropertyList.Members {
        let (type, labels) = (type, option.labels)
        var row = PropertyList.Members()
        row["Type"] = .string(type)
        row["Key"] = .string(key)
        row["Title"] = .string(option.title)
        row["DefaultValue"] = value.flatMap { defaultValue(of: $0) }
        row["FooterText"] = option.help.map { .string($0) }
        switch option.type {
        case .switch:
            let (off, on) = option.offOn
            if (off, on) != (.bool(false), .bool(true)) {
                row["FalseValue"] = PropertyList(off)
                row["TrueValue"] = PropertyList(on)
            }
        case .choice:
            if !labels.isEmpty || !option.isReadOnly {
                row["Values"] = .array(labels.compactMap { PropertyList($0.value) })
                row["Titles"] = .array(labels.map { .string($0.long ?? $0.text) })
                if labels.contains(where: { $0.long != nil }) { row["ShortTitles"] = .array(labels.map { .string($0.text) }) }
            }
        case .number:
            if type == Specifier.slider {
                row["MinimumValue"] = option.range.minimum.flatMap { PropertyList(.number($0)) }
                row["MaximumValue"] = option.range.maximum.flatMap { PropertyList(.number($0)) }
            } else if !option.isReadOnly {
                row["KeyboardType"] = "NumbersAndPunctuation"
            }
        case .text: if option.isMasked { row["IsSecure"] = .boolean(true) }
        case .data: break
        }
        return row
    }

    private var type: ExactText {
        if option.isReadOnly { return Specifier.title }
        switch option.type {
        case .switch: return Specifier.toggle
        case .choice: return Specifier.choice
        case .number: return option.range.minimum != nil && option.range.maximum != nil ? Specifier.slider : Specifier.textField
        case .text: return Specifier.textField
        case .data: return Specifier.title
        }
    }

    /// A row shows data as JSON.
    private func defaultValue(of value: JSON) -> PropertyList? {
        option.type == .data ? .string(value.bare) : PropertyList(value)
    }
}

extension PropertyList: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .string(ExactText(value)) }
}
