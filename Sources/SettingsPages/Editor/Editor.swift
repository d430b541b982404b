package import SettingsModel
package import SettingsText

/// The pages as one person uses them: a stack of pages, a draft, and what is being typed. Keys go in, effects come out; nothing
/// of a terminal or a store is in it.
package struct Editor: Sendable {
    package internal(set) var scene: Scene
    package internal(set) var visits: [Visit] = []
    package internal(set) var typing: Typing?
    /// What the last act did.
    package internal(set) var status = Status()
    package internal(set) var size: Grid.Size
    /// Counts changes of what is shown; rows that are older are worked out anew.
    var generation = 0
    /// What was found last, for the next and the previous match.
    var matches: [Key] = []
    /// What waits to be done outside.
    var effects: [Effect] = []
    /// The draft that is offered at the start.
    var offered: KeptDraft?

    package struct Status: Hashable, Sendable {
        package var text = ""
        package var isRefusal = false
    }

    /// A page, the row that is focused on it, and how far it is scrolled.
    package struct Visit: Sendable {
        package internal(set) var page: any Page
        package internal(set) var rows: [any Row] = []
        package internal(set) var focus = 0
        /// The first row on the screen.
        package internal(set) var top = 0
        var generation = -1

        init(_ page: any Page) { self.page = page }

        package var row: (any Row)? { rows.indices.contains(focus) && rows[focus].isFocusable ? rows[focus] : nil }
    }

    /// Opens on the page that shows `place`.
    package init(_ loaded: Loaded, at place: Key = .root, phrases: Phrases, size: Grid.Size, isPlain: Bool = false) {
        scene = Scene(phrases: phrases)
        scene.isPlain = isPlain
        self.size = size
        load(loaded)
        let isOption = scene.content.options[place] != nil
        var group = isOption ? place.group : place
        while isOption, !group.isRoot, scene.content.groups[group]?.style == .section { group = group.group }
        for depth in 0...group.parts.count {
            guard let key = try? Key(parts: Array(group.parts.prefix(depth))) else { continue }
            // Groups that hold nothing but another one have no page of their own.
            let count = scene.outline.options(in: key).count + scene.outline.groups(in: key).count
            if key.isRoot || key == group || count > 1 { open(GroupPage(key)) }
        }
        if isOption { focus(on: .option(place)) }
        status = Status()
    }

    package var visit: Visit { visits[visits.count - 1] }
    package var row: (any Row)? { visit.row }

    mutating func load(_ loaded: Loaded) {
        scene.outline = Outline(loaded.content)
        scene.facts.head = loaded.head
        scene.facts.handEdited = loaded.handEdited
        scene.facts.unreadable = loaded.unreadable
        scene.draft.move(to: loaded.content)
        generation += 1
    }

    mutating func open(_ page: any Page) {
        visits.append(Visit(page))
        refresh()
        if let start = page.start(in: scene) { focus(on: start) } else { focus(nearest: 0, searching: 1) }
        typing = page.typing(in: scene)
        if let row = typing?.row { focus(on: row) }
    }

    /// Works the rows of the page out anew if they are old. The focus stays on its row.
    mutating func refresh() {
        let last = visits.count - 1
        // The screen may have another size than when the page was left.
        guard visits[last].generation != generation else { return scroll() }
        let old = visits[last].row?.id
        let offset = visits[last].focus - visits[last].top
        visits[last].rows = visits[last].page.rows(in: scene)
        visits[last].generation = generation
        if let old, let place = visits[last].rows.firstIndex(where: { $0.id == old }), visits[last].rows[place].isFocusable {
            if place != visits[last].focus {
                visits[last].focus = place
                visits[last].top = max(0, place - offset)
            }
        } else {
            focus(nearest: min(visits[last].focus, visits[last].rows.count - 1), searching: -1)
        }
        scroll()
    }

    /// False if there is no such row.
    @discardableResult
    mutating func focus(on id: RowID) -> Bool {
        refresh()
        guard let place = visit.rows.firstIndex(where: { $0.id == id }), visit.rows[place].isFocusable else { return false }
        visits[visits.count - 1].focus = place
        scroll()
        return true
    }

    /// Focuses the row at `place`, or the next one in a direction, else in the other one.
    mutating func focus(nearest place: Int, searching direction: Int) {
        let rows = visit.rows
        let start = max(0, min(place, rows.count - 1))
        let ahead = direction > 0 ? Array(start..<max(start, rows.count)) : (0...start).reversed()
        let behind = direction > 0 ? (0..<start).reversed() : Array(start..<max(start, rows.count))
        let found = (ahead + behind).first { rows.indices.contains($0) && rows[$0].isFocusable }
        visits[visits.count - 1].focus = found ?? 0
        scroll()
    }

    mutating func say(_ text: String, isRefusal: Bool = false) { status = Status(text: text, isRefusal: isRefusal) }
}
