package import SettingsModel
package import SettingsText

/// Versions on pages: what they need is asked for as it is on the screen, and what is restored goes into the draft.
extension Editor {
    /// Opens on the versions of an option or a group; of everything where `browsing` is the root.
    package init(_ loaded: Loaded, browsing place: Key, phrases: Phrases, size: Grid.Size, sheet: Sheet = Sheet()) {
        self.init(loaded, phrases: phrases, size: size, sheet: sheet)
        pages = PageStack()
        open(VersionsPage(place.isRoot ? [] : [place]))
        status = Status()
        let separator = scene.glyphs.separator
        say("/ search \(separator) b branches and tags \(separator) 2 edits of the files \(separator) ? keys")
    }

    /// What is known of the history is read again.
    package mutating func readAgain() {
        let names = scene.browsing.names
        scene.browsing.renewAll()
        scene.browsing.names = names
        scene.facts.questions.isKnown = false
        (scene.browsing.detail, scene.browsing.comparison) = (nil, nil)
    }

    /// What is wanted at the start, before anything happened.
    package mutating func begin() -> [Effect] {
        effects = []
        lookUp()
        return effects
    }

    /// Does what is the browser's own, where neither the page nor the row has another meaning for it: goes to a mode.
    mutating func browse(_ act: Act) {
        switch act {
        case .browse: break
        case .commit: return commitFiles()
        case .names: return open(NamesPage(scene.facts.head))
        default:
            if let page = visit.page as? DetailPage, let response = VersionActs.response(to: act, on: page.id) {
                return answer(response)
            }
            return say("select a version first", isRefusal: true)
        }
        guard visits.first?.page is VersionsPage else { return open(VersionsPage()) }
        pages.close(to: 1, layout)
    }

    /// Asks for what is on the screen and not known yet.
    mutating func lookUp() {
        guard let page = visit.page as? any BrowserPage else { return }
        if let request = page.need(in: scene) { effects.append(.browse(request)) }
        if scene.browsing.names == nil {
            scene.browsing.names = [:]
            effects.append(.browse(.names))
        }
        let place = panes?.isOfDetail == true ? visits.count - 2 : visits.count - 1
        if let page = visits[place].page as? VersionsPage { lookUp(page, visits[place]) }
        if visit.page is NamesPage {
            let missing = rowsOnScreen(of: visit).compactMap { ($0 as? NameRow)?.version }
                .filter { scene.browsing.entries[$0] == nil }
            if !missing.isEmpty { effects.append(.browse(.entries(missing))) }
        }
    }

    /// Of plain mode all.
    private func rowsOnScreen(of visit: Visit) -> [any Row] {
        let layout = Layout(size: panes?.list ?? size, scene: scene)
        let shown = scene.isPlain ? Array(visit.rows.indices) : layout.lines(of: visit).map(\.row)
        return shown.compactMap { visit.rows.indices.contains($0) ? visit.rows[$0] : nil }
    }

    private mutating func lookUp(_ page: VersionsPage, _ visit: Visit) {
        if page.isSearch, page.filter.search.isEmpty || VersionSearch(page.filter.search).fault(scene.phrases.clock) != nil {
            return
        }
        let isHere = scene.browsing.number(of: page.filter) != nil
        let number = scene.browsing.begin(page.filter, scene, open: visits.compactMap { ($0.page as? VersionsPage)?.filter })
        if !isHere { pages.expire() }
        if page.isSearch { scene.browsing.search(number) }
        if !scene.isPlain { scene.browsing.want(visit.focus, in: number) }
        if let filter = scene.browsing.renew(number) { effects.append(.browse(.list(number, filter))) }
        let missing = scene.browsing.show(rowsOnScreen(of: visit).compactMap { $0 as? VersionRow })
        if !missing.isEmpty { effects.append(.browse(.entries(missing))) }
        scene.browsing.fit((panes?.list ?? size).columns, scene.phrases)
    }

    mutating func hear(_ answer: BrowseAnswer) {
        switch answer {
        case .list(let number, let steps, let isAtEnd): listed(number, steps, isAtEnd: isAtEnd)
        case .listEnds(let number, let end): scene.browsing.end(number, end)
        case .names(let names): named(names)
        case .entries(let entries): scene.browsing.add(entries)
        case .detail(let detail): scene.browsing.detail = detail
        case .comparison(let comparison): scene.browsing.comparison = comparison
        case .past(let past): scene.browsing.past = past
        case .files(let files): scene.browsing.files = files
        case .restored(let id, let changes, let conflicts): restored(id, changes, conflicts)
        case .reverted(let id, let changes): reverted(id, changes)
        }
        switch answer {
        case .names, .entries, .list, .listEnds, .restored, .reverted: break
        default: arrived()
        }
    }

    /// Tags and branches are others: what they name has its place in the list.
    private mutating func named(_ names: [VersionID: Browsing.Names]) {
        let before = scene.browsing.names ?? [:]
        scene.browsing.names = names
        if before.isEmpty, visit.page is NamesPage { return arrived() }
        guard !before.isEmpty, before != names else { return }
        scene.browsing.renewGraphs()
        pages.expire()
    }

    /// What the page waited for is here: it begins where it would have begun with it.
    private mutating func arrived() {
        pages.expire()
        refresh()
        if let start = visit.page.start(in: scene) { focus(on: start) }
    }

    private mutating func listed(_ number: Int, _ steps: [VersionList.Step], isAtEnd: Bool) {
        guard scene.browsing.lists.indices.contains(number) else { return }
        let page = visit.page as? VersionsPage
        let isShown = page.map { scene.browsing.number(of: $0.filter) == number } ?? false
        var focused: VersionID?
        if isShown, case .version(let id)? = row?.id { focused = id }
        let hadNone = scene.browsing.lists[number].count == 0
        scene.browsing.take(number, steps, isAtEnd: isAtEnd, until: focused)
        pages.expire()
        refresh()
        let list = scene.browsing.lists[number]
        guard isShown, hadNone || list.isComplete else { return }
        // The focus waited above what is here now.
        if hadNone, typing == nil, list.count > 0 { focus(on: .version(list.id(0))) }
        if page?.isSearch == true, list.isComplete {
            say(Self.matches(list.count))
        } else if list.isComplete, list.wanted == .max, !(status.isRefusal) {
            scene.browsing.lists[number].wanted = list.count
            pages.top.focus(nearest: visit.rows.count - 1, searching: -1, layout)
        }
    }

    private static func matches(_ count: Int) -> String {
        count == 0 ? "nothing matches" : count == 1 ? "1 match" : "\(count) matches"
    }

    mutating func answer(_ wish: BrowseWish) {
        switch wish {
        case .restore(let places, let id): effects.append(.browse(.restore(places, id)))
        case .revert(let id, let subject):
            if !scene.draft.openConflicts.isEmpty { return perform(.done) }
            effects.append(.browse(.revert(id, only: subject)))
        case .mark(let id):
            scene.browsing.mark = scene.browsing.mark == id ? nil : id
            let compare = scene.isPlain ? "'compare NUMBER'" : "="
            say(
                scene.browsing.mark == nil
                    ? "The mark was removed" : "Marked \(id.short); \(compare) compares another version with it")
        case .compare(let id):
            guard let mark = scene.browsing.mark else {
                return say("mark a version first, with \(scene.isPlain ? "'mark NUMBER'" : "m")", isRefusal: true)
            }
            if mark == id { return say("this is the marked version; select another one", isRefusal: true) }
            let isEarlier = scene.browsing.isEarlier(mark, than: id, in: visit.page as? VersionsPage)
            let places = (visits.last { $0.page is VersionsPage }?.page as? VersionsPage)?.filter.places ?? []
            open(isEarlier ? ComparePage(mark, id, in: places) : ComparePage(id, mark, in: places))
        case .search(let words): searchVersions(words)
        case .match(let direction): matchVersion(direction)
        case .more:
            guard let page = visit.page as? VersionsPage, let number = scene.browsing.number(of: page.filter) else { return }
            scene.browsing.lists[number].plainRows += Browsing.plainRows
            let rows = scene.browsing.lists[number].plainRows
            scene.browsing.lists[number].wanted = max(rows + 1, scene.browsing.lists[number].wanted)
            say("\(Browsing.plainRows) more versions were read; an empty line shows the page")
            pages.expire()
        case .all:
            if let page = visit.page as? VersionsPage, let number = scene.browsing.number(of: page.filter),
                !scene.browsing.lists[number].isComplete
            {
                scene.browsing.lists[number].wanted = .max
                say("Searching the history\(scene.glyphs.ellipsis)")
            }
            pages.top.focus(nearest: visit.rows.count - 1, searching: -1, layout)
        }
    }

    private mutating func restored(_ id: VersionID, _ changes: [Change], _ conflicts: [Conflict]) {
        var words = conflicts.map { "\($0.title) stays: \($0.reason ?? "it no longer fits")" }
        if !changes.isEmpty, scene.draft.restore(changes, from: id) {
            let made = changes.count > 3 ? "\(changes.count) changes" : scene.sentence(changes)
            words.insert("Restored: \(made); \(doneWords)", at: 0)
            report(.changed(words.joined(separator: "; ")))
        } else {
            if words.isEmpty { words = ["Nothing to restore: everything is as it was at that version"] }
            say(words.joined(separator: "; "), isRefusal: !conflicts.isEmpty)
        }
    }

    private mutating func reverted(_ id: VersionID, _ changes: [Change]) {
        if changes.contains(where: { $0.renaming != nil }) {
            return say(
                "\(id.short) renames an option or group \(scene.glyphs.separator) settings revert \(id.short)", isRefusal: true)
        }
        let before = scene.draft.content
        guard scene.draft.revert(changes, of: id) else {
            return say("Nothing to revert: the changes of \(id.short) are no longer in effect", isRefusal: true)
        }
        let count = scene.draft.openConflicts.count
        let made = scene.sentence(scene.draft.content.changes(since: before))
        var words = made.isEmpty ? "" : "Reverted: \(made)"
        if count > 0 {
            if !words.isEmpty { words += "; " }
            words += "\(count == 1 ? "1 option was" : "\(count) options were") changed since: choose a side"
        } else {
            words += "; \(doneWords)"
        }
        report(.changed(words))
        if count > 0 { open(ConflictsPage()) }
    }

    /// What is to be done for changes to be recorded.
    private var doneWords: String { scene.isPlain ? "'done' records it" : "c records it" }

    /// Searches for these words, as plain mode and scripts ask for it.
    mutating func searchVersions(_ words: String) {
        let page = (visit.page as? VersionsPage) ?? VersionsPage()
        let filter = VersionFilter(places: page.filter.places, search: words.trimmingSpaces)
        pages.typing = nil
        status = Status()
        guard page.isSearch, visit.page is VersionsPage else { return open(VersionsPage(searching: filter)) }
        pages.typed(words, into: VersionsPage.field, layout)
        guard let number = scene.browsing.number(of: filter) else { return }
        let list = scene.browsing.lists[number]
        if list.count > 0 { focus(on: .version(list.id(0))) }
        if list.isComplete { say(Self.matches(list.count)) }
    }

    /// In a list of matches the row below or above; elsewhere the nearest version that matches.
    private mutating func matchVersion(_ direction: Int) {
        guard let page = visit.page as? VersionsPage else { return }
        if page.isSearch { return perform(direction > 0 ? .down : .up) }
        guard let number = scene.browsing.search else { return say("Search first, with /", isRefusal: true) }
        let list = scene.browsing.lists[number]
        let matches = Set((0..<list.count).map { list.id($0) })
        let rows = visit.rows
        var place = visit.focus + direction
        while rows.indices.contains(place) {
            if let row = rows[place] as? VersionRow, matches.contains(row.version) {
                focus(on: row.id)
                return
            }
            place += direction
        }
        say(direction > 0 ? "no earlier version matches" : "no later version matches", isRefusal: true)
    }
}
