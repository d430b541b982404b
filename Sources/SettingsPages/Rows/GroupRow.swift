package import SettingsModel
import SettingsText

/// A group that opens a page of its own.
package struct GroupRow: Row {
    package let key: Key
    /// The titles of the groups that hold nothing but the next one, and its own.
    let titles: [String]
    /// How many options in it the draft changes.
    let changes: Int

    package init(_ key: Key, titles: [String], changes: Int) {
        self.key = key
        self.titles = titles
        self.changes = changes
    }

    package var id: RowID { .group(key) }

    package func title(in scene: Scene) -> String { titles.joined(separator: " \(scene.glyphs.chevron) ") }

    package func mark(in scene: Scene) -> String { changes > 0 ? scene.glyphs.bullet : "" }
    package func isDrafted(in scene: Scene) -> Bool { changes > 0 }

    package func accessory(in scene: Scene) -> Accessory {
        let text = changes == 0 ? "" : changes == 1 ? "1 change" : "\(changes) changes"
        return Accessory(StyledText(text, .faint), opens: true)
    }

    package func open(in scene: Scene) -> Response { .open(GroupPage(key)) }

    package func command(in scene: Scene) -> String? { "settings list \(key)" }

    package func hint(in scene: Scene) -> String {
        [title(in: scene), command(in: scene)].compactMap(\.self).joined(separator: " \(scene.glyphs.separator) ")
    }
}
