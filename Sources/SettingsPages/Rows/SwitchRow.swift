package import SettingsModel
import SettingsText

/// A switch: on or off, in the row.
package struct SwitchRow: OptionRow {
    package let key: Key
    package let option: SettingsOption

    package init(_ key: Key, _ option: SettingsOption) {
        (self.key, self.option) = (key, option)
    }

    package func open(in scene: Scene) -> Response { setting(.word("toggle"), in: scene) }

    package func step(by count: Int, in scene: Scene) -> Response { setting(.word(count > 0 ? "on" : "off"), in: scene) }
}
