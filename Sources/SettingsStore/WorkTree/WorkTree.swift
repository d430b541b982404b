import Files
import Git
import SettingsModel

/// The files of the store in the work tree, and what git's index notes of them.
///
/// What people edited by hand is never written over: see `checkUntouched`.
package final class WorkTree {
    let versions: Versions
    let journal: Journal

    init(_ versions: Versions, _ journal: Journal) {
        self.versions = versions
        self.journal = journal
    }

    /// The repository's work tree.
    var root: Folder { Folder(path: versions.repository.git.workDirectory ?? versions.folder.path) }

    /// What became of files.
    struct Written {
        /// The paths of those that carry an edit made meanwhile, which stay.
        var kept: [String] = []
        var failed: [(path: String, failure: SystemFailure)] = []
    }

    /// As `write`; throws where one of them could not be written.
    @discardableResult
    func writeFiles(
        _ updates: inout [FileUpdate], _ durability: Durability, _ isWanted: (FileUpdate) -> Bool
    ) throws(Problem) -> [String] {
        let written = try write(&updates, durability, isWanted)
        if let failed = written.failed.first { throw .file(.failed(failed.failure)) }
        return written.kept
    }

    /// Writes those of the files that `isWanted` tells and that aren't right already, and notes what they are then. One that
    /// can't be written keeps none of the others from it.
    func write(
        _ updates: inout [FileUpdate], _ durability: Durability, _ isWanted: (FileUpdate) -> Bool
    ) throws(Problem) -> Written {
        let wanted = updates.indices.filter {
            updates[$0].status == nil && !updates[$0].isLeft && isWanted(updates[$0])
        }
        var result = Written()
        guard !wanted.isEmpty else { return result }
        let scratch = try journal.ownFolder()
        let work = root
        var rest: [Int] = []
        for index in wanted {
            let update = updates[index]
            guard let bytes = update.edited ?? update.file else {
                do throws(SystemFailure) {
                    if try !work.remove(update.path, holding: update.old, scratch: scratch, durability) {
                        result.kept.append(update.path)
                    }
                } catch { result.failed.append((update.path, error)) }
                continue
            }
            // A file that is right already, as after an edit by hand, costs only this look.
            if !update.isOld, !update.changesMode, let there = try? work.reading(of: update.path, limit: bytes.count),
                there.bytes == bytes
            {
                updates[index].status = there.status
            } else {
                rest.append(index)
            }
        }
        let files = rest.map { index in
            let update = updates[index]
            return (
                relative: update.path, bytes: update.edited ?? update.file ?? [], isExecutable: update.mode == .executable,
                keepsMode: versions.subject(atRepositoryPath: update.path) == nil, old: update.old
            )
        }
        do throws(SystemFailure) {
            for (index, written) in zip(rest, try work.write(files, scratch: scratch, durability)) {
                switch written {
                case .placed(let status): updates[index].status = status
                case .kept: result.kept.append(updates[index].path)
                case .failed(let failure): result.failed.append((updates[index].path, failure))
                }
            }
        } catch {
            // Nobody knows which of them are on the disk.
            result.failed += rest.map { (updates[$0].path, error) }
        }
        return result
    }

    /// Nil removes it. Refuses where it doesn't hold `old` any more.
    func writeFile(_ bytes: [UInt8]?, of subject: Subject, over old: ExpectedContent?) throws(Problem) {
        var updates = [FileUpdate(path: versions.repositoryPath(subject), file: bytes, old: old)]
        if try writeFiles(&updates, journal.durability == .none ? .none : .strict, { _ in true }).isEmpty { return }
        throw .recording(.handEdited(subject, .editedMeanwhile))
    }

    /// Notes in the index what the files are, under its lock, which goes with that. `version`: the one that it is at then.
    func recordInIndex(_ files: [FileUpdate], _ lock: consuming LockedIndex, at version: VersionID? = nil) throws(Problem) {
        let updates = files.map { file in
            TreeUpdate(
                path: file.path, change: (file.stagedContent ?? file.content).map { .put($0.id, $0.mode) } ?? .remove,
                status: file.edited == nil || file.staged != nil ? file.status : nil)
        }
        var locked = lock
        try put(updates, into: &locked, clearingConflicts: true, at: version)
    }

    /// Puts entries into the index, under its lock, which goes with that. `version`: the one that the index is at then; else it
    /// stays at the one that it is known to be at.
    func put(
        _ updates: [TreeUpdate], into locked: inout LockedIndex, clearingConflicts: Bool = false, at version: VersionID? = nil
    ) throws(Problem) {
        let own = try journal.ownFolder()
        let references = versions.repository.references
        var commit = version
        if commit == nil, let noted = journal.pending.checkout,
            (try? references.checkoutState(index: locked.hash)) == noted.state
        {
            commit = noted.commit
        }
        do throws(GitError) {
            try versions.repository.index.recordInIndex(
                updates, clearingConflicts: clearingConflicts, locked: &locked, own: own, durability: journal.durability)
        } catch { throw Problem(error) }
        if let commit, let state = try? references.checkoutState(index: locked.hash) {
            journal.pending.write(Checkout(commit: commit, state: state))
        }
    }

    /// The index's lock, so that no `git commit` takes a version back by committing what the index held before it. Throws
    /// what would keep the index from being written, so that it is found out before the branch moves.
    func lockIndex() throws(Problem) -> LockedIndex {
        let own = try journal.ownFolder()
        do throws(GitError) { return try versions.repository.index.lockIndex(own: own) } catch {
            throw error.kind == .locked ? indexIsLocked : Problem(error)
        }
    }

    /// Refuses while somebody else has the index locked: what takes its lock later need not be worked out then.
    func checkIndexIsFree() throws(Problem) {
        let own = try journal.ownFolder()
        if try git(versions.repository.index.isLocked(own: own)) { throw indexIsLocked }
    }

    /// How long it was waited for is known to who does so, see `Journal.underLock`.
    private var indexIsLocked: Problem {
        .recording(.indexIsLocked(versions.repository.git.gitDirectory + "/index.lock", age: 0, seconds: 0))
    }
}
