package import SettingsModel

// What 'show' prints of an option.

/// An option with everything that is known of it.
package struct OptionDetails: Sendable {
    package var key: Key
    package var option: SettingsOption
    /// Who chose its value; nil where there is no history that says so.
    package var chosen: Chosen?
    package var confirmation: Confirmation?

    package enum Chosen: Sendable {
        /// Nil where no version of the history did.
        case inVersion(Version?)
        case byHand
        case beforeClone
    }

    package init(_ key: Key, _ option: SettingsOption, chosen: Chosen?, confirmation: Confirmation?) {
        self.key = key
        self.option = option
        self.chosen = chosen
        self.confirmation = confirmation
    }
}

extension Phrases {
    package static func historyIsUnknown(_ problem: Problem) -> PrintedLine {
        .note("note: \(CommandLineHints.reason(problem)), so its history is not shown")
    }

    package static let changesAreUnknown = PrintedLine.note(CommandLineHints.cutOff("what this version changed is not known"))

    package func lines(_ details: OptionDetails) -> [StyledText] {
        let option = details.option
        var rows: [[StyledText]] = []
        func add(_ name: String, _ value: StyledText) { rows.append([StyledText(name, .faint), value]) }
        add("key", StyledText(details.key.description))
        add("type", StyledText(option.type.rawValue))
        add("value", StyledText(wording.words(option.value, of: option), .after))
        if let value = option.defaultValue { add("default", StyledText(wording.words(value, of: option))) }
        for entry in option.environmentValues {
            add("for \(entry.environment)", StyledText(wording.words(entry.value, of: option)))
        }
        if let help = option.help { add("help", StyledText(help.string)) }
        if !option.range.isEmpty { add("range", StyledText(option.range.words)) }
        if let pattern = option.pattern { add("pattern", StyledText(pattern.string)) }
        if let placeholder = option.placeholder { add("placeholder", StyledText(placeholder.string)) }
        if option.isReadOnly { add("read-only", StyledText("yes")) }
        switch details.chosen {
        case .inVersion(let version)?: add("chosen", origin(version))
        case .byHand?: add("chosen", StyledText("by hand, not yet recorded", .faint))
        case .beforeClone?: add("chosen", Phrases.beforeClone)
        case nil: break
        }
        if let confirmation = details.confirmation, confirmation.isOpen { add("confirmation", state(of: confirmation)) }
        return [StyledText(option.title.string.inWords, .heading)] + Phrases.table(rows) + labels(of: option)
    }

    private func labels(of option: SettingsOption) -> [StyledText] {
        guard option.type == .choice else { return [] }
        let selected = option.selected
        let labels = option.labels.enumerated().map { index, label in
            [
                StyledText(index == selected ? "  \(wording.glyphs.check)" : "   ", .after).adding(" \(index)", .faint),
                StyledText(label.text.string.inWords, index == selected ? .after : .plain),
                StyledText(label.value.bare, .faint),
            ]
        }
        return [StyledText("labels", .faint)] + Phrases.table(labels)
    }
}

extension Reports {
    /// `more`: further members of the option.
    package func document(
        _ details: OptionDetails, isComplete: Bool, _ more: KeyValuePairs<ExactText, JSON?> = [:]
    ) -> JSON {
        var (origin, isDraft) = (Version?.none, false)
        switch details.chosen {
        case .inVersion(let version)?: origin = version
        case .byHand?: isDraft = true
        case .beforeClone?, nil: break
        }
        return Reports.document([
            "option": option(details.key, details.option, more), "chosen": reference(origin), "draft": .bool(isDraft),
            "complete": .bool(isDraft || isComplete), "confirmation": details.confirmation.map { state(of: $0) },
        ])
    }
}
