import SettingsModel

/// Options that match words and filters, as they are typed.
package struct SearchPage: Page {
    package private(set) var words = ""
    private var query = SearchQuery("")

    package init() {}

    /// More matches are counted, not shown.
    private static let limit = 500

    static let field = RowID.named("search")

    package var namesKeys: Bool { true }

    package func title(in scene: Scene) -> String { "Search" }

    package func start(in scene: Scene) -> RowID? { Self.field }

    package func typing(in scene: Scene) -> Typing? {
        scene.isPlain ? nil : Typing(row: Self.field, field: Field(words))
    }

    @discardableResult
    package mutating func typed(_ text: String?, into row: RowID) -> Bool {
        guard row == Self.field else { return false }
        words = text ?? ""
        query = SearchQuery(words)
        return true
    }

    /// What was searched for is accepted: the focus goes to the first match.
    func found(in scene: Scene) -> Response {
        let matches = keys(in: scene)
        var responses: [Response] = [.matches(matches)]
        // What no title, key, label or help has may be in a reason.
        if query.wantsOrigins || matches.isEmpty && !words.isEmpty, !scene.facts.hasAllOrigins {
            responses.append(.effect(.origins([])))
        }
        if let first = matches.first { responses.append(.focus(.option(first))) }
        let count = matches.count
        return .all(responses + [.say(count == 0 ? "Nothing matches" : count == 1 ? "1 match" : "\(count) matches")])
    }

    func keys(in scene: Scene) -> [Key] { query.isEmpty ? [] : query.matches(in: scene) }

    package func rows(in scene: Scene) -> [any Row] {
        var rows: [any Row] = [
            FieldRow("Search", id: "search", text: words, placeholder: "words, @changed @who: @since: @why: @kind:") { _ in
                .perform(.next)
            }
        ]
        if let problem = query.problem { rows.append(NoteRow(problem, "problem")) }
        guard !query.isEmpty else { return rows }
        if query.wantsOrigins, !scene.facts.hasAllOrigins {
            rows.append(NoteRow("Enter searches the history.", "waiting"))
            return rows
        }
        var place: Key?
        let keys = keys(in: scene)
        for key in keys.prefix(Self.limit) {
            guard let option = scene.content.options[key] else { continue }
            if key.group != place {
                place = key.group
                rows.append(HeadingRow(path(key.group, scene), .named("heading \(rows.count)")))
            }
            let row = OptionRows.row(key, option)
            rows.append((row as? ChoiceRow)?.opening(at: query.label(of: option, key)) ?? row)
        }
        if keys.count > Self.limit { rows.append(NoteRow("And \(keys.count - Self.limit) more.", "more")) }
        if keys.isEmpty { rows.append(NoteRow("Nothing matches.", "empty")) }
        return rows
    }

    private func path(_ group: Key, _ scene: Scene) -> String {
        var titles: [String] = []
        var key = group
        while !key.isRoot {
            titles.insert(scene.title(ofGroup: key), at: 0)
            key = key.group
        }
        return titles.isEmpty ? scene.title(ofGroup: .root) : titles.joined(separator: " \(scene.glyphs.chevron) ")
    }
}
