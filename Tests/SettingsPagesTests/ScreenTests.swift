import Foundation
import SettingsModel
import Testing

@testable import SettingsPages

/// Screens as text. RECORD=1 writes them anew.
struct ScreenTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Screens")
    private static let sizes = [(80, 24), (40, 10), (20, 5), (200, 60)]
    private static let screens = [
        ("first", nil, ""), ("display", "display", "Down Down Right"), ("theme", "display.theme", "Enter Down Space"),
        ("typing", "display.name", "Enter 'abc'"), ("changes", "display.theme", "Enter Down Enter Down Space v"),
        ("done", "display.theme", "Enter Down Enter c"), ("info", "display.theme", "i"), ("help", nil, "?"),
        ("search", nil, "/ 'dark'"), ("leave", "display.larger", "Space Esc Esc"),
    ]

    /// Each row, and below it how its cells look where that isn't plain: a letter for the role, upper case for the focus. More
    /// than two empty rows in a row are counted.
    static func picture(_ grid: Grid, looks: Bool) -> String {
        var text = ""
        var empty = 0
        func endEmptyRows() {
            text += empty > 2 ? "(\(empty) empty rows)\n" : String(repeating: looks ? "\n~\n" : "\n", count: empty)
            empty = 0
        }
        for row in 0..<grid.size.rows {
            let look = looks ? Self.look(grid, row) : ""
            guard !(grid.lines[row] + look).isEmpty else {
                empty += 1
                continue
            }
            endEmptyRows()
            text += grid.lines[row] + "\n" + (looks ? "~\(look)\n" : "")
        }
        endEmptyRows()
        return text
    }

    private static func look(_ grid: Grid, _ row: Int) -> String {
        var line = ""
        for column in 0..<grid.size.columns {
            let cell = grid[row, column]
            guard cell != Cell() else {
                line += " "
                continue
            }
            let letter = cell.look.isField ? "_" : String("\(cell.look.role)".first ?? " ")
            line += cell.look.isFocused ? letter.uppercased() : letter
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    @Test(arguments: sizes.map(\.0), [false, true])
    func screens(columns: Int, ascii isASCII: Bool) throws {
        let rows = try #require(Self.sizes.first { $0.0 == columns }).1
        var text = ""
        for (name, place, keys) in Self.screens {
            var editor = try Office.editor(at: place, columns: columns, rows: rows, ascii: isASCII)
            editor.press(keys)
            let grid = editor.draw()
            #expect(grid[rows - 1, columns - 1] == Cell(), "\(name): the last cell is written")
            if isASCII { #expect(grid.lines.joined().utf8.allSatisfy { $0 < 128 }, "\(name)") }
            #expect(editor.row == nil || grid.cursor.row > 0, "\(name): the cursor is not on the row")
            text += "== \(name)\n" + Self.picture(grid, looks: columns == 80 && !isASCII)
        }
        try Self.compare(text, with: "\(columns)x\(rows)", ascii: isASCII)
    }

    /// Compares a text with a recorded one, or records it. Screens in ASCII are recorded at 80 columns alone: at other widths
    /// they differ from the others in their characters only.
    static func compare(_ text: String, with name: String, ascii isASCII: Bool) throws {
        if isASCII, !name.contains("80x24") { return }
        let file = Self.folder.appendingPathComponent("\(name)\(isASCII ? "-ascii" : "").txt")
        if ProcessInfo.processInfo.environment["RECORD"] == "1" {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        let recorded = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        if recorded != text {
            let (old, new) = (recorded.split(separator: "\n"), text.split(separator: "\n"))
            let place = Array(zip(old, new)).firstIndex { $0.0 != $0.1 } ?? min(old.count, new.count)
            Issue.record("\(file.lastPathComponent) differs at line \(place + 1): '\(new.dropFirst(place).first ?? "")'")
        }
    }

    @Test func nothingIsSentToATerminalThatAFileHolds() throws {
        var settings = try Office.settings
        settings.options[try Key("display.name")]?.value = "a\u{1B}[2Jb\u{202E}c"
        settings.options[try Key("display.name")]?.title = "T\u{7}\u{9B}x"
        let editor = Editor(
            Loaded(settings), at: try Key("display.name"), phrases: Office.phrases(), size: Grid.Size(columns: 80, rows: 24))
        let text = editor.draw().lines.joined()
        #expect(text.contains("T\\u{7}\\u{9B}x") && text.contains("a\\u{1B}[2Jb\\u{202E}c"))
    }

    @Test func wideCharactersTakeTwoColumns() {
        var grid = Grid(Grid.Size(columns: 6, rows: 1))
        #expect(grid.put("山👩‍👩‍👧e\u{301}x田", row: 0, column: 0) == 6)
        #expect(grid[0, 1].text == "" && grid[0, 2].text == "👩‍👩‍👧" && grid[0, 4].text == "e\u{301}" && grid[0, 5].text == "x")
    }

    @Test func tenThousandRowsAreQuick() throws {
        var settings = SettingsContent(definition: StoreDefinition(title: "Settings"))
        for number in 0..<10_000 {
            settings.options[try Key("option-\(number)")] = SettingsOption(
                title: ExactText("Option \(number)"), type: .switch, value: .bool(false))
        }
        var editor = Editor(Loaded(settings), phrases: Office.phrases(), size: Grid.Size(columns: 80, rows: 24))
        editor.press("G Up Space PgUp Space u")
        #expect(editor.changes.count == 1)
        #expect(editor.visit.rows.count == 10_000)
    }
}
