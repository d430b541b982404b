package import SettingsModel
import SettingsText

/// A change of the draft, which can be dismissed alone.
package struct ChangeRow: Row {
    let change: Change

    package init(_ change: Change) { self.change = change }

    package var id: RowID { .change(change.subject, change.facet) }

    package func title(in scene: Scene) -> String { change.title.string }

    package func accessory(in scene: Scene) -> Accessory {
        var text = StyledText()
        for line in change.lines {
            if !text.spans.isEmpty { text = text.adding("; ") }
            // Without the name and the colon after it, which are the title.
            text = text + StyledText(Sentence(Array(scene.wording.sentence(line).pieces.dropFirst(2))))
        }
        return Accessory(text.spans.isEmpty ? StyledText(change.facet.name) : text, opens: true)
    }

    /// Goes to the option.
    package func open(in scene: Scene) -> Response {
        guard case .option(let key) = change.subject else { return .refuse("This is not an option") }
        return .open(GroupPage(key.group, at: .option(key)))
    }

    package func reset(in scene: Scene) -> Response { .dismiss(change) }

    package func info(in scene: Scene) -> Response {
        guard case .option(let key) = change.subject, let option = scene.content.options[key] else {
            return .refuse("This is not an option")
        }
        return OptionRows.row(key, option).info(in: scene)
    }

    package func hint(in scene: Scene) -> String {
        let name = change.subject.key.isRoot ? change.subject.path : change.subject.key.description
        return "\(name): Del dismisses this change, Enter goes to the option"
    }
}
