import Files
package import SettingsModel
package import SettingsPages
package import SettingsStore
package import SettingsText

/// Pages of a store: the editor, and what does outside what it wants. Front ends send events and draw.
package final class Pages {
    package private(set) var editor: Editor
    let session: Session
    let outside: Outside
    /// The histories that are being read.
    var walks = Walks()
    private var kept: KeptEdits?
    /// Whether the file of the draft is up to date.
    private var isKept = true
    private let watch: StoreWatch
    private var head: HeadQuery.Answer
    /// Why the store could not be read the last time.
    private var trouble: Problem?
    /// What kept a history from being read to its end.
    var damage: Problem?
    /// What ends the pages; nil while they go on.
    package private(set) var ending: Effect.Ending?
    /// Why the draft is lost with this process; nil if it isn't.
    private var unkept: String?
    /// Why something that was asked for could not be done, the first time.
    package private(set) var failure: Problem.Kind?
    /// Whether a long history is read while keys are taken.
    var takesKeysMeanwhile = false
    private var questionSearch: QuestionSearch?
    /// Leaves the screen to an editor, or to the shell; set by the front end.
    package var lend: (_ work: () -> Void) -> Void = { work in work() }
    package var suspend: () -> Void = {}
    package var redraw: () -> Void = {}

    /// `place`: an option or a group; nil for everything.
    package init(
        _ session: Session, at place: String?, isBrowser: Bool = false, phrases: Phrases,
        size: Grid.Size = Grid.Size(columns: 80, rows: 24), sheet: Sheet = Sheet(), _ outside: Outside
    ) throws(Problem) {
        self.session = session
        self.outside = outside
        watch = StoreWatch(session, watchesNames: isBrowser)
        let answer = try session.ask(PagesQuery(at: isBrowser ? nil : place))
        head = HeadQuery.Answer(answer.head?.id, on: answer.branch)
        if isBrowser {
            var past = Key.root
            if let place { past = try session.ask(PastPlaceQuery(place)) }
            editor = Editor(Self.loaded(answer), browsing: past, phrases: phrases, size: size, sheet: sheet)
            for effect in editor.begin() { perform(effect) }
        } else {
            editor = Editor(Self.loaded(answer), at: answer.place, phrases: phrases, size: size, sheet: sheet)
        }
    }

    /// The newest versions, before the settings are read.
    private init(first session: Session, browsing place: Key, phrases: Phrases, size: Grid.Size, _ outside: Outside) {
        self.session = session
        self.outside = outside
        watch = StoreWatch()
        head = HeadQuery.Answer(nil, on: nil)
        editor = Editor(Loaded(SettingsContent()), browsing: place, phrases: phrases, size: size)
        for effect in editor.begin() { perform(effect) }
    }

    /// The screen that a browser begins with, before the settings are read.
    static func firstVersions(
        _ session: Session, at place: String?, phrases: Phrases, size: Grid.Size, _ outside: Outside
    ) throws(Problem) -> Grid {
        var key = Key.root
        if let place { key = try session.ask(PastPlaceQuery(place)) }
        return Pages(first: session, browsing: key, phrases: phrases, size: size, outside).editor.draw()
    }

    /// The screen that the pages begin with, before everything is read; nil where that has to be known first.
    static func firstFrame(_ session: Session, at place: String?, phrases: Phrases, size: Grid.Size) -> Grid? {
        guard let first = (try? session.ask(FirstPageQuery(place, rows: size.rows))) ?? nil else { return nil }
        return Editor(Loaded(first.settings), at: first.place, phrases: phrases, size: size).draw()
    }

    private static func loaded(_ answer: PagesQuery.Answer, author: String? = nil) -> Loaded {
        Loaded(
            answer.settings, head: answer.head?.id, branch: answer.branch, handEdited: answer.handEdited,
            unreadable: answer.unreadable, author: author)
    }

    /// Looks for a draft that was kept. Afterwards this one is kept there.
    package func offerKept() {
        showWaiting()
        do throws(Problem) {
            var isLater = false
            kept = try session.keptEdits(leaving: { file in
                guard KeptDraft.isLater(file: file) else { return false }
                isLater = true
                return true
            })
            if kept == nil { losesDraft() }
            if isLater { send(.notice("Earlier changes were made by a newer version of settings and are kept for it")) }
            guard let bytes = try kept?.read() else { return }
            guard var draft = KeptDraft(file: bytes) else {
                try kept?.setAside()
                return send(.notice("Earlier changes cannot be read; they are left in .git/settings"))
            }
            // A draft on a version that is gone is merged by the names that it has.
            if let then = draft.head, then != head.id, let answer = try? session.ask(PagesQuery(since: then)) {
                draft.renames = answer.renames
            }
            send(.offered(draft, others: kept?.others ?? 0))
        } catch {
            losesDraft(error)
        }
    }

    private func losesDraft(_ problem: Problem? = nil) {
        let reason = problem.map { ": \(PageHints.words($0))" } ?? ""
        unkept = "Changes cannot be kept here, so leaving discards them\(reason)"
        send(.unkept(unkept, isLeaving: false))
    }

    /// How the pages ended, or end now.
    package func end() -> Effect.Ending {
        keepDraft()
        let ending = ending ?? .kept(editor.scene.draft.changes.count)
        if unkept != nil, case .kept(let count) = ending { return .lost(count) }
        return ending
    }

    /// The failure so far, which no longer counts then.
    func takeFailure() -> Problem.Kind? {
        defer { failure = nil }
        return failure
    }

    /// For tests and for plain mode.
    package func become(plain isPlain: Bool) { editor.becomePlain(isPlain) }

    /// The page is shown as a list, whose numbers count from now on.
    func list() { editor.list() }

    package func send(_ event: Event) {
        let refusals = editor.refusals
        for effect in editor.step(event) { perform(effect) }
        if failure == nil, editor.refusals != refusals, let kind = editor.status.refusal, kind != .no { failure = kind }
        // What the store has to report would disturb the screen if it were printed.
        for notice in outside.notices() { for effect in editor.step(.notice(PageHints.sentence(notice))) { perform(effect) } }
    }

    /// What to wait for beside keys, and for how long.
    var descriptors: [Int32] { watch.descriptors }
    var patience: Duration { questionSearch == nil ? watch.patience : min(watch.patience, QuestionSearch.patience) }

    /// Looks whether somebody recorded something or edited a file, if it is time to. True if the screen may be another one now.
    func lookIfDue() -> Bool {
        if questionSearch?.hasEnded == true {
            questionSearch = nil
            lookForQuestions()
            return true
        }
        let hasEvents = watch.take()
        return watch.patience == .zero ? look(hasEvents: hasEvents) : false
    }

    /// The same at once.
    @discardableResult
    package func look() -> Bool { look(hasEvents: watch.take()) }

    private func look(hasEvents: Bool) -> Bool {
        if lookAtFiles() { return true }
        let isNamed = watch.takeNames() && lookAtNames()
        guard hasEvents || watch.isBlind || (try? session.ask(HeadQuery())) != head else {
            watch.rest()
            return isNamed
        }
        return reload(tellsAuthor: true) || isNamed
    }

    /// Reads everything again, whether or not the system reported anything.
    private func readAgain() {
        editor.readAgain()
        if !lookAtFiles() { reload(tellsAuthor: true) }
        _ = lookAtNames()
        send(.clock(session.clock))
    }

    @discardableResult
    func reload(tellsAuthor: Bool) -> Bool {
        watch.begin()
        do throws(Problem) {
            let answer = try session.ask(PagesQuery(since: head.id))
            trouble = nil
            let (isRecorded, isMoved) = (answer.head?.id != head.id, answer.branch != head.branch)
            head = HeadQuery.Answer(answer.head?.id, on: answer.branch)
            var loaded = Self.loaded(answer, author: tellsAuthor && isRecorded ? answer.head?.author.name : nil)
            if tellsAuthor, isMoved || isRecorded && !answer.isContinued {
                loaded.movedTo = answer.branch ?? answer.head?.id.short
                if !isMoved { loaded.resetTo = answer.head?.id }
            }
            loaded.renames = answer.renames
            if editor.scene.shows(loaded) { return false }
            send(.clock(session.clock))
            send(.loaded(loaded))
            showWaiting()
        } catch {
            // What can't be read now may be in a moment; it is told once.
            if trouble == error { return false }
            trouble = error
            send(.failed(words(error)))
        }
        return true
    }

    /// A problem in words; of a store that was moved away, nothing else is worth saying.
    private func words(_ problem: Problem) -> String {
        let isGone = (try? FileSystem.isThere(session.folder.path)) == false
        return isGone ? "the store is no longer in \(session.folder.path)" : PageHints.words(problem)
    }

    private func showWaiting() {
        guard let found = try? session.reading.openConfirmations().open, !found.isEmpty || !editor.scene.facts.waiting.isEmpty
        else {
            return
        }
        send(.waiting(found.map { WaitingVersion($0.confirmation, $0.changes.changes) }))
    }

    /// Keeps a version that waits to be confirmed, or reverts it.
    private func confirm(_ id: VersionID, keeps: Bool) {
        do {
            let done = try outside.done(session)
            let outcome = try session.perform(ConfirmAction([id], keeps ? .confirm : .cancel), done)
            var text = keeps ? "Confirmed \(id.short)" : "Reverted \(id.short)"
            if !outcome.left.isEmpty { text += "; left unchanged: \(CommandLineHints.names(outcome.left))" }
            reload(tellsAuthor: false)
            send(.notice(text))
        } catch let problem as Problem {
            send(.failed(PageHints.words(problem), problem.kind))
        } catch {
            send(.failed("\(error)"))
        }
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .keep: isKept = false
        case .forget, .drop: forget()
        case .record(let changes, let sheet): record(changes, sheet)
        case .edit(let row, let text, let name): edit(row, text, name)
        case .origins(let keys):
            send(.clock(session.clock))
            origins(keys)
        case .browse(let request): perform(request)
        case .files(let work): perform(work)
        case .questions:
            guard questionSearch == nil else { return }
            if takesKeysMeanwhile { questionSearch = QuestionSearch(session) }
            if questionSearch == nil { lookForQuestions() }
        case .reasons: send(.reasons((try? session.ask(ReasonsQuery())) ?? []))
        case .confirm(let id, let keeps): confirm(id, keeps: keeps)
        case .suspend: suspend()
        case .redraw:
            redraw()
            readAgain()
        case .quit(let ending):
            if ending == .discarded { forget() }
            if case .kept = ending, editor.scene.offered == nil {
                keepDraft()
                if let unkept { return send(.unkept(unkept, isLeaving: true)) }
            }
            self.ending = ending
        case .take: break
        }
    }

    /// Writes the draft if it has changed. The screen is drawn first: waiting for a disk takes longer than a frame.
    /// True if that failed, which the screen says then.
    @discardableResult
    package func keepDraft() -> Bool {
        guard !isKept else { return false }
        isKept = true
        guard let kept else { return false }
        let draft = KeptDraft(editor.scene.draft, editor.typedSheet, on: editor.scene.draftBranch, at: head.id)
        do throws(Problem) {
            try kept.write(draft.file)
            guard unkept != nil else { return false }
            unkept = nil
            send(.unkept(nil, isLeaving: false))
            return false
        } catch {
            losesDraft(error)
            return true
        }
    }

    private func forget() {
        isKept = true
        try? kept?.remove()
    }

    /// Whether another branch is checked out than when the person looked last, who is told then.
    func isElsewhere() -> Bool {
        let branch = head.branch
        guard let now = try? session.ask(HeadQuery()), now.branch != branch else { return false }
        reload(tellsAuthor: true)
        if editor.scene.draft.openConflicts.isEmpty {
            send(.failed("\(editor.status.text); nothing was recorded yet, Done records there", .conflict))
        }
        return true
    }

    private func record(_ changes: [Change], _ sheet: Sheet) {
        if isElsewhere() { return }
        do {
            switch try perform(request(recording: changes), done(for: sheet)) {
            case .recorded(let version, let made, let notes):
                let text = self.words(version, made, notes)
                send(.recorded(words: text, made, by: version.id))
                reload(tellsAuthor: false)
                send(.notice(text))
            case .unchanged, .reformatted, .planned, .forwarded:
                send(.recorded(words: "Nothing to record: already set", [], by: nil))
                reload(tellsAuthor: false)
            }
        } catch let problem as Problem {
            // Somebody was faster: where that conflicts, its page says what to do.
            if problem.isOvertaken {
                reload(tellsAuthor: true)
                if !editor.scene.draft.openConflicts.isEmpty {
                    let words = editor.status.text
                    send(.act(.done))
                    return send(.notice(words))
                }
            }
            send(.failed(editor.scene.waysOut(of: changes) ?? words(problem), problem.kind))
        } catch {
            send(.failed("\(error)"))
        }
    }

    /// Who records, now, and what the sheet says of it.
    func done(for sheet: Sheet) throws -> Done {
        var done = try outside.done(session)
        done.why = sheet.reason
        done.requestedBy = sheet.requesters
        done.tickets = sheet.tickets
        if let wait = sheet.wait { done.confirmBy = wait.end(at: session.clock) }
        return done
    }

    /// What was recorded, in a line.
    func words(_ version: Version, _ changes: [Change], _ notes: [Notice]) -> String {
        let words = editor.scene.phrases.sentences(changes).map { $0.rendered(coloured: false) }
        let deadline = version.message.ownDeadline
        if let deadline { outside.waits(session, deadline) }
        var text = "Recorded \(version.id.short)"
        if let deadline {
            let time = editor.scene.phrases.deadline(deadline)
            text += "; confirm it by \(time)"
        }
        text += ": \(words.first ?? version.message.subject)"
        if words.count > 1 { text += ", and \(words.count - 1) more" }
        if let note = notes.first { text += "; \(PageHints.words(note))" }
        return text
    }

    /// A program that signs may ask for a passphrase at the terminal.
    func perform(_ request: Request, _ done: Done) throws(Problem) -> Outcome {
        guard done.signing != nil else { return try session.perform(request, done) }
        var result: Result<Outcome, Problem>?
        lend { result = Result { () throws(Problem) in try session.perform(request, done) } }
        guard let result else { return .unchanged }
        return try result.get()
    }

    private func edit(_ row: RowID, _ text: String, _ name: String) {
        var event = Event.edited(row, nil)
        lend {
            do {
                let edited = try session.edited(text, in: name) { path in
                    if let reason = outside.edit(path) { throw EditorFailed(reason: reason) }
                }
                event = .edited(row, edited ?? text)
            } catch let problem as Problem {
                event = .failed(PageHints.words(problem), problem.kind)
            } catch let failure as EditorFailed { event = .failed("\(failure.reason); nothing was changed") } catch {}
        }
        send(event)
    }

    private struct EditorFailed: Error { var reason: String }

    private func origins(_ keys: [Key]) {
        var origins: [Key: Version?] = [:]
        for key in keys { origins[key] = .some(nil) }
        if let answer = try? session.ask(BlameQuery(keys.map(\.description))) {
            for blame in answer.blames { origins[blame.key] = .some(blame.version) }
        }
        send(.origins(origins, areAll: keys.isEmpty))
    }
}
