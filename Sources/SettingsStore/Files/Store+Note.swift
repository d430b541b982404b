// The note of the work under way, and whether what it tells of is on the disk; see `PendingNote`.

import Files
import Git
import SettingsModel

extension Store {
    var pending: PendingNote { PendingNote(path: repository.gitDirectory.trimmingSlash + "/settings/pending") }

    /// Returns what was noted before.
    func announce(from old: VersionID?, to new: VersionID) throws(Problem) -> PendingNote.Work? {
        var work = PendingNote.Work(old: old, new: new, boot: PendingNote.boot)
        let before = try lastNote
        if let before, before.isFinished, !before.isSettled {
            work.unsettled = before.unsettled + 1
            work.since = .some(before.since ?? before.old)
            if work.unsettled > Self.unsettledLimit, durability != .none {
                let own = try ownFolder()
                try git { () throws(GitError) in try system(FileSystem.sync(own)) }
                (work.unsettled, work.since) = (0, nil)
            }
        }
        try note(work, durability)
        return before
    }

    /// Where several processes write, one Done is under way while those before it are still waited for. So many may be:
    /// after a loss of power, files are compared with what they held before all of them.
    private static let unsettledLimit = 32

    /// Waits until a version is on the disk, which was recorded under the lock and is waited for without it: what others
    /// record meanwhile is then waited for together.
    ///
    /// Where the disk fails, the branch goes back and the files with it, unless others have built on it.
    func settle(_ move: consuming BranchMove, _ id: VersionID, from old: VersionID) throws(Problem) {
        let own = try ownFolder()
        do throws(GitError) { try move.settle(with: own) } catch {
            let failure = Problem(error)
            do throws(Problem) {
                let lock = try takeLock()
                defer { withExtendedLifetime(lock) {} }
                guard try head.commit == id else { throw failure }
                // What finishes a Done that was left in the middle also leads back from it.
                _ = try announce(from: id, to: old)
                try git { () throws(GitError) in try repository.takeBack(move) }
                try? mendUnderLock()
            } catch { throw .recording(.mayBeLost(id, reason: error)) }
            throw failure
        }
        pending.settle(id)
    }

    /// Waits for the files of a version whose branch is on the disk already, so that a restart leaves nothing to look into.
    /// Where that fails, it does.
    func settleFiles(of id: VersionID) {
        guard durability == .fast, let own = try? ownFolder(), (try? FileSystem.sync(own)) != nil else { return }
        pending.settle(id)
    }

    /// `before`: what was noted before that which comes to nothing.
    func withdraw(to before: PendingNote.Work? = nil) throws(Problem) {
        if let before, before.isFinished { return try note(before, .none) }
        cachedNote = nil
        try writing { () throws(SystemFailure) in try pending.clear() }
    }

    /// What the note says; read once for as long as this process holds the lock, which whoever writes it has to.
    var lastNote: PendingNote.Work? {
        get throws(Problem) {
            if let cachedNote { return cachedNote }
            let note = try git { () throws(GitError) in try pending.read() }
            cachedNote = .some(note)
            return note
        }
    }

    func note(_ work: PendingNote.Work, _ durability: Durability) throws(Problem) {
        cachedNote = nil
        var file = pending
        file.shared = repository.sharedMode
        try writing { () throws(SystemFailure) in try file.write(work, durability) }
        cachedNote = .some(work)
    }

    /// Work on references beside the branch, under the store's lock: the locks that it leaves where it dies are looked for
    /// where there is a note. It is given the folder for their second names.
    func noted<Result>(_ work: (String) throws(Problem) -> Result) throws(Problem) -> Result {
        let own = try ownFolder()
        guard let head = try tip().id else { return try work(own) }
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

    func writing(_ work: () throws(SystemFailure) -> Void) throws(Problem) {
        do { try work() } catch { throw .file(.failed(error)) }
    }
}
