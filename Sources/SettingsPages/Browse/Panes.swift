import SettingsModel

/// A list of versions and, beside or below it, the version that is focused in it.
struct Panes {
    var list: Grid.Size
    var detail: Grid.Size
    /// Where the pane of the version begins: the column, and how many lines of the screen's body are above it.
    var column: Int
    var line: Int
    /// Whether the version's pane is the one that is used.
    var isOfDetail: Bool

    var active: Grid.Size { isOfDetail ? detail : list }
}

extension Editor {
    /// The panes of the screen; nil where there is one page alone.
    var panes: Panes? {
        guard !scene.isPlain, let last = visits.last else { return nil }
        let isOfDetail = last.page is DetailPage
        let list = isOfDetail ? (visits.count > 1 ? visits[visits.count - 2].page : nil) : last.page
        guard let page = list as? VersionsPage, !(page.isSearch && page.filter.search.isEmpty) else { return nil }
        if size.columns >= 76 {
            let width = min(72, max(30, size.columns * 2 / 5))
            return Panes(
                list: Grid.Size(columns: size.columns - width - 2, rows: size.rows),
                detail: Grid.Size(columns: width, rows: size.rows), column: size.columns - width, line: 0, isOfDetail: isOfDetail)
        }
        guard size.rows >= 20 else { return nil }
        let body = size.rows - 2
        let above = body / 2
        return Panes(
            list: Grid.Size(columns: size.columns, rows: above + 2),
            detail: Grid.Size(columns: size.columns, rows: body - above - 1 + 2), column: 0, line: above + 1,
            isOfDetail: isOfDetail)
    }

    /// The page of the version that is focused in a list, to be looked at beside it.
    func preview(_ panes: Panes) -> Visit? {
        guard case .version(let id)? = row?.id else { return nil }
        var visit = Visit(DetailPage(id))
        visit.refresh(0, Layout(size: panes.detail, scene: scene))
        return visit
    }
}
