import Files
import SettingsModel
import SettingsStore
import SettingsText

/// What a command works with: its store, its person, its output.
struct Context {
    let environment: Environment
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

    var caller: Caller { Caller(isAtTerminal: environment.isInputTerminal, sudoUser: environment.sudoUser) }
    var phrases: Phrases { Phrases(wording: Wording(revealsMasked: revealsMasked), now: environment.now) }
    var reports: Reports { Reports(revealsMasked: revealsMasked) }

    /// The store's files. A Done that a dead process left unfinished is finished first.
    func folder() throws -> StoreFolder {
        let folder = try findFolder()
        if folder.hasUnfinishedDone, let store = try? Store.open(folder, sudoUser: environment.sudoUser) { listen(to: store) }
        return folder
    }

    /// The store's files, whatever state its repository is in.
    func storeFolder() throws -> StoreFolder { try findFolder() }

    private func findFolder() throws -> StoreFolder {
        let folder = try namedFolder()
        try folder.checkFormat()
        return folder
    }

    private func namedFolder() throws -> StoreFolder {
        if global.user { return try existing(try environment.userStore, hint: "'settings init --user' creates it") }
        if let path = global.store ?? environment["SETTINGS_STORE"] {
            return try existing(environment.absolute(path), hint: "'settings init \(path)' creates one")
        }
        if let folder = try StoreFolder.find(from: environment.folder) { return folder }
        throw Failure(
            .missing, "there is no store in \(environment.folder) or above it",
            hint: "'settings init' creates one here; --user uses your own; --store PATH names another"
        )
    }

    private func existing(_ path: String, hint: String) throws -> StoreFolder {
        let folder = StoreFolder(path: path)
        guard try folder.exists else { throw Failure(.missing, "there is no store in \(path)", hint: hint) }
        return folder
    }

    /// A store that nothing is recorded in: made ready for going through long histories.
    func storeToRead() throws -> Store {
        Store.prepareForReading()
        return try store()
    }

    /// After an answer: what would have made it faster is made for the next one, by another process.
    func afterReading(_ store: Store) throws {
        try output.flush()
        GitUpkeep.startIfIndexWasMissed(store, environment)
    }

    func store() throws -> Store {
        let store = try Store.open(try findFolder(), sudoUser: environment.sudoUser)
        listen(to: store)
        store.progress = { output.progress("\($0) versions examined …") }
        return store
    }

    func session() throws -> Session { Session(try store(), by: caller) }

    private func listen(to store: Store) {
        store.warn = { output.error(StyledText("warning: ", .warning) + StyledText(CommandLineHints.words($0))) }
    }

    /// Says, once in each clone, that what git's configuration wants signed is not signed.
    func warnOfSigning(_ store: Store, _ keys: [String]) {
        guard let key = keys.first(where: { Identity.isOn(store.configured($0)) }), store.tellOnce("\(key)") else { return }
        output.error(
            StyledText("warning: ", .warning)
                + StyledText("\(key) is set, but 'settings' cannot sign yet, so its versions are not signed"))
    }

    func page(_ store: Store?) {
        output.page {
            if let pager = ThisProcess.variables["SETTINGS_PAGER"] ?? ThisProcess.variables["GIT_PAGER"] {
                return pager.isEmpty ? nil : pager
            }
            if let pager = store?.userConfigured("core.pager") { return pager.isEmpty ? nil : pager }
            if let pager = ThisProcess.variables["PAGER"] { return pager.isEmpty ? nil : pager }
            return "less"
        }
    }

    /// The version that WHEN comes to, named on standard error where it was a time.
    func version(_ text: String, in store: Store, edge: When.Edge = .end) throws -> Version {
        let when = When(text, now: environment.now, bareDate: edge)
        let version = try store.version(at: when, written: text)
        if case .moment = when {
            output.note("\(text) is version \(version.id.short), \(phrases.time(version.time)), \(version.author.name)")
        }
        return version
    }
}
