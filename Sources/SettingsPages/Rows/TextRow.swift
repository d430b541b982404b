package import SettingsModel
import SettingsText

/// A text: typed in the row, or, where it has several lines, in the person's editor.
package struct TextRow: EditedRow {
    package let key: Key
    package let option: SettingsOption

    package init(_ key: Key, _ option: SettingsOption) {
        (self.key, self.option) = (key, option)
    }

    package func open(in scene: Scene) -> Response {
        if let reason = scene.refusal(for: key) { return .refuse(reason, .badData) }
        if !option.isMasked, hasBreaks || scene.invalidTexts[id] != nil { return edit(in: scene) }
        // A masked text is typed anew: nobody sees what it was.
        return typing(option.isMasked ? "" : option.value?.bare ?? "", isMasked: option.isMasked)
    }

    private var hasBreaks: Bool { option.value?.bare.contains(where: \.isNewline) ?? false }

    package var fileName: String { "\(key.name).txt" }
    /// Editors end a file with a newline, which isn't part of the text.
    package var edited: String { (option.value?.bare ?? "") + "\n" }
    package func text(from edited: String) -> String { edited.last == "\n" ? String(edited.dropLast()) : edited }

    package func type(_ character: Character, in scene: Scene) -> Response {
        .refuse("Press Enter to edit \(title(in: scene))")
    }

    package func commit(_ text: String, in scene: Scene) -> Response {
        if option.isMasked, text.isEmpty { return .say("\(title(in: scene)) stays as it was") }
        return setting(.word(text), in: scene)
    }
}
