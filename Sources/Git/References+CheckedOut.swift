import Files
package import SettingsModel

/// What a work tree was last brought to. Another work tree of the branch, a push to it and `git update-ref` move the branch and
/// leave the files and the index where they were.
extension References {
    /// The commit that files and index were last brought to, where HEAD has moved on since, which is at `tip`. Nil where HEAD was
    /// not moved without them, or its reflog doesn't say.
    ///
    /// Whoever moves the branch in another work tree leaves no entry in this one's reflog; whoever moves it by its name here
    /// leaves one that no command that writes files has.
    package func leftBehind(by tip: ObjectID) throws(GitError) -> ObjectID? {
        let bytes = try system(LogFile.end(of: git.gitDirectory + "/logs/HEAD", atMost: Self.lastEntries))
        var entries = bytes.split(separator: UInt8(ascii: "\n"))
        guard let last = entries.last.flatMap(LogEntry.init) else { return nil }
        var commit = last.new
        while let entry = entries.popLast().flatMap(LogEntry.init), entry.new == commit, entry.movedBranchOnly {
            commit = entry.old
        }
        guard commit != tip, try objects.exists(commit) else { return nil }
        return try objects.isAncestor(commit, of: tip) ? commit : nil
    }

    private static let lastEntries = 16 << 10

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
    let movedBranchOnly: Bool

    init?(_ line: ArraySlice<UInt8>) {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count == 3, let old = ObjectID(hex: words[0]), let new = ObjectID(hex: words[1]) else { return nil }
        (self.old, self.new) = (old, new)
        let note = words[2].firstIndex(of: UInt8(ascii: "\t")).map { words[2][$0...].dropFirst() } ?? []
        movedBranchOnly = note.isEmpty || note.elementsEqual("push".utf8) || note.starts(with: "fetch ".utf8)
    }
}
