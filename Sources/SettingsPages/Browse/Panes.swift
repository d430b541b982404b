import SettingsModel

/// A page and, beside or below it, what is focused on it: the version of a list, or the difference that a change makes.
struct Panes {
    var list: Grid.Size
    var detail: Grid.Size
    /// Where the other pane begins: the column, and how many lines of the screen's body are above it.
    var column: Int
    var line: Int
    /// How many columns both take.
    var width: Int
    /// Whether the version's pane is the one that is used.
    var isOfDetail = false

    var active: Grid.Size { isOfDetail ? detail : list }

    /// Below this width sentences and values would be cut off beside each other.
    private static let leastBeside = 100
    /// So many rows a screen has where one is below the other.
    private static let leastBelow = 20

    /// Side by side, with at most so many columns for the page; nil where there is no room.
    init?(beside size: Grid.Size, atMost widest: Int) {
        guard size.columns >= Self.leastBeside else { return nil }
        detail = Grid.Size(columns: min(72, max(30, size.columns * 2 / 5)), rows: size.rows)
        list = Grid.Size(columns: min(widest, size.columns - detail.columns - 2), rows: size.rows)
        column = list.columns + 2
        line = 0
        width = column + detail.columns
    }

    /// One below the other, with so many lines for the page; nil where there is no room.
    init?(below size: Grid.Size, lines: (_ body: Int) -> Int) {
        guard size.rows >= Self.leastBelow else { return nil }
        let body = size.rows - 2
        line = lines(body) + 1
        list = Grid.Size(columns: size.columns, rows: line + 1)
        detail = Grid.Size(columns: size.columns, rows: body - line + 2)
        column = 0
        width = size.columns
    }
}

extension Editor {
    /// The panes of the screen; nil where there is one page alone.
    var panes: Panes? {
        guard !scene.isPlain, let last = visits.last else { return nil }
        if last.page.showsDifference(in: scene) {
            let below = Grid.Size(columns: min(size.columns, Layout.widest), rows: size.rows)
            // The page takes what it needs, and leaves some lines of a difference.
            return Panes(beside: size, atMost: Layout.widest)
                ?? Panes(below: below) { body in min(max(last.rows.count, body / 3), body - 8) }
        }
        let isOfDetail = last.page is DetailPage
        let list = isOfDetail ? (visits.count > 1 ? visits[visits.count - 2].page : nil) : last.page
        guard let page = list as? VersionsPage, !(page.isSearch && page.filter.search.isEmpty) else { return nil }
        var panes = Panes(beside: size, atMost: .max) ?? Panes(below: size) { $0 / 2 }
        panes?.isOfDetail = isOfDetail
        return panes
    }

    /// What is focused on a page, to be looked at beside it.
    func preview(_ panes: Panes) -> Visit? {
        let page: any Page
        if visit.page.showsDifference(in: scene) {
            page = DifferencePage(visit.page.changes(at: row?.id, in: scene))
        } else if case .version(let id)? = row?.id {
            page = DetailPage(id)
        } else {
            return nil
        }
        var visit = Visit(page)
        visit.refresh(0, Layout(size: panes.detail, scene: scene))
        return visit
    }
}
