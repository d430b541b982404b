import SettingsModel
import SettingsText

/// How the rows of a page are laid out on a screen.
struct Layout {
    let size: Grid.Size
    let scene: Scene

    /// Pages are no wider, so that a value at the right edge is still seen to belong to its title.
    static let widest = 90

    /// Where the title of a row begins: after the marks.
    static let titleColumn = 2

    /// The lines between the head and the foot of the screen.
    var bodyHeight: Int { max(1, size.rows - 2) }

    /// A line of the screen that a row takes; a text that wraps takes several.
    struct Line {
        var line: Int
        var row: Int
        /// The part of a text that wraps which stands in it.
        var text: String?
        /// Whether it isn't the first of the row.
        var isContinued = false
    }

    /// The lines that `visit` shows.
    func lines(of visit: Visit) -> [Line] {
        var lines: [Line] = []
        var line = 1
        let setsApart = setsApart(visit)
        for row in visit.top..<max(visit.top, visit.rows.count) {
            if setsApart, row > visit.top, Self.beginsSection(visit.rows[row]) { line += 1 }
            for (part, text) in texts(of: visit.rows[row]).enumerated() {
                guard line <= bodyHeight else { return lines }
                lines.append(Line(line: line, row: row, text: text, isContinued: part > 0))
                line += 1
            }
        }
        return lines
    }

    /// The most lines that a row takes.
    func height(of row: any Row) -> Int {
        texts(of: row).count + (scene.setsApart == true && Self.beginsSection(row) ? 1 : 0)
    }

    /// Whether empty lines stand above sections: as the person wants it, else where there is room for all of them.
    func setsApart(_ visit: Visit) -> Bool {
        if let wanted = scene.setsApart { return wanted }
        guard visit.top == 0, visit.rows.count <= bodyHeight else { return false }
        let gaps = visit.rows.dropFirst().count(where: Self.beginsSection)
        return visit.rows.reduce(gaps) { $0 + texts(of: $1).count } <= bodyHeight
    }

    /// Above a heading without words there is an empty line already.
    private static func beginsSection(_ row: any Row) -> Bool { (row as? HeadingRow)?.text.isEmpty == false }

    /// The lines of a text that wraps; nothing for any other row, which takes one.
    private func texts(of row: any Row) -> [String?] {
        guard row.wraps else { return [nil] }
        return StyledText(row.title(in: scene)).wrapped(into: max(8, size.columns - 4), atMost: 4, scene.glyphs)
            .map { $0.rendered(coloured: false) }
    }
}
