import SettingsModel

/// Every change of the draft, old and new; each can be dismissed alone.
package struct ChangesPage: Page {
    package init() {}

    package func title(in scene: Scene) -> String { "Changes" }

    package func rows(in scene: Scene) -> [any Row] {
        guard scene.recordableCount > 0 else {
            let words = scene.draft.openConflicts.isEmpty ? "There are no changes." : "Choose a side of each conflict first."
            return [NoteRow(words, "empty")]
        }
        var rows: [any Row] = scene.draft.changes.map { ChangeRow($0) }
        rows += scene.settledAsTheyAre.map { QuestionRow($0.question) }
        rows.append(NoteRow("Nothing is recorded before Done.", "note"))
        rows.append(ButtonRow("Done", id: "done", hint: "Opens the sheet that records these changes", .perform(.done)))
        return rows
    }
}
