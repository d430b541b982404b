import SettingsModel
import SettingsText

extension Editor {
    /// Takes what happened in, and says what is to be done outside.
    package mutating func step(_ event: Event) -> [Effect] {
        effects = []
        switch event {
        case .key(let key): press(key)
        case .together(let key): press(key, isAlone: false)
        case .burst(let keys): take(keys)
        case .paste(let text): paste(text)
        case .click(let row, let column): click(Grid.Position(row: row, column: column))
        case .resize(let size):
            self.size = size
        case .act(let act):
            status = Status()
            perform(act)
        case .focus(let id): focus(on: id)
        case .set(let id, let word): set(id, word)
        case .search(let words): search(words)
        case .type(let text):
            pages.typing?.field = Field(text)
        default: hear(event)
        }
        refresh()
        lookUp()
        return effects
    }

    private mutating func press(_ key: Keystroke, isAlone: Bool = true) {
        status = Status()
        if typing != nil, type(key) { return }
        let act = KeyTable.act(for: key, isBrowsing: visit.page is any BrowserPage)
        if let row, row.isSlider(in: scene), let count = KeyTable.sliderSteps[key] {
            return answer(row.step(by: count, in: scene))
        }
        if case .character(let character) = key, character != " ", key != .character("?"),
            let field = row.flatMap({ visit.page.field(at: $0.id, in: scene) }),
            let target = visit.rows.first(where: { $0.id == field })
        {
            return answer(target.type(character, in: scene))
        }
        // Where a digit can be typed it is no command.
        if case .character(let character) = key, character.isNumber, let row, row.takes(character, in: scene) {
            return answer(row.type(character, in: scene))
        }
        if case .character(let character) = key, act == nil {
            return answer(row?.type(character, in: scene) ?? .refuse("'\(String(character).visible)' does nothing here"))
        }
        guard let act else { return say("\(key.name) does nothing here; ? lists the keys", isRefusal: true) }
        if let words = confirmation(of: act) {
            if case .character = key { return refuse(words) }
            if !isAlone { return refuse(Self.again(key)) }
        }
        perform(act)
    }

    /// What to press instead of a character where the act records or drops something: what is typed may be a text that was
    /// meant for somewhere else.
    private func confirmation(of act: Act) -> String? {
        if act == .done, visit.page is DonePage { return "Enter on Done or Ctrl-S records the changes" }
        guard [.open, .toggle].contains(act), let row, row.isConfirmed else { return nil }
        return "Enter chooses \(row.title(in: scene))"
    }

    mutating func perform(_ act: Act) {
        if let response = visit.page.act(act, in: scene) ?? row?.act(act, in: scene) { return answer(response) }
        if let response = pages.move(act, layout) { return answer(response) }
        switch act {
        case .undo: report(scene.undo())
        case .redo: report(scene.redo())
        case .look:
            scene.setsApart = !layout.setsApart(visit)
            pages.expire()
        case .browse, .commit, .pane, .restore, .revert, .mark, .compare, .page, .raw, .names: browse(act)
        default: answer(PageActs(scene: scene, pages: pages).response(to: act))
        }
    }

    /// The first click focuses a row, the next one opens it. A click in the other pane goes there first. In the first line, Done
    /// and the page before take one, and on a slider it moves that.
    private mutating func click(_ place: Grid.Position) {
        if place.row == 0, let act = Head(self, width: panes?.width ?? pageSize.columns).act(at: place.column) {
            // What is being typed is accepted first, or stays where it is.
            if typing != nil { return press(act == .done ? .control("s") : .escape) }
            status = Status()
            return perform(act)
        }
        guard typing == nil else { return }
        var line = place.row
        var isInOtherPane = false
        if let panes {
            let isInDetail = panes.line > 0 ? place.row > panes.line : place.column >= panes.column
            if isInDetail { line -= panes.line }
            isInOtherPane = isInDetail != panes.isOfDetail
            if isInOtherPane {
                if visit.page.showsDifference(in: scene) { return }
                perform(.pane)
            }
        }
        guard let number = layout.lines(of: visit).first(where: { $0.line == line })?.row, visit.rows[number].isFocusable
        else { return }
        status = Status()
        let row = visit.rows[number]
        if row.isSlider(in: scene), let fraction = fraction(of: row, at: place.column) {
            focus(on: row.id)
            return answer(row.move(to: fraction, in: scene))
        }
        if visit.focus == number, !isInOtherPane { return perform(.open) }
        focus(on: row.id)
    }

    /// How far a click on a column moves a row's slider; nil beside it.
    private func fraction(of row: any Row, at column: Int) -> Double? {
        let start = Layout.titleColumn
        let parts = RowLine(row, width: layout.size.columns - start, namesKeys: visit.page.namesKeys, in: scene)
        return parts.bar == nil ? nil : Bar.fraction(at: column - start - parts.barColumn)
    }

    /// Does what a row or a page answered.
    mutating func answer(_ response: Response) {
        switch response {
        case .nothing: break
        case .refuse(let reason, let kind): refuse(reason, kind)
        case .say(let words): say(words)
        case .open(let page): open(page)
        case .back:
            pages.close(to: visits.count - 1, layout)
            effects += visit.page.questions(in: scene)
        case .edit(let items, let isAdjustment, let words):
            report(scene.edit(items, isAdjustment: isAdjustment, words))
        case .type(let typing):
            let found = option(of: typing.row).map { scene.draft.found($0) }
            pages.typing = typing
            pages.typing?.found = found
            focus(on: typing.row)
        case .merge(let item, let found): report(scene.merge(item, found))
        case .discardText(let id):
            scene.invalidTexts[id] = nil
            say("The text was discarded")
        case .dismiss(let change): report(scene.dismiss(change))
        case .settle(let open, let pick): report(scene.settle(open, pick))
        case .answer(let question, let pick): answer(question, pick)
        case .sheet(let sheet):
            scene.sheet = sheet
            report(.changed(nil))
        case .focus(let id): focus(on: id)
        case .search(let row, let words):
            pages.typed(words, into: row, layout)
            guard let words, focus(on: row) else { return }
            pages.typing = Typing(row: row, field: Field(words))
        case .matches(let keys): scene.matches = keys
        case .effect(.take):
            answer(.back)
            report(scene.takeUp())
        case .effect(.drop):
            scene.discarded = scene.offered
            scene.offered = nil
            answer(.back)
            effects.append(.drop)
            say("The earlier changes were discarded; \(scene.command("u", plain: "undo")) brings them back")
        case .effect(let effect): effects.append(effect)
        case .perform(let act): perform(act)
        case .browse(let wish): self.answer(wish)
        case .all(let responses): for response in responses { answer(response) }
        }
    }

    /// The option that a text in a row is for.
    private func option(of row: RowID) -> Subject? {
        if case .option(let key) = row { return .option(key) }
        return (visit.page as? ChoicePage).map { .option($0.key) }
    }

    /// Where the draft or the sheet is another one, it is kept and shown.
    mutating func report(_ outcome: DraftOutcome) {
        switch outcome {
        case .same: return
        case .refused(let reason, let kind): return refuse(reason, kind)
        case .changed(let words):
            pages.expire()
            if let words { say(words) }
        }
        effects.append(scene.draft.steps.isEmpty && scene.sheet == scene.freshSheet ? .forget : .keep)
        refresh()
    }

    /// A word for a row's value.
    private mutating func set(_ id: RowID, _ word: String) {
        status = Status()
        guard focus(on: id), let row else { return refuse("This row is no longer on the page", .missing) }
        answer(row.set(word, in: scene))
    }
}
