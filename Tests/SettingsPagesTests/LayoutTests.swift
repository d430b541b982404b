import SettingsModel
import Testing

@testable import SettingsPages

/// How wide pages are, what is set apart, and how the focused row looks.
struct LayoutTests {
    @Test func aPageIsAtMostNinetyColumnsWide() throws {
        let editor = try Office.editor(at: "display.theme", columns: 200, rows: 24)
        let grid = editor.draw()
        #expect(grid.lines.allSatisfy { $0.count <= 90 })
        #expect(grid.lines[1].hasSuffix("Light ›") && grid.lines[1].count == 90)
    }

    /// By its look alone, also without colors.
    @Test func theFocusedRowDiffersFromHeadingsAndOtherRows() throws {
        var editor = try Office.editor()
        editor.press("Down")
        let grid = editor.draw()
        let row = try #require(grid.lines.firstIndex { $0.hasPrefix("▸") })
        for column in 0..<80 { #expect(grid[row, column].look.isFocused, "\(column)") }
        let others = (0..<24).filter { $0 != row }
        #expect(others.allSatisfy { line in (0..<80).allSatisfy { !grid[line, $0].look.isFocused } })
    }

    @Test func sectionsAreSetApartWhereThereIsRoom() throws {
        var editor = try Office.editor()
        func isApart() throws -> Bool {
            let lines = editor.draw().lines
            return lines[try #require(lines.firstIndex { $0.contains("GENERAL") }) - 1].isEmpty
        }
        #expect(try isApart())
        _ = editor.step(.resize(Grid.Size(columns: 80, rows: 10)))
        #expect(try !isApart())
        editor.press("L")
        #expect(try isApart())
        editor.press("L")
        #expect(try !isApart())
    }

    @Test func textsWithoutSpacesWrap() throws {
        var content = try Office.settings
        content.groups[try Key("general")]?.footer = ExactText(String(repeating: "山田花子", count: 20))
        let editor = Editor(
            Loaded(content), phrases: Office.phrases(), size: Grid.Size(columns: 80, rows: 24))
        let lines = editor.draw().lines.filter { $0.contains("山田") }
        #expect(lines.count == 3 && lines.joined().filter { $0 == "山" }.count == 20)
    }

    @Test func aHintTakesTwoLinesWhereNoRowStands() throws {
        var editor = try Office.editor(at: "display.theme", columns: 50)
        editor.press("Down Up")
        let lines = editor.draw().lines
        #expect((lines[22] + lines[23]).contains("settings set display.theme light"), "\(lines.suffix(3))")
    }
}
