import Files
import Git
package import SettingsModel

/// The versions of a store as git has them: what each is, what its files hold and what differs between two of them.
///
/// Everything else stands on this. It belongs to one thread.
package final class Versions {
    /// The files as they stand, without git.
    package let folder: StoreFolder
    let repository: Repository
    /// Where the store's folder lies in the repository: empty, or with a slash at its end.
    let prefix: String
    var head: Head { get throws(Problem) { try git(repository.references.head()) } }

    /// What git is in the middle of, in a word; nil where it is in nothing.
    package var operation: String? {
        get throws(Problem) {
            switch try git(repository.git.operation) {
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

    package private(set) lazy var isShallow = repository.git.isShallow

    /// Which names and addresses are one person's. Needed only where a version is read.
    private(set) lazy var mailmap = readMailmap()

    func repositoryPath(_ subject: Subject) -> String { prefix + subject.path }

    /// What a path of the repository is about; nil where it isn't the store's.
    func subject(atRepositoryPath path: String) -> Subject? {
        guard path.utf8.starts(with: prefix.utf8) else { return nil }
        return Subject(path: String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
    }

    /// A value of git's configuration: the repository's own, the user's, the machine's.
    package func configured(_ key: String) -> String? { try? repository.configuration.configured(key) }

    /// As `configured`, without the repository's word.
    package func userConfigured(_ key: String) -> String? { try? repository.configuration.userConfigured(key) }

    /// What takes time.
    package enum Progress: Hashable, Sendable {
        /// So many versions were examined so far.
        case examined(Int)
        /// Another process is waited for; with what shows that, such as a lock of git.
        case waiting(for: String?)
    }

    /// Asked now and then, during work on many versions and while waiting: whether to go on. Where not, whatever takes that
    /// time throws `.interrupted`.
    package var progress: ((Progress) -> Bool)?

    /// What versions name, as far as it was looked up.
    var known: [VersionID: NamedVersions] = [:]
    var holders = ChangeHolders()

    /// What commits by plain git renamed, as far as it was looked up.
    var knownRenames: [VersionID: [VersionMessage.Rename]] = [:]

    /// Who chose what, as far as it was looked up for what was given back without a trace in its file.
    var knownChoosers: [Choice: VersionID?] = [:]

    /// What messages say of what, as far as it was asked for.
    var knownParts: [VersionID: MessageParts?] = [:]

    struct Choice: Hashable {
        var version: VersionID
        var key: Key
        var facet: Facet
    }

    var walked = 0
    /// Whether it was not to go on when that was asked last.
    private(set) var isInterrupted = false

    /// What stood in the folder that was looked up last: a Done looks into its base before and after it is worked out.
    var lastContents: (folder: ObjectID, contents: FolderContents)?

    /// The files that were read last: a Done reads what it changes twice, and the definition is the same in nearly all.
    var lastItems: [(subject: Subject, id: ObjectID, item: SettingsContent.Item)] = []

    /// Where the store lies in its repository, without a slash at its end.
    package var folderInRepository: String { FileSystem.trimmed(prefix) }

    /// The version in whose history it is looked up where the store's folder was before; HEAD where there is none.
    var origin: VersionID?
    /// Where it was, the latest first, each as `prefix` is; nil as long as nobody had to know.
    var formerPrefixes: [String]?
    /// Where it is in the trees that were looked at last: each is compared with two others.
    var lastPlaces: [(tree: ObjectID, place: StorePlace)] = []

    init(folder: StoreFolder, repository: consuming Repository, prefix: String) {
        self.folder = folder
        self.repository = repository
        self.prefix = prefix
    }

    /// The last version.
    package func tip() throws(Problem) -> Snapshot {
        try snapshot(try head.commit)
    }

    package func snapshot(_ id: VersionID?) throws(Problem) -> Snapshot {
        guard let id else { return Snapshot(versions: self, commit: nil) }
        return Snapshot(versions: self, commit: try git(repository.objects.header(id)))
    }

    package func version(_ id: VersionID) throws(Problem) -> Version {
        try version(of: try git(repository.objects.commit(id)))
    }

    package func version(named name: String) throws(Problem) -> Version {
        // What names a file in a version is none; a time in braces, or a text to search for, may hold a colon.
        if name.contains(":"), !name.hasPrefix(":/"), !name.contains("{") { throw .history(.noVersion(name)) }
        // Of what comes before the clone, only the beginning or the way there has a name.
        let isPerhapsEarlier =
            isShallow && (name.contains { "~^".contains($0) } || name.utf8.count >= 4 && name.allSatisfy(\.isHexDigit))
        let missing = isPerhapsEarlier ? HistoryProblem.noVersionInClone(name) : .noVersion(name)
        let commit: Commit
        do { commit = try repository.objects.commit(try repository.references.resolve(name)) } catch {
            switch error.kind {
            // libgit2 looks none up that is so short.
            case .ambiguous where name.utf8.count < 4: throw .history(missing)
            case .ambiguous: throw .history(.isSeveral(name))
            // Anything else is no answer about the name.
            case .corrupt, .damagedIndex, .damagedHead, .repacked, .exhausted, .other, .denied, .locked, .lost, .tooLarge,
                .promised:
                throw Problem(error)
            default: throw .history(missing)
            }
        }
        return try version(of: commit)
    }

    /// The next version of a walk; reports how many there were.
    func next(_ walk: inout Walk) throws(Problem) -> VersionID? {
        try countOne()
        return try git(walk.next())
    }

    func countOne() throws(Problem) {
        walked += 1
        if walked & 63 == 0 || isInterrupted { try goOn(.examined(walked)) }
    }

    private func goOn(_ work: Progress) throws(Problem) {
        isInterrupted = progress?(work) == false
        try checkIsWanted()
    }

    /// While another process is waited for.
    func wait(for lock: String? = nil) throws(Problem) { try goOn(.waiting(for: lock)) }

    /// Throws where something was interrupted since work began, by whatever that was noticed: nothing half-known is answered
    /// or recorded.
    func checkIsWanted() throws(Problem) { if isInterrupted { throw .interrupted } }

    /// Something else is asked.
    func beginWork() { isInterrupted = false }

    /// One committed file.
    func read(
        _ id: ObjectID, _ mode: FileMode, _ subject: Subject, in commit: CommitHeader?, acceptingAnyValue: Bool = false
    ) throws(Problem) -> SettingsContent.Item {
        if mode.isRegular, let last = lastItems.first(where: { $0.id == id && $0.subject == subject }) { return last.item }
        let file = try bytes(id, mode, subject, in: commit)
        do throws(Problem) {
            let item = try item(subject, file, in: commit)
            if lastItems.count == 3 { lastItems.removeFirst() }
            lastItems.append((subject, id, item))
            return item
        } catch {
            if acceptingAnyValue, let item = try? SettingsContent.Item(file: file, of: subject, acceptingAnyValue: true) {
                return item
            }
            throw error
        }
    }

    func bytes(
        _ id: ObjectID, _ mode: FileMode, _ subject: Subject, in commit: CommitHeader?
    ) throws(Problem) -> [UInt8] {
        guard mode.isRegular else {
            throw .file(.isNotRegularIn(subject.path, commit?.id))
        }
        do throws(GitError) { return try repository.objects.blob(id, atMost: JSON.sizeLimit) } catch {
            guard error.kind == .tooLarge else { throw Problem(error) }
            throw .file(.isTooLarge(subject.path))
        }
    }

    func item(
        _ subject: Subject, _ file: [UInt8], in commit: CommitHeader?
    ) throws(Problem) -> SettingsContent.Item {
        try Self.item(subject, file, in: commit?.id).get()
    }

    static func item(_ subject: Subject, _ file: [UInt8], in version: VersionID?) -> Result<SettingsContent.Item, Problem> {
        Result { () throws(BadFile) in try SettingsContent.Item(file: file, of: subject) }.mapError { fault in
            .file(.unreadable(fault, path: subject.path, in: version))
        }
    }

    /// Whether a shallow clone ends at this version.
    package func isBoundary(_ version: Version) -> Bool { isBoundary(version.parents) }

    func isBoundary(_ parents: [VersionID]) -> Bool {
        isShallow && !parents.isEmpty && !parents.allSatisfy { (try? repository.objects.exists($0)) ?? true }
    }
}
