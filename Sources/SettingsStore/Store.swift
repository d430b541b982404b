import Files
import Git
package import SettingsModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A store with its versions. It belongs to one thread.
package final class Store {
    package let folder: StoreFolder
    let repository: Repository
    /// Where the store's folder lies in the repository: empty, or with a slash at its end.
    let prefix: String
    /// Where the store lies in its repository, without a slash at its end.
    package var folderInRepository: String { prefix.trimmingSlash }
    /// How many seconds to wait for others who write.
    package var patience = Lock.patience

    /// How the command wants versions to last, whatever the store says; see `safety`.
    package var wantedDurability: Durability? { didSet { knownDurability = nil } }
    var knownDurability: Durability?

    /// Told what went otherwise than expected though nothing failed. What there was before somebody listens is told then.
    package var warn: ((Notice) -> Void)? {
        didSet {
            guard let warn else { return }
            pendingNotices.forEach(warn)
            pendingNotices = []
        }
    }
    private var pendingNotices: [Notice] = []

    func tell(_ notice: Notice) {
        if let warn { warn(notice) } else { pendingNotices.append(notice) }
    }

    /// Told now and then, during work that goes through many versions, how many there were so far.
    package var progress: ((Int) -> Void)?
    var walked = 0
    /// Whether questions may be answered from the index.
    var usesIndex = true
    /// How many versions must be new for a file of the index to be written.
    var indexWritingLimit = 64
    /// The same of the files that they touch: one version of a million of them is 3 s of work.
    var touchLimit = 1 << 14
    /// The one that was used last.
    var lastIndex: HistoryIndex?
    /// The last version whose index would have taken too long.
    var unindexedHead: VersionID?
    /// What stood in the tree that was looked up last: a Done looks into its base before and after it is worked out.
    var lastContents: (tree: ObjectID, contents: [String: Content])?
    /// The files that were read last: a Done reads what it changes twice, and the definition is the same in nearly all.
    var lastItems: [(subject: Subject, id: ObjectID, item: Settings.Item)] = []
    /// As long as the lock is held: what the note of the work under way says, see `PendingNote`, and whether this program's
    /// folder was found to be there.
    var cachedNote: PendingNote.Work??
    var ownFolderIsThere = false

    private init(folder: StoreFolder, repository: consuming Repository, prefix: String) {
        self.folder = folder
        self.repository = repository
        self.prefix = prefix
    }

    /// Opens the store whose files are in `folder`. `sudoUser` is the person behind root, if any.
    package static func open(_ folder: StoreFolder, sudoUser: UInt32? = nil) throws(Problem) -> Store {
        guard let root = try folder.repositoryRoot else {
            throw .repository(.isInNone(folder: folder.path))
        }
        let repository: Repository
        do {
            repository = try Repository.open(at: root, sudoUser: sudoUser)
        } catch {
            switch error.kind {
            case .foreignOwner:
                throw .repository(.belongsToOther(root: root, reason: error.message))
            case .invalid where error.message.contains("config"):
                throw .repository(.unreadableConfiguration(reason: error.message))
            case .other: throw .repository(.cannotOpen(root: root, reason: error.message))
            case .denied: throw .repository(.cannotRead(root: root, reason: error.message))
            case .notFound where access(root + "/.git", R_OK) != 0 && errno == EACCES:
                throw .repository(.cannotRead(root: root, reason: "Permission denied"))
            case .notFound where Self.holdsRepository(root), .corrupt where Self.holdsRepository(root):
                // It was found, and libgit2 takes what it can't look at for missing.
                throw .repository(.cannotOpenDamaged(root: root, reason: error.message))
            default: throw .repository(.isNone(root: root, reason: error.message))
            }
        }
        guard let work = repository.workDirectory else {
            throw .repository(.isBare(root: root))
        }
        let base = Folder.resolved(work)
        // A linked work tree and a submodule have theirs where their `.git` is.
        guard base == Folder.resolved(root) else {
            throw .repository(.workTreeElsewhere(root: root, workTree: base))
        }
        let place = Folder.resolved(folder.path)
        guard place == base || place.utf8.starts(with: (base.trimmingSlash + "/").utf8) else {
            throw .repository(.isOutside(folder: folder.path, workTree: base))
        }
        let prefix = place == base ? "" : String(decoding: place.utf8.dropFirst(base.utf8.count + 1), as: UTF8.self) + "/"
        let store = Store(folder: folder, repository: repository, prefix: prefix)
        do { try store.mend() } catch {
            // Whoever only reads needs no files in step; whoever writes is told then.
            guard error.kind == .busy || error.kind == .cannotWrite else { throw error }
        }
        return store
    }

    /// Whether all is there that makes a git directory, or can't be looked at.
    private static func holdsRepository(_ root: String) -> Bool {
        let place = (try? FileSystem.isThere(root + "/.git/HEAD")) == false ? root : root + "/.git"
        return ["HEAD", "objects", "refs"].allSatisfy { (try? FileSystem.isThere("\(place)/\($0)")) ?? true }
    }

    /// Makes this process faster at reading many versions, and unfit for checking whether git's objects are whole.
    /// `isOnly` false: as it was.
    package static func prepareForReading(_ isOnly: Bool = true) {
        // Where it can't be had, it is slower.
        try? Library.prepareForReading(isOnly)
    }

    /// The repository's work tree.
    var work: Folder { Folder(path: repository.workDirectory?.trimmingSlash ?? folder.path) }

    func repositoryPath(_ subject: Subject) -> String { prefix + subject.path }

    /// What a path of the repository is about; nil where it isn't the store's.
    func subject(atRepositoryPath path: String) -> Subject? {
        guard path.utf8.starts(with: prefix.utf8) else { return nil }
        return Subject(path: String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
    }

    /// The folder of this program's own files, inside git's. Made where it is missing.
    func ownFolder() throws(Problem) -> String {
        let path = repository.gitDirectory.trimmingSlash + "/settings"
        if ownFolderIsThere { return path }
        if mkdir(path, 0o777) == 0 {
            repository.sharedMode.apply(to: path)
        } else if errno != EEXIST {
            throw .file(.failed(SystemFailure(code: errno, operation: "make", path: path)))
        }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw .file(.ownFolderIsLink(path))
        }
        ownFolderIsThere = true
        return path
    }

    var head: Head {
        get throws(Problem) { try git { () throws(GitError) in try repository.head() } }
    }

    /// What git is in the middle of, in a word; nil where it is in nothing.
    package var operation: String? {
        get throws(Problem) {
            switch try git({ () throws(GitError) in try repository.operation }) {
            case .none: nil
            case .merge: "merge"
            case .revert: "revert"
            case .cherryPick: "cherry-pick"
            case .bisect: "bisect"
            case .rebase: "rebase"
            case .applyMailbox: "am"
            }
        }
    }

    /// The branch that versions go to, in short; nil where HEAD is detached.
    package var branch: String? {
        get throws(Problem) {
            guard let name = try head.branch else { return nil }
            return name.hasPrefix("refs/heads/") ? String(name.dropFirst(11)) : name
        }
    }

    package private(set) lazy var isShallow = repository.isShallow

    /// A value of git's configuration: the repository's own, the user's, the machine's.
    package func configured(_ key: String) -> String? { try? repository.configured(key) }
    /// As `configured`, without the repository's word.
    package func userConfigured(_ key: String) -> String? { try? repository.userConfigured(key) }
}

extension StoreFolder {
    /// The folder that holds `.git`.
    package var repositoryRoot: String? {
        get throws(Problem) {
            var path = Folder.resolved(path)
            while true {
                if try Self.isThere(path + "/.git") { return path }
                guard let slash = path.lastIndex(of: "/"), path != "/" else { return nil }
                path = slash == path.startIndex ? "/" : String(path[..<slash])
            }
        }
    }
}

extension String {
    var trimmingSlash: String { hasSuffix("/") && count > 1 ? String(dropLast()) : self }
}

extension Store {
    /// A value of git's configuration in one file; nil where the file isn't there.
    package static func configured(_ key: String, inFile path: String) -> String? {
        (try? Repository.configured(key, inFile: path)).flatMap { $0 }
    }

    /// A value of git's configuration as it applies in a folder, whether or not that lies in a repository.
    package static func configured(_ key: String, around path: String) -> String? {
        guard let root = try? StoreFolder(path: path).repositoryRoot, let repository = try? Repository.open(at: root) else {
            return userConfigured(key)
        }
        return (try? repository.configured(key)).flatMap { $0 }
    }

    /// Tells where the user's configuration of git lies, by what HOME and XDG_CONFIG_HOME say.
    package static func lookForUser(home: String?, configuration: String?) {
        Library.lookForUser(home: home, configuration: configuration)
    }

    /// A value of git's configuration that is the user's or the machine's, without any repository.
    package static func userConfigured(_ key: String) -> String? {
        (try? Repository.userConfigured(key)).flatMap { $0 }
    }
}
