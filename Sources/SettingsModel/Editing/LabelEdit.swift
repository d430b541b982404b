/// An edit of a choice's labels. Labels are named by text or value; the selection stays on its label.
package enum LabelEdit: Hashable, Sendable {
    /// If `value` is nil, it is derived from the text; if `at` (from 0) is nil, the label is appended.
    case add(String, value: String?, long: String?, at: Int?)
    /// `select`: the label to choose instead if the removed one is chosen.
    case remove(String, select: String?)
    /// The label's value does not change.
    case rename(String, to: String)
    case move(String, to: Int)

    package func apply(to option: inout SettingsOption, _ key: Key) throws(Problem) {
        guard option.type == .choice else { throw .editing(.hasNoLabels(key, option.type)) }
        switch self {
        case .add(let label, let value, let long, let place):
            let new = ChoiceLabel(
                value: value.map { option.labels.value(named: $0) } ?? option.labels.newValue(for: ExactText(label)),
                text: ExactText(label),
                long: long.map { ExactText($0) })
            try add(new, isNamed: value != nil, at: place, to: &option, key)
        case .remove(let label, let select): try remove(label, select, from: &option, key)
        case .rename(let old, let new):
            if ExactText(new).isBlank { throw .editing(.labelIsEmpty(key)) }
            let value = try labelValue(old, of: option, key)
            if option.labels.contains(where: { $0.text == ExactText(new) && $0.value != value }) {
                throw .editing(.labelExists(key, new, isNew: false))
            }
            option.labels.rename(value, to: ExactText(new))
        case .move(let label, let place):
            guard option.labels.indices.contains(place) else {
                throw .editing(.noPlace(key, place, count: option.labels.count, isNew: false))
            }
            option.labels.move(try labelValue(label, of: option, key), to: place)
        }
    }

    private func add(
        _ new: ChoiceLabel, isNamed: Bool, at place: Int?, to option: inout SettingsOption, _ key: Key
    ) throws(Problem) {
        let count = option.labels.count
        guard (0...count).contains(place ?? count) else {
            throw .editing(.noPlace(key, place ?? count, count: count, isNew: true))
        }
        if new.text.isBlank { throw .editing(.labelIsEmpty(key)) }
        if let same = option.labels.label(of: new.value) {
            if same.text == new.text, place == nil { return }
            throw .editing(.labelValueIsTaken(key, by: same.text, new.value))
        }
        if !isNamed, option.labels.contains(where: { $0.text == new.text }) {
            throw .editing(.labelExists(key, new.text.string, isNew: true))
        }
        option.labels.insert(new, at: place ?? count)
    }

    private func remove(_ label: String, _ select: String?, from option: inout SettingsOption, _ key: Key) throws(Problem) {
        let value = try labelValue(label, of: option, key)
        let text = option.labels.label(of: value)?.text ?? ""
        option.labels.remove(value)
        if let select {
            option.value = try labelValue(select, of: option, key)
        } else if option.value == value {
            throw .editing(.labelIsChosen(key, text))
        }
        if option.defaultValue == value { throw .editing(.labelIsDefault(key, text)) }
        if let entry = option.environmentValues.first(where: { $0.value == value }) {
            throw .editing(.isValueForEnvironment(key, value, environment: entry.environment))
        }
    }

    private func labelValue(_ word: String, of option: SettingsOption, _ key: Key) throws(Problem) -> JSON {
        guard let value = try option.requestedValue(.word(word), key) else { throw .editing(.noLabel(key, word)) }
        return value
    }
}
