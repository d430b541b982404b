import SettingsModel
import SettingsText

extension Editor {
    /// What happened outside.
    mutating func hear(_ event: Event) {
        switch event {
        case .loaded(let loaded): reload(loaded)
        case .recorded(let words, let changes, let version): recorded(words, changes, by: version)
        case .failed(let reason): say(reason, isRefusal: true)
        case .edited(let id, let text):
            status = Status()
            guard let text else { return say("The editor failed; nothing was changed", isRefusal: true) }
            if let row = visit.rows.first(where: { $0.id == id }) { answer(row.commit(text, in: scene)) }
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
        case .offered(let kept):
            scene.offered = kept
            open(RecoverPage(kept))
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

    private mutating func recorded(_ words: String, _ changes: [Change], by version: VersionID?) {
        scene.begin(with: changes, by: version)
        pages.expire()
        pages.close(to: (visits.lastIndex { $0.page is GroupPage } ?? 0) + 1, layout)
        pages.typing = nil
        effects.append(.forget)
        refresh()
        say(words)
    }

    /// The store is another one than a moment ago. What is being typed stays.
    private mutating func reload(_ loaded: Loaded) {
        let before = scene.draft.base
        let wanted = scene.draft.changes
        let found = scene.take(loaded)
        pages.expire()
        refresh()
        effects += visit.page.questions(in: scene)
        if found > 0 {
            let options = found == 1 ? "an option" : "\(found) options"
            let act = loaded.author.map { "\($0) recorded another change" } ?? "Somebody edited the file"
            say("\(act) of \(options) that you changed; c settles it")
            if visit.page is DonePage {
                answer(.back)
                open(ConflictsPage())
            }
        } else if before == loaded.content {
            if let words = loaded.movedWords { say(words) }
        } else {
            let act =
                loaded.movedWords ?? loaded.author.map { "\($0) recorded" } ?? "Edited by hand"
            let gone = wanted.filter { change in
                !scene.draft.changes.contains { $0.subject == change.subject && $0.facet == change.facet }
            }
            let same = gone.isEmpty ? "" : "; what you changed of \(gone[0].title)\(gone.count > 1 ? " and more" : "") is so now"
            say("\(act): \(scene.sentence(loaded.content.changes(since: before)))\(same)")
        }
        if !scene.draft.steps.isEmpty { effects.append(.keep) }
    }
}

extension Loaded {
    /// What is checked out now.
    fileprivate var movedWords: String? {
        movedTo.map { place in resetTo.map { "\(place) is now at \($0.short)" } ?? "The store is on \(place) now" }
    }
}
