import SettingsModel
import SettingsText

/// How the rows of a page are laid out on a screen.
struct Layout {
    let size: Grid.Size
    let scene: Scene

    /// The lines between the head and the foot of the screen.
    var bodyHeight: Int { max(1, size.rows - 2) }

    /// A line of the screen that a row takes; an explanation takes several.
    struct Line {
        var line: Int
        var row: Int
        /// The part of an explanation that stands in it.
        var text: String?
    }

    /// The lines that `visit` shows.
    func lines(of visit: Visit) -> [Line] {
        var lines: [Line] = []
        var line = 1
        for row in visit.top..<max(visit.top, visit.rows.count) {
            let isApart = isApart(visit.rows[row])
            if isApart, row > visit.top { line += 1 }
            for text in texts(of: visit.rows[row]) {
                guard line <= bodyHeight else { return lines }
                lines.append(Line(line: line, row: row, text: text))
                line += 1
            }
        }
        return lines
    }

    /// The most lines that a row takes.
    func height(of row: any Row) -> Int { isApart(row) ? 2 : texts(of: row).count }

    /// Whether an empty line stands above the row.
    private func isApart(_ row: any Row) -> Bool { scene.isGrouped && row.titleRole == .heading }

    /// The lines of an explanation; nothing for any other row, which takes one.
    private func texts(of row: any Row) -> [String?] {
        guard row is NoteRow else { return [nil] }
        return StyledText(row.title(in: scene)).wrapped(into: max(8, size.columns - 4), atMost: 4, scene.glyphs)
            .map { $0.rendered(coloured: false) }
    }
}
