package import SettingsModel
import SettingsText

/// What merges left open: each is settled on a page of its own, and Done records all of them in one version.
package struct QuestionsPage: Page {
    package init() {}

    package func title(in scene: Scene) -> String { "Open Conflicts" }

    package func rows(in scene: Scene) -> [any Row] {
        let questions = scene.facts.questions
        guard questions.count > 0 else { return [NoteRow("No conflicts are open.", "empty")] }
        var rows: [any Row] = []
        if !questions.open.isEmpty {
            rows.append(NoteRow("Both sides of a merge changed these. Choose one; Done records the choice.", "note"))
        }
        rows += questions.open.map { QuestionRow($0) }
        if !questions.texts.isEmpty {
            rows.append(HeadingRow("Conflicts that git left in the files", .named("heading texts")))
            rows += questions.texts.map { TextConflictRow($0) }
        }
        if !questions.open.isEmpty {
            rows.append(ButtonRow("Done", id: "done", hint: "Asks for a reason, then records the changes", .perform(.done)))
        }
        return rows
    }
}

/// One question: our side, theirs and what was before, and who made them.
package struct QuestionPage: Page {
    let id: VersionMessage.Question

    package init(_ id: VersionMessage.Question) { self.id = id }

    private func question(in scene: Scene) -> OpenQuestion? { scene.facts.questions.open.first { $0.id == id } }

    package func title(in scene: Scene) -> String { question(in: scene)?.conflict.title.string ?? "Conflict" }

    package func start(in scene: Scene) -> RowID? { scene.draft.answers[id].map { .named("side \($0.rawValue)") } }

    package func rows(in scene: Scene) -> [any Row] {
        guard let question = question(in: scene) else { return [NoteRow("This conflict is resolved.", "gone")] }
        var rows: [any Row] = []
        if question.conflict.hasSides {
            rows += SettingsDraft.Pick.allCases.map { QuestionSideRow(question, $0) }
        } else {
            rows.append(
                NoteRow("The two sides are not in this history. A change of this option or group resolves the conflict.", "gone"))
        }
        if let reason = question.conflict.reason { rows.append(NoteRow(PageHints.statement(reason), "reason")) }
        for pick in [SettingsDraft.Pick.yours, .theirs] {
            guard let version = question.version(pick) else { continue }
            let name = QuestionSideRow.name(pick)
            rows.append(FactRow("\(name) by", StyledText(scene.phrases.origin(of: version))))
            if let why = version.message.why { rows.append(NoteRow(why, "why \(name)")) }
        }
        rows.append(FactRow("Merged by", StyledText(scene.phrases.origin(of: question.merge))))
        if question.conflict.facet != .existence {
            rows.append(FactRow("In force", StyledText(scene.wording.words(question.inForce))))
        }
        rows.append(FactRow("Key", StyledText(question.conflict.subject.key.description)))
        return rows
    }
}

extension Phrases {
    /// Who recorded a version, and when.
    fileprivate func origin(of version: Version) -> String {
        "\(version.author.name), \(time(version.time)) (\(version.id.short))"
    }
}
