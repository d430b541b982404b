import Files
public import SettingsModel
package import SettingsStore

/// The settings of a store, for a program that keeps running: values are read from memory, changes are told whoever makes them,
/// and a Done is recorded with who and why, without blocking a thread of the program's.
///
/// It may be used from every thread and every task. It ends when it is closed, or when nothing refers to it.
public actor Settings {
    private let thread: ServiceThread
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    let publisher = Publisher()
    /// Walks through the history, which may take long.
    let reader: StoreReader
    /// Reads what came in, for those who follow the store: a walk for somebody else must not keep them waiting.
    let follower: StoreReader
    private let folder: StoreFolder
    private let caller: Caller
    private nonisolated let clock: @Sendable () -> Clock
    private let readsDrafts: Bool

    private var store: OpenStore
    private var watcher: Watcher?
    private var drafts: DraftWatcher?
    private var isClosed = false
    /// When the last look was, whether it found anything or not.
    private var looked = ContinuousClock.now

    /// Even where the system tells nothing, as network file systems do, so often it is looked.
    private static let interval = Duration.seconds(5)

    /// Opens a store and reads its last version.
    ///
    /// `path`: the store's folder; nil for the one that `SETTINGS_STORE` names or that is found from the current folder, as the
    /// command line finds it. `drafts`: what the files hold is read, also what nobody has recorded, as `settings get` does.
    ///
    /// Throws `.missing` where there is no store, `.busy` where the system has no thread to spare.
    public static func open(_ path: String? = nil, drafts: Bool = false) async throws(SettingsError) -> Settings {
        let folder = try explaining { () throws(Problem) in try Self.folder(path) }
        let settings = try Settings(folder, readsDrafts: drafts)
        try await settings.begin()
        return settings
    }

    private init(_ folder: StoreFolder, readsDrafts: Bool) throws(SettingsError) {
        let sudoUser = ThisProcess.sudoUser
        let caller = Caller(sudoUser: sudoUser)
        let clock: @Sendable () -> Clock = { Clock.local(now: ThisProcess.now) }
        do throws(SystemFailure) {
            thread = try ServiceThread()
            do throws(SystemFailure) {
                reader = try StoreReader(folder, by: caller, clock)
                follower = try StoreReader(folder, by: caller, clock)
            } catch {
                thread.end()
                throw error
            }
        } catch { throw SettingsError(.file(.failed(error))) }
        (self.folder, self.caller, self.clock, self.readsDrafts) = (folder, caller, clock, readsDrafts)
        store = OpenStore(folder, by: caller, readsOnly: false, clock)
    }

    deinit {
        publisher.close()
        thread.end()
    }

    private static func folder(_ path: String?) throws(Problem) -> StoreFolder {
        let sudoUser = ThisProcess.sudoUser
        let current = ThisProcess.folder
        if let named = path ?? ThisProcess.variable("SETTINGS_STORE") {
            let whole = FileSystem.absolute(named, in: current ?? "", home: home)
            if let folder = try StoreFolder.existing(whole, sudoUser: sudoUser) { return folder }
            throw .file(.isNoStore(named))
        }
        if let current, let folder = try StoreFolder.find(from: current, sudoUser: sudoUser) { return folder }
        throw .file(.isNoStore(current ?? "."))
    }

    private static var home: String? { ThisProcess.variable("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } }

    private func begin() throws(SettingsError) {
        try explaining { () throws(Problem) in
            try folder.checkFormat()
            let watcher = try store.use().watcher()
            self.watcher = watcher
            if readsDrafts { drafts = try store.use().draftWatcher() }
            var snapshot = SettingsSnapshot()
            if let id = try watcher.tip() { try snapshot.read(id, watcher) }
            snapshot.branch = try watcher.branch
            publisher.publish(snapshot)
            if readsDrafts { try readFiles() }
        }
        thread.whenIdle { [weak self] readable in
            self?.assumeIsolated { $0.idle(readable) } ?? ServiceThread.Wait()
        }
    }

    // MARK: Following the store

    private func idle(_ readable: Set<Int32>) -> ServiceThread.Wait {
        if isClosed { return ServiceThread.Wait() }
        var isNews = ContinuousClock.now - looked >= Self.interval
        if let watcher, watcher.descriptor.map(readable.contains) ?? false, watcher.takeHint() { isNews = true }
        if let drafts, drafts.descriptor.map(readable.contains) ?? false, drafts.takeHint() { isNews = true }
        if isNews { look() }
        let descriptors = [watcher?.descriptor, drafts?.descriptor].compactMap { $0 }
        let rest = Self.interval - (.now - looked)
        return ServiceThread.Wait(for: descriptors, atMost: min(store.close() ?? rest, rest))
    }

    /// Takes what has happened to the store. What can't be read now is read at the next look.
    private func look() {
        looked = .now
        do {
            try readVersions()
            if readsDrafts { try readFiles() }
        } catch {
            // The snapshot stays what it was: whoever asks the store is told what is wrong with it.
        }
    }

    private func readVersions() throws(Problem) {
        guard let watcher else { return }
        var snapshot = publisher.snapshot
        let before = (snapshot.head, snapshot.branch)
        var subjects: Set<Subject> = []
        var isOther = false
        var hasMore = true
        var events: [StoreEvent] = []
        while hasMore {
            let news = try watcher.changes(since: snapshot.head)
            events += news.events
            for event in news.events {
                switch event {
                case .recorded(_, let changes): snapshot.note(changes, in: &subjects)
                case .rewritten(let rewriting):
                    if let changes = rewriting.changes { snapshot.note(changes, in: &subjects) } else { isOther = true }
                }
            }
            snapshot.head = news.id
            hasMore = news.hasMore
        }
        snapshot.branch = try watcher.branch
        guard let id = snapshot.head, (id, snapshot.branch) != before else { return }
        if isOther {
            try snapshot.read(id, watcher)
        } else {
            for (subject, item) in try watcher.items(subjects, at: id) { snapshot.take(item, of: subject) }
        }
        publisher.publish(snapshot, events)
    }

    /// Takes what the files hold, where drafts are read.
    private func readFiles() throws(Problem) {
        drafts?.begin()
        let read = try store.use().ask(SettingsQuery())
        var snapshot = publisher.snapshot
        snapshot.take(read.settings, unreadable: read.unreadable)
        publisher.publish(snapshot)
    }

    // MARK: Recording

    /// Records what `edit` changes, in one version; nil where it changes nothing.
    ///
    /// The edit is made on the present snapshot and runs once. What others record meanwhile stays. `why`, `requestedBy` and
    /// `tickets` are the version's reason, who asked for it and the tickets; `by` is its author, the account's git identity where
    /// it is nil. The committer is always the account. `onlyAt`: the version that must be the last one.
    ///
    /// Throws `.conflict`, with both sides, where somebody else changed the same option to something else, where the last version
    /// is another one than `onlyAt`, and while git is in the middle of a merge or rebase; `.busy` where the store's lock was held
    /// for 10 seconds; `.policy` where the store asks for a reason or a ticket. Nothing is recorded then. If the task is cancelled
    /// before the version is being written, it isn't recorded; afterwards it is finished.
    @discardableResult
    public func done(
        why: String?, by author: Author? = nil, requestedBy: [String] = [], tickets: [String] = [],
        onlyAt version: String? = nil, _ edit: @Sendable (inout SettingsEdit) throws(SettingsError) -> Void
    ) async throws(SettingsError) -> SettingsVersion? {
        var made = SettingsEdit(snapshot)
        try edit(&made)
        let changes = made.changes
        if changes.isEmpty, version == nil { return nil }
        let expected = try version.map { word throws(SettingsError) in try Self.id(word) }
        return try record(.changes(changes), by: author, why: why) { done in
            (done.requestedBy, done.tickets, done.expected) = (requestedBy, tickets, expected)
        }
    }

    /// Takes back what a version changed, or of it what lies in `only`; nil where that is so already.
    ///
    /// Throws `.missing` where there is no such version, `.conflict` where the same was changed since.
    @discardableResult
    public func revert(
        _ version: String, only: [Key] = [], why: String?
    ) async throws(SettingsError) -> SettingsVersion? {
        let id = try Self.id(version)
        _ = try explaining { () throws(Problem) in try store.use().ask(RevisionQuery(version)) }
        return try record(.revert([id], only: only.map(\.description)), why: why)
    }

    /// Brings options and groups back to what they were; everything where no key is given. `when`: a version, or a time as the
    /// command line takes it (`2026-03-12 10:00`, `yesterday`). Nil where it is so already.
    @discardableResult
    public func restore(_ keys: [Key], from when: String, why: String?) async throws(SettingsError) -> SettingsVersion? {
        let version = try explaining { () throws(Problem) in try store.use().ask(VersionQuery(when)).version }
        return try record(.restore(keys.map(\.description), from: version.id), why: why)
    }

    private func record(
        _ request: Request, by author: Author? = nil, why: String?, _ complete: (inout Done) -> Void = { _ in }
    ) throws(SettingsError) -> SettingsVersion? {
        try explaining { () throws(Problem) in
            var done = try done(by: author?.person, via: "api")
            done.why = why.flatMap(VersionMessage.cleaned)
            complete(&done)
            switch try perform(request, done) {
            case .recorded(let version, let changes, _), .forwarded(let version, let changes, _):
                return SettingsVersion(version, changes)
            case .planned, .unchanged, .reformatted: return nil
            }
        }
    }

    // MARK: For interfaces in this package

    /// What a version says of itself unless somebody says more: the author, by default the account's identity; the account as
    /// the committer, who signs it where `commit.gpgSign` is set; the time.
    package func done(by author: Person? = nil, via: String) throws(Problem) -> Done {
        let session = store.use()
        let identity = Identity(
            sudoUser: caller.sudoUser, at: clock(), variable: { ThisProcess.variable($0) }, configured: { session.configured($0) }
        )
        let time = clock().time(clock().now)
        let person = if let author { author } else { try identity.author }
        var done = Done(
            author: person, authorTime: time, committer: try identity.committer, time: time, via: via)
        done.signing = signing(as: done.committer, session)
        return done
    }

    /// Nobody is asked for a passphrase: nobody sits where this process runs, and everybody who records would wait.
    private func signing(as committer: Person, _ session: Session) -> Result<Signing, SigningProblem>? {
        let folder = ThisProcess.folder ?? "/"
        let configuration = SignatureConfiguration(
            configured: { session.configured($0) }, userConfigured: { session.userConfigured($0) },
            variables: ThisProcess.variables, absolute: { FileSystem.absolute($0, in: folder, home: Self.home) })
        return configuration.signing(askedFor: ["commit.gpgSign"], as: committer).map { $0.map(\.unattended) }
    }

    /// Throws where versions are to be signed and can't be, as by a key that asks for a passphrase.
    package func checkSigning() throws(Problem) {
        if let signing = try done(via: "api").signing { try Signing.check(signing) }
    }

    /// Records a request on the thread for writing; the snapshot has it when this returns.
    package func perform(_ request: Request, _ done: Done) throws(Problem) -> Outcome {
        if isClosed || Task.isCancelled { throw .interrupted }
        let outcome = try store.use().perform(request, done)
        if outcome.isNews {
            look()
            Task { [reader] in await reader.maintain() }
        }
        return outcome
    }

    /// As `perform`, with dots for what is masked in what is told of the version. It is asked here: whoever reads the history may
    /// keep the other thread for long. What can't be asked is left out, as the version is recorded.
    package func performMasking(_ request: Request, _ done: Done) throws(Problem) -> Outcome {
        let outcome = try perform(request, done)
        let session = store.use()
        func masked(_ version: Version, _ changes: [Change]) -> (Version, [Change]) {
            guard let shown = try? session.ask(MaskingQuery(changes)) else { return (version.untold, []) }
            if shown == changes { return (version, changes) }
            return ((try? session.ask(VersionDetailQuery(version.id)))?.version ?? version.untold, shown)
        }
        switch outcome {
        case .recorded(let version, let changes, let notes):
            let (version, changes) = masked(version, changes)
            return .recorded(version, changes, notes: notes)
        case .forwarded(let version, let changes, let notes):
            let (version, changes) = masked(version, changes)
            return .forwarded(version, changes, notes: notes)
        case .planned(let subject, let changes):
            let shown = try session.ask(MaskingQuery(changes))
            return .planned(subject: shown == changes ? subject : Wording().message(of: shown).subject, shown)
        case .unchanged, .reformatted: return outcome
        }
    }

    package func perform<Work: Action & Sendable>(_ action: Work, _ done: Done) throws(Problem) -> Work.Outcome {
        if isClosed || Task.isCancelled { throw .interrupted }
        defer { look() }
        return try store.use().perform(action, done)
    }

    /// Asks on the thread for reading. What takes longer than `limit` throws `.interrupted`.
    package nonisolated func ask<Question: Query>(
        _ question: Question, atMost limit: Duration? = nil
    ) async throws(Problem) -> Question.Answer {
        try await reader.ask(question, atMost: limit)
    }

    /// Asks on the thread for those who follow: what is asked for each new version, and answered without a walk through the history.
    package nonisolated func askFollowing<Question: Query>(_ question: Question) async throws(Problem) -> Question.Answer {
        try await follower.ask(question, atMost: nil)
    }

    package nonisolated var present: Clock { clock() }

    /// What `transform` makes of each snapshot and of what happened since the one before, in order and on the thread for writing: it
    /// sees every one, also those whose elements nobody took in time. The first is the present one.
    package nonisolated func arrivals<Element: Sendable>(
        _ transform: @escaping @Sendable (_ snapshot: SettingsSnapshot, _ events: [StoreEvent]) -> Element?
    ) -> AsyncStream<Element> {
        publisher.arrivals { transform($0.snapshot, $0.events) }
    }

    /// What happened since a version was the last one, or since the beginning for nil: each version once and in order, not always
    /// everything at once, and from where to ask next.
    package nonisolated func events(since id: VersionID?) async throws(Problem) -> Watcher.News {
        try await follower.events(since: id)
    }

    /// What the files hold and nobody recorded.
    package nonisolated func draft() async throws(Problem) -> Draft { try await follower.draft(at: snapshot.head) }

    /// Versions with what they changed: those that were found within `limit`.
    package nonisolated func versions(
        _ query: HistoryQuery, atMost limit: Duration? = nil
    ) async throws(Problem) -> FoundVersions {
        try await reader.versions(query, atMost: limit)
    }

    /// Closes the store once what is being recorded has been. All that follow it come to their end.
    public func close() async {
        isClosed = true
        publisher.close()
        watcher = nil
        drafts = nil
        _ = store.close(after: .zero)
        await reader.close()
        await follower.close()
    }

    /// What a version is called in words, as an id.
    static func id(_ word: String) throws(SettingsError) -> VersionID {
        if let id = VersionID(hex: word) { return id }
        throw SettingsError(.usage, "'\(word)' is not the id of a version: 40 hexadecimal digits are.")
    }
}

extension Version {
    /// Without the words that its changes are told with.
    fileprivate var untold: Version {
        var version = self
        (version.message.subject, version.message.details) = ("", [])
        return version
    }
}
