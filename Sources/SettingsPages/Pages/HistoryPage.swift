package import SettingsModel
import SettingsText

/// What became of an option, version by version, the latest first.
package struct HistoryPage: Page {
    package let key: Key

    package init(_ key: Key) { self.key = key }

    package func title(in scene: Scene) -> String { "History" }

    package func questions(in scene: Scene) -> [Effect] { scene.facts.histories[key] == nil ? [.history(key)] : [] }

    package func rows(in scene: Scene) -> [any Row] {
        let name = scene.content.options[key]?.title.string ?? key.name
        var rows: [any Row] = [HeadingRow(name, .named("heading"))]
        guard let entries = scene.facts.histories[key] else {
            return rows + [NoteRow("Looking through the history\(scene.glyphs.ellipsis)", "waiting")]
        }
        rows += entries.map { VersionRow($0.version, $0.changes) }
        if entries.isEmpty { rows.append(NoteRow("No version has changed it.", "empty")) }
        return rows
    }
}
