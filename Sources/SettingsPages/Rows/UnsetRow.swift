package import SettingsModel
import SettingsText

/// Below the labels of a choice: that it has no value of its own.
package struct UnsetRow: Row {
    let key: Key
    let option: SettingsOption

    package init(_ key: Key, _ option: SettingsOption) { (self.key, self.option) = (key, option) }

    package var id: RowID { .named("unset") }

    package func title(in scene: Scene) -> String { "Not Set" }

    package func mark(in scene: Scene) -> String { option.value == nil ? scene.glyphs.check : "" }

    package func accessory(in scene: Scene) -> Accessory {
        let value = option.defaultValue.map { "default \(scene.words($0, of: option))" }
        return Accessory(StyledText(value ?? "", .faint))
    }

    package func toggle(in scene: Scene) -> Response { ChoiceRow(key, option).unset(in: scene) }

    /// Unsets it and goes back.
    package func open(in scene: Scene) -> Response {
        switch toggle(in: scene) {
        case .refuse(let reason, let kind): .refuse(reason, kind)
        case let chosen: .all([chosen, .back])
        }
    }

    package func info(in scene: Scene) -> Response { ChoiceRow(key, option).info(in: scene) }

    package func hint(in scene: Scene) -> String { "settings unset \(key)" }
}
