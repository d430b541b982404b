import SettingsText

/// Asked on the first page where changes are not recorded.
package struct LeavePage: Page {
    package init() {}

    package func title(in scene: Scene) -> String { "Leave" }

    package func rows(in scene: Scene) -> [any Row] {
        let first = [
            ButtonRow("Done", id: "done", hint: "Records the changes", .all([.back, .perform(.done)])),
            ButtonRow("Keep Editing", id: "keep", hint: "Goes back to the page", .back),
        ]
        if let reason = scene.facts.unkept {
            let lose = ButtonRow(
                "Leave and Lose the Changes", id: "discard", hint: "Enter discards the changes", isConfirmed: true,
                .effect(.quit(.discarded)))
            return [NoteRow(PageHints.statement(reason), "unkept")] + first + [lose]
        }
        return first + [
            ButtonRow(
                "Leave and Keep the Changes", id: "leave", hint: "The changes are offered again next time", .perform(.leave)),
            ButtonRow(
                "Discard the Changes", id: "discard", hint: "Enter discards the changes", isConfirmed: true,
                .effect(.quit(.discarded))),
        ]
    }
}
