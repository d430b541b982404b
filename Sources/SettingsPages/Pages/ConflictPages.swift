package import SettingsModel
import SettingsText

/// What the person and somebody else changed in different ways: each is settled on a page of its own.
package struct ConflictsPage: Page {
    package init() {}

    package func title(in scene: Scene) -> String { "Conflicts" }

    package func start(in scene: Scene) -> RowID? { scene.draft.openConflicts.first.map { ConflictRow($0).id } }

    package func rows(in scene: Scene) -> [any Row] {
        guard !scene.draft.conflicts.isEmpty else { return [NoteRow("There are no conflicts.", "empty")] }
        let isRevert = scene.draft.conflicts.contains { scene.draft.isOpenedByRevert($0) }
        let note =
            isRevert
            ? "These were changed after the version you are reverting. Yours reverts them; Theirs keeps what is recorded."
            : "These were changed after you began. Yours is your change; Theirs is what is recorded."
        var rows: [any Row] = [NoteRow(note, "note")]
        rows += scene.draft.conflicts.map { ConflictRow($0) }
        rows.append(ButtonRow("Done", id: "done", hint: "Records the changes", .perform(.done)))
        return rows
    }
}

/// One conflict: yours, theirs and what was before.
package struct ConflictPage: Page {
    let subject: Subject
    let facet: Facet

    package init(_ subject: Subject, _ facet: Facet) { (self.subject, self.facet) = (subject, facet) }

    private func open(in scene: Scene) -> SettingsDraft.OpenConflict? {
        scene.draft.conflicts.first { $0.conflict.subject == subject && $0.conflict.facet == facet }
    }

    package func title(in scene: Scene) -> String { open(in: scene)?.conflict.title.string ?? "Conflict" }

    package func start(in scene: Scene) -> RowID? { open(in: scene)?.pick.map { .named("side \($0.rawValue)") } }

    package func rows(in scene: Scene) -> [any Row] {
        guard let open = open(in: scene) else { return [NoteRow("This conflict is resolved.", "gone")] }
        var rows: [any Row] = SettingsDraft.Pick.allCases.map { SideRow(open, $0) }
        if let fault = scene.fault(inFileOf: subject) {
            rows.append(NoteRow("Theirs: the file is not valid: \(fault)", "origin"))
            return rows
        }
        if scene.facts.handEdited.contains(subject) {
            rows.append(NoteRow("Theirs: an edit of the file that no version records", "origin"))
        } else if case .option(let key) = subject, let version = scene.origin(of: key) {
            var words = "Theirs: \(version.author.name), \(scene.phrases.time(version.time))"
            if let why = version.message.why?.split(separator: "\n").first { words += ", \(scene.glyphs.quoted(why))" }
            rows.append(NoteRow(words, "origin"))
        }
        if let reason = open.conflict.reason { rows.append(NoteRow(PageHints.statement(reason), "reason")) }
        return rows
    }

    package func questions(in scene: Scene) -> [Effect] {
        guard case .option(let key) = subject, scene.facts.origins[key] == nil else { return [] }
        return [.origins([key])]
    }
}
