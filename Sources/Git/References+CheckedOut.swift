import Files
package import Base

/// What a work tree was last brought to. Another work tree of the branch, a push to it and `git update-ref` move the branch and
/// leave the files and the index where they were.
extension References {
    /// The commit that files and index were last brought to, where the branch that HEAD is on was moved without them since, to
    /// `tip`. Nil where it wasn't, or the reflogs don't say.
    package func leftBehind(by tip: ObjectID) throws(GitError) -> ObjectID? {
        guard let commit = try lastCheckedOut(), commit != tip, try objects.exists(commit) else { return nil }
        return try hasMovedOn(from: commit, to: tip) ? commit : nil
    }

    /// Whoever moves the branch in another work tree leaves no entry in HEAD's reflog of this one; a push and the like leave one
    /// that no command that writes files leaves.
    private func lastCheckedOut() throws(GitError) -> ObjectID? {
        var commit: ObjectID?
        for line in try lastLines(of: git.gitDirectory + "/logs/HEAD", Self.lastBytes) {
            guard let entry = LogEntry(line) else { break }
            commit = entry.new
            guard try leftFiles(entry) else { break }
            commit = entry.old
        }
        return commit
    }

    /// Whether an entry in HEAD's reflog moved no file.
    private func leftFiles(_ entry: LogEntry) throws(GitError) -> Bool {
        if entry.note.isEmpty {
            // `git update-ref` back is taken for `git reset --soft`.
            guard try objects.exists(entry.old), try objects.exists(entry.new) else { return false }
            return try objects.isAncestor(entry.old, of: entry.new)
        }
        if entry.note == "push" {
            return try configuration.configured("receive.denyCurrentBranch")?.lowercased() != "updateinstead"
        }
        if entry.note.hasPrefix("checkout: moving from ") { return entry.old == entry.new }
        return entry.note.hasPrefix("fetch ") || entry.note.hasPrefix("Branch: renamed ")
    }

    /// Whether the branch left `commit`, by its own reflog or because `tip` follows it. It didn't where HEAD was pointed at
    /// another branch, or where whoever was about to move it to `commit` died before that.
    private func hasMovedOn(from commit: ObjectID, to tip: ObjectID) throws(GitError) -> Bool {
        if let branch = try unresolvedHead().branch {
            let lines = try lastLines(of: "\(git.commonDirectory)/logs/\(branch)", Self.lastBytesOfBranch)
            let start = Array("\(commit) ".utf8)
            if lines.contains(where: { $0.starts(with: start) }) { return true }
        }
        return try objects.isAncestor(commit, of: tip)
    }

    /// The newest first.
    private func lastLines(of log: String, _ count: Int) throws(GitError) -> ReversedCollection<[ArraySlice<UInt8>]> {
        try system(LogFile.end(of: log, atMost: count)).split(separator: UInt8(ascii: "\n")).reversed()
    }

    private static let lastBytes = 16 << 10
    private static let lastBytesOfBranch = 256 << 10

    /// Notes in HEAD's reflog that files and index have been brought from one commit to another.
    package func logCheckout(from old: ObjectID, to new: ObjectID, by signature: Signature, note: String) throws(GitError) {
        let signature = try OwnedSignature.make(signature)
        let log = try system(LogFile.open(git.gitDirectory + "/logs/HEAD", making: false, git.sharedMode))
        guard let log, log.isRegular else { return }
        try system(log.append("\(old) \(new) \(signature.line)\t\(note)\n"))
    }
}

/// A line of a reflog: two ids, a person with a time, and behind a tab what was done.
private struct LogEntry {
    let old: ObjectID
    let new: ObjectID
    let note: String

    init?(_ line: ArraySlice<UInt8>) {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count == 3, let old = ObjectID(hex: words[0]), let new = ObjectID(hex: words[1]) else { return nil }
        (self.old, self.new) = (old, new)
        note =
            words[2].firstIndex(of: UInt8(ascii: "\t")).map { String(decoding: words[2][$0...].dropFirst(), as: UTF8.self) } ?? ""
    }
}
