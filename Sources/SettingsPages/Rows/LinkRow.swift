/// Something to look at that isn't a setting: opens a page of its own.
package struct LinkRow: Row {
    let text: String
    let words: String
    let response: Response
    package let id: RowID

    /// `hint` says what is there.
    package init(_ text: String, id: String, hint: String, _ response: Response) {
        self.text = text
        self.id = .named(id)
        self.response = response
        words = hint
    }

    package func title(in scene: Scene) -> String { text }
    package func accessory(in scene: Scene) -> Accessory { Accessory(opens: true) }
    package func open(in scene: Scene) -> Response { response }
    package func hint(in scene: Scene) -> String { words }
}

extension LinkRow {
    /// What there is to do beside settings, for the first page.
    static func rows(in scene: Scene) -> [any Row] {
        var rows: [any Row] = []
        let questions = scene.facts.questions.count
        if questions > 0 {
            rows.append(
                LinkRow(
                    questions == 1 ? "1 question is open" : "\(questions) questions are open", id: "questions",
                    hint: "Merges left them: each side, and who made it", .open(QuestionsPage())))
        }
        let files = scene.facts.handEdited.count + scene.facts.unreadable.count
        if files > 0 {
            rows.append(
                LinkRow(
                    files == 1 ? "1 file has unrecorded edits" : "\(files) files have unrecorded edits", id: "files",
                    hint: "2 opens them from every page", .perform(.commit)))
        }
        return rows
    }
}
