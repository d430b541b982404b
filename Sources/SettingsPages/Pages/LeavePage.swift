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

/// Asked at the start where an earlier draft was kept.
package struct RecoverPage: Page {
    let kept: KeptDraft

    package init(_ kept: KeptDraft) { self.kept = kept }

    package func title(in scene: Scene) -> String { "Earlier Changes" }

    package func rows(in scene: Scene) -> [any Row] {
        var rows: [any Row] = [NoteRow("These changes were not recorded when the pages were left.", "note")]
        rows += kept.draft.changes.map { ChangeRow($0) }
        rows.append(
            ButtonRow("Continue with Them", id: "continue", hint: "They are merged into the store as it is now", .effect(.take)))
        rows.append(ButtonRow("Discard Them", id: "discard", hint: "Nothing of them is kept", .effect(.drop)))
        return rows
    }

    package func start(in scene: Scene) -> RowID? { .named("continue") }
}
