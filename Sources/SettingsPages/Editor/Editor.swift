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
        scene.index = nil
        scene.facts.head = loaded.head
        scene.facts.handEdited = loaded.handEdited
        scene.facts.unreadable = loaded.unreadable
        scene.draft.move(to: loaded.content)
        generation += 1
    }

    var layout: Layout { Layout(size: panes?.active ?? size, scene: scene) }

    mutating func open(_ page: any Page) {
        if page is SearchPage, scene.index == nil { scene.index = SearchIndex(scene.content) }
        visits.append(Visit(page))
        refresh()
        if let start = page.start(in: scene), focus(on: start) {} else { top.focus(nearest: 0, searching: 1, layout) }
        typing = page.typing(in: scene)
        if let row = typing?.row { focus(on: row) }
    }

    /// The page on the screen.
    var top: Visit {
        get { visits[visits.count - 1] }
        set { visits[visits.count - 1] = newValue }
    }

    /// Works the rows of the page out anew if they are old.
    mutating func refresh() { top.refresh(generation, layout) }

    /// False if there is no such row.
    @discardableResult
    mutating func focus(on id: RowID) -> Bool {
        refresh()
        return top.focus(on: id, layout)
    }

    mutating func say(_ text: String, isRefusal: Bool = false) { status = Status(text: text, isRefusal: isRefusal) }
}
