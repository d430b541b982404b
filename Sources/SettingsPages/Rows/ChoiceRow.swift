package import SettingsModel
import SettingsText

/// A choice: opens a page of its labels.
package struct ChoiceRow: OptionRow {
    package let key: Key
    package let option: SettingsOption

    package init(_ key: Key, _ option: SettingsOption) {
        (self.key, self.option) = (key, option)
    }

    package var opens: Bool { true }

    package func open(in scene: Scene) -> Response { .open(ChoicePage(key)) }

    package func step(by count: Int, in scene: Scene) -> Response { setting(count > 0 ? .next : .previous, in: scene) }
}
