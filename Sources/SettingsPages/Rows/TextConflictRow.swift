package import SettingsModel
import SettingsText

/// A file that git left in conflict, which is settled in the file and not by a version.
package struct TextConflictRow: Row {
    let conflict: Conflict

    package init(_ conflict: Conflict) { self.conflict = conflict }

    package var id: RowID { .named("text \(conflict.subject.path) \(conflict.facet.token)") }

    package func title(in scene: Scene) -> String { conflict.title.isEmpty ? conflict.subject.path : conflict.title.string }

    package func accessory(in scene: Scene) -> Accessory { Accessory(StyledText(conflict.facet.name, .faint)) }

    package func open(in scene: Scene) -> Response { .refuse(hint(in: scene)) }

    package func hint(in scene: Scene) -> String {
        "git left a conflict in \(conflict.subject.path): resolve it in the file"
    }
}
