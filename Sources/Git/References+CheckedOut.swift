import Files
package import Base

/// Where the files and the index of a work tree stand.
package enum Standing: Equatable {
    /// At the commit that the branch is at: whatever differs was put there.
    case atTip
    /// At this commit: the branch was moved without them since.
    case behind(ObjectID)
    /// Nothing says. The commit is the last one that they are known to have been at.
    case unknown(ObjectID?)
}

/// What this program notes of a work tree whose files and index are at a commit.
package struct Checkout: Equatable {
    package let commit: ObjectID
    /// What the work tree's own files of git were like then, see `checkoutState`.
    package let state: ObjectID

    package init(commit: ObjectID, state: ObjectID) { (self.commit, self.state) = (commit, state) }
}

/// What a work tree was last brought to. Another work tree of the branch, a push to it and `git update-ref` move the branch and
/// leave the files and the index where they were.
///
/// HEAD's reflog of the work tree says so as long as it knows the commit that was noted last: it says what came after, too.
/// Without it (it was never kept, or has expired) that note counts, unless git has been at work in this work tree since.
extension References {
    package func standing(at tip: ObjectID, noted: Checkout?) throws(GitError) -> Standing {
        if let logged = try lastCheckedOut(), try knows(noted?.commit, logged) {
            if logged == tip { return .atTip }
            guard try objects.exists(logged), try hasMovedOn(from: logged, to: tip) else { return .unknown(logged) }
            return .behind(logged)
        }
        guard let noted else { return .unknown(nil) }
        if noted.commit == tip { return .atTip }
        // Where `git reset --soft` finds its commit in ORIG_HEAD already, it changes nothing but the branch.
        guard try checkoutState() == noted.state, try objects.exists(noted.commit),
            try !formerHead().starts(with: noted.commit.hex.utf8)
        else { return .unknown(noted.commit) }
        return .behind(noted.commit)
    }

    /// What `git add`, `checkout`, `commit`, `reset` and `symbolic-ref` change of a work tree's own files: how the index ends,
    /// which is its hash, HEAD, and ORIG_HEAD. Nil where there is no index, or none with a hash. `index`: the end of the index.
    package func checkoutState(index: [UInt8]? = nil) throws(GitError) -> ObjectID? {
        var end = index ?? []
        if index == nil { end = try system(LogFile.end(of: git.gitDirectory + "/index", atMost: 20)) }
        guard end.count == 20, end.contains(where: { $0 != 0 }) else { return nil }
        let head = try system(FileSystem.bytes(of: git.gitDirectory + "/HEAD", atMost: 4096)) ?? []
        return ObjectID.hash(ofBlob: end + head + (try formerHead()))
    }

    private func formerHead() throws(GitError) -> [UInt8] {
        try system(FileSystem.bytes(of: git.gitDirectory + "/ORIG_HEAD", atMost: 4096)) ?? []
    }

    /// Whether HEAD's reflog goes back to a commit, which says that nothing after it has expired. One that is long is not read to
    /// its beginning.
    private func knows(_ commit: ObjectID?, _ logged: ObjectID) throws(GitError) -> Bool {
        guard let commit, commit != logged else { return true }
        let end = try system(LogFile.end(of: git.gitDirectory + "/logs/HEAD", atMost: Self.lastBytesOfBranch))
        if end.count == Self.lastBytesOfBranch { return true }
        let hex = Array(commit.hex.utf8)
        return end.split(separator: UInt8(ascii: "\n")).contains { $0.starts(with: hex) || $0.dropFirst(41).starts(with: hex) }
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

    /// Whether the branch left `commit`, by its own reflog or because `tip` follows it. Nothing says so where HEAD was pointed at
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
