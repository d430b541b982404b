package import SettingsModel

/// The labels of a choice, with a checkmark on the chosen one. Labels are edited here as well.
package struct ChoicePage: Page {
    package private(set) var key: Key

    /// The label that it opens at; nil for the chosen one.
    private let label: JSON?
    /// What the labels are searched for; nil where all are shown.
    private var words: String?

    package init(_ key: Key, at label: JSON? = nil) { (self.key, self.label) = (key, label) }

    private static let search = RowID.named("search labels")

    package mutating func typed(_ text: String?, into row: RowID) -> Bool {
        guard row == Self.search else { return false }
        words = text
        return true
    }

    /// The places of the labels that have all the words.
    private func matches(_ option: SettingsOption) -> [Int] {
        let words = (words ?? "").lowercased().split(separator: " ")
        return option.labels.indices.filter { place in
            let label = option.labels[place]
            let text = "\(label.text) \(label.long ?? "") \(label.value.bare)".lowercased()
            return words.allSatisfy { text.contains($0) }
        }
    }

    package mutating func follow(_ renames: [VersionMessage.Rename], in scene: Scene) {
        key = scene.subject(.option(key), after: renames).key
    }

    private static let addition = "add label"

    package func title(in scene: Scene) -> String { scene.content.options[key]?.title.string ?? key.name }

    package func start(in scene: Scene) -> RowID? {
        scene.content.options[key].map { (label ?? $0.value).map { .label($0) } ?? .named("unset") }
    }

    package func rows(in scene: Scene) -> [any Row] {
        guard let option = scene.content.options[key], option.type == .choice else {
            return [NoteRow("\(key) \(scene.content.options[key] == nil ? "was removed" : "is no longer a choice").", "gone")]
        }
        let matches = matches(option)
        var rows: [any Row] = matches.map { LabelRow(key, option, $0) }
        if let words {
            rows.insert(searchField(words, first: rows.first?.id), at: 0)
            if matches.isEmpty { rows.append(NoteRow("No label matches.", "empty")) }
            return rows
        }
        rows.append(UnsetRow(key, option))
        if let help = option.help, !help.isEmpty { rows.append(NoteRow(help.string, "help")) }
        if let reason = scene.refusal(for: key) {
            rows.append(NoteRow("\(reason).", "refusal"))
            return rows
        }
        let place = key
        rows.append(
            FieldRow("Add a Label", id: Self.addition, text: "", placeholder: "") { text in
                text.isEmpty ? .say("No label was added") : .addLabel(text, to: place, option, in: scene)
            })
        return rows
    }

    private func searchField(_ words: String, first: RowID?) -> FieldRow {
        FieldRow("Search Labels", id: "search labels", text: words) { _ in
            first.map { .focus($0) } ?? .say("No label matches")
        }
    }

    package func act(_ act: Act, in scene: Scene) -> Response? {
        switch act {
        case .search where !scene.isPlain: return .search(Self.search, words ?? "")
        // Esc closes one thing: the search, then the page.
        case .close where words != nil: return .search(Self.search, nil)
        case .add: break
        default: return nil
        }
        if let reason = scene.refusal(for: key) { return .refuse(reason, .badData) }
        let row = RowID.named(Self.addition)
        return .all([.focus(row), .type(Typing(row: row, field: Field("")))])
    }
}

extension Response {
    fileprivate static func addLabel(_ text: String, to key: Key, _ option: SettingsOption, in scene: Scene) -> Response {
        LabelEdit.add(text, value: nil, long: nil, at: nil).response(for: key, option, in: scene)
    }
}
