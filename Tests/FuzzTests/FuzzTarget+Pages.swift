import SettingsModel
import SettingsText

@testable import SettingsPages

/// The file that keeps what was changed on pages and not recorded.
extension FuzzTarget {
    /// A kept draft is refused or taken up without harm: it can be read again as it was, be drawn, and be undone.
    static func draft(_ bytes: [UInt8]) throws(Broken) {
        guard let kept = KeptDraft(file: bytes) else { return }
        let file = KeptDraft(kept.draft, kept.sheet).file
        guard let again = KeptDraft(file: file) else { throw Broken("what was written can't be read") }
        try expect(again.draft.changes == kept.draft.changes, "other changes: \(String(decoding: file, as: UTF8.self))")
        try expect(again.sheet == kept.sheet, "the sheet is \(again.sheet), and was \(kept.sheet)")
        try expect(KeptDraft(again.draft, again.sheet).file == file, "written twice it differs")

        var editor = Editor(
            Loaded(recorded), phrases: Phrases(wording: Wording(), clock: Clock(now: 0)), size: Grid.Size(columns: 40, rows: 10))
        for event: Event in [.offered(kept), .key(.enter), .act(.changes), .key(.escape), .act(.done), .key(.escape)] {
            for case .record in editor.step(event) { throw Broken("it was recorded by itself") }
            let isShown = !editor.draw().cells.contains { $0.text.unicodeScalars.contains { $0.value < 32 || $0.value == 127 } }
            try expect(isShown, "a control character is sent to the terminal")
        }
        while editor.scene.draft.undo() != nil {}
        try expect(editor.scene.content == recorded, "what is undone is not what is recorded")
    }

    /// What is recorded by the time that the draft is found.
    private static let recorded: SettingsContent = {
        var settings = SettingsContent()
        let theme = ##"{"title": "Theme", "type": "choice", "labels": ["Light", "Dark"], "values": ["l", "d"], "value": "d"}"##
        let name = ##"{"title": "Name", "type": "text", "value": "山田"}"##
        for (key, file) in [("display.theme", theme), ("display.name", name)] {
            guard let key = try? Key(key) else { continue }
            settings.options[key] = try? SettingsOption(file: Array(file.utf8))
        }
        return settings
    }()
}
