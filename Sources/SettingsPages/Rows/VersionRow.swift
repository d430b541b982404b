package import SettingsModel
import SettingsText

/// A version and what it did to an option.
package struct VersionRow: Row {
    let version: Version
    let changes: [Change]

    package init(_ version: Version, _ changes: [Change]) { (self.version, self.changes) = (version, changes) }

    package var id: RowID { .named("version \(version.id.hex)") }

    package func title(in scene: Scene) -> String { "\(scene.phrases.time(version.time))  \(version.author.name)" }

    package func accessory(in scene: Scene) -> Accessory {
        var text = StyledText()
        for line in changes.told.flatMap(\.lines) {
            if !text.spans.isEmpty { text = text.adding("; ") }
            text = text + StyledText(Sentence(Array(scene.wording.sentence(line).pieces.dropFirst(2))))
        }
        return Accessory(text)
    }

    package func open(in scene: Scene) -> Response { .say("settings show \(version.id.short)") }

    package func hint(in scene: Scene) -> String {
        let why = version.message.why.map { scene.glyphs.quoted($0.split(separator: "\n").first ?? "") }
        return [version.id.short, why].compactMap(\.self).joined(separator: " \(scene.glyphs.separator) ")
    }
}
