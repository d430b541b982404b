package import SettingsModel

/// One side chooses another label while the other side edits the labels.
package struct SelectionCase {
    package var base: SettingsOption
    package var chooser: SettingsOption
    package var editor: SettingsOption
    /// The value that was chosen, which identifies the label.
    package var chosen: JSON { chooser.value ?? .null }
    package var isRemoved: Bool { editor.labels.label(of: chosen) == nil }
}

extension Seeded {
    package static let languages = ["English", "French", "German", "Spanish", "Italian", "Dutch", "Danish", "Polish"]

    /// A list of 2 to 6 labels, with a new choice on one side and 1 to 4 edits of labels on the other.
    package mutating func selectionCase(values: Bool = true) -> SelectionCase {
        let names = Seeded.languages.shuffled(using: &self).prefix(int(2...6))
        var labels = Labels(
            names.map { ChoiceLabel(value: .string(values ? String($0.prefix(2).lowercased()) : $0), text: ExactText($0)) })
        let base = SettingsOption(title: "Language", type: .choice, value: labels[int(labels.count)].value, labels: labels)
        var chooser = base
        chooser.value = pick(labels.map(\.value).filter { $0 != base.value })

        var editor = base
        for number in 0..<int(1...4) {
            switch int(4) {
            case 0:
                let text = ExactText("New \(number)")
                labels.insert(ChoiceLabel(value: labels.newValue(for: text), text: text), at: int(labels.count + 1))
            case 1:
                guard labels.count > 1, let gone = labels.randomElement(using: &self) else { continue }
                labels.remove(gone.value)
                if editor.value == gone.value { editor.value = labels.randomElement(using: &self)?.value }
            case 2: if let label = labels.randomElement(using: &self) { labels.rename(label.value, to: "Renamed \(number)") }
            default: if let label = labels.randomElement(using: &self) { labels.move(label.value, to: int(labels.count)) }
            }
        }
        editor.labels = labels
        return SelectionCase(base: base, chooser: chooser, editor: editor)
    }
}
