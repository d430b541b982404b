import SettingsModel

/// What acts do on any page, where neither the page nor the row has an answer of its own.
struct PageActs {
    let scene: Scene
    let pages: PageStack

    private var page: any Page { pages.top.page }
    private var row: (any Row)? { pages.top.row }

    func response(to act: Act) -> Response {
        switch act {
        case .open: row?.open(in: scene) ?? .refuse("There is nothing to open here")
        case .toggle: row?.toggle(in: scene) ?? .refuse("There is nothing to change here")
        case .back:
            pages.visits.count > 1 ? .back : .refuse("This is the first page; \(scene.command("q", plain: "quit")) leaves")
        case .close: close()
        case .unset: .refuse("This row has no value")
        case .less: step(-1)
        case .more: step(1)
        case .tenLess: step(-10)
        case .tenMore: step(10)
        case .reset: row?.reset(in: scene) ?? .refuse("There is nothing to reset here")
        case .info: row?.info(in: scene) ?? .refuse("This page has no further information")
        case .search: .open(SearchPage())
        case .next: match(1)
        case .previous: match(-1)
        case .changes: changes()
        case .help: .open(HelpPage())
        case .done: done()
        case .leave: leave()
        case .history: history()
        case .stage, .unstage: .refuse("Only an edit of a file can be staged or unstaged", .usage)
        case .suspend: .effect(.suspend)
        case .redraw: .effect(.redraw)
        case .delete: .refuse("d does nothing: Del resets a value or removes a label, u undoes")
        default: .refuse("This key does nothing here")
        }
    }

    /// On a page of changes those of the row, line by line.
    private func changes() -> Response {
        guard page.showsDifference(in: scene) || page is ChangesPage else { return .open(ChangesPage()) }
        let changes = page.changes(at: row?.id, in: scene)
        return changes.isEmpty ? .refuse("There is no difference to show here") : .open(DifferencePage(changes))
    }

    private func step(_ count: Int) -> Response { row?.step(by: count, in: scene) ?? .refuse("Only a number has steps") }

    /// Esc closes exactly one thing.
    private func close() -> Response {
        if pages.visits.count > 1 { return .back }
        if let question = invalidText { return question }
        return scene.draft.isEmpty ? .all([.effect(.forget), .effect(.quit(.empty))]) : .open(LeavePage())
    }

    /// What an editor left and no option can have would be lost.
    private var invalidText: Response? {
        guard let invalid = scene.invalidTexts.values.first else { return nil }
        let question = Response.refuse("The text would be lost; edit it again or discard it first")
        return page is InvalidTextPage ? question : .all([.open(invalid), question])
    }

    /// The draft is kept.
    private func leave() -> Response {
        if let question = invalidText { return question }
        if let offered = scene.offered { return .effect(.quit(.kept(offered.draft.changes.count))) }
        let count = scene.recordableCount
        if scene.draft.steps.isEmpty || count == 0 && scene.draft.openConflicts.isEmpty {
            return .all([.effect(.forget), .effect(.quit(.empty))])
        }
        return .all([.effect(.keep), .effect(.quit(.kept(count)))])
    }

    private func done() -> Response {
        if let open = scene.draft.openConflicts.first {
            let page: [Response] = self.page is ConflictsPage ? [] : [.open(ConflictsPage())]
            return .all(page + [.focus(ConflictRow(open).id), .refuse("Choose a side of each conflict first", .conflict)])
        }
        guard scene.recordableCount > 0 else {
            return .refuse("\(scene.command("c", plain: "done")) records changes, and there are none yet")
        }
        return .all([.effect(.reasons), .open(DonePage())])
    }

    private func history() -> Response {
        guard case .option(let key)? = row?.id else { return .refuse("Only an option has a history") }
        return .open(VersionsPage([key]))
    }

    /// Goes to the next match on its own page.
    private func match(_ direction: Int) -> Response {
        if let page = page as? SearchPage {
            return row?.id == SearchPage.field ? page.found(in: scene) : .perform(direction > 0 ? .down : .up)
        }
        let matches = scene.matches
        guard !matches.isEmpty else { return .refuse("Search first, with /") }
        var place = direction > 0 ? 0 : matches.count - 1
        if case .option(let key)? = row?.id, let index = matches.firstIndex(of: key) {
            place = (index + direction + matches.count) % matches.count
        }
        let id = RowID.option(matches[place])
        let group = matches[place].group
        let go: Response =
            if let page = page as? GroupPage, page.key == group { .focus(id) } else { .open(GroupPage(group, at: id)) }
        return .all([go, .say("Match \(place + 1) of \(matches.count)")])
    }
}
