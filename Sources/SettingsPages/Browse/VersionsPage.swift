package import SettingsModel

/// Versions, newest first: all of them, those of an option or a group, or those that a search finds.
package struct VersionsPage: BrowserPage {
    package private(set) var filter: VersionFilter
    /// Whether it has a field for what is searched for.
    let isSearch: Bool

    package init(_ places: [Key] = []) { (filter, isSearch) = (VersionFilter(places: places), false) }

    init(searching filter: VersionFilter) { (self.filter, isSearch) = (filter, true) }

    package var isWide: Bool { true }

    static let field = RowID.named("search versions")

    package func title(in scene: Scene) -> String {
        if isSearch { return "Search" }
        guard let place = filter.places.first else { return "Browse" }
        let subject: Subject = scene.content.options[place] == nil ? .group(place) : .option(place)
        return "History of \(scene.content.title(of: place.isRoot ? .store : subject))"
    }

    package func start(in scene: Scene) -> RowID? { isSearch && filter.search.isEmpty ? Self.field : nil }

    package func typing(in scene: Scene) -> Typing? {
        isSearch && filter.search.isEmpty && !scene.isPlain ? Typing(row: Self.field, field: Field("")) : nil
    }

    package mutating func typed(_ text: String?, into row: RowID) -> Bool {
        let words = (text ?? "").trimmingSpaces
        guard row == Self.field, words != filter.search else { return false }
        filter.search = words
        return true
    }

    package func rows(in scene: Scene) -> [any Row] {
        var rows = filter.hasGraph ? LinkRow.questions(in: scene) : []
        if isSearch {
            rows.append(
                FieldRow("Search", id: "search versions", text: filter.search, placeholder: "words, \(VersionSearch.filters)") {
                    $0.trimmingSpaces.isEmpty ? .back : .browse(.search($0))
                })
            guard !filter.search.isEmpty else { return rows }
            if let fault = VersionSearch(filter.search).fault(scene.phrases.clock) {
                return rows + [NoteRow("\(fault.prefix(1).uppercased() + fault.dropFirst()).", "problem")]
            }
        }
        guard let number = scene.browsing.number(of: filter) else {
            return rows + [NoteRow("Searching the history\(scene.glyphs.ellipsis)", "waiting")]
        }
        let list = scene.browsing.lists[number]
        let count = scene.isPlain ? min(list.count, list.plainRows) : list.count
        rows.reserveCapacity(count + 2)
        for index in 0..<count { rows.append(VersionRow(list.id(index), list: UInt32(number))) }
        if scene.isPlain, count < list.count || !list.isComplete {
            rows.append(ButtonRow("Earlier Versions", id: "more", .browse(.more)))
        } else if !list.isComplete {
            rows.append(NoteRow("Searching the history\(scene.glyphs.ellipsis)", "waiting"))
        } else if count == 0, isSearch || list.end == nil {
            rows.append(NoteRow(isSearch ? "Nothing matches." : "There are no versions.", "empty"))
        }
        if list.isComplete, let end = list.end { rows.append(NoteRow(end.words, "end")) }
        return rows
    }

    package func act(_ act: Act, in scene: Scene) -> Response? {
        switch act {
        case .search where isSearch: .type(Typing(row: Self.field, field: Field("")))
        case .search: .open(VersionsPage(searching: VersionFilter(places: filter.places)))
        case .next: .browse(.match(1))
        case .previous: .browse(.match(-1))
        case .bottom: .all([.browse(.all)])
        default: nil
        }
    }
}

extension Browsing {
    /// The list of these versions, if it is known.
    func number(of filter: VersionFilter) -> Int? { lists.firstIndex { $0.filter == filter } }
}
