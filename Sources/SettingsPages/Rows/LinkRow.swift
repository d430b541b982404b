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
        var rows = questions(in: scene)
        let files = scene.facts.handEdited.count + scene.facts.unreadable.count
        if files > 0 {
            rows.append(
                LinkRow(
                    files == 1 ? "1 file has unrecorded edits" : "\(files) files have unrecorded edits", id: "files",
                    hint: "2 lists the edits from any page", .perform(.commit)))
        }
        return rows
    }

    /// What merges left open.
    static func questions(in scene: Scene) -> [any Row] { scene.facts.questions.count > 0 ? [OpenQuestionsRow()] : [] }
}

/// How many questions merges left open: leads to their page.
struct OpenQuestionsRow: Row {
    var id: RowID { .named("questions") }

    func title(in scene: Scene) -> String {
        let (open, count) = (scene.openQuestionCount, scene.facts.questions.count)
        if open == 0 { return count == 1 ? "1 conflict is resolved" : "\(count) conflicts are resolved" }
        let all = open == count ? "" : "of \(count) "
        return "\(open) \(all)\(count == 1 ? "conflict" : "conflicts") \(open == 1 ? "is" : "are") open"
    }

    func accessory(in scene: Scene) -> Accessory { Accessory(opens: true) }
    func open(in scene: Scene) -> Response { .open(QuestionsPage()) }
    func hint(in scene: Scene) -> String { "Lists the conflicts that merges left open, with both sides" }
}
