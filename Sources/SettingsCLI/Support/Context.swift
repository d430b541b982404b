import Files
import SettingsModel
import SettingsStore
import SettingsText

/// The environment of a command: its store, its user, its output.
struct Context {
    private(set) var environment: Environment
    let output: Output
    let global: GlobalRequest
    var revealsMasked = false

    init(_ global: GlobalRequest, reveal: Bool = false) {
        environment = .current
        output = Program.output
        output.configure(global)
        self.global = global
        revealsMasked = reveal
    }

    func caller(in folder: StoreFolder) -> Caller { environment.caller(in: folder) }

    var phrases: Phrases { phrases() }

    /// Words for where the output goes; `valueLimit` is the number of characters of a value that are shown.
    func phrases(valueLimit: Int = Wording().valueLimit) -> Phrases {
        let (environment, date) = (environment, global.date)
        return Phrases(
            wording: Wording(revealsMasked: revealsMasked, valueLimit: valueLimit, glyphs: environment.glyphs),
            clock: environment.clock, times: environment.times(date))
    }

    /// The same at this moment, in a process that has run for long.
    var now: Context {
        var context = self
        context.environment = .latest
        return context
    }

    /// Lines as a terminal shows them well; unchanged elsewhere.
    func wrapped(_ lines: [StyledText]) -> [StyledText] {
        guard let columns = environment.columns else { return lines }
        return lines.flatMap { $0.wrapped(into: columns) }
    }

    var reports: Reports { Reports(revealsMasked: revealsMasked) }

    /// The store's files, whatever state the repository is in.
    func storeFolder() throws -> StoreFolder { try findFolder() }

    /// The store's folder for a command that only reads: it may lie in a bare repository.
    func readFolder() throws -> StoreFolder { try findFolder(orBare: true) }

    private func findFolder(orBare: Bool = false) throws -> StoreFolder {
        let folder = try namedFolder()
        if let root = folder.bareRepository, !orBare { throw Problem.repository(.isBare(root: root)) }
        try folder.checkFormat()
        return folder
    }

    private func namedFolder() throws -> StoreFolder {
        if global.user { return try existing(try environment.userStore, hint: "'settings init --user' creates it") }
        if let path = global.store ?? environment["SETTINGS_STORE"] {
            if environment.isNowhere, !path.hasPrefix("/"), !path.hasPrefix("~") { throw Failure.nowhere }
            return try existing(environment.absolute(path), hint: "'settings init \(path.shellWord)' creates one")
        }
        if environment.isNowhere { throw Failure.nowhere }
        if let folder = try StoreFolder.find(from: environment.folder, sudoUser: environment.sudoUser) { return folder }
        try StoreFolder.checkNotDeleted(at: environment.folder, above: true, sudoUser: environment.sudoUser)
        for place in [environment["GIT_DIR"].map(environment.absolute), environment.folder].compactMap({ $0 }) {
            if let folder = try StoreFolder.inBareRepository(place, sudoUser: environment.sudoUser) { return folder }
        }
        let hint =
            environment["GIT_DIR"] == nil
            ? "'settings init' creates one here; --user uses your own; --store PATH names another"
            : "GIT_DIR does not choose the store; --store PATH names one"
        let place = environment.folder == "/" ? "/" : "\(environment.folder) or above it"
        throw Failure(.missing, CommandLineHints.noStore(in: place, hint: hint))
    }

    private func existing(_ path: String, hint: String) throws -> StoreFolder {
        if let folder = try StoreFolder.existing(path, sudoUser: environment.sudoUser) { return folder }
        throw Failure(.missing, CommandLineHints.noStore(in: path, hint: hint))
    }

    /// A session; `readsOnly` if nothing is recorded, which makes long histories faster to read.
    func session(readsOnly: Bool = false) throws -> Session { session(in: try findFolder(), readsOnly: readsOnly) }

    /// Also where an edit of `_store.json` gives it a later format, for what drops edits.
    func sessionOfAnyFormat() throws -> Session {
        let folder = try namedFolder()
        if let root = folder.bareRepository { throw Problem.repository(.isBare(root: root)) }
        return session(in: folder)
    }

    /// At another time than that of the command's start.
    func session(at clock: Clock) throws -> Session { session(in: try findFolder(), at: clock) }

    func session(in folder: StoreFolder, readsOnly: Bool = false, at clock: Clock? = nil) -> Session {
        // Whoever waits tries again and again, and examines the same versions each time.
        var waiting: (words: String, since: ContinuousClock.Instant)?
        let session = Session(
            folder, by: caller(in: folder), at: clock ?? environment.clock, readsOnly: readsOnly,
            Session.Reporting(
                notice: { notice in
                    let words = CommandLineHints.words(notice)
                    // Nothing is wrong with that.
                    switch notice {
                    case .isPublished, .tookOtherLines: return output.note(words)
                    default: break
                    }
                    output.error(StyledText("warning: ", .warning) + StyledText(words))
                },
                progress: { work in
                    switch work {
                    case .examined(let count):
                        let isWaiting = waiting.map { ContinuousClock.now - $0.since < .seconds(1) } ?? false
                        output.progress(isWaiting ? waiting?.words ?? "" : "\(count) versions examined")
                    case .waiting(let lock):
                        let words = "waiting for another process\(lock.map { ": \($0)" } ?? "")"
                        waiting = (words, .now)
                        output.progress(words)
                    }
                    return true
                }))
        session.formats = Program.interchange.tracked
        session.personalFiles = environment.personalFiles
        return session
    }

    /// After the output: starts another process that builds a missing index for the next command.
    func afterReading(_ session: Session) throws {
        try output.flush()
        AutomaticUpkeep.startIfIndexIsMissing(session)
    }

    /// The version that WHEN comes to, named on standard error where it was a time.
    func version(_ text: String, in session: Session, bareDate edge: When.Edge = .end) throws -> Version {
        let found = try session.ask(VersionQuery(text, bareDate: edge))
        let version = found.version
        if found.isNamedLikeTime || found.isByTime {
            try output.print([phrases.meant(text, version, isByTime: found.isByTime)])
        }
        return version
    }
}
