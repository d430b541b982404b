import Files
import Git
package import SettingsModel

/// What this program keeps for itself inside git's folder: its lock, the note of the work under way (see `PendingNote`), and
/// scratch files; and how what is written is made to last.
package final class Journal {
    let versions: Versions

    init(_ versions: Versions) { self.versions = versions }

    /// How many seconds to wait for others who write.
    package var patience = Lock.patience

    /// How versions are wanted to last, whatever the store says; see `safety`.
    package var wantedDurability: Durability? {
        didSet { if wantedDurability != oldValue { knownDurability = nil } }
    }

    /// Does what somebody wants, with the patience and the durability that they want for that alone.
    func serving<Result>(_ done: Done, _ work: () throws(Problem) -> Result) throws(Problem) -> Result {
        let before = (patience, wantedDurability)
        defer { (patience, wantedDurability) = before }
        if let wanted = done.patience { patience = wanted }
        if let wanted = done.durability { wantedDurability = wanted }
        return try work()
    }

    var knownDurability: Durability?

    /// Called with what went otherwise than expected although nothing failed; once set, also with what came before.
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

    /// As long as the lock is held: what the note of the work under way says, see `PendingNote`, and whether this program's
    /// folder was found to be there.
    var cachedNote: PendingNote.Work??

    var ownFolderIsThere = false

    /// The folder of this program's own files, inside git's. Made where it is missing.
    func ownFolder() throws(Problem) -> String {
        let path = versions.ownFiles.folder
        if let root = versions.folder.bareRepository { throw .repository(.isBare(root: root)) }
        if ownFolderIsThere { return path }
        try onDisk(Folder.make(path, withThoseAbove: false, shared: versions.repository.git.sharedMode))
        guard FileSystem.kind(of: path) == .folder else { throw .file(.ownFolderIsLink(path)) }
        ownFolderIsThere = true
        return path
    }

    /// git's index as the environment names it: in a hook, git may name the file by which it has the index locked.
    package var indexOfHook: String?

    /// Does `work` while holding the lock that everyone who writes takes.
    ///
    /// Where it throws that git's index is locked, it is done once more when that lock is gone. Others write in the meantime,
    /// so it must have left everything as it was.
    func underLock<Result: ~Copyable>(_ work: () throws(Problem) -> Result) throws(Problem) -> Result {
        let deadline = ContinuousClock.now + .seconds(patience)
        while true {
            do throws(Problem) {
                let lock = try takeLock()
                defer { withExtendedLifetime(lock) {} }
                return try work()
            } catch {
                guard case .recording(.indexIsLocked(let path, _, _)) = error else { throw error }
                try wait(for: path, until: deadline)
            }
        }
    }

    /// Waits until somebody else's lock of git's index is gone.
    private func wait(for lock: String, until deadline: ContinuousClock.Instant) throws(Problem) {
        // git goes on when the hook has ended.
        if indexOfHook.map({ $0.hasSuffix(".lock") && isInGitDirectory($0) }) == true { throw .recording(.isInHook) }
        Trace.note("waiting for git's lock \(lock)")
        repeat {
            if ContinuousClock.now >= deadline {
                throw .recording(.indexIsLocked(lock, age: FileSystem.age(of: lock), seconds: Int(patience)))
            }
            try pause(for: "\(lock) exists")
        } while (try? FileSystem.isThere(lock)) == true
    }

    private func isInGitDirectory(_ path: String) -> Bool {
        guard let folder = try? FileSystem.resolved(FileSystem.folder(of: path)) else { return false }
        return folder == (try? FileSystem.resolved(versions.repository.git.gitDirectory))
    }

    private func takeLock() throws(Problem) -> Lock {
        ownFolderIsThere = false
        cachedNote = nil
        _ = try ownFolder()
        return try takeLock(versions.ownFiles.lock)
    }

    func takeLock(_ path: String) throws(Problem) -> Lock {
        guard let lock = try waitForLock(path) else { throw .recording(.isBusy(seconds: Int(patience))) }
        return lock
    }

    /// Nil where it can't be had in time.
    func waitForLock(_ path: String) throws(Problem) -> Lock? {
        let shared = versions.repository.git.sharedMode
        let lock = try forWriting(
            Lock.take(path, .exclusive, patience: patience, shared: shared) { (try? versions.wait()) != nil })
        try versions.checkIsWanted()
        return lock
    }

    package func readScratch(_ path: String) throws(Problem) -> String {
        do {
            return String(decoding: try Folder.read(path: path, limit: JSON.sizeLimit) ?? [], as: UTF8.self)
        } catch {
            throw .file(.failed(error))
        }
    }

    /// `lock`: what is waited for, in words.
    func pause(for lock: String?) throws(Problem) {
        try versions.wait(for: lock)
        ThisProcess.pause(UInt32.random(in: 500...8000))
    }

    /// The same where others are far away: longer after each attempt, from 20 ms to 2 s.
    func pause(attempt: Int) throws(Problem) {
        try versions.wait()
        let most = min(UInt32(20_000) << UInt32(min(attempt, 8)), 2_000_000)
        ThisProcess.pause(UInt32.random(in: most / 2...most))
    }

    func makeFolder(_ path: String) throws(Problem) {
        try onDisk(Folder.make(path, withThoseAbove: false, shared: versions.repository.git.sharedMode))
    }

    /// Remembers that something was reported in this clone; true the first time, if that can be remembered.
    package func tellOnce(_ what: String) -> Bool {
        guard let own = try? ownFolder() else { return false }
        let path = "\(own)/told-\(what)"
        if (try? Folder(path: own).entry(at: "told-\(what)")) != .some(nil) { return false }
        return (try? Folder.create(path, [], .none)) != nil
    }

    var pending: PendingNote { versions.ownFiles.note }

    /// Returns what was noted before.
    func announce(from old: VersionID?, to new: VersionID) throws(Problem) -> PendingNote.Work? {
        var work = PendingNote.Work(old: old, new: new, boot: PendingNote.boot)
        let before = try lastNote
        if let before, before.isFinished, !before.isSettled {
            work.unsettled = before.unsettled + 1
            work.since = .some(before.since ?? before.old)
            if work.unsettled > Self.unsettledLimit, durability != .none {
                let own = try ownFolder()
                try onDisk(FileSystem.sync(own))
                (work.unsettled, work.since) = (0, nil)
            }
        }
        try note(work, durability)
        return before
    }

    /// Where several processes write, one Done is under way while those before it are still waited for. So many may be:
    /// after a loss of power, files are compared with what they held before all of them.
    private static let unsettledLimit = 32

    /// `before`: what was noted before that which comes to nothing.
    func withdraw(to before: PendingNote.Work? = nil) throws(Problem) {
        if let before, before.isFinished { return try note(before, .none) }
        cachedNote = nil
        try onDisk(pending.clear())
    }

    /// What the note says; read once for as long as this process holds the lock, which whoever writes it has to.
    var lastNote: PendingNote.Work? {
        get throws(Problem) {
            if let cachedNote { return cachedNote }
            let note = try pending.read()
            cachedNote = .some(note)
            return note
        }
    }

    func note(_ work: PendingNote.Work, _ durability: Durability) throws(Problem) {
        cachedNote = nil
        var file = pending
        file.shared = versions.repository.git.sharedMode
        try onDisk(file.write(work, durability))
        cachedNote = .some(work)
    }

    /// Work on references beside the branch, under the store's lock: the locks that it leaves where it dies are looked for
    /// where there is a note. It is given the folder for their second names.
    func noted<Result>(_ work: (String) throws(Problem) -> Result) throws(Problem) -> Result {
        let own = try ownFolder()
        guard let head = try versions.tip().id else { return try work(own) }
        let before = try announce(from: head, to: head)
        let result: Result
        do { result = try work(own) } catch {
            try? withdraw(to: before)
            throw error
        }
        // A note that stays is looked into once more, and nothing is found to do.
        try? withdraw(to: before)
        return result
    }

    /// The work that was announced is done.
    func finish() throws(Problem) {
        guard durability != .strict, PendingNote.boot != nil, var work = try lastNote else { return try withdraw() }
        work.isFinished = true
        try note(work, .none)
    }
}
