package import SettingsModel
import SettingsText

/// Data: edited as JSON in the person's editor.
package struct DataRow: OptionRow {
    package let key: Key
    package let option: SettingsOption

    package init(_ key: Key, _ option: SettingsOption) {
        (self.key, self.option) = (key, option)
    }

    package static func fits(_ option: SettingsOption) -> Bool { option.type == .data }

    package var opens: Bool { true }

    package func open(in scene: Scene) -> Response {
        if let reason = scene.refusal(for: key) { return .refuse(reason, .badData) }
        if let invalid = scene.invalidTexts[id] { return .open(invalid) }
        return .effect(.edit(id, text: option.value?.pretty ?? "null\n", name: fileName))
    }

    var fileName: String { "\(key.name).json" }

    package func commit(_ text: String, in scene: Scene) -> Response {
        let word = text.trimmingSpaces
        if word.isEmpty || word == "null" { return setting(.json(nil), in: scene) }
        return setting(.word(word), in: scene)
    }
}
