import Files
import Git
package import SettingsModel

/// A store with its versions: what each of its parts is for. It belongs to one thread.
package final class Store {
    /// What each version is, and what its files hold.
    package let versions: Versions
    /// What this program keeps for itself inside git's folder.
    package let journal: Journal
    /// The files, and the edits that nobody recorded yet.
    package let workTree: WorkTree
    /// The only one that writes history.
    package let recorder: Recorder
    package let drafts: Drafts
    package let history: History
    package let merging: Merging
    package let reverting: Reverting
    package let confirming: Confirming
    package let importing: Importing
    package let tags: Tags
    package let branches: Branches
    package let upkeep: Upkeep
    package let syncing: Syncing
    package let tracking: Tracking

    package var folder: StoreFolder { versions.folder }

    private init(_ versions: Versions) {
        self.versions = versions
        journal = Journal(versions)
        workTree = WorkTree(versions, journal)
        history = History(versions, HistoryCache(versions, journal))
        let conflicts = Conflicts(versions, journal, history)
        tracking = Tracking(versions, workTree)
        recorder = Recorder(versions, journal, workTree, conflicts, tracking)
        drafts = Drafts(versions, journal, workTree, recorder)
        merging = Merging(versions, journal, workTree, recorder, history, conflicts)
        reverting = Reverting(versions, recorder, history, merging)
        confirming = Confirming(versions, journal, recorder, history)
        importing = Importing(versions, history)
        tags = Tags(versions, journal, recorder)
        branches = Branches(versions, journal, recorder, tracking)
        syncing = Syncing(versions, journal, recorder, history, merging, drafts)
        upkeep = Upkeep(versions, journal, workTree, history, merging)
    }

    /// Opens the store whose files are in `folder`, and finishes what a process that died had begun. `sudoUser` is the person
    /// behind root, if any. `readsOnly` makes it faster to go through a long history, whose objects are then not compared with
    /// their ids; nothing is to be recorded. `patience` and `progress` are those of `Journal` and `Versions`; `formats` those of
    /// tracked files, which what is finished may have to change.
    package static func open(
        _ folder: StoreFolder, sudoUser: UInt32? = nil, readsOnly: Bool = false, patience: Double? = nil,
        formats: (any FileFormats)? = nil, progress: ((Versions.Progress) -> Bool)? = nil
    ) throws(Problem) -> Store {
        let trace = Trace.begin()
        defer { trace?.end("opened the store \(folder.path)") }
        let store = Store(try Versions.open(folder, sudoUser: sudoUser, readsOnly: readsOnly))
        store.versions.progress = progress
        store.tracking.formats = formats
        if let patience { store.journal.patience = patience }
        defer { store.journal.patience = Lock.patience }
        if folder.bareRepository != nil { return store }
        do throws(Problem) {
            store.recorder.mend()
            try store.drafts.layLeft()
        } catch {
            // Reading needs no files in step; the next command that writes reports the problem.
            guard error.kind == .busy || error.kind == .cannotWrite else { throw error }
        }
        return store
    }
}

extension StoreFolder {
    /// The folder that holds `.git`.
    package var repositoryRoot: String? {
        get throws(Problem) {
            if let bareRepository { return bareRepository }
            var path = Folder.resolved(path)
            while true {
                if try Self.isThere(path + "/.git") { return path }
                guard let slash = path.lastIndex(of: "/"), path != "/" else { return nil }
                path = slash == path.startIndex ? "/" : String(path[..<slash])
            }
        }
    }
}

extension Store {
    /// A value of git's configuration in one file; nil where the file isn't there.
    package static func configured(_ key: String, inFile path: String) -> String? {
        (try? RepositoryConfiguration.configured(key, inFile: path)).flatMap { $0 }
    }

    /// A value of git's configuration as it applies in a folder, whether or not that lies in a repository.
    package static func configured(_ key: String, around path: String) -> String? {
        guard let root = try? StoreFolder(path: path).repositoryRoot, let repository = try? Repository.open(at: root) else {
            return userConfigured(key)
        }
        return (try? repository.configuration.configured(key)).flatMap { $0 }
    }

    /// Refuses what the environment says of git's configuration where git refuses it, too.
    package static func checkConfiguration() throws(Problem) {
        guard let fault = Library.environment.fault else { return }
        throw .repository(.unreadableConfiguration(reason: fault, isOfEnvironment: true))
    }

    /// Tells where git's configuration lies, and what else the environment says of it, and of the objects that a hook of git's
    /// has to read. Comes before anything is opened.
    package static func lookForConfiguration(_ variable: (String) -> String?) {
        Library.lookForUser(home: variable("HOME"), configuration: variable("XDG_CONFIG_HOME"))
        Library.environment = EnvironmentConfiguration(variable)
        Library.incoming = IncomingObjects(variable)
    }

    /// That of libgit2.
    package static var libraryVersion: String { Library.version }

    /// A value of git's configuration that is the user's or the machine's, without any repository.
    package static func userConfigured(_ key: String) -> String? {
        (try? RepositoryConfiguration.ofUser(key)).flatMap { $0 }
    }
}
