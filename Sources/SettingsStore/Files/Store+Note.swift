// The note of the work under way, and whether what it tells of is on the disk; see `PendingNote`.

import Git
import SettingsModel

extension Store {
    var pending: PendingNote { PendingNote(path: repository.gitDirectory.trimmingSlash + "/settings/pending") }

    /// Returns what was noted before.
    func announce(from old: VersionID?, to new: VersionID) throws(StoreError) -> PendingNote.Work? {
        var work = PendingNote.Work(old: old, new: new, boot: PendingNote.boot)
        let before = try lastNote
        if let before, before.isFinished, !before.isSettled {
            work.unsettled = before.unsettled + 1
            work.since = .some(before.since ?? before.old)
            if work.unsettled > Self.unsettledLimit, durability != .none {
                let own = try ownFolder()
                try git { () throws(GitError) in try FileSystem.sync(own) }
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
    func settle(_ move: consuming BranchMove, _ id: VersionID, from old: VersionID) throws(StoreError) {
        let own = try ownFolder()
        do throws(GitError) { try move.settle(with: own) } catch {
            let failure = StoreError(error)
            do throws(StoreError) {
                let lock = try takeLock()
                defer { withExtendedLifetime(lock) {} }
                guard try head.commit == id else { throw failure }
                // What finishes a Done that was left in the middle also leads back from it.
                _ = try announce(from: id, to: old)
                try git { () throws(GitError) in try repository.takeBack(move) }
                try? mendUnderLock()
            } catch { throw unknown(id, error.reason) }
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

    func unknown(_ id: VersionID, _ reason: String) -> StoreError {
        StoreError(
            .cannotWrite, "\(id.short) stands on the branch, but the disk failed before it was sure to stay (\(reason))",
            hint: "see to the disk, then look with 'settings history' whether it is there before doing it again")
    }

    /// `before`: what was noted before that which comes to nothing.
    func withdraw(to before: PendingNote.Work? = nil) throws(StoreError) {
        if let before, before.isFinished { return try note(before, .none) }
        knownNote = nil
        try writing { () throws(Folder.Failure) in try pending.clear() }
    }

    /// What the note says; read once for as long as this process holds the lock, which whoever writes it has to.
    var lastNote: PendingNote.Work? {
        get throws(StoreError) {
            if let knownNote { return knownNote }
            let note = try git { () throws(GitError) in try pending.read() }
            knownNote = .some(note)
            return note
        }
    }

    func note(_ work: PendingNote.Work, _ durability: Durability) throws(StoreError) {
        knownNote = nil
        var file = pending
        file.shared = repository.sharedMode
        try writing { () throws(Folder.Failure) in try file.write(work, durability) }
        knownNote = .some(work)
    }

    /// Work on references beside the branch, under the store's lock: the locks that it leaves where it dies are looked for
    /// where there is a note. It is given the folder for their second names.
    func noted<Result>(_ work: (String) throws(StoreError) -> Result) throws(StoreError) -> Result {
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
    func finish() throws(StoreError) {
        guard durability != .strict, PendingNote.boot != nil, var work = try lastNote else { return try withdraw() }
        work.isFinished = true
        try note(work, .none)
    }

    func writing(_ work: () throws(Folder.Failure) -> Void) throws(StoreError) {
        do { try work() } catch { throw StoreError(.cannotWrite, error.reason) }
    }
}
