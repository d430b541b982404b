package import SettingsModel

/// A table of columns, two spaces apart, that fits into a width.
package struct Columns: Sendable {
    /// A column that gives way where the table is too wide, down to `least` columns of the terminal; at 0 it is left out.
    package struct Yield: Hashable, Sendable {
        package var column: Int
        package var least: Int

        package init(_ column: Int, to least: Int) {
            self.column = column
            self.least = least
        }
    }

    package static let gap = 2

    /// The widths of columns that fit into `width`: those in `yields` give way in that order, and what is left over in the
    /// end is given back, the last one first. A column of width 0 is left out.
    package static func widths(_ natural: [Int], into width: Int, yields: [Yield]) -> [Int] {
        var widths = natural
        var excess: Int { start(of: widths.count, widths) - gap - width }
        for yield in yields where excess > 0 {
            let own = widths[yield.column]
            widths[yield.column] = yield.least == 0 ? 0 : max(min(own, yield.least), own - excess)
        }
        for yield in yields.reversed() where excess < 0 && widths[yield.column] > 0 {
            widths[yield.column] = min(natural[yield.column], widths[yield.column] - excess)
        }
        return widths
    }

    /// Where a column begins.
    private static func start(of column: Int, _ widths: [Int]) -> Int {
        widths.prefix(column).reduce(0) { $0 + ($1 > 0 ? $1 + gap : 0) }
    }

    /// One line a row. Cells that do not fit are cut off, and no line ends in a space.
    package static func lines(_ rows: [[StyledText]], into width: Int, yields: [Yield], _ glyphs: Glyphs) -> [StyledText] {
        var natural: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == natural.count { natural.append(0) }
                natural[column] = max(natural[column], cell.width)
            }
        }
        let widths = Columns.widths(natural, into: width, yields: yields)
        return rows.map { row in
            var line = StyledText()
            for (column, cell) in row.enumerated() where widths[column] > 0 && !cell.spans.isEmpty {
                line = line.padded(to: start(of: column, widths)) + cell.cut(to: widths[column], glyphs)
            }
            return line
        }
    }
}
