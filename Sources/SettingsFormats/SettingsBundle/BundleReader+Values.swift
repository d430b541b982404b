import SettingsModel

extension BundleReader {
    /// Sets values from the app's own preferences.
    mutating func setValues(from file: Source.File) throws(Refusal) {
        let value = try PropertyList.read(file, &repairs)
        guard case .dictionary(let members) = value else {
            throw Refusal("contains \(value.kind), not values by Key", in: file.path)
        }
        var keys: [ExactText: Key] = [:]
        for (key, option) in settings.options { keys[option.importedKey ?? ExactText(key.name)] = key }
        var unknown: [String] = []
        for entry in members.entries {
            guard let key = keys[entry.name], var option = settings.options[key] else {
                unknown.append(entry.name.string)
                continue
            }
            let (value, rule) = BundleReader.value(of: entry.value, for: option)
            if value == nil || rule != nil {
                repairs.append(
                    Repair(
                        file: file.path, line: entry.line, key: entry.name.string,
                        found: "\(option.isMasked ? "it" : entry.value.json.compact) is \(rule ?? "not a value of this setting")",
                        done: value.map { option.isMasked ? "read as text" : "it is \($0.compact)" } ?? "it stays unset"))
            }
            option.value = value
            settings.options[key] = option
        }
        if !unknown.isEmpty {
            repairs.append(
                Repair(
                    .kept, file: file.path, found: "no setting has the Key \(unknown.joined(separator: ", "))", done: "left out"))
        }
    }

    /// A stored value as the option's value, and why it was accepted if it isn't exactly equal.
    private static func value(of stored: PropertyList, for option: SettingsOption) -> (JSON?, String?) {
        switch option.type {
        case .switch:
            let (off, on) = option.offOn
            guard let (isOn, rule) = ToggleDefault.isOn(stored, off: off, on: on) else { return (nil, nil) }
            return (isOn ? on : off, rule)
        case .choice:
            guard let (label, rule) = ChoiceDefault.label(of: stored, among: option.labels, titles: []) else { return (nil, nil) }
            return (label.value, rule)
        case .text:
            if case .string(let text) = stored { return (.string(text), nil) }
            guard let word = stored.word else { return (nil, nil) }
            return (.string(word), "no text")
        case .number, .data:
            let value = stored.json
            return option.fault(of: value) == nil ? (value, nil) : (nil, option.fault(of: value))
        }
    }
}
