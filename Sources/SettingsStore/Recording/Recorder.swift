// How a version is written.
//
// 1. lock     The store's lock is taken: flock on `settings/lock` in git's folder, which ends with the process. What the note
//             of a process that died names is finished first.
// 2. plan     `edit` is given the last version and says what to change. Policy, names, ignored files and hand edits are
//             checked. Nothing is written so far. Where the person signs, the lock is let go here and the commit's text is
//             signed: a program that waits for a passphrase keeps nobody else out. Then 1 and 2 once more. If the text is
//             another one, because somebody recorded a version meanwhile, that is signed instead; from the third time on
//             with the lock held, so that somebody who is always beaten comes to an end.
// 3. objects  Files, trees and the commit. Nothing refers to them, so nobody sees them; `git gc` removes what stays. Many are one
//             pack, which a `.keep` file protects from `git repack` until 6. A version that has to be confirmed has its
//             deadline noted, see `Deadlines`.
// 4. note     `settings/pending` says from which version to which the branch is about to move. Whoever finds it without its
//             writer mends: `mendUnderLock`.
// 5. index    git's `index.lock` is taken, so that no `git commit` takes the version back with an older index. While another
//             process has it nothing is recorded: everything from 1 on is done again when that lock is gone.
// 6. branch   Its lock, both reflogs, one rename: from here on the version exists. Whatever fails before leaves everything as
//             it was, and the note with it. What git's upkeep has removed of 3 is written again.
// 7. files    Each is written beside its place and exchanged with it. What somebody edited meanwhile stays. What can't be
//             written is noted after 8 for the commands that follow, see `UnwrittenFile`.
// 8. index    The new entries are put into `index.lock`, which takes the index's place.
// 9. note     It says that the work is finished, or is cleared.
//
// A process that dies in 1 to 3 leaves nothing but objects that `git gc` removes; in 4 or 5 the note and `index.lock`, and the
// branch where it was: the next command removes both. In 6 the branch's lock may be left as well. From then on the next command
// writes the files and the index: a file that holds what the version before had gets what the last one has; any other was edited
// by hand and stays.
//
// In strict mode, each step is on the disk before the next one begins. In fast mode, where the file system keeps the order,
// the lock is let go after 9 and the disk is waited for then: several writers wait together (`settle`). If the disk fails
// there, the branch goes back and the files with it, unless somebody has built on the version.

import Files
import Git
package import SettingsModel

/// Writes history: everything that makes a version comes through `record`.
package final class Recorder {
    let versions: Versions
    let journal: Journal
    let workTree: WorkTree
    let conflicts: Conflicts
    let tracking: Tracking
    /// What kept `mend` from finishing what a process had begun.
    var unfinished: Problem?

    init(_ versions: Versions, _ journal: Journal, _ workTree: WorkTree, _ conflicts: Conflicts, _ tracking: Tracking) {
        self.versions = versions
        self.journal = journal
        self.workTree = workTree
        self.conflicts = conflicts
        self.tracking = tracking
    }

    /// Writes history: everything that makes a version comes through here.
    ///
    /// `edit` is given the last version and says what to change. It runs under the store's lock, and again where plain
    /// git was faster. When this returns, the version is on the disk and the files are in step with it; when it throws,
    /// nothing has changed.
    package func record(_ done: Done, _ edit: (Snapshot) throws(Problem) -> Edit) throws(Problem) -> Outcome {
        var deadline = ContinuousClock.now + .seconds(journal.patience)
        var signer: Signer?
        if let signing = done.signing { signer = Signer(signing) }
        defer { versions.repository.objects.dropObjects() }
        while true {
            do throws(Problem) {
                if done.isDryRun { return try plan(done, edit) }
                var unsigned: [UInt8]?
                let recorded = try underLock { () throws(Problem) in try recordUnderLock(done, signer, &unsigned, edit) }
                if let recorded { return try writingElsewhere(settled(recorded)) }
                if let unsigned { try signer?.sign(unsigned) }
                deadline = ContinuousClock.now + .seconds(journal.patience)
            } catch {
                guard error.kind == .busy, error != .recording(.isInHook), ContinuousClock.now < deadline else { throw error }
                let lock: String? = if case .repository(.isInUse(let reason)) = error { reason } else { nil }
                try journal.pause(for: lock)
            }
        }
    }

    /// A version that is recorded, and what there is to wait for until it counts. Signals are blocked that long.
    private struct Recorded: ~Copyable {
        let outcome: Outcome
        var signals: BlockedSignals?
        var unsettled: Unsettled?
    }

    private struct Unsettled: ~Copyable {
        let move: BranchMove
        let id: VersionID
        let old: VersionID
    }

    /// Does `work` under the store's lock, once what a process that died had begun is finished.
    func underLock<Result: ~Copyable>(_ work: () throws(Problem) -> Result) throws(Problem) -> Result {
        try journal.underLock { () throws(Problem) in
            try mendUnderLock()
            try catchUpUnderLock()
            return try work()
        }
    }

    private func settled(_ recorded: consuming Recorded) throws(Problem) -> Outcome {
        let outcome = recorded.outcome
        let signals = recorded.signals
        if !outcome.isNews { try unwritten().forEach(journal.tell) }
        if let unsettled = recorded.unsettled {
            try settle(unsettled.move, unsettled.id, from: unsettled.old)
        } else if let id = outcome.id {
            settleFiles(of: id)
        }
        withExtendedLifetime(signals) {}
        return outcome
    }

    /// Files that no version has are written last; what fails is a warning until it is done.
    private func writingElsewhere(_ outcome: Outcome) throws(Problem) -> Outcome {
        guard outcome.isNews else { return outcome }
        try? tracking.nameDriver()
        let changes: [Change] =
            switch outcome {
            case .recorded(_, let changes, _), .forwarded(_, let changes, _): changes
            default: []
            }
        let keys = Set(changes.map(\.subject.key))
        for problem in (try? tracking.missing(for: keys)) ?? [] { journal.tell(.trackedFileDiffers(problem)) }
        guard tracking.personal != nil else { return outcome }
        try? tracking.moveElsewhere(changes.compactMap(\.renaming))
        let failed = (try? tracking.bringElsewhere(keys).failed) ?? []
        for (path, problem) in failed { journal.tell(.isNotWrittenElsewhere(path, problem)) }
        return outcome
    }

    private func plan(_ done: Done, _ edit: (Snapshot) throws(Problem) -> Edit) throws(Problem) -> Outcome {
        let base = try base(of: done)
        let edit = try base.editing(edit)
        if let target = edit.forwardsTo {
            return try forwarded(from: base, to: target, on: edit.checksOut, moving: false, done)
        }
        let plan = try base.editing { base throws(Problem) in try prepared(done, edit, on: base) }
        if plan.isNothing { return .unchanged }
        return .planned(subject: plan.message.subject, plan.changes)
    }

    /// Nil where `unsigned` has to be signed first.
    private func recordUnderLock(
        _ done: Done, _ signer: Signer?, _ unsigned: inout [UInt8]?, _ edit: (Snapshot) throws(Problem) -> Edit
    ) throws(Problem) -> Recorded? {
        let base = try base(of: done)
        let edit = try base.editing(edit)
        if let target = edit.forwardsTo {
            try versions.checkIsWanted()
            return Recorded(outcome: try forwarded(from: base, to: target, on: edit.checksOut, moving: true, done))
        }
        var plan = try base.editing { base throws(Problem) in try prepared(done, edit, on: base) }
        if plan.isNothing { return Recorded(outcome: .unchanged) }
        try workTree.checkIndexIsFree()
        try workTree.checkWritable(plan.updates.lazy.map { ($0.path, $0.file == nil) })
        if let signer, try !isSigned(&plan, done, signer, &unsigned) { return nil }
        try versions.checkIsWanted()
        let signals = BlockedSignals()
        try settleDraft(&plan)
        let id = try writeCommit(&plan, done, signer)
        let version = try versions.version(id)
        // Files that were edited by hand stay as they are where the branch has to go back, so they wait until it needn't.
        let old = plan.updates.contains { $0.isDraft || $0.isLeft } ? nil : plan.base.id
        let moved = try confirming(version) { () throws(Problem) in
            try move(to: id, from: plan.base.id, plan.updates, done, note: plan.message.subject, callerWaits: old != nil)
        }
        var recorded = Recorded(outcome: .recorded(version, plan.changes, notes: moved.notes), signals: signals)
        if let branch = moved.branch, let old { recorded.unsettled = Unsettled(move: branch, id: id, old: old) }
        return recorded
    }

    /// Before the branch moves to a version that has to be confirmed, its deadline is on the disk.
    private func confirming(
        _ version: Version, _ move: () throws(Problem) -> Moved
    ) throws(Problem) -> Moved {
        guard let deadline = version.message.ownDeadline else { return try move() }
        try journal.setDeadline(of: version.id, deadline)
        do throws(Problem) { return try move() } catch {
            if case .recording(.mayBeLost) = error { throw error }
            try? journal.setDeadline(of: version.id, nil)
            throw error
        }
    }

    /// Hand edits that are about to be recorded are first written in their final form: what they mean must not depend on
    /// the version that they were made from once there is a newer one.
    ///
    /// Those that have it already are waited for like those that are written: an editor may have left them to the system,
    /// and what a loss of power made of them would look like an edit.
    private func settleDraft(_ plan: inout Plan) throws(Problem) {
        do {
            try workTree.root.sync(plan.updates.filter { $0.isDraft && $0.status != nil }.map(\.path), journal.durability)
        } catch {
            throw .file(.failed(error))
        }
        try workTree.writeFiles(&plan.updates, journal.durability) { $0.isDraft && $0.file != nil }
    }

    /// The last version, if a Done may build on it.
    private func base(of done: Done) throws(Problem) -> Snapshot {
        try checkOperation()
        let base = try versions.tip()
        if let expected = done.expected, base.id != expected {
            throw .recording(.isNotAt(expected, but: base.id))
        }
        return base
    }

    func checkOperation() throws(Problem) {
        guard let operation = try versions.operation, operation != "bisect" else { return }
        throw .repository(.isInTheMiddle(of: operation))
    }

    /// Whether the version's text has been signed: if somebody was always faster, it is signed here, under the lock.
    private func isSigned(
        _ plan: inout Plan, _ done: Done, _ signer: Signer, _ unsigned: inout [UInt8]?
    ) throws(Problem) -> Bool {
        let object = try commitObject(&plan, done)
        versions.repository.objects.dropObjects()
        if signer.signature(of: object) != nil { return true }
        guard signer.count >= Self.signaturesWithoutLock else {
            unsigned = object
            return false
        }
        try signer.sign(object)
        return true
    }

    private static let signaturesWithoutLock = 2

    private func writeCommit(_ plan: inout Plan, _ done: Done, _ signer: Signer?) throws(Problem) -> VersionID {
        let object = try commitObject(&plan, done)
        let id = try git(versions.repository.objects.write(commit: object, signedBy: signer?.signature(of: object)))
        try git(versions.repository.objects.writeObjects(journal.durability))
        return id
    }

    /// The bytes of a version's commit. The files and folders that it leads to are collected, and not yet written.
    private func commitObject(_ plan: inout Plan, _ done: Done) throws(Problem) -> [UInt8] {
        let author = Signature(done.author, at: done.authorTime)
        let committer = Signature(done.committer, at: done.time)
        let objects = versions.repository.objects
        objects.collectObjects()
        var updates: [TreeUpdate] = []
        for (index, update) in plan.updates.enumerated() {
            let content = try update.file.map { file throws(Problem) in
                Content(id: try git(objects.write(blob: file)), mode: update.mode)
            }
            plan.updates[index].content = content
            plan.updates[index].stagedContent = try update.staged.map { staged throws(Problem) in
                Content(id: try git(objects.write(blob: staged)), mode: update.mode)
            }
            updates.append(TreeUpdate(path: update.path, change: content.map { .put($0.id, $0.mode) } ?? .remove))
        }
        let tree = try git(objects.tree(updating: plan.base.tree, with: updates))
        func object(_ message: VersionMessage) throws(Problem) -> [UInt8] {
            try git(
                objects.commitObject(
                    tree: tree, parents: plan.parents, author: author, committer: committer, message: message.text))
        }
        // As Gerrit's hook has it, of all that the commit says: the same version planned once more is called the same.
        let unnamed = try object(plan.message)
        plan.message.changeIDs = ObjectID.hash(ofBlob: unnamed).map { [ChangeID($0)] } ?? []
        defer { plan.message.changeIDs = [] }
        return try object(plan.message)
    }

    /// What came of a move: what there is to report, and the branch's move where the caller waits for the disk.
    struct Moved: ~Copyable {
        var notes: [Notice] = []
        var branch: BranchMove?
    }

    /// Steps 4 to 9: moves the branch to a version, and the files and the index with it. `branch`: HEAD moves to that one, which
    /// is at the version already. `callerWaits`: the branch's move is for `settle`.
    func move(
        to new: VersionID, from old: VersionID?, _ updates: [FileUpdate], _ done: Done, note: String, isForwarded: Bool = false,
        on branch: String? = nil, callerWaits: Bool = false
    ) throws(Problem) -> Moved {
        let own = try journal.ownFolder()
        let before = try journal.announce(from: old, to: new)
        var moved = Moved()
        let lock = try withdrawing(to: before) { () throws(Problem) in try workTree.lockIndex() }
        moved.branch = try withdrawing(to: before) { () throws(Problem) in
            let (references, signature) = (versions.repository.references, Signature(done.committer, at: done.time))
            do throws(GitError) {
                if let branch {
                    try references.checkOut(branch, at: new, from: old, by: signature, own: own, durability: journal.durability)
                    return nil
                }
                return try references.moveHead(
                    to: new, from: old, by: signature, note: "settings: \(note)", own: own,
                    durability: journal.durability, callerWaits: callerWaits)
            } catch {
                guard error.kind == .durabilityUnknown else { throw Problem(error) }
                throw .recording(.mayBeLost(new, reason: .repository(.failed(reason: error.message))))
            }
        }
        do throws(Problem) { moved.notes = try bringInStep(updates, lock, at: new, isForwarded: isForwarded) } catch {
            moved.notes.append(.isNotInStep(error, isForwarded: isForwarded))
        }
        if !isForwarded { dropUsedGitMessage(at: new) }
        return moved
    }

    /// Does what has been announced. Where it fails the note says again what it said before, unless the branch may have moved:
    /// the next command looks into that.
    private func withdrawing<Result: ~Copyable>(
        to before: PendingNote.Work?, _ work: () throws(Problem) -> Result
    ) throws(Problem) -> Result {
        do throws(Problem) { return try work() } catch {
            if case .recording(.mayBeLost) = error { throw error }
            try? journal.withdraw(to: before)
            throw error
        }
    }

    /// Writes the files of a version that has just been recorded. Returns what there is to report.
    private func bringInStep(
        _ updates: [FileUpdate], _ lock: consuming LockedIndex, at version: VersionID, isForwarded: Bool
    ) throws(Problem) -> [Notice] {
        var updates = updates
        let written = try workTree.bringInStep(&updates, journal.durability, lock, at: version) { _ in true }
        try journal.finish()
        let saved = Set(workTree.saved(written.kept, updates).map(\.path))
        let kept: [Notice] = written.kept.filter { !saved.contains($0) }.map { .keepsEdit(path: $0) }
        guard let first = written.failed.first else { return kept + (try unwritten()) }
        return kept + [.isNotWritten(written.failed.map(\.path), .file(.failed(first.failure)), isForwarded: isForwarded)]
    }

    /// Waits until a version is on the disk, which was recorded under the lock and is waited for without it: what others
    /// record meanwhile is then waited for together.
    ///
    /// Where the disk fails, the branch goes back and the files with it, unless others have built on it.
    func settle(_ move: consuming BranchMove, _ id: VersionID, from old: VersionID) throws(Problem) {
        let own = try journal.ownFolder()
        do throws(GitError) { try move.settle(with: own) } catch {
            let failure = Problem(error)
            do throws(Problem) {
                try journal.underLock { () throws(Problem) in
                    guard try versions.head.commit == id else { throw failure }
                    // What finishes a Done that was left in the middle also leads back from it.
                    _ = try journal.announce(from: id, to: old)
                    try git(versions.repository.references.takeBack(move))
                    try? mendUnderLock()
                }
            } catch { throw .recording(.mayBeLost(id, reason: error)) }
            throw failure
        }
        journal.pending.settle(id)
    }

    /// Waits for the files of a version whose branch is on the disk already, so that a restart leaves nothing to look into.
    /// Where that fails, it does.
    func settleFiles(of id: VersionID) {
        guard journal.durability == .fast, let own = try? journal.ownFolder(), (try? FileSystem.sync(own)) != nil else { return }
        journal.pending.settle(id)
    }
}
