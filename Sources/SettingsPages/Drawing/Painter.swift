import SettingsModel
import SettingsText

extension Editor {
    /// The screen: a head, the rows that fit, and a foot with what the last act did.
    package func draw() -> Grid {
        Painter(editor: self, visit: visit, size: panes.map { Grid.Size(columns: $0.width, rows: size.rows) } ?? pageSize).draw()
    }
}

/// Draws an editor's screen.
private struct Painter {
    let editor: Editor

    let visit: Visit
    let size: Grid.Size
    /// Whether keys go to the page.
    var isActive = true

    private var scene: Scene { editor.scene }

    func draw() -> Grid {
        var grid = Grid(editor.size, isASCII: scene.glyphs == .ascii)
        drawHead(&grid)
        let lines = editor.layout.lines(of: visit)
        if let panes = editor.panes { draw(panes, &grid) } else { for line in lines { draw(line, &grid) } }
        drawFoot(&grid, lines)
        return grid
    }

    /// The list and the version beside it, or below.
    private func draw(_ panes: Panes, _ grid: inout Grid) {
        let list = panes.isOfDetail ? editor.visits[editor.visits.count - 2] : visit
        let detail = panes.isOfDetail ? visit : editor.preview(panes)
        draw(list, panes.list, at: Grid.Position(row: 1, column: 0), isActive: !panes.isOfDetail, &grid)
        let box = scene.glyphs.hasBoxes
        if panes.line > 0 {
            grid.put(String(repeating: box ? "─" : "-", count: size.columns), row: panes.line, column: 0, Cell.Look(.faint))
        } else {
            for row in 1..<max(1, size.rows - 1) {
                grid.put(box ? "│" : "|", row: row, column: panes.column - 2, Cell.Look(.faint))
            }
        }
        guard let detail else { return }
        draw(
            detail, panes.detail, at: Grid.Position(row: panes.line + 1, column: panes.column), isActive: panes.isOfDetail, &grid)
    }

    private func draw(
        _ visit: Visit, _ size: Grid.Size, at place: Grid.Position, isActive: Bool, _ grid: inout Grid
    ) {
        var pane = Grid(size, isASCII: grid.isASCII)
        let painter = Painter(editor: editor, visit: visit, size: size, isActive: isActive)
        for line in Layout(size: size, scene: scene).lines(of: visit) { painter.draw(line, &pane) }
        grid.put(pane, rows: 1..<max(1, size.rows - 1), at: place)
        guard isActive else { return }
        grid.cursor = Grid.Position(row: place.row + pane.cursor.row - 1, column: place.column + pane.cursor.column)
        grid.showsCursor = pane.showsCursor
    }

    private func drawHead(_ grid: inout Grid) {
        let head = Head(editor, width: size.columns)
        grid.put(head.back, row: 0, column: 0, Cell.Look(.button))
        let room = max(0, head.badgeColumn - 1 - head.titleColumn)
        grid.put(cut(head.title, to: room), row: 0, column: head.titleColumn, Cell.Look(.title))
        grid.put(head.badge, row: 0, column: head.badgeColumn, Cell.Look(head.isWarning ? .warning : .button))
    }

    private func draw(_ line: Layout.Line, _ grid: inout Grid) {
        let row = visit.rows[line.row]
        let isFocused = isActive && line.row == visit.focus && row.isFocusable
        if isFocused {
            if !line.isContinued { grid.cursor = Grid.Position(row: line.line, column: 0) }
            if editor.typing?.row != row.id { grid.focus(row: line.line, columns: 0..<size.columns) }
        }
        if !line.isContinued, isFocused || !isActive && row is VersionRow && line.row == visit.focus {
            let mark = scene.glyphs == .ascii ? ">" : "▸"
            grid.put(mark, row: line.line, column: 0, Cell.Look(.title, isFocused: isFocused))
        }
        if let text = line.text {
            let column = size.columns < 8 ? 0 : Layout.titleColumn
            grid.put(text, row: line.line, column: column, Cell.Look(row.titleRole, isFocused: isFocused))
            return
        }
        let mark = row.mark(in: scene)
        var column = Layout.titleColumn
        if row is LabelRow || row is UnsetRow || row is SideRow || row is ConflictRow || row is QuestionRow
            || row is QuestionSideRow
        {
            grid.put(mark, row: line.line, column: 2, width: 2, Cell.Look(.after, isFocused: isFocused))
            column = 4
        } else if !mark.isEmpty, !isFocused {
            grid.put(mark, row: line.line, column: 0, width: 2, Cell.Look(.after))
        } else if !mark.isEmpty {
            grid.put(mark, row: line.line, column: 1, width: 1, Cell.Look(.after, isFocused: true))
        }
        drawContent(row, column: column, line.line, isFocused, &grid)
    }

    private func drawContent(_ row: any Row, column: Int, _ line: Int, _ isFocused: Bool, _ grid: inout Grid) {
        let width = size.columns - column
        if let text = row.line(width: width, in: scene) {
            var place = column
            for span in text.cut(to: width, scene.glyphs).spans {
                place = grid.put(span.text, row: line, column: place, Cell.Look(span.style.role, isFocused: isFocused))
            }
            return
        }
        let role = row.titleRole
        let parts = RowLine(row, width: width, namesKeys: visit.page.namesKeys, in: scene)
        if let typing = editor.typing, typing.row == row.id {
            let titleWidth = min(parts.title.visible.displayWidth, max(0, width / 2))
            grid.put(cut(parts.title, to: titleWidth), row: line, column: column, Cell.Look(role, isFocused: true))
            return draw(typing, from: column + titleWidth + 2, line, &grid)
        }
        grid.put(cut(parts.title, to: parts.titleWidth), row: line, column: column, Cell.Look(role, isFocused: isFocused))
        grid.put(parts.key, row: line, column: column + parts.keyColumn, Cell.Look(.faint, isFocused: isFocused))
        if let bar = parts.bar {
            grid.put(
                bar.text(scene.glyphs), row: line, column: column + parts.barColumn, Cell.Look(.faint, isFocused: isFocused))
        }
        var place = column + parts.accessoryColumn
        for span in parts.accessory.spans {
            place = grid.put(span.text, row: line, column: place, Cell.Look(span.style.role, isFocused: isFocused))
        }
        grid.put(parts.chevron, row: line, column: place, Cell.Look(.faint, isFocused: isFocused))
    }

    /// What is being typed, so that the cursor can be seen.
    private func draw(_ typing: Typing, from start: Int, _ line: Int, _ grid: inout Grid) {
        let start = min(start, max(0, size.columns - 8))
        let room = max(1, size.columns - start - 1)
        let shown =
            typing.isMasked ? typing.field.characters.map { _ in Character(scene.glyphs.bullet) } : typing.field.characters
        let pieces = shown.map { String($0).visible }
        var first = 0
        var width = pieces[..<typing.field.cursor].reduce(0) { $0 + $1.displayWidth }
        while width >= room, first < typing.field.cursor {
            width -= pieces[first].displayWidth
            first += 1
        }
        grid.fill(row: line, from: start, Cell.Look(.value, isField: true))
        var place = start
        for character in shown[first...] {
            place = grid.put(
                String(character), row: line, column: place, width: start + room - place, Cell.Look(.value, isField: true))
        }
        grid.cursor = Grid.Position(row: line, column: min(start + width, size.columns - 1))
        grid.showsCursor = true
    }

    /// The last line: what the last act did, or what there is to know of the row.
    private func drawFoot(_ grid: inout Grid, _ lines: [Layout.Line]) {
        guard size.rows > 2 else { return }
        let last = size.rows - 1
        let above = visit.top
        let shown = (lines.last?.row).map { $0 + 1 } ?? visit.top
        let below = max(0, visit.rows.count - shown)
        let isASCII = scene.glyphs == .ascii
        var more = ""
        if above > 0 { more += "\(isASCII ? "^" : "↑")\(above) " }
        if below > 0 { more += "\(isASCII ? "v" : "↓")\(below) " }
        let room = size.columns - 1 - more.displayWidth
        if !more.isEmpty { grid.put(more, row: last, column: size.columns - 1 - more.displayWidth, Cell.Look(.faint)) }
        let isHint = editor.status.text.isEmpty
        let hint = editor.typing == nil ? editor.row?.hint(in: scene) ?? "" : editor.typingHint
        let text = (isHint ? hint : editor.status.text).visible
        let look = Cell.Look(isHint ? .faint : editor.status.isRefusal ? .warning : .plain)
        // What was done is told whole, over the last rows, but not over the one in use; a hint where no row stands.
        let taken = (isHint ? lines.last : lines.last { $0.row == visit.focus })?.line ?? 0
        let limit = editor.panes == nil ? max(1, min(size.rows / 4, last - taken)) : 1
        let isLong = text.displayWidth > room - 2 && limit > 1
        let parts =
            isLong
            ? StyledText(text).wrapped(into: max(8, room - 2), atMost: limit, scene.glyphs).map { $0.rendered(coloured: false) }
            : [isHint ? fitted(text, to: max(0, room - 2)) : cut(text, to: max(0, room - 2))]
        for (index, whole) in parts.enumerated() {
            let part = isLong ? withoutSeparators(whole) : whole
            let line = last - parts.count + 1 + index
            if line < last { grid.put(String(repeating: " ", count: size.columns), row: line, column: 0, Cell.Look(.plain)) }
            grid.put(cut(part, to: max(0, room - 2)), row: line, column: 1, look)
        }
    }

    /// One of several lines: what separates facts stands between two of the same line.
    private func withoutSeparators(_ line: String) -> String {
        let separator = scene.glyphs.separator
        var line = Substring(line)
        if line.hasPrefix(separator + " ") { line = line.dropFirst(separator.count + 1) }
        if line.hasSuffix(" " + separator) { line = line.dropLast(separator.count + 1) }
        return String(line)
    }

    /// As many of the facts of a hint as there is room for, each whole unless that leaves half of it empty.
    private func fitted(_ hint: String, to width: Int) -> String {
        let separator = " \(scene.glyphs.separator) "
        var whole = hint[...]
        while String(whole).displayWidth > width, let last = whole.ranges(of: separator).last {
            whole = whole[..<last.lowerBound]
        }
        return cut(String(whole).displayWidth < width / 2 ? hint : String(whole), to: width)
    }

    private func cut(_ text: String, to width: Int) -> String {
        StyledText(text).cut(to: width, scene.glyphs).spans.map(\.text).joined()
    }
}

extension StyledText.Style {
    fileprivate var role: Cell.Role {
        switch self {
        case .plain: .value
        case .name, .heading: .heading
        case .before: .before
        case .after: .after
        case .id, .person, .faint: .faint
        case .warning: .warning
        }
    }
}
