import SettingsModel
import Testing

@testable import SettingsPages

/// What a mouse does beside choosing rows.
struct PointerTests {
    private func click(_ editor: inout Editor, _ text: String, offset: Int = 0) throws {
        let lines = editor.draw().lines
        let row = try #require(lines.firstIndex { $0.contains(text) }, "\(text)")
        let place = try #require(lines[row].range(of: text)?.lowerBound)
        _ = editor.step(.click(row: row, column: lines[row].distance(from: lines[row].startIndex, to: place) + offset))
    }

    @Test func theFirstLineTakesClicks() throws {
        var editor = try Office.editor(at: "display.larger")
        editor.press("Space")
        try click(&editor, "c Done")
        #expect(editor.title == "Done")
        try click(&editor, "‹ Display")
        #expect(editor.title == "Display")
        try click(&editor, "‹ Settings")
        #expect(editor.title == "Settings")
        // The title is no button.
        try click(&editor, "Settings")
        #expect(editor.title == "Settings")
    }

    @Test func doneTakesAReasonThatIsBeingTyped() throws {
        var editor = try Office.editor(at: "display.larger")
        editor.press("Space c 'because'")
        let lines = editor.draw().lines
        let effects = editor.step(.click(row: 0, column: lines[0].count - 1))
        let recorded = effects.contains { if case .record(_, let sheet) = $0 { sheet.why == "because" } else { false } }
        #expect(recorded)
    }

    @Test func aSliderGoesWhereItIsClicked() throws {
        var editor = try Office.editor(at: "display.theme")
        for (offset, value) in [(0, 0), (3, 30), (10, 100), (11, 100), (7, 70)] {
            try click(&editor, "▕", offset: offset)
            #expect(editor.focused == "Brightness")
            #expect(try editor.value("display.brightness") == .number(Number(value)))
        }
        // Beside it a click chooses the row.
        editor.press("Up")
        try click(&editor, "Brightness")
        #expect(editor.focused == "Brightness" && editor.typing == nil)
    }
}
