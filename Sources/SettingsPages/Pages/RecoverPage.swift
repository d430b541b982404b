import SettingsText

/// Asked at the start where an earlier draft was kept. Nothing else can be done before, because it would take that draft's place.
package struct RecoverPage: Page {
    let kept: KeptDraft

    /// How many other drafts were kept.
    let others: Int

    init(_ kept: KeptDraft, others: Int) { (self.kept, self.others) = (kept, others) }

    static func question(in scene: Scene) -> String {
        "First choose whether to continue with these changes; \(scene.command("q", plain: "quit")) leaves and keeps them"
    }

    package func title(in scene: Scene) -> String { "Earlier Changes" }

    package func rows(in scene: Scene) -> [any Row] {
        var rows: [any Row] = [NoteRow("You left these changes unrecorded.", "note")]
        let now = scene.facts.branch
        if let branch = kept.branch, branch != now {
            rows.append(NoteRow("They were begun on \(branch); the store is on \(now) now.", "branch"))
        }
        if others > 0 {
            let drafts = others == 1 ? "Another draft is" : "\(others) other drafts are"
            rows.append(NoteRow("\(drafts) also kept, and offered after this one is recorded or discarded.", "others"))
        }
        rows += kept.draft.changes.map { KeptChangeRow($0) }
        rows.append(
            ButtonRow(
                "Continue with the Changes", id: "continue", hint: "They are merged into the store as it is now", .effect(.take)
            ))
        rows.append(
            ButtonRow(
                "Discard the Changes", id: "discard", hint: "\(scene.command("u", plain: "undo")) brings the changes back",
                .effect(.drop)))
        return rows
    }

    package func start(in scene: Scene) -> RowID? { .named("continue") }

    package func act(_ act: Act, in scene: Scene) -> Response? {
        switch act {
        case .up, .down, .pageUp, .pageDown, .halfUp, .halfDown, .top, .bottom: nil
        case .open, .toggle, .leave, .suspend, .redraw, .look, .help: nil
        case .changes: .say("The changes are listed here; choose one of the buttons")
        default: .refuse(Self.question(in: scene), .conflict)
        }
    }
}
