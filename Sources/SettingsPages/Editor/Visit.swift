/// A page, the row that is focused on it, and how far it is scrolled.
package struct Visit: Sendable {
    package internal(set) var page: any Page
    package private(set) var rows: [any Row] = []
    package private(set) var focus = 0
    /// The first row on the screen.
    package private(set) var top = 0
    /// Which state of the scene the rows show.
    private var generation = -1
    /// Tells it from other visits of the same page.
    let number: Int

    init(_ page: any Page, number: Int = 0) { (self.page, self.number) = (page, number) }

    package var row: (any Row)? { rows.indices.contains(focus) && rows[focus].isFocusable ? rows[focus] : nil }

    /// Works the rows out anew if they are old. The focus stays on its row, and the row in its line unless the page is shown from
    /// its beginning. `typing`: a row that stays as long as somebody types into it.
    mutating func refresh(_ generation: Int, _ layout: Layout, typing: RowID? = nil) {
        // The screen may have another size than when the page was left.
        guard self.generation != generation else { return scroll(layout) }
        let old = row?.id
        let neighbours = neighbours
        let offset = focus - top
        let typed = typing.flatMap { id in rows.firstIndex { $0.id == id } }
        let lost = typed.map { (place: $0, row: LostRow(rows[$0])) }
        rows = page.rows(in: layout.scene)
        if let lost, !rows.contains(where: { $0.id == typing }) { rows.insert(lost.row, at: min(lost.place, rows.count)) }
        self.generation = generation
        if let place = old.flatMap({ id in place(of: id) ?? neighbours.firstNonNil { place(of: $0) } }) {
            // What is new above the first row is shown.
            if place != focus { (focus, top) = (place, top == 0 ? 0 : max(0, place - offset)) }
            scroll(layout)
        } else {
            // Nobody went to a button that the focus would come to.
            focus(nearest: min(focus, rows.count - 1), searching: -1, layout) { $0.titleRole != .button }
        }
    }

    /// The rows of the focused one's section, those below it first. Where it leaves its place, as a change does that is staged, the
    /// next one takes that.
    private var neighbours: [RowID] {
        guard rows.indices.contains(focus) else { return [] }
        func isInSection(_ row: any Row) -> Bool { row.isFocusable && row.titleRole != .button }
        let below = rows[(focus + 1)...].prefix(Self.neighbourLimit).prefix(while: isInSection)
        let above = rows[..<focus].suffix(Self.neighbourLimit).reversed().prefix(while: isInSection)
        return (Array(below) + above).map(\.id)
    }

    /// More rows don't go at once, unless another list is shown.
    private static let neighbourLimit = 20

    /// Where a row that can be focused is; nil if it is not on the page.
    private func place(of id: RowID) -> Int? { rows.firstIndex { $0.id == id && $0.isFocusable } }

    /// False if there is no such row.
    mutating func focus(on id: RowID, _ layout: Layout) -> Bool {
        guard let place = place(of: id) else { return false }
        focus = place
        scroll(layout)
        return true
    }

    /// Focuses the row at `place`, or the next one in a direction, else in the other one: one of those that are preferred, if
    /// there is any.
    mutating func focus(
        nearest place: Int, searching direction: Int, _ layout: Layout, preferring isPreferred: (any Row) -> Bool = { _ in true }
    ) {
        let start = max(0, min(place, rows.count - 1))
        let ahead = direction > 0 ? Array(start..<max(start, rows.count)) : (0...start).reversed()
        let behind = direction > 0 ? (0..<start).reversed() : Array(start..<max(start, rows.count))
        let rows = rows
        let places = (ahead + behind).lazy.filter { rows.indices.contains($0) && rows[$0].isFocusable }
        focus = places.first { isPreferred(rows[$0]) } ?? places.first ?? 0
        scroll(layout)
    }

    /// False where there is no row to go to in that direction. What is beyond the last one can still be read.
    mutating func step(_ direction: Int, _ layout: Layout) -> Bool {
        var place = focus + direction
        while rows.indices.contains(place), !rows[place].isFocusable { place += direction }
        if rows.indices.contains(place) {
            focus = place
            scroll(layout)
            return true
        }
        if direction > 0 { showEnd(layout) } else { top = 0 }
        scroll(layout)
        return false
    }

    private mutating func showEnd(_ layout: Layout) {
        let first = firstOfEnd(layout)
        if first <= focus { top = first }
    }

    /// The first of the rows that fill the screen down to the last one.
    private func firstOfEnd(_ layout: Layout) -> Int {
        var first = rows.count
        var room = layout.bodyHeight
        while first > 0 {
            room -= layout.height(of: rows[first - 1])
            guard room >= 0 else { break }
            first -= 1
        }
        return first
    }

    /// Scrolls as little as is needed to show the focused row, with the heading above it.
    mutating func scroll(_ layout: Layout) {
        guard !rows.isEmpty else { return }
        var first = min(focus, rows.count - 1)
        while first > 0, focus - first < 2, rows[first - 1].titleRole == .heading { first -= 1 }
        // What stands above the first row that can be focused.
        if first < 4, rows[..<first].allSatisfy({ !$0.isFocusable }) { first = 0 }
        // Nor is the screen left empty below the last row.
        top = max(0, min(top, first, firstOfEnd(layout), rows.count - 1))
        // The rows from the focused one back that fill the screen.
        var least = min(focus, rows.count - 1)
        var room = layout.bodyHeight - layout.height(of: rows[least])
        while least > top {
            room -= layout.height(of: rows[least - 1])
            guard room >= 0 else { break }
            least -= 1
        }
        top = max(top, least)
    }
}

extension Sequence {
    fileprivate func firstNonNil<Found>(_ find: (Element) -> Found?) -> Found? {
        for element in self { if let found = find(element) { return found } }
        return nil
    }
}
