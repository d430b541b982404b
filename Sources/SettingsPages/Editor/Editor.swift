package import SettingsModel
package import SettingsText

/// The pages as one person uses them. Keys go in, effects come out; nothing of a terminal or a store is in it. `Scene` is what
/// the pages show, `PageStack` which of them are open, and `PageActs` what acts do on any of them.
package struct Editor: Sendable {
    package internal(set) var scene: Scene
    package internal(set) var pages = PageStack()
    /// What the last act did.
    package internal(set) var status = Status()
    /// How often something could not be done.
    package private(set) var refusals = 0
    package internal(set) var size: Grid.Size
    /// What waits to be done outside.
    var effects: [Effect] = []
    /// The rows by their numbers, as plain mode listed them last.
    var listed: (visit: Int, rows: [RowID])?

    package struct Status: Hashable, Sendable {
        package var text = ""
        /// Why it could not be done; nil where it was.
        package var refusal: Problem.Kind?
        package var isRefusal: Bool { refusal != nil }
    }

    /// Opens on the page that shows `place`. `sheet` is what the sheet of every version begins with.
    package init(
        _ loaded: Loaded, at place: Key = .root, phrases: Phrases, size: Grid.Size, isPlain: Bool = false, sheet: Sheet = Sheet()
    ) {
        scene = Scene(phrases: phrases)
        (scene.sheet, scene.freshSheet) = (sheet, sheet)
        scene.isPlain = isPlain
        self.size = size
        scene.take(loaded)
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
        guard !isPlain else { return }
        let keys = ["/ search", "Space change", "c Done", "? keys"]
        say(keys.joined(separator: " \(scene.glyphs.separator) "))
    }

    package var visits: [Visit] { pages.visits }
    package var visit: Visit { pages.top }
    package var row: (any Row)? { pages.top.row }
    package var typing: Typing? { pages.typing }

    var layout: Layout { Layout(size: panes?.active ?? pageSize, scene: scene) }

    /// The part of the screen that a page alone takes.
    var pageSize: Grid.Size {
        let isWide = visits.last?.page.isWide ?? false
        return Grid.Size(columns: isWide ? size.columns : min(size.columns, Layout.widest), rows: size.rows)
    }

    mutating func open(_ page: any Page) {
        if page is SearchPage { scene.makeIndex() }
        pages.open(page, layout)
    }

    /// Works the rows of the page out anew if they are old.
    mutating func refresh() { pages.refresh(layout) }

    /// False if there is no such row.
    @discardableResult
    mutating func focus(on id: RowID) -> Bool { pages.focus(on: id, layout) }

    mutating func say(_ text: String, isRefusal: Bool = false) {
        if isRefusal { refuse(text) } else { status = Status(text: text) }
    }

    mutating func refuse(_ reason: String, _ kind: Problem.Kind = .no) {
        status = Status(text: PageHints.sentence(reason), refusal: kind)
        refusals += 1
    }
}
