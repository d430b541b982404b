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
            try recorder.keep(files.map { ($0.entry.path, $0.old) }, beside: tip, by: signature, own)
            var updates = files.map { file in
                FileUpdate(
                    path: file.entry.path, file: file.new, mode: file.content.mode, isOld: true, old: .bytes(file.old))
            }
            let kept = try workTree.writeFiles(&updates, journal.durability) { _ in true }
            if let path = kept.first { throw .recording(.otherIsHandEdited(path)) }
            var unstaged: [TreeUpdate] = []
            for file in files where try tracking.staged(file.entry)?.id != file.content.id {
                unstaged.append(TreeUpdate(path: file.entry.path, change: .put(file.content.id, file.content.mode)))
            }
            if !unstaged.isEmpty { try workTree.unstage(unstaged) }
        }
    }
}
