import SettingsModel
import Testing

@testable import SettingsPages

/// Labels that are searched for: on their page, and from the search of options.
struct LabelSearchTests {
    @Test func slashFiltersTheLabels() throws {
        var editor = try Office.editor(at: "display.theme")
        editor.press("Enter / 'da'")
        #expect(editor.draw().lines.contains { $0.hasPrefix("▸ Search Labels  da") })
        #expect(editor.visit.rows.compactMap { ($0 as? LabelRow)?.title(in: editor.scene) } == ["Dark"])
        editor.press("Enter")
        #expect(editor.focused == "Dark" && editor.title == "Theme")
        // Esc ends the search, and closes the page then.
        editor.press("Esc")
        #expect(editor.title == "Theme" && editor.focused == "Dark" && editor.visit.rows.count { $0 is LabelRow } == 3)
        editor.press("/ 'zzz'")
        #expect(editor.draw().lines.contains("  No label matches."))
        editor.press("Ctrl-U 'au' Enter Enter")
        #expect(editor.title == "Display" && editor.changes == ["Theme: Light → Auto"])
    }

    @Test func theSearchOpensAtTheLabelThatMatched() throws {
        var editor = try Office.editor()
        editor.press("/ 'french' Enter")
        #expect(editor.focused == "Language")
        editor.press("Enter")
        #expect(editor.title == "Language" && editor.focused == "French")
        // A word of the title opens it at the chosen one.
        editor.press("Esc Esc / 'language' Enter Enter")
        #expect(editor.focused == "English")
    }

    @Test func versionsAreFoundWhileTyping() throws {
        let archive = try Archive(12, since: try Office.settings)
        var editor = Editor.browser(archive)
        editor.press("/ 'larger'", archive)
        #expect(editor.typing != nil && editor.status.text == "2 matches")
        #expect(editor.visit.rows.count { $0 is VersionRow } == 2)
        editor.press("'zz'", archive)
        #expect(editor.visit.rows.count { $0 is VersionRow } == 0)
        editor.press("Backspace Backspace", archive)
        #expect(editor.visit.rows.count { $0 is VersionRow } == 2)
        editor.press("Enter", archive)
        #expect(editor.typing == nil && editor.row is VersionRow)
        editor.press("Esc", archive)
        #expect(editor.title == "Browse")
    }
}
