import SettingsModel

extension Imported {
    /// Keeps what the store says of a value's spelling where an export in place of the store's value makes the file as it
    /// is: a 2 over a real is written as `2.0`, and `yes` over `no`. An import of that file has nothing to change.
    mutating func keepSpellings(of existing: () -> SettingsContent) {
        let name = ExactText(format.rawValue)
        let present = existing().options
        for (key, option) in settings.options {
            guard let old = present[key], let value = option.value, value.isScalar else { continue }
            if option.type == .number, case .number(let new) = value, case .number(let number)? = old.value, new.isReal,
                !number.isReal,
                new.isEqual(to: number)
            {
                settings.options[key]?.value = old.value
            }
            let (mark, oldMark) = (option.other[name], old.other[name])
            guard mark != oldMark, mark?["name"] == oldMark?["name"],
                let spelling = spelling(of: value, as: mark?["as"]?.text),
                spelling == self.spelling(of: value, as: oldMark?["as"]?.text)
            else { continue }
            settings.options[key]?.other[name] = oldMark
        }
    }

    /// The value as an export in place of its kind writes it; nil if the mark is a tag.
    private func spelling(of value: JSON, as mark: ExactText?) -> String? {
        switch (format, value) {
        case (.yaml, .string(let text)):
            if let mark, mark != YAMLTree.plain { return nil }
            return mark != nil && YAMLWriter.isNoString(text.string) ? text.string : YAMLWriter.quoted(text.string)
        case (.yaml, _): return YAMLWriter.spelling(of: value, as: mark?.string)
        case (.toml, _): return TOMLWriter.scalar(value, as: mark?.string)
        default: return nil
        }
    }
}
