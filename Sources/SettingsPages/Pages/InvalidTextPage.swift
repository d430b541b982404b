import SettingsModel
import SettingsText

/// Asked where the person's editor left a text that the option cannot have: the text is edited again or discarded.
package struct InvalidTextPage: Page {
    let row: any EditedRow
    let text: String
    /// Why it was refused.
    let reason: String
    /// The option when the editor was opened first.
    let found: SettingsDraft.Found

    package func title(in scene: Scene) -> String { row.title(in: scene) }

    package func rows(in scene: Scene) -> [any Row] {
        [
            NoteRow(PageHints.statement(reason), "reason"),
            ButtonRow(
                "Edit Again", id: "edit", hint: "Opens the same text in the editor",
                .all([.back, .effect(.edit(row.id, text: text, name: row.fileName))])),
            ButtonRow(
                "Discard the Text", id: "discard", hint: "\(row.title(in: scene)) stays as it is",
                .all([.back, .discardText(row.id)])),
        ]
    }
}
