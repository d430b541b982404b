import Files
package import SettingsModel

/// A store as one caller uses it: what an interface asks is a plain value, and so is what it gets back, an outcome, an answer
/// or a problem.
///
/// It belongs to one thread, as its store does; sessions of the same store, and of others, may live beside it. The store is
/// opened when it is first needed: what is read from the files alone needs no git.
package final class Session {
    /// The store's files.
    package let folder: StoreFolder
    package let caller: Caller
    private let now: () -> Clock
    /// What is reported beside outcomes and answers.
    private let reports: Reporting
    private let readsOnly: Bool
    private var opened: Store?
    /// What reads and writes other programs' files that the store keeps in step; without it, what would change one is refused.
    package var formats: (any FileFormats)? { didSet { opened?.tracking.formats = formats } }
    /// Files that this person has kept in step with the store and that no version has.
    package var personalFiles: PersonalFiles? { didSet { opened?.tracking.personal = personalFiles } }

    /// Where a session reports what is neither an outcome, an answer nor a problem.
    package struct Reporting {
        /// Something went otherwise than expected although nothing failed.
        package var notice: (Notice) -> Void
        /// Asked now and then, during work that goes through many versions and while another process is waited for: whether to
        /// go on. Where not, what is under way ends with the problem `.interrupted`; what is being recorded is finished.
        package var progress: (Versions.Progress) -> Bool

        package init(
            notice: @escaping (Notice) -> Void = { _ in }, progress: @escaping (Versions.Progress) -> Bool = { _ in true }
        ) {
            self.notice = notice
            self.progress = progress
        }
    }

    /// `now`: asked for the time whenever it counts, in a session that goes on for long.
    /// `readsOnly` makes it faster to go through a long history, as `Store.open` says.
    package init(
        _ folder: StoreFolder, by caller: Caller, now: @escaping () -> Clock, readsOnly: Bool = false,
        _ reports: Reporting = Reporting()
    ) {
        self.folder = folder
        self.caller = caller
        self.now = now
        self.readsOnly = readsOnly
        self.reports = reports
    }

    package convenience init(
        _ folder: StoreFolder, by caller: Caller, at clock: Clock, readsOnly: Bool = false, _ reports: Reporting = Reporting()
    ) {
        self.init(folder, by: caller, now: { clock }, readsOnly: readsOnly, reports)
    }

    package init(_ store: Store, by caller: Caller, at clock: Clock) {
        folder = store.folder
        self.caller = caller
        now = { clock }
        readsOnly = false
        reports = Reporting()
        opened = store
    }

    var store: Store { get throws(Problem) { try store(patience: nil) } }

    /// `patience`: how long to wait for others who write, if it has to be opened.
    private func store(patience: Double?) throws(Problem) -> Store {
        if let opened { return opened }
        let store = try Store.open(
            folder, sudoUser: caller.sudoUser, readsOnly: readsOnly, patience: patience, formats: formats,
            progress: reports.progress)
        store.journal.warn = reports.notice
        store.journal.indexOfHook = caller.gitIndex
        store.tracking.personal = personalFiles
        opened = store
        return store
    }

    /// What times in words are counted from.
    package var clock: Clock { now() }

    func report(_ notice: Notice) { reports.notice(notice.at(clock)) }

    /// A session beside this one, made for going through a long history.
    package var reading: Session {
        let session = Session(folder, by: caller, now: now, readsOnly: true, reports)
        session.formats = formats
        session.personalFiles = personalFiles
        return session
    }

    /// The files as they stand. What a process that died left unfinished is finished first.
    var files: StoreFolder {
        if opened == nil, folder.hasUnfinishedDone { _ = try? store }
        return folder
    }

    /// Reads several of them as one version has them.
    func readingFiles<Result>(_ work: (StoreFolder) throws(Problem) -> Result) throws(Problem) -> Result {
        var isWanted = true
        return try files.reading(goesOn: {
            isWanted = reports.progress(.waiting(for: nil))
            return isWanted
        }) { files throws(Problem) in
            guard isWanted else { throw .interrupted }
            return try work(files)
        }
    }

    /// The version that is read where none is asked for: nil where that are the files as they stand.
    func version(_ asked: VersionID?) throws(Problem) -> VersionID? {
        guard asked == nil, folder.bareRepository != nil else { return asked }
        return try snapshot(nil).id
    }

    /// A version, or the last one.
    func snapshot(_ version: VersionID?) throws(Problem) -> Snapshot {
        if let version { try store.versions.snapshot(version) } else { try store.versions.tip() }
    }

    /// A value of git's configuration: the repository's own, the user's, the machine's.
    package func configured(_ key: String) -> String? { (try? store)?.versions.configured(key) }

    /// As `configured`, without what the repository says. Where the repository can't be opened, without any.
    package func userConfigured(_ key: String) -> String? {
        guard let store = try? store else { return Store.userConfigured(key) }
        return store.versions.userConfigured(key)
    }

    /// Whether `what` is reported for the first time in this clone; that is remembered.
    package func isFirst(_ what: String) throws(Problem) -> Bool { try store.journal.tellOnce(what) }

    /// Answers what is asked; nothing changes.
    package func ask<Question: Query>(_ question: Question) throws(Problem) -> Question.Answer {
        let trace = Trace.begin()
        defer { trace?.end("answered \(Trace.name(of: question))") }
        opened?.versions.beginWork()
        do throws(Problem) {
            let answer = try question.answer(in: self)
            try opened?.versions.checkIsWanted()
            return answer
        } catch { throw explained(error).at(clock) }
    }

    /// Records what is asked, in one version. When this throws, nothing has changed.
    package func perform(_ request: Request, _ done: Done) throws(Problem) -> Outcome {
        let trace = Trace.begin()
        defer { trace?.end("performed \(Trace.name(of: request))") }
        let store = try store(patience: done.patience)
        store.versions.beginWork()
        return try store.journal.serving(done) { () throws(Problem) in
            try takeBackExpired(done)
            do throws(Problem) {
                let outcome = try outcome(of: request, done, store)
                // It may have undone what was to be confirmed, or brought in its confirmation.
                if outcome.id != nil { try? store.confirming.tidy() }
                if outcome.changesNothing { try store.versions.checkIsWanted() }
                return warning(outcome, of: request, store)
            } catch { throw explained(error).at(clock) }
        }
    }

    private func outcome(of request: Request, _ done: Done, _ store: Store) throws(Problem) -> Outcome {
        switch request {
        case .edit(let edit):
            return try store.recorder.record(done) { tip throws(Problem) in
                let edit = try tip.edit(for: edit, by: self.caller)
                // Taking it back would remove a file that somebody made by hand.
                if done.confirmBy != nil, let new = edit.recordsDraft.min() {
                    throw .key(.isNotRecorded(new.key, isGroup: false, inStore: true))
                }
                return edit
            }
        case .changes(let changes, let reverts, let restoredFrom, let undone):
            return try store.recorder.record(done) { tip throws(Problem) in
                // What a version had comes back whoever may set it, as with 'settings revert'.
                let isSetting = reverts.isEmpty && restoredFrom == nil && undone == nil
                var edit = isSetting ? try tip.edit(recording: changes) : Edit(changes)
                edit.reverts = reverts
                edit.restoredFrom = restoredFrom
                edit.touched = Set(changes.map(\.subject))
                if let undone {
                    try store.reverting.name(undone, in: &edit, at: tip, by: store.versions.mailmap.person(done.author))
                }
                return edit
            }
        case .undo(let count):
            let outcome = try store.reverting.undo(count, by: store.versions.mailmap.person(done.author), done)
            if case .recorded(let version, _, _) = outcome { store.syncing.tellPublished(version.named.undoes) }
            return outcome
        case .redo(let count): return try store.reverting.redo(count, by: store.versions.mailmap.person(done.author), done)
        case .revert(let versions, let places):
            return try store.reverting.revert(versions.map { Reverting.Remainder($0) }, only: try pastPlaces(places), done)
        case .revertTickets(let tickets, let places):
            return try store.reverting.revert(tickets: tickets, only: try pastPlaces(places), done)
        case .restore(let words, let version, let isExact):
            let places = try places(words, then: version)
            let outcome = try store.reverting.restore(places, from: version, exactly: isExact, done)
            // Where the last version says the same, a file may not.
            if case .unchanged = outcome { try store.drafts.checkFiles(in: places, exactly: isExact) }
            return outcome
        case .recordDraft(let words):
            let places = try draftPlaces(words)
            return try store.tracking.takeIn(in: places, done, by: store.recorder) { () throws(Problem) in
                try store.drafts.record(in: places, done)
            }
        case .recordStaged(let expected): return try store.drafts.recordStaged(expected, done)
        case .settle(let settlements, let changes): return try store.merging.settle(settlements, with: changes, done)
        case .merge(let version, let wish): return try store.merging.merge(version, wish, done)
        case .resolve(let key, let facet, let answer):
            do throws(Problem) { return try store.merging.resolve(key, facet, answer, done) } catch {
                guard case .merge(.noQuestion) = error else { throw error }
                _ = try pastPlace(key.description)
                guard facet == nil || facet == .value, case .word(let word) = answer,
                    let outcome = try store.upkeep.choose(key, word, done)
                else { throw error }
                return outcome
            }
        case .nameMergeDriver: return try store.nameMergeDriver(done)
        }
    }

    /// Does what makes no version, or has more to report than one.
    package func perform<Work: Action>(_ action: Work, _ done: Done) throws(Problem) -> Work.Outcome {
        let trace = Trace.begin()
        defer { trace?.end("performed \(Trace.name(of: action))") }
        do throws(Problem) {
            let store = try store(patience: done.patience)
            store.versions.beginWork()
            return try store.journal.serving(done) { () throws(Problem) in try action.perform(in: self, done) }
        } catch { throw error.at(clock) }
    }

    /// What is there today, or was there then.
    private func places(_ words: [String], then version: VersionID) throws(Problem) -> [Key] {
        let (today, then) = (try snapshot(nil), try snapshot(version))
        return try words.map { word throws(Problem) in
            try [today, then].place(word, caller)
        }.limiting
    }

    /// The places that `words` name, in the files or in the last version; `_store.json` names the root's own files.
    func draftPlaces(_ words: [String]) throws(Problem) -> [Key] {
        guard !words.isEmpty else { return [] }
        let listing = try folder.listing()
        let subjects = listing.subjects
        let tip = try snapshot(nil)
        return try words.places { word throws(Problem) in
            let typed = caller.word(word)
            for key in typed.readings {
                if KeyLookup.isThere(key, onlyAsGroup: typed.isGroup, among: subjects) { return key }
                if try [tip].hold(key, onlyAsGroup: typed.isGroup) { return key }
            }
            for key in typed.readings { try folder.checkIsFollowed(key) }
            for key in typed.isGroup ? [] : typed.readings {
                let path = Subject.option(key).path
                if let stray = listing.strays.first(where: { $0.path == path }) { throw .file(.isStray(stray)) }
                guard let rule = try folder.ignoreRule(for: .option(key)) else { continue }
                throw .key(.isIgnored(word, path: path, rule: "\(rule)"))
            }
            return try tip.place(word, caller)
        }
    }

    /// The places that `words` name among what was discarded, or else in the files or in the last version.
    func discardedPlaces(_ words: [String]) throws(Problem) -> [Key] {
        guard !words.isEmpty else { return [] }
        let kept = try store.drafts.keptSubjects()
        var places: [Key] = []
        for word in words {
            let typed = caller.word(word)
            if let key = typed.readings.first(where: { KeyLookup.isThere($0, onlyAsGroup: typed.isGroup, among: kept) }) {
                if key.isRoot { return [] }
                places.append(key)
            } else {
                places += try draftPlaces([word])
            }
        }
        return places
    }
}

/// What somebody asks a store to record, in plain values. Keys are as they were written: they are looked up in the store.
package enum Request: Sendable {
    case edit(EditRequest)
    /// Changes that were made on what a version had; merged by meaning with what was recorded since.
    /// `reverts` and `restoredFrom` name the versions that they take back or come from, `undoes` the caller's own last version:
    /// where they take back all of it and nothing else, that is an undo, and otherwise a revert.
    case changes([Change], reverts: [VersionID] = [], restoredFrom: VersionID? = nil, undoes: VersionID? = nil)
    /// The caller's own latest versions.
    case undo(Int)
    case redo(Int)
    case revert([VersionID], only: [String] = [])
    case revertTickets([String], only: [String] = [])
    case restore([String], from: VersionID, isExact: Bool = false)
    /// Edits of the files, all of them where no key is named.
    case recordDraft([String] = [])
    /// What git's index holds, and no other edit of the files; only if it is `expected`, where that is known.
    case recordStaged(expected: [Change]? = nil)
    case merge(VersionID, MergeWish)
    case resolve(Key, Facet?, ConflictAnswer)
    /// Settles several questions in one version, with other changes.
    case settle([Settlement], with: [Change])
    /// In a store that was made without: `.gitattributes` names what merges its files.
    case nameMergeDriver

    /// Whether the store's policy about a reason applies.
    package var needsReason: Bool {
        switch self {
        case .undo, .redo, .merge, .nameMergeDriver: false
        case .edit, .changes, .revert, .revertTickets, .restore, .recordDraft, .recordStaged, .resolve, .settle: true
        }
    }
}

/// A question to a store, as a plain value; its answer is one, too, which other threads may have. Versions are named by their
/// ids: `VersionQuery` finds them.
package protocol Query: Sendable {
    associatedtype Answer: Sendable
    func answer(in session: Session) throws(Problem) -> Answer
}

/// Work on a store that makes no version, or has more to report than one, as a plain value.
package protocol Action {
    associatedtype Outcome: Sendable
    func perform(in session: Session, _ done: Done) throws(Problem) -> Outcome
}
