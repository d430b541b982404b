import SettingsModel
import SettingsText

extension Editor {
    /// Takes what happened in, and says what is to be done outside.
    package mutating func step(_ event: Event) -> [Effect] {
        effects = []
        switch event {
        case .key(let key): press(key)
        case .paste(let text): paste(text)
        case .click(let row, _): click(row)
        case .resize(let size):
            self.size = size
        case .act(let act):
            status = Status()
            perform(act)
        case .focus(let id): focus(on: id)
        case .set(let id, let word): set(id, word)
        case .search(let words): search(words)
        case .type(let text):
            typing?.field = Field(text)
        default: hear(event)
        }
        refresh()
        return effects
    }

    /// What happened outside.
    private mutating func hear(_ event: Event) {
        switch event {
        case .loaded(let loaded): reload(loaded)
        case .recorded(let words, let changes): recorded(words, changes)
        case .failed(let reason): say(reason, isRefusal: true)
        case .edited(let id, let text): edited(id, text)
        case .origins(let origins, let areAll):
            scene.facts.origins.merge(origins) { $1 }
            if areAll { scene.facts.hasAllOrigins = true }
            generation += 1
            if areAll, typing == nil, visit.page is SearchPage {
                refresh()
                found()
            }
        case .history(let key, let versions):
            scene.facts.histories[key] = versions
            generation += 1
        case .fileEdits(let edits, let work): heard(edits, work)
        case .questions(let questions): heard(questions)
        case .reasons(let reasons):
            scene.facts.reasons = reasons
            generation += 1
        case .offered(let kept):
            offered = kept
            open(RecoverPage(kept))
        case .notice(let words): say(words)
        case .idle:
            if scene.index == nil { scene.index = SearchIndex(scene.content) }
            if !scene.facts.questions.isKnown { effects.append(.questions) }
        case .clock(let clock):
            scene.phrases.clock = clock
            generation += 1
        default: break
        }
    }

    private mutating func press(_ key: Keystroke) {
        status = Status()
        if typing != nil, type(key) { return }
        let act = KeyTable.act(for: key)
        if let row, row.isSlider(in: scene), let count = Self.steps[key] {
            return answer(row.step(by: count, in: scene))
        }
        // Where a digit can be typed it is no command.
        if case .character(let character) = key, character.isNumber, let row, row.takes(character, in: scene) {
            return answer(row.type(character, in: scene))
        }
        if case .character(let character) = key, act == nil {
            return answer(row?.type(character, in: scene) ?? .refuse("'\(String(character).visible)' does nothing here"))
        }
        guard let act else { return say("\(key.name) does nothing here; ? lists the keys", isRefusal: true) }
        perform(act)
    }

    /// What the keys do that move a slider.
    private static let steps: [Keystroke: Int] = [
        .left: -1, .right: 1, .shiftLeft: -10, .shiftRight: 10, .pageDown: -10, .pageUp: 10,
    ]

    mutating func perform(_ act: Act) {
        if let response = visit.page.act(act, in: scene) ?? row?.act(act, in: scene) { return answer(response) }
        if move(act) { return }
        switch act {
        case .open: answer(row?.open(in: scene) ?? .refuse("there is nothing to open here"))
        case .toggle: answer(row?.toggle(in: scene) ?? .refuse("there is nothing to change here"))
        case .back: visits.count > 1 ? back() : say("This is the first page; q leaves", isRefusal: true)
        case .close: close()
        case .less, .more, .tenLess, .tenMore: step(act)
        case .reset: answer(row?.reset(in: scene) ?? .refuse("there is nothing to reset here"))
        case .info: answer(row?.info(in: scene) ?? .refuse("there is nothing to tell here"))
        case .undo: undo()
        case .redo: redo()
        case .search: open(SearchPage())
        case .next, .previous: match(act == .next ? 1 : -1)
        case .commit: commitFiles()
        case .changes: open(ChangesPage())
        case .help: open(HelpPage())
        case .done: done()
        case .leave: leave()
        case .history: history()
        case .suspend: effects.append(.suspend)
        case .redraw: effects.append(.redraw)
        case .look:
            scene.isGrouped.toggle()
            generation += 1
        case .delete: say("d does nothing: Del resets a value or removes a label, u undoes", isRefusal: true)
        default: say("that does nothing here", isRefusal: true)
        }
    }

    private mutating func step(_ act: Act) {
        let counts: [Act: Int] = [.less: -1, .more: 1, .tenLess: -10, .tenMore: 10]
        answer(row?.step(by: counts[act] ?? 0, in: scene) ?? .refuse("only a number has steps"))
    }

    /// Does what a row or a page answered.
    mutating func answer(_ response: Response) {
        switch response {
        case .nothing: break
        case .refuse(let reason): say(reason, isRefusal: true)
        case .say(let words): say(words)
        case .open(let page): open(page)
        case .back: back()
        case .edit(let items, let isAdjustment, let words): edit(items, isAdjustment: isAdjustment, words)
        case .type(let typing):
            self.typing = typing
            focus(on: typing.row)
        case .dismiss(let change):
            if scene.draft.dismiss(change) { changed("Dismissed: \(sentence([change]))") }
        case .settle(let open, let pick):
            if let reason = scene.draft.settle(open, pick) {
                say(reason, isRefusal: true)
            } else {
                changed("\(open.conflict.title): \(scene.wording.words(open.side(pick)))")
            }
        case .answer(let question, let pick): answer(question, pick)
        case .sheet(let sheet):
            scene.sheet = sheet
            changed(nil)
        case .focus(let id): focus(on: id)
        case .effect(.take): takeUp()
        case .effect(.drop):
            offered = nil
            back()
            effects.append(.drop)
            say("The earlier changes were discarded")
        case .effect(let effect): effects.append(effect)
        case .perform(let act): perform(act)
        case .all(let responses): for response in responses { answer(response) }
        }
    }

    private mutating func edit(
        _ items: [(subject: Subject, item: SettingsContent.Item?)], isAdjustment: Bool, _ words: String?
    ) {
        var before = SettingsContent()
        for (subject, _) in items { before[subject] = scene.content[subject] }
        guard scene.draft.apply(items, isAdjustment: isAdjustment) else { return }
        var after = SettingsContent()
        for (subject, _) in items {
            after[subject] = scene.content[subject]
            if before[subject]?.option?.labels != after[subject]?.option?.labels { scene.index = nil }
        }
        changed(words ?? sentence(after.changes(since: before)))
    }

    /// The draft or the sheet is another one: it is kept, and shown.
    mutating func changed(_ words: String?) {
        generation += 1
        if let words { say(words) }
        effects.append(scene.draft.steps.isEmpty && scene.sheet == Sheet() ? .forget : .keep)
        refresh()
    }

    func sentence(_ changes: [Change]) -> String {
        changes.told.flatMap(\.lines).map { scene.wording.sentence($0).plain }.joined(separator: "; ")
    }

    private mutating func edited(_ id: RowID, _ text: String?) {
        status = Status()
        guard let text else { return say("the editor failed; nothing was changed", isRefusal: true) }
        guard let row = visit.rows.first(where: { $0.id == id }) else { return }
        answer(row.commit(text, in: scene))
    }

    /// A word for a row's value.
    private mutating func set(_ id: RowID, _ word: String) {
        status = Status()
        guard focus(on: id), let row else { return say("there is no such row", isRefusal: true) }
        answer(row.set(word, in: scene))
    }
}
