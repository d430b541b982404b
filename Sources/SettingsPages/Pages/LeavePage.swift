import SettingsText

/// Asked on the first page where changes are not recorded.
package struct LeavePage: Page {
    package init() {}

    package func title(in scene: Scene) -> String { "Leave" }

    package func rows(in scene: Scene) -> [any Row] {
        [
            ButtonRow("Done", id: "done", hint: "Records the changes", .all([.back, .perform(.done)])),
            ButtonRow("Keep Editing", id: "keep", hint: "Goes back to the page", .back),
            ButtonRow("Leave and Keep the Changes", id: "leave", hint: "They are offered again next time", .perform(.leave)),
            ButtonRow("Discard the Changes", id: "discard", hint: "Nothing of them is kept", .effect(.quit(.discarded))),
        ]
    }
}
