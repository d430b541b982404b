import Files
import Git
import SettingsModel

extension Recorder {
    /// Moves the branch on, and the files with it. `branch`: HEAD moves to that one, which is at the version already.
    func forwarded(
        from tip: Snapshot, to new: VersionID, on branch: String? = nil, moving: Bool, _ done: Done
    ) throws(Problem) -> Outcome {
        if moving { try workTree.checkIndexIsFree() }
        let target = try versions.snapshot(new)
        var updates: [FileUpdate] = []
        for difference in try git(versions.repository.objects.differences(from: tip.tree, to: target.tree)) {
            let isOurs = versions.subject(atRepositoryPath: difference.path) != nil
            guard difference.pathIsValid, difference.isOfRegularFiles,
                isOurs || FileSystem.isPlain(difference.path)
            else {
                throw .merge(.otherIsNotPlain(difference.path))
            }
            let file = try broughtFile(difference.new, at: difference.path, isForwarding: true)
            var update = FileUpdate(path: difference.path, file: file, content: difference.new)
            update.take(difference)
            if !isOurs { try tracking.layEdits(on: &update, from: difference.old, at: tip) }
            if update.old == nil { update.old = try workTree.checkUntouched(difference.path, since: tip) }
            updates.append(update)
        }
        let version = try versions.version(new)
        let made = try versions.changes(from: tip, to: target, renames: versions.renames(from: tip.id, to: new))
        // A store of another format, or files that can't be read, are not moved on to; from those it is.
        for file in made.unreadable {
            guard let subject = Subject(path: file.path) else { throw .history(.unreadable(file.problem, change: true)) }
            do throws(Problem) { _ = try target.mendable(subject) } catch {
                throw error.kind == .badData ? .history(.unreadable(error, change: true)) : error
            }
        }
        if let file = try versions.misfits(among: made.changes.map(\.subject), at: target).first {
            throw .history(.unreadable(file.problem, change: true))
        }
        for index in updates.indices {
            updates[index].stagedContent = try updates[index].staged.map { staged throws(Problem) in
                Content(id: try git(versions.repository.objects.write(blob: staged)), mode: updates[index].mode)
            }
        }
        guard moving else { return .planned(subject: "fast-forward to \(new.short)", made.changes) }
        let signals = BlockedSignals()
        defer { withExtendedLifetime(signals) {} }
        let moved = try move(to: new, from: tip.id, updates, done, note: "fast-forward", isForwarded: true, on: branch)
        return .forwarded(version, made.changes, notes: moved.notes)
    }

    /// What the other side has there.
    func broughtFile(_ content: Content?, at path: String, isForwarding: Bool) throws(Problem) -> [UInt8]? {
        guard let content else { return nil }
        let isOurs = versions.subject(atRepositoryPath: path) != nil
        do throws(GitError) {
            return try versions.repository.objects.blob(content.id, atMost: isOurs ? JSON.sizeLimit : WorkTree.otherFileLimit)
        } catch {
            guard error.kind == .tooLarge else { throw Problem(error) }
            throw isOurs ? .file(.bringsTooLarge(path)) : .merge(.otherFileIsTooLarge(path, forwarding: isForwarding))
        }
    }
}

extension FileUpdate {
    /// Whether it may be executed, as the other side has it.
    mutating func take(_ difference: Difference) {
        mode = difference.new?.mode ?? .blob
        changesMode = difference.new != nil && difference.old.map { $0.mode != mode } ?? false
    }
}
