import Files
package import Base
internal import CGit2

/// Where HEAD points.
package struct Head: Hashable, Sendable {
    /// The branch's full name (`refs/heads/main`); nil when HEAD is detached.
    package let branch: String?
    /// Nil on a branch without a commit.
    package let commit: ObjectID?

    /// The reference that a new commit moves.
    var reference: String { branch ?? "HEAD" }
}

extension References {
    package func head() throws(GitError) -> Head {
        let head = try unresolvedHead()
        guard let branch = head.branch else { return head }
        let commit = try reference(named: branch)
        if commit == nil { try refuseLost(branch) }
        return Head(branch: branch, commit: commit)
    }

    /// A branch that had versions and has none is no new one: its file was removed, or a loss of power emptied
    /// `packed-refs`.
    private func refuseLost(_ branch: String) throws(GitError) {
        guard let log = try system(FileSystem.bytes(of: "\(git.commonDirectory)/logs/\(branch)", atMost: .max)),
            let line = log.split(separator: UInt8(ascii: "\n")).last
        else { return }
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count == 3, let last = ObjectID(hex: words[1]), words[1].contains(where: { $0 != UInt8(ascii: "0") }) else {
            return
        }
        throw GitError(
            .lost(branch: branch, last: last), "it is missing, although its reflog ends at \(last.short)",
            operation: "read \(branch)")
    }

    /// Takes the first entry out of the logs of a branch that was to begin with `new` and never did: whoever was about to
    /// move it died in between.
    package func dropUnbornLog(of new: ObjectID) throws(GitError) {
        guard let branch = try unresolvedHead().branch, try reference(named: branch) == nil else { return }
        for log in ["\(git.commonDirectory)/logs/\(branch)", "\(git.gitDirectory)/logs/HEAD"] {
            guard let bytes = try system(FileSystem.bytes(of: log, atMost: 1 << 16)) else { continue }
            let start = Array("\(String(repeating: "0", count: 40)) \(new) ".utf8)
            if bytes.starts(with: start), bytes.split(separator: UInt8(ascii: "\n")).count == 1 { try? FileSystem.empty(log) }
        }
    }

    /// The commit only where HEAD is detached.
    func unresolvedHead() throws(GitError) -> Head {
        do throws(GitError) { return try readHead() } catch { throw error.kind == .corrupt ? error.of(.damagedHead) : error }
    }

    private func readHead() throws(GitError) -> Head {
        let operation = "read HEAD"
        let head = try own(operation, git_reference_free) { git_reference_lookup(&$0, git.pointer, "HEAD") }
        if let target = git_reference_symbolic_target(head.pointer) {
            let branch = String(cString: target)
            // libgit2 reads it, and git does not.
            guard branch.hasPrefix("refs/") else {
                throw GitError(.damagedHead, "it names '\(branch)', which is not a branch", operation: operation)
            }
            return Head(branch: branch, commit: nil)
        }
        guard let target = git_reference_target(head.pointer) else {
            throw GitError(.corrupt, "it points nowhere", operation: operation)
        }
        return Head(branch: nil, commit: ObjectID(target.pointee))
    }
}
