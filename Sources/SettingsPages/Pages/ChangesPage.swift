package import SettingsModel

/// Every change of the draft, old and new; each can be dismissed alone.
package struct ChangesPage: Page {
    package init() {}

    package func title(in scene: Scene) -> String { "Changes" }

    package func showsDifference(in scene: Scene) -> Bool { !scene.draft.isEmpty }

    package func changes(at row: RowID?, in scene: Scene) -> [Change] { scene.draft.changes.shown(at: row) }

    /// The difference alone.
    package func act(_ act: Act, in scene: Scene) -> Response? {
        act == .changes && showsDifference(in: scene) ? .open(DifferencePage(scene.draft.changes)) : nil
    }

    package func rows(in scene: Scene) -> [any Row] {
        guard scene.recordableCount > 0 else {
            let words = scene.draft.openConflicts.isEmpty ? "There are no changes." : "Choose a side of each conflict first."
            return [NoteRow(words, "empty")]
        }
        var rows: [any Row] = scene.draft.changes.map { ChangeRow($0) }
        rows += scene.settledAsTheyAre.map { QuestionRow($0.question) }
        rows.append(NoteRow("Nothing is recorded until you choose Done.", "note"))
        rows.append(ButtonRow("Done", id: "done", hint: "Asks for a reason, then records these changes", .perform(.done)))
        return rows
    }
}

extension [Change] {
    /// The change that a row is for; all of them at a button.
    func shown(at row: RowID?) -> [Change] {
        let found = filter { change in
            switch row {
            case .change(let subject, let facet), .fileChange(let subject, let facet, _):
                change.subject == subject && change.facet == facet
            default: false
            }
        }
        return found.isEmpty ? self : found
    }
}
