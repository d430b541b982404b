package import SettingsModel

/// The labels of a choice, with a checkmark on the chosen one. Labels are edited here as well.
package struct ChoicePage: Page {
    package private(set) var key: Key

    package init(_ key: Key) { self.key = key }

    package mutating func follow(_ renames: [VersionMessage.Rename], in scene: Scene) {
        key = scene.subject(.option(key), after: renames).key
    }

    private static let addition = "add label"

    package func title(in scene: Scene) -> String { scene.content.options[key]?.title.string ?? key.name }

    package func start(in scene: Scene) -> RowID? {
        scene.content.options[key].map { $0.value.map { .label($0) } ?? .named("unset") }
    }

    package func rows(in scene: Scene) -> [any Row] {
        guard let option = scene.content.options[key], option.type == .choice else {
            return [NoteRow("\(key) \(scene.content.options[key] == nil ? "was removed" : "is no longer a choice").", "gone")]
        }
        var rows: [any Row] = option.labels.indices.map { LabelRow(key, option, $0) }
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

    package func act(_ act: Act, in scene: Scene) -> Response? {
        guard act == .add else { return nil }
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
