import SettingsText

/// A screen of cells, without a terminal.
package struct Grid: Hashable, Sendable {
    package let size: Size
    package private(set) var cells: [Cell]
    /// Where the cursor is: on the focused row, or in what is being typed. Screen readers follow it.
    package var cursor = Position(row: 0, column: 0)
    /// Whether the cursor is to be seen, because something is being typed.
    package var showsCursor = false
    /// Whether only ASCII is drawn.
    package let isASCII: Bool

    package struct Size: Hashable, Sendable {
        package var columns: Int
        package var rows: Int

        package init(columns: Int, rows: Int) {
            self.columns = max(columns, 1)
            self.rows = max(rows, 1)
        }
    }

    package struct Position: Hashable, Sendable {
        package var row: Int
        package var column: Int

        package init(row: Int, column: Int) {
            self.row = row
            self.column = column
        }
    }

    package init(_ size: Size, isASCII: Bool = false) {
        self.size = size
        self.isASCII = isASCII
        cells = Array(repeating: Cell(), count: size.columns * size.rows)
    }

    package subscript(row: Int, column: Int) -> Cell { cells[row * size.columns + column] }

    /// Writes a text into a row from a column on, over at most `width` columns. Returns the column after it.
    ///
    /// Control characters are shown as signs, never drawn, and a wide character that doesn't fit is left out.
    @discardableResult
    package mutating func put(
        _ text: String, row: Int, column: Int, width: Int = .max, _ look: Cell.Look = .plain
    ) -> Int {
        guard (0..<size.rows).contains(row), column >= 0 else { return column }
        let end = min(size.columns, width < size.columns ? column + width : size.columns)
        var place = column
        for character in text {
            let shown = String(character).visible
            guard shown == String(character) else {
                var sign = look
                sign.isSign = true
                // What is shown of it is shown whole.
                guard place + shown.count <= end else { break }
                for letter in shown {
                    cells[row * size.columns + place] = Cell(String(letter), sign)
                    place += 1
                }
                continue
            }
            let columns = String(character).displayWidth
            // A combining mark without a character to combine with.
            guard columns > 0 else { continue }
            guard place + columns <= end else { break }
            let start = row * size.columns + place
            cells[start] = Cell(isASCII ? Self.ascii(character) : String(character), look)
            for further in 1..<max(columns, 1) { cells[start + further] = Cell(isASCII ? "?" : "", look) }
            place += columns
        }
        return place
    }

    /// Takes over rows of another grid.
    package mutating func put(_ other: Grid, rows: Range<Int>, at place: Position) {
        for row in rows where (0..<other.size.rows).contains(row) {
            let line = place.row + row - rows.lowerBound
            guard (0..<size.rows).contains(line) else { continue }
            for column in 0..<min(other.size.columns, size.columns - place.column) {
                cells[line * size.columns + place.column + column] = other[row, column]
            }
        }
    }

    /// Shows that the part of a row is the focused one; what is put there afterwards says so itself.
    mutating func focus(row: Int, columns: Range<Int>) {
        guard (0..<size.rows).contains(row) else { return }
        for column in columns.clamped(to: 0..<size.columns) { cells[row * size.columns + column].look.isFocused = true }
    }

    /// Changes the look of a whole row.
    package mutating func fill(row: Int, from column: Int = 0, _ look: Cell.Look) {
        guard (0..<size.rows).contains(row) else { return }
        for place in column..<max(column, size.columns) { cells[row * size.columns + place].look = look }
    }

    private static func ascii(_ character: Character) -> String { character.isASCII ? String(character) : "?" }

    /// Each row as text, without spaces at its end.
    package var lines: [String] {
        (0..<size.rows).map { row in
            var line = ""
            for column in 0..<size.columns { line += self[row, column].text }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
