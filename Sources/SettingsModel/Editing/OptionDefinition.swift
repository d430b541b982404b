/// The requested members of an option: nil leaves a member unchanged, or at its default in a new option.
package struct OptionDefinition: Hashable, Sendable {
    package var title: String?
    package var kind: SettingsOption.Kind?
    /// The labels of a choice; existing labels keep their values.
    package var labels: [NamedLabel] = []
    /// The first value of a number, a text or data, as typed.
    package var firstValue: String?
    package var range: SettingsOption.Range?
    /// An empty text removes the help.
    package var help: String?
    /// The default as typed; an empty text removes it, except from a text.
    package var defaultValue: String?
    /// The label or value that a new choice starts with, or that replaces a removed one.
    package var selected: String?
    /// Whether a new option starts without a value.
    package var isUnset = false
    package var placeholder: String?
    package var pattern: String?
    package var isMasked: Bool?
    package var isReadOnly: Bool?
    package var switchValues: SwitchValues?

    /// A label, with its value if one was given.
    package struct NamedLabel: Hashable, Sendable {
        package var value: String?
        package var text: String

        package init(value: String?, text: String) {
            self.value = value
            self.text = text
        }
    }

    package struct SwitchValues: Hashable, Sendable {
        package var off: String
        package var on: String

        package init(off: String, on: String) {
            self.off = off
            self.on = on
        }
    }

    package init() {}

    /// Whether nothing was requested.
    package var isEmpty: Bool { self == OptionDefinition() }

    /// Whether something was requested that only options have.
    package var isOfOptions: Bool {
        var other = self
        other.title = nil
        return !other.isEmpty
    }

    /// `existing` with the requested members changed, or a new option if there is none. The current choice stays.
    package func option(_ key: Key, from existing: SettingsOption?) throws(Problem) -> SettingsOption {
        guard let kind = kind ?? existing?.type else { throw .editing(.hasNoType(key)) }
        var option = existing ?? SettingsOption(title: ExactText(title ?? ""), type: kind)
        let isNew = existing?.type != kind
        if isNew { Self.change(&option, to: kind) }
        if let title, title.allSatisfy(\.isWhitespace) { throw .editing(.titleIsEmpty(key)) }
        if let title { option.title = ExactText(title) }
        if existing == nil, title == nil { throw .editing(.hasNoTitle(key)) }
        if let help { option.help = help.isEmpty ? nil : ExactText(help) }
        try defineMembers(of: &option)
        let chosen = option.value.flatMap { option.labels.label(of: $0) }
        if !labels.isEmpty { option.labels = try labels(from: option.labels) }
        let isGone = chosen != nil && option.value.map { option.labels.label(of: $0) == nil } ?? false
        if let chosen, isGone, selected == nil, !isUnset { throw .editing(.removesChosenLabel(key, chosen.text)) }
        if !labels.isEmpty, defaultValue == nil, let value = option.defaultValue, option.labels.label(of: value) == nil {
            throw .editing(.removesDefault(key, value.bare))
        }
        if let range { option.range = range }
        if isNew {
            if let existing {
                option.defaultValue = existing.defaultValue.flatMap { option.value(like: $0, of: existing) }
                option.value = try value(keptFrom: existing, in: option, key)
            } else {
                option.value = try firstValue(of: option)
            }
        }
        let starts = isNew || isGone
        if let selected {
            let value = try option.requestedValue(.word(selected), key)
            if starts { option.value = value }
        }
        if isUnset, starts { option.value = nil }
        if let defaultValue {
            option.defaultValue =
                defaultValue.isEmpty && kind != .text ? nil : try option.requestedValue(.word(defaultValue), key)
        }
        if let misfit = option.misfitEnvironmentValues(comparedWith: existing.map { [$0] } ?? []).first {
            let value = option.isMasked ? .string(ExactText(Wording.dots)) : misfit.value
            throw .editing(.isValueForEnvironment(key, value, environment: misfit.environment))
        }
        if let fault = option.faults(comparedWith: existing.map { [$0] } ?? []).first {
            throw .editing(.isInconsistent(key, fault, isNew: existing == nil))
        }
        return option
    }

    private func defineMembers(of option: inout SettingsOption) throws(Problem) {
        if placeholder != nil || pattern != nil || isMasked != nil, option.type != .text {
            throw .editing(.wrongType(.textMembers))
        }
        if range != nil, option.type != .number { throw .editing(.wrongType(.range)) }
        if switchValues != nil, option.type != .switch { throw .editing(.wrongType(.switchValues)) }
        if selected != nil, option.type != .choice { throw .editing(.wrongType(.selection)) }
        if let placeholder { option.other["placeholder"] = .string(placeholder) }
        if let pattern {
            if let fault = Pattern.fault(in: ExactText(pattern)) { throw .editing(.invalidPattern(fault)) }
            option.other["pattern"] = .string(pattern)
        }
        if let isMasked { option.other["masked"] = isMasked ? .bool(true) : nil }
        if let isReadOnly { option.other["readOnly"] = isReadOnly ? .bool(true) : nil }
        if let switchValues {
            guard switchValues.off != switchValues.on else { throw .editing(.sameSwitchValues) }
            Self.setSwitchValues(of: &option, off: .string(switchValues.off), on: .string(switchValues.on))
        }
    }

    /// What was chosen stays chosen in an option of another type, where it means something there. Else there is a new value to
    /// begin with, or none: that is for a person to say.
    private func value(
        keptFrom existing: SettingsOption, in option: SettingsOption, _ key: Key
    ) throws(Problem) -> JSON? {
        guard let value = existing.value else { return nil }
        if !existing.isMasked, let kept = option.value(like: value, of: existing) { return kept }
        if firstValue == nil, selected == nil, !isUnset {
            throw .editing(.doesNotFit(key, existing.isMasked ? Wording.dots : value.bare, option.type))
        }
        return try firstValue(of: option)
    }

    private func firstValue(of option: SettingsOption) throws(Problem) -> JSON? {
        switch option.type {
        case .choice: return option.labels.first?.value
        case .switch: return option.offOn.off
        case .text: return firstValue.map { .string($0) }
        case .number, .data:
            do { return try option.value(for: .word(firstValue ?? "")) } catch { throw .value(.refused(nil, error)) }
        }
    }

    /// The requested labels; existing labels keep their values.
    private func labels(from old: Labels) throws(Problem) -> Labels {
        let index = LabelIndex(old)
        let byBareValue = Dictionary(old.enumerated().map { ($1.value.bare, $0) }) { first, _ in first }
        let writesValues = old.isEmpty || old.writesValues
        let areNumbers =
            old.isEmpty ? self.labels.allSatisfy { $0.value.flatMap { Number($0) } != nil } : old.areNumbers
        var newValues = NewValues(Labels(old.entries, writesValues: writesValues))
        var labels: [ChoiceLabel] = []
        var named: Set<JSON> = []
        for wanted in self.labels {
            let text = ExactText(wanted.text)
            var label: ChoiceLabel
            if let value = wanted.value {
                // Imported values may be numbers.
                let same = index.index(of: .string(value)) ?? byBareValue[value]
                let number = areNumbers ? Number(value).map { JSON.number($0) } : nil
                label = same.map { old[$0] } ?? ChoiceLabel(value: number ?? .string(value), text: text)
                label.text = text
                newValues.take(label.value)
            } else if let same = index.only(text: text) {
                label = old[same]
            } else {
                label = ChoiceLabel(value: newValues.value(for: text), text: text)
            }
            guard named.insert(label.value).inserted else { throw .editing(.duplicateLabelValue(label.value)) }
            labels.append(label)
        }
        return Labels(labels, writesValues: writesValues)
    }

    /// Changes the type and drops the members that only the old type had.
    private static func change(_ option: inout SettingsOption, to kind: SettingsOption.Kind) {
        option.type = kind
        option.value = nil
        option.defaultValue = nil
        option.labels = Labels()
        option.range = SettingsOption.Range()
        for member in ["placeholder", "pattern", "masked", "values"] as [ExactText] { option.other[member] = nil }
    }

    /// Replaces the values of a switch; a switch that is on stays on, one that is off stays off.
    private static func setSwitchValues(of option: inout SettingsOption, off: JSON, on: JSON) {
        let old = option.offOn.on
        let wasOn = (option.value.map { $0 == old }, option.defaultValue.map { $0 == old })
        option.other["values"] = .array([off, on])
        option.value = wasOn.0.map { $0 ? on : off }
        option.defaultValue = wasOn.1.map { $0 ? on : off }
    }
}

extension SettingsOption {
    /// What stands here for a value of an option of another type; nil where nothing does.
    fileprivate func value(like value: JSON, of other: SettingsOption) -> JSON? {
        var option = self
        option.value = meaning(of: value, of: other)
        return option.faults().contains { $0.facet == .value } ? nil : option.value
    }

    private func meaning(of value: JSON, of other: SettingsOption) -> JSON? {
        var words = [value.bare]
        if let label = other.labels.label(of: value) { words.append(label.text.string) }
        if other.type == .switch { words += value == other.offOn.on ? Self.onWords : Self.offWords }
        switch type {
        case .data: return value
        case .text: return value.isScalar ? .string(value.bare) : nil
        case .number: return words.lazy.compactMap { Number($0) }.first.map { .number($0) }
        case .choice:
            if labels.label(of: value) != nil { return value }
            return words.lazy.compactMap { (try? self.value(for: .word($0))).flatMap { $0 } }.first
        case .switch:
            let (off, on) = offOn
            if value == off || value == on { return value }
            let lower = words.map { $0.lowercased() }
            if lower.contains(where: Self.onWords.contains) { return on }
            return lower.contains(where: Self.offWords.contains) ? off : nil
        }
    }

    private static let onWords = ["true", "on", "yes", "1"]
    private static let offWords = ["false", "off", "no", "0"]
}
