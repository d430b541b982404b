import SettingsModel

/// The pages that were opened one from another, and what is being typed on the last one.
package struct PageStack: Sendable {
    package private(set) var visits: [Visit] = []
    package var typing: Typing?
    /// Counts changes of what is shown; rows that are older are worked out anew.
    private var generation = 0
    /// How many pages have been opened.
    private var count = 0

    /// The page on the screen.
    var top: Visit {
        get { visits[visits.count - 1] }
        set { visits[visits.count - 1] = newValue }
    }

    /// Something that rows show is another one now.
    mutating func expire() { generation += 1 }

    /// Works the rows of the page out anew if they are old.
    mutating func refresh(_ layout: Layout) { top.refresh(generation, layout, typing: typing?.row) }

    mutating func open(_ page: any Page, _ layout: Layout) {
        count += 1
        visits.append(Visit(page, number: count))
        refresh(layout)
        if let start = page.start(in: layout.scene), top.focus(on: start, layout) {
        } else {
            top.focus(nearest: 0, searching: 1, layout)
        }
        typing = page.typing(in: layout.scene)
        if let row = typing?.row { focus(on: row, layout) }
    }

    /// Somebody renamed what pages are about, or what is typed for.
    mutating func follow(_ renames: [VersionMessage.Rename], in scene: Scene) {
        guard !renames.isEmpty else { return }
        for index in visits.indices { visits[index].page.follow(renames, in: scene) }
        guard case .option(let key)? = typing?.row else { return }
        let name = scene.subject(.option(key), after: renames)
        typing?.row = .option(name.key)
        typing?.found?.subject = name
    }

    /// Closes pages until so many are open.
    mutating func close(to count: Int, _ layout: Layout) {
        guard visits.count > max(count, 1) else { return }
        typing = nil
        visits.removeLast(visits.count - max(count, 1))
        refresh(layout)
    }

    /// False if there is no such row.
    @discardableResult
    mutating func focus(on id: RowID, _ layout: Layout) -> Bool {
        refresh(layout)
        return top.focus(on: id, layout)
    }

    /// What has been typed so far.
    mutating func typed(_ text: String?, into row: RowID, _ layout: Layout) {
        guard top.page.typed(text, into: row) else { return }
        expire()
        refresh(layout)
    }

    /// What an act did that moves the focus; nil for any other act.
    mutating func move(_ act: Act, _ layout: Layout) -> Response? {
        let height = layout.bodyHeight
        switch act {
        case .up: return step(-1, layout)
        case .down: return step(1, layout)
        case .pageUp: jump(-height + 1, layout)
        case .pageDown: jump(height - 1, layout)
        case .halfUp: jump(-height / 2, layout)
        case .halfDown: jump(height / 2, layout)
        case .top: top.focus(nearest: 0, searching: 1, layout)
        case .bottom: top.focus(nearest: top.rows.count - 1, searching: -1, layout)
        default: return nil
        }
        return .nothing
    }

    private mutating func step(_ direction: Int, _ layout: Layout) -> Response {
        if top.step(direction, layout) { return .nothing }
        return .say(direction > 0 ? "This is the last row" : "This is the first row")
    }

    private mutating func jump(_ distance: Int, _ layout: Layout) {
        let place = min(max(top.focus + distance, 0), top.rows.count - 1)
        top.focus(nearest: place, searching: distance > 0 ? 1 : -1, layout)
    }
}
