import Files
import Git
import SettingsModel

/// Edits of tracked files that are dropped.
extension Drafts {
    /// Puts tracked files back, under the lock. What they held is kept like that of the store's own files.
    func discard(
        _ all: [(entry: Tracking.Entry, content: Content, old: [UInt8], new: [UInt8])], since tip: Snapshot, _ done: Done
    ) throws(Problem) {
        // What no version has is not kept in the repository either.
        for file in all where file.entry.isElsewhere { try tracking.write(file.new, to: file.entry, over: file.old) }
        let files = all.filter { !$0.entry.isElsewhere }
        if files.isEmpty { return }
        try workTree.checkIndexIsFree()
        try workTree.checkWritable(files.map { ($0.entry.path, false) })
        try journal.noted { own throws(Problem) in
            let signature = Signature(done.committer, at: done.time)
            let left: [(path: String, bytes: [UInt8]?)] = files.compactMap { file in
                ObjectID.hash(ofBlob: file.new) == file.content.id ? nil : (file.entry.path, file.new)
            }
            try recorder.keep(files.map { ($0.entry.path, $0.old) }, leaving: left, beside: tip, by: signature, own)
            let updates = files.map { file in
                FileUpdate(
                    path: file.entry.path, file: file.new, mode: file.content.mode, isOld: true, old: .bytes(file.old))
            }
            try write(updates)
            var unstaged: [TreeUpdate] = []
            for file in files where try tracking.staged(file.entry)?.id != file.content.id {
                unstaged.append(TreeUpdate(path: file.entry.path, change: .put(file.content.id, file.content.mode)))
            }
            if !unstaged.isEmpty { try workTree.unstage(unstaged) }
        }
    }

    /// Files that are not the store's of which something was discarded. Each must hold what was left of it then.
    func trackedFiles(from base: Snapshot, to kept: Snapshot) throws(Problem) -> [FileUpdate] {
        var updates: [FileUpdate] = []
        for difference in try git(versions.repository.objects.differences(from: base.tree, to: kept.tree))
        where difference.pathIsValid && versions.subject(atRepositoryPath: difference.path) == nil {
            let held: [UInt8]?
            do { held = try workTree.root.read(difference.path, limit: WorkTree.otherFileLimit) } catch {
                throw .file(.failed(error))
            }
            guard ExpectedContent.content(difference.old).matches(held) else {
                throw .recording(.otherIsHandEdited(difference.path))
            }
            let bytes = try difference.new.map { content throws(Problem) in
                try git(versions.repository.objects.blob(content.id, atMost: WorkTree.otherFileLimit))
            }
            updates.append(
                FileUpdate(
                    path: difference.path, file: bytes, mode: difference.old?.mode ?? .blob, isOld: true, old: .bytes(held)))
        }
        return updates
    }

    func write(_ updates: [FileUpdate]) throws(Problem) {
        var updates = updates
        let kept = try workTree.writeFiles(&updates, journal.durability) { _ in true }
        if let path = kept.first { throw .recording(.otherIsHandEdited(path)) }
    }
}
