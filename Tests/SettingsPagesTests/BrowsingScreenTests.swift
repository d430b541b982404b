import SettingsModel
import Testing

@testable import SettingsPages

/// Screens of pages about versions as text. RECORD=1 writes them anew.
struct BrowsingScreenTests {
    private static let sizes = [(80, 24), (40, 10), (20, 5), (120, 40), (200, 60)]
    private static let screens = [
        ("versions", ""), ("marked", "Down m Down"), ("detail", "Down Enter"), ("restore", "r"), ("past", "Down Down p Enter"),
        ("draft", "Down Down p Enter r"), ("compare", "m Down Down Down ="), ("files", "D"), ("search", "/ '@who:ann' Enter"),
        ("typing", "/ '@became:da'"), ("conflicts", "Down R"), ("done", "R c"),
    ]

    @Test(arguments: sizes.map(\.0), [false, true])
    func screens(columns: Int, ascii isASCII: Bool) throws {
        let rows = try #require(Self.sizes.first { $0.0 == columns }).1
        let archive = try Archive(12, since: try Office.settings)
        var text = ""
        for (name, keys) in Self.screens {
            var editor = Editor.browser(archive, columns: columns, rows: rows, ascii: isASCII)
            editor.press(keys, archive)
            let grid = editor.draw()
            #expect(grid[rows - 1, columns - 1] == Cell(), "\(name): the last cell is written")
            if isASCII {
                let unknown = grid.lines.joined().replacing("?", with: "").unicodeScalars.filter { !$0.isASCII }
                #expect(unknown.isEmpty, "\(name)")
            }
            #expect(editor.row == nil || grid.cursor.row > 0, "\(name): the cursor is not on the row")
            text += "== \(name)\n" + ScreenTests.picture(grid, looks: columns == 80 && !isASCII)
        }
        try ScreenTests.compare(text, with: "browse-\(columns)x\(rows)", ascii: isASCII)
    }
}
