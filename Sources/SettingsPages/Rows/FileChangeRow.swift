package import SettingsModel
import SettingsText

/// A change in the files that no version has recorded, staged or not.
package struct FileChangeRow: Row {
    private let row: ChangeRow
    private let isStaged: Bool

    package init(_ change: Change, isStaged: Bool) {
        row = ChangeRow(change)
        self.isStaged = isStaged
    }

    private var change: Change { row.change }

    package var id: RowID { .fileChange(change.subject, change.facet, isStaged: isStaged) }

    package func title(in scene: Scene) -> String { row.title(in: scene) }

    package func accessory(in scene: Scene) -> Accessory {
        var accessory = row.accessory(in: scene)
        accessory.opens = false
        return accessory
    }

    /// Stages it, or takes it out of what is staged.
    package func toggle(in scene: Scene) -> Response {
        .effect(.files(FileWork(isStaged ? .unstage([change]) : .stage([change]))))
    }

    package func open(in scene: Scene) -> Response { toggle(in: scene) }

    package func act(_ act: Act, in scene: Scene) -> Response? {
        switch act {
        case .stage: isStaged ? .refuse("\(title(in: scene)) is already staged") : toggle(in: scene)
        case .unstage: isStaged ? toggle(in: scene) : .refuse("\(title(in: scene)) is not staged")
        default: nil
        }
    }

    /// Discards it.
    package func reset(in scene: Scene) -> Response {
        if isStaged {
            let (unstage, discard) = (
                scene.command("Space", plain: "unstage NUMBER"), scene.command("Del", plain: "discard NUMBER")
            )
            return .refuse("This change is staged: \(unstage) unstages it, then \(discard) discards it")
        }
        return .effect(.files(FileWork(.discard([change], files: []))))
    }

    package func info(in scene: Scene) -> Response { row.info(in: scene) }

    package func hint(in scene: Scene) -> String {
        let place = change.subject.key.isRoot ? change.subject.path : change.subject.key.description
        let words = isStaged ? "Space unstages this change" : "Space stages this change, Del discards it"
        return ["\(place): \(words)", "c records what is staged", "v shows the whole difference"]
            .joined(separator: " \(scene.glyphs.separator) ")
    }
}
