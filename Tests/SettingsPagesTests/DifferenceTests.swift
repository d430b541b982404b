import SettingsModel
import Testing

@testable import SettingsPages

/// What changes do, line by line, beside or below the pages of changes.
struct DifferenceTests {
    private func edited(columns: Int = 80, rows: Int = 24) throws -> Editor {
        var content = try Office.settings
        content.options[try Key("display.name")]?.value = "One\nTwo\nThree"
        var editor = Editor(
            Loaded(content), at: try Key("display.name"), phrases: Office.phrases(),
            size: Grid.Size(columns: columns, rows: rows))
        _ = editor.step(.edited(.option(try Key("display.name")), "One\nTwo and a half\nThree\n"))
        _ = editor.step(.edited(.option(try Key("display.fonts")), #"{"sans": "Inter", "sizes": [9, 10]}"#))
        return editor
    }

    @Test func textsAndJSONAreShownByLines() throws {
        var editor = try edited()
        editor.press("v")
        _ = editor.step(.focus(.change(.option(try Key("display.name")), .value)))
        var lines = editor.draw().lines
        #expect(lines.contains("   One") && lines.contains("  -Two") && lines.contains("  +Two and a half"))
        #expect(!lines.contains { $0.contains("Inter") && $0.contains("+") })
        _ = editor.step(.focus(.change(.option(try Key("display.fonts")), .value)))
        lines = editor.draw().lines
        #expect(lines.contains("  +  \"sans\": \"Inter\",") && lines.contains("  Fonts  display.fonts"))
        // At a button all of them, and with v alone.
        editor.press("v")
        #expect(editor.title == "Difference")
        lines = editor.draw().lines
        #expect(lines.contains("  +Two and a half") && lines.contains("  +  \"sans\": \"Inter\","))
        editor.press("v")
        #expect(editor.title == "Changes")
    }

    @Test func whereNothingIsChangedThereIsNoDifferenceToShow() throws {
        var editor = try Office.editor()
        editor.press("v v")
        #expect(editor.title == "Changes" && editor.status.text == "There is no difference to show here")
    }

    @Test func theDifferenceStandsBesideThePageWhereThereIsRoom() throws {
        var editor = try edited(columns: 120)
        editor.press("c")
        #expect(editor.draw().lines.contains { $0.contains("│   +Two and a half") })
        _ = editor.step(.resize(Grid.Size(columns: 99, rows: 24)))
        #expect(editor.draw().lines.contains("  +  \"sans\": \"Inter\","))
        _ = editor.step(.resize(Grid.Size(columns: 99, rows: 19)))
        #expect(!editor.draw().lines.contains("  +  \"sans\": \"Inter\","))
    }

    @Test func aMaskedTextIsNotShown() throws {
        var editor = try Office.editor(at: "display.secret")
        editor.press("Enter 'correct' Enter v")
        let lines = editor.draw().lines
        #expect(lines.contains("   changed (masked)") && !lines.contains { $0.contains("correct") || $0.contains("hunter") })
    }
}
