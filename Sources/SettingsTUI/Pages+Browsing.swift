import SettingsModel
import SettingsPages
import SettingsStore
import SettingsText

extension Pages {
    /// Whether more of a history is to be read.
    package var isBusy: Bool { ending == nil && walks.next(editor.scene.browsing) != nil }

    /// Reads a further part of a history.
    package func work() {
        guard let list = walks.next(editor.scene.browsing) else { return }
        read(list)
    }

    /// Reads as much of histories as pages want, and looks for open questions, where nobody waits for keys.
    package func catchUp() {
        while isBusy { work() }
        if !editor.scene.facts.questions.isKnown { lookForQuestions() }
    }

    private func read(_ list: Int, isFirst: Bool = false) {
        do throws(Problem) {
            let filter = editor.scene.browsing.lists[list].filter
            let searches = !filter.places.isEmpty || !filter.search.isEmpty
            let part = try walks.read(list, searches: searches, isFirst: isFirst)
            if part.isCutOff { send(.browsed(.listEnds(list, .shallowClone))) }
            send(.browsed(.list(list, part.steps, isAtEnd: part.isAtEnd)))
        } catch { end(list, error) }
    }

    private func end(_ list: Int, _ problem: Problem) {
        damage = problem
        let words = PageHints.words(problem)
        send(.browsed(.listEnds(list, .unreadable(words))))
        send(.browsed(.list(list, [], isAtEnd: true)))
        send(.failed(words, problem.kind))
    }

    /// Tags and branches that somebody made or moved.
    func lookAtNames() -> Bool {
        guard let shown = editor.scene.browsing.names, !shown.isEmpty, let names = try? names(), names != shown else {
            return false
        }
        send(.browsed(.names(names)))
        return true
    }

    private func names() throws(Problem) -> [VersionID: Browsing.Names] {
        try session.ask(VersionNamesQuery()).mapValues {
            Browsing.Names(tags: $0.tags, branches: $0.branches, remotes: $0.remotes, isHead: $0.isHead)
        }
    }

    func perform(_ request: BrowseRequest) {
        do throws(Problem) { try answer(request) } catch {
            let words = PageHints.words(error)
            switch request {
            case .list(let list, _): end(list, error)
            case .names: break
            case .entries(let ids):
                let entry = Browsing.Entry(nil, changes: nil, count: 0)
                send(.browsed(.entries(Dictionary(ids.map { ($0, entry) }) { first, _ in first })))
            case .detail(let id):
                var detail = Browsing.Detail(id)
                detail.problem = words
                send(.browsed(.detail(detail)))
            case .compare(let old, let new): send(.browsed(.comparison(Browsing.Comparison(old, new, [], problem: words))))
            case .past(let id): send(.browsed(.past(Browsing.Past(id, SettingsContent(), unreadable: [words]))))
            case .files(let id): send(.browsed(.files(Browsing.Files(id, [], problem: words))))
            case .restore, .revert, .name: send(.failed(words, error.kind))
            }
        }
    }

    private func answer(_ request: BrowseRequest) throws(Problem) {
        switch request {
        case .list(let list, let filter):
            try walks.begin(list, filter, editor.scene.phrases.clock, in: session)
            read(list, isFirst: true)
        case .names: send(.browsed(.names(try names())))
        case .entries(let ids): send(.browsed(.entries(try entries(ids))))
        case .detail(let id):
            let found = try session.ask(VersionDetailQuery(id))
            var detail = Browsing.Detail(id)
            detail.version = found.version
            detail.changes = found.changes
            detail.isSigned = found.isSigned
            detail.isComplete = found.isComplete
            send(.browsed(.detail(detail)))
        case .compare(let old, let new):
            let found = try session.ask(DiffQuery([], from: old, to: new))
            let unreadable = found.unreadable.first.map { "\($0.path) cannot be read: \(PageHints.words($0.problem))" }
            send(
                .browsed(
                    .comparison(Browsing.Comparison(old, new, found.changes, problem: found.changes.isEmpty ? unreadable : nil))))
        case .past(let id):
            let found = try session.ask(PastSettingsQuery(id))
            send(
                .browsed(
                    .past(
                        Browsing.Past(
                            id, found.settings, unreadable: found.unreadable.map { PageHints.words($0) },
                            renamed: found.renamed))))
        case .files(let id): send(.browsed(.files(try files(of: id))))
        case .restore(let places, let id):
            let found = try session.ask(RestoreQuery(places, from: id))
            send(.browsed(.restored(id, found.changes, conflicts: found.conflicts)))
        case .revert(let id, let subject): send(.browsed(.reverted(id, try session.ask(RevertQuery(id, only: subject)))))
        case .name(let work): perform(work)
        }
    }

    private func perform(_ work: NameWork) {
        do {
            let done = try outside.done(session)
            switch work {
            case .newBranch(let name, let id):
                _ = try session.perform(BranchAction.add(name, id), done)
                send(.notice("Created the branch \(name) at \(id.short)"))
            case .newTag(let name, let id):
                _ = try session.perform(TagAction.add(name, id), done)
                send(.notice("Tagged \(id.short) as \(name)"))
            case .checkOut(let name):
                _ = try session.perform(SwitchAction(name), done)
                reload(tellsAuthor: true)
            }
            _ = lookAtNames()
        } catch let problem as Problem {
            send(.failed(PageHints.words(problem), problem.kind))
        } catch { send(.failed("\(error)")) }
    }

    private func entries(_ ids: [VersionID]) throws(Problem) -> [VersionID: Browsing.Entry] {
        var entries: [VersionID: Browsing.Entry] = [:]
        for id in ids { entries[id] = Browsing.Entry(nil, changes: nil, count: 0) }
        for listed in try session.ask(ListedVersionsQuery(ids)) {
            entries[listed.version.id] = Browsing.Entry(listed.version, changes: listed.changes, count: listed.count)
        }
        return entries
    }

    /// A file with a masked text is not shown, unless masked texts are.
    private func files(of id: VersionID) throws(Problem) -> Browsing.Files {
        let found = try session.ask(ChangedFilesQuery(id))
        let reveals = editor.scene.wording.revealsMasked
        var lines: [FileLine] = []
        for file in found.files {
            if !reveals, file.isMasked {
                lines += [FileLine(.file, file.subject.path), FileLine(.note, "It holds a masked text, which is not shown.")]
                continue
            }
            lines += FileLine.difference(
                of: file.subject.path, from: file.before.map { String(decoding: $0, as: UTF8.self) },
                to: file.after.map { String(decoding: $0, as: UTF8.self) })
        }
        if found.more > 0 { lines.append(FileLine(.note, "And \(found.more) more files.")) }
        return Browsing.Files(id, lines, isComplete: found.isComplete)
    }
}
