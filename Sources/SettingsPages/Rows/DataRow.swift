package import SettingsModel
import SettingsText

/// Data: edited as JSON in the person's editor.
package struct DataRow: EditedRow {
    package let key: Key
    package let option: SettingsOption

    package init(_ key: Key, _ option: SettingsOption) {
        (self.key, self.option) = (key, option)
    }

    package var opens: Bool { true }

    package func open(in scene: Scene) -> Response {
        if let reason = scene.refusal(for: key) { return .refuse(reason, .badData) }
        return edit(in: scene)
    }

    package var fileName: String { "\(key.name).json" }
    package var edited: String { option.value?.pretty ?? "null\n" }
    package func text(from edited: String) -> String { edited }

    package func commit(_ text: String, in scene: Scene) -> Response {
        let word = text.trimmingSpaces
        if word.isEmpty || word == "null" { return setting(.json(nil), in: scene) }
        return setting(.word(word), in: scene)
    }
}
