import SettingsModel
import SettingsText

extension Editor {
    /// What happened outside.
    mutating func hear(_ event: Event) {
        switch event {
        case .loaded(let loaded): reload(loaded)
        case .recorded(let words, let changes, let version): recorded(words, changes, by: version)
        case .failed(let reason, let kind): refuse(reason, kind)
        case .unkept(let reason, let isLeaving):
            let isNew = scene.facts.unkept == nil
            scene.facts.unkept = reason
            pages.expire()
            guard let reason, isNew || isLeaving else { return }
            if isLeaving, !(visit.page is LeavePage) { open(LeavePage()) }
            refuse(reason)
        case .edited(let id, let text): edited(text, id)
        case .origins(let origins, let areAll):
            scene.facts.origins.merge(origins) { $1 }
            if areAll { scene.facts.hasAllOrigins = true }
            pages.expire()
            if areAll, typing == nil { found() }
        case .browsed(let answer): hear(answer)
        case .reasons(let reasons):
            scene.facts.reasons = reasons
            pages.expire()
        case .waiting(let waiting):
            scene.facts.waiting = waiting
            pages.expire()
        case .offered(let kept, let others):
            scene.offered = kept
            open(RecoverPage(kept, others: others))
        case .notice(let words): say(words)
        case .fileEdits(let edits, let work): heard(edits, work)
        case .questions(let questions): heard(questions)
        case .idle:
            scene.makeIndex()
            if !scene.facts.questions.isKnown { effects.append(.questions) }
        case .clock(let clock):
            scene.phrases.clock = clock
            pages.expire()
        default: break
        }
    }

    /// What the person's editor made of an option's data; nil if it failed. A text that is refused is kept.
    private mutating func edited(_ text: String?, _ id: RowID) {
        status = Status()
        guard let text else { return say("The editor failed; nothing was changed", isRefusal: true) }
        if let field = visit.rows.first(where: { $0.id == id }) as? FieldRow {
            return answer(field.commit(text.trimmingSpaces, in: scene))
        }
        guard case .option(let key) = id, scene.content.options[key] != nil else { return }
        let found = scene.invalidTexts[id]?.found ?? scene.draft.found(.option(key))
        let isOther = scene.draft.isOther(than: found)
        var then = scene
        if isOther { then.draft = scene.draft.when(found) }
        guard let option = then.content.options[key], let row = OptionRows.row(key, option) as? any EditedRow else { return }
        let response = row.commit(row.text(from: text), in: then)
        switch isOther ? response.since(found) : response {
        case .refuse(let reason, _):
            let page = InvalidTextPage(row: row, text: text, reason: reason, found: found)
            scene.invalidTexts[id] = page
            open(page)
            say("The text was not accepted; edit it again or discard it", isRefusal: true)
        case .say:
            scene.invalidTexts[id] = nil
            say("Nothing was changed")
        case let response:
            scene.invalidTexts[id] = nil
            answer(response)
        }
    }

    private mutating func recorded(_ words: String, _ changes: [Change], by version: VersionID?) {
        scene.begin(with: changes, by: version)
        pages.expire()
        pages.close(to: (visits.lastIndex { $0.page is GroupPage } ?? 0) + 1, layout)
        pages.typing = nil
        effects.append(.forget)
        refresh()
        say(words)
    }
}
