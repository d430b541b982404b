/// The type that an option has in GSettings, which its values have to keep: one that doesn't fit would stop every export.
extension SettingsOption {
    /// Why GSettings can't hold `value` in the option's type; nil if it can, or if the type is not one of these: integers, a
    /// double, a list of strings.
    func gsettingsFault(of value: JSON) -> String? {
        guard case .object(let members)? = other["gsettings"],
            let type = members.last(where: { $0.name == "type" })?.value.text?.string
        else { return nil }
        switch (type, value) {
        case ("as", .array(let elements)):
            return elements.allSatisfy { $0.text != nil }
                ? nil : "an element is not a string, but GSettings has a list of strings"
        case ("as", _): return "GSettings has a list of strings, not \(value.kind)"
        case (_, .number(let number)):
            guard let bounds = SettingsOption.bounds[type] else { return nil }
            if !number.isOnStep(Number(1), from: Number(0)) { return "\(number.text) is not a whole number" }
            guard number < bounds.minimum || bounds.maximum < number else { return nil }
            return
                "\(number.text) is outside the range of GSettings' type '\(type)', "
                + "which holds \(bounds.minimum.text) to \(bounds.maximum.text)"
        default: return nil
        }
    }

    private static let bounds: [String: (minimum: Number, maximum: Number)] = [
        "y": (Number(0), Number(Int(UInt8.max))), "n": (Number(Int(Int16.min)), Number(Int(Int16.max))),
        "q": (Number(0), Number(Int(UInt16.max))), "i": (Number(Int(Int32.min)), Number(Int(Int32.max))),
        "u": (Number(0), Number(Int(UInt32.max))), "x": (Number(Int.min), Number(Int.max)),
        "t": (Number(0), Number(checked: String(UInt64.max))),
    ]
}
