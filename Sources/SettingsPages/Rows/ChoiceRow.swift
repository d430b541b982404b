package import SettingsModel
import SettingsText

/// A choice: opens a page of its labels.
package struct ChoiceRow: OptionRow {
    package let key: Key
    package let option: SettingsOption
    /// The label that its page opens at; nil for the chosen one.
    private var label: JSON?

    package init(_ key: Key, _ option: SettingsOption) {
        (self.key, self.option) = (key, option)
    }

    package var opens: Bool { true }

    /// Found by one of its labels.
    func opening(at label: JSON?) -> ChoiceRow {
        var row = self
        row.label = label
        return row
    }

    package func open(in scene: Scene) -> Response { .open(ChoicePage(key, at: label)) }

    package func step(by count: Int, in scene: Scene) -> Response { setting(count > 0 ? .next : .previous, in: scene) }
}
