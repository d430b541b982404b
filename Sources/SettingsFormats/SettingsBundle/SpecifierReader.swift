import SettingsModel

/// Converts a row to an option.
struct SpecifierReader {
    private let row: PropertyList.Members
    /// Looks up a text of the page.
    private let text: (ExactText) -> ExactText
    private(set) var notes: [Note] = []

    /// A repair to report.
    struct Note {
        var found: String
        var done: String
        var kind = Repair.Kind.repaired
    }

    init(_ row: PropertyList.Members, text: @escaping (ExactText) -> ExactText) {
        self.row = row
        self.text = text
    }

    /// `fallback` is the title of a row without one.
    mutating func option(title fallback: ExactText) -> SettingsOption {
        let title = row["Title"].map { shown($0, "Title") } ?? fallback
        var option: SettingsOption
        switch row["Type"]?.text {
        case Specifier.toggle?: option = toggle()
        case Specifier.slider?: option = slider()
        case Specifier.choice?, Specifier.radio?: option = choice()
        case Specifier.title?: option = titleRow()
        default: option = textField()
        }
        option.title = title
        option.help = row["FooterText"].map { shown($0, "FooterText") }
        return option
    }

    private mutating func note(_ found: String, _ done: String, _ kind: Repair.Kind = .repaired) {
        notes.append(Note(found: found, done: done, kind: kind))
    }

    /// Looks up a title or another text that is shown.
    private mutating func shown(_ value: PropertyList, _ member: String) -> ExactText {
        if case .string(let name) = value { return text(name) }
        note("the \(member) is \(value.kind)", "read as text")
        return value.word ?? ExactText(value.json.compact)
    }

    // Switches

    private mutating func toggle() -> SettingsOption {
        var option = SettingsOption(title: "", type: .switch)
        var (off, on) = option.offOn
        if let given = row["FalseValue"] { off = given.scalar ?? .null }
        if let given = row["TrueValue"] { on = given.scalar ?? .null }
        if off == on || off.isNull || on.isNull {
            note("TrueValue and FalseValue are \(off == on ? "the same" : "not simple values")", "true and false are stored")
            (off, on) = option.offOn
        }
        if (off, on) != option.offOn { option.other["values"] = .array([off, on]) }
        guard let value = row["DefaultValue"] else { return option }
        guard let (isOn, rule) = ToggleDefault.isOn(value, off: off, on: on) else {
            note("the default \(value.json.compact) is neither on nor off", "no default")
            return option
        }
        option.defaultValue = isOn ? on : off
        if let rule { note("the default \(value.json.compact) is \(rule)", "the default is \(isOn ? "on" : "off")") }
        return option
    }

    // Numbers

    private mutating func slider() -> SettingsOption {
        var option = SettingsOption(title: "", type: .number)
        let range = SettingsOption.Range(minimum: number("MinimumValue"), maximum: number("MaximumValue"))
        if let minimum = range.minimum, let maximum = range.maximum, maximum < minimum {
            note("the minimum \(minimum.text) is above the maximum \(maximum.text)", "no bounds")
        } else {
            option.range = range
        }
        if let value = number("DefaultValue") {
            option.defaultValue = .number(value)
            if let reason = option.range.fault(of: value) {
                note("the default is outside: \(reason)", "the default stays as it is", .kept)
            }
        }
        return option
    }

    private mutating func number(_ member: ExactText) -> Number? {
        switch row[member] {
        case nil: return nil
        case .integer(let number)?: return number
        case .real(let word)?:
            if let number = Number(word) { return number }
        case .string(let word)?:
            // As C parses it, whatever the language.
            let digits = String(word.string.drop(while: \.isWhitespace).prefix { !$0.isWhitespace })
            if let value = PropertyList(integer: digits) ?? PropertyList(real: digits), case .number(let number)? = value.scalar {
                note("the \(member) \(JSON.string(word).compact) is a string", "it is the number \(number.text)")
                return number
            }
        default: break
        }
        note("the \(member) \(row[member]?.json.compact ?? "") is not a number", "left out")
        return nil
    }

    // Texts

    private mutating func textField() -> SettingsOption {
        var option = SettingsOption(title: "", type: .text)
        switch row["IsSecure"] {
        case nil, .boolean(false)?: break
        case .boolean(true)?: option.other["masked"] = .bool(true)
        case let value?:
            let isSecure = ToggleDefault.isOn(value, off: .bool(false), on: .bool(true))?.isOn ?? true
            if isSecure { option.other["masked"] = .bool(true) }
            note("IsSecure is \(value.kind)", isSecure ? "the text is masked" : "the text is not masked")
        }
        switch row["DefaultValue"] {
        case nil: option.defaultValue = ""
        case .string(let text)?: option.defaultValue = .string(text)
        case .integer?, .real?:
            if let word = row["DefaultValue"]?.word {
                option.defaultValue = .string(word)
                let shown = option.isMasked ? "" : " \(word)"
                note("the default is the number\(shown)", "it is text")
            } else {
                note("the default is neither a number nor a text", "no default")
            }
        case let value?: note("the default is \(value.kind)", "no default")
        }
        return option
    }

    /// A row that shows a value and can't be changed.
    private mutating func titleRow() -> SettingsOption {
        var option = SettingsOption(title: "", type: .text)
        if row["Titles"] != nil || row["Values"] != nil {
            option = choice()
        } else {
            switch row["DefaultValue"] {
            case .boolean?: option.type = .switch
            case .integer?: option.type = .number
            case .real(let word)? where Number(word) != nil: option.type = .number
            case nil, .string?: break
            default: option.type = .data
            }
            option.defaultValue = row["DefaultValue"]?.json
        }
        option.other["readOnly"] = .bool(true)
        return option
    }

    // Choices

    private mutating func choice() -> SettingsOption {
        var option = SettingsOption(title: "", type: .choice)
        option.labels = Labels(labels(), writesValues: true)
        guard let value = row["DefaultValue"] else { return option }
        let names = row["Titles"]?.elements ?? []
        guard let (label, rule) = ChoiceDefault.label(of: value, among: option.labels, titles: names) else {
            if !option.labels.isEmpty {
                note("the default \(value.json.compact) is not one of its values", "nothing is chosen by default")
            }
            return option
        }
        option.defaultValue = label.value
        if let rule {
            note("the default \(value.json.compact) is \(rule)", "the default is \(label.value.compact) (\(label.text))")
        }
        return option
    }

    private mutating func labels() -> [ChoiceLabel] {
        let values = list("Values")
        let titles = list("Titles")
        let shorts = row["ShortTitles"] == nil ? nil : list("ShortTitles")
        if values.count != titles.count {
            note(
                "there are \(titles.count) Titles and \(values.count) Values",
                "the first \(min(titles.count, values.count)) are paired")
        } else if values.isEmpty {
            note("it has no Values", "a choice without labels")
        }
        if let shorts, shorts.count != titles.count {
            note("there are \(titles.count) Titles and \(shorts.count) ShortTitles", "the missing ones are taken from Titles")
        }
        var labels: [ChoiceLabel] = []
        var seen: Set<JSON> = []
        for (index, (value, title)) in zip(values, titles).enumerated() {
            guard let scalar = value.scalar else {
                note("the value \(index + 1) is \(value.kind)", "its label is left out")
                continue
            }
            guard seen.insert(scalar).inserted else {
                note("the value \(scalar.compact) appears twice", "the second label is left out")
                continue
            }
            let long = shown(title, "title \(index + 1)")
            guard let shorts else {
                labels.append(ChoiceLabel(value: scalar, text: long))
                continue
            }
            labels.append(
                ChoiceLabel(
                    value: scalar, text: index < shorts.count ? shown(shorts[index], "short title \(index + 1)") : long,
                    long: long))
        }
        return labels
    }

    private mutating func list(_ member: ExactText) -> [PropertyList] {
        switch row[member] {
        case nil: return []
        case .array(let elements)?: return elements
        case let value?:
            note("the \(member) are \(value.kind), not an array", "left out")
            return []
        }
    }
}
