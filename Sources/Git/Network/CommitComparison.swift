import Files
package import Base

/// What each of many commits changed, by git's own comparison: it reads the folders of a pack in a third of libgit2's time, and
/// several of it don't wait for each other, as libgit2's threads do (all versions: they share what they know of a pack).
package struct CommitComparison: Sendable {
    let program: String
    let variables: [String: String]
    /// A git directory of ours; the lists that git reads are written there, too.
    let directory: String
    /// git is ended where so many seconds bring nothing: a few folders that hold each other twice keep it busy for ever.
    var patience = 10
    /// Where a commit changed more paths, git is ended, too.
    var limit = Tree.entryLimit

    /// How a comparison ended.
    package enum Ending {
        case complete, stopped
        /// git did not compare all of them.
        case failed
    }

    /// Compares commits with their parents, in this order; those without one with nothing. `take` gets each path that differs
    /// and returns false to stop. `number`: another one for each that runs at the same time. `under`: as for
    /// `Objects.differences`.
    package func run(
        _ commits: [(id: ObjectID, parent: ObjectID?)], under folder: String, number: Int, _ take: (ObjectID, Difference) -> Bool
    ) -> Ending {
        let list = "\(directory)/commits-\(number)"
        defer { try? FileSystem.removeAll(list) }
        var lines: [UInt8] = []
        lines.reserveCapacity(commits.count * 82)
        for (id, parent) in commits {
            lines += id.hex.utf8
            if let parent { lines += " \(parent)".utf8 }
            lines.append(UInt8(ascii: "\n"))
        }
        guard (try? FileSystem.write(lines, to: list)) != nil else { return .failed }
        var words = [
            "git", "--git-dir=\(directory)", "--literal-pathspecs", "diff-tree", "--stdin", "-r", "-z", "--root", "--always",
            "--raw", "--no-abbrev", "--no-renames", "--ignore-submodules=none", "--",
        ]
        let folder = FileSystem.trimmed(folder)
        if !folder.isEmpty { words.append(folder) }
        var reader = RawDifferences(commits: commits.map(\.id), limit: limit)
        var isStopped = false
        var command = Command(program, words, variables)
        command.input = .file(list)
        let run = command.run(keeping: 0, patience: patience) { stream, bytes in
            guard stream == .output else { return true }
            isStopped = !reader.read(bytes, take)
            return !isStopped && !reader.isBroken
        }
        if isStopped { return .stopped }
        return run.status == 0 && reader.isComplete ? .complete : .failed
    }
}

/// The output of `git diff-tree --stdin --raw -z`: a commit's id before what it changed, then for each path
/// `:MODE MODE ID ID STATUS` and the path, each up to a zero byte (`Documentation/diff-format.txt`).
private struct RawDifferences {
    /// Those that come, in their order: git goes on where it can't read one.
    let commits: [ObjectID]
    /// How many of them have come.
    private var place = 0
    /// How many paths the last one may have.
    let limit: Int
    /// The part that was read of what ends in a later piece.
    private var rest: [UInt8] = []
    /// What stood and stands at the path that comes next.
    private var contents: (old: Content?, new: Content?)?
    /// How many paths of the commit were read.
    private var count = 0
    private(set) var isBroken = false

    init(commits: [ObjectID], limit: Int) {
        self.commits = commits
        self.limit = limit
    }

    var isComplete: Bool { !isBroken && rest.isEmpty && contents == nil && place == commits.count }

    /// Returns false where `take` does.
    mutating func read(_ bytes: UnsafeRawBufferPointer, _ take: (ObjectID, Difference) -> Bool) -> Bool {
        var start = 0
        while !isBroken, let end = bytes[start...].firstIndex(of: 0) {
            rest += bytes[start..<end]
            start = end + 1
            if let difference = next() {
                count += 1
                isBroken = count > limit
                if isBroken { break }
                if !take(commits[place - 1], difference) { return false }
            }
            rest.removeAll(keepingCapacity: true)
        }
        rest += bytes[start...]
        return true
    }

    /// What ends with `rest`.
    private mutating func next() -> Difference? {
        if let (old, new) = contents {
            contents = nil
            let path = decoded(rest)
            return Difference(path: path.text, pathIsValid: path.isValid, old: old, new: new)
        }
        if rest.first == UInt8(ascii: ":") {
            // The modes have six digits, the ids forty.
            guard rest.count >= 98, let old = content(mode: 1, id: 15), let new = content(mode: 8, id: 56), place > 0 else {
                isBroken = true
                return nil
            }
            contents = (old.content, new.content)
        } else {
            isBroken = place == commits.count || ObjectID(hex: rest) != commits[place]
            place += 1
            count = 0
        }
        return nil
    }

    /// Where nothing is, the mode is 0.
    private func content(mode: Int, id: Int) -> (content: Content?, Void)? {
        var bits: UInt32 = 0
        for byte in rest[mode..<mode + 6] {
            guard case let digit = byte &- UInt8(ascii: "0"), digit < 8 else { return nil }
            bits = bits << 3 | UInt32(digit)
        }
        guard let id = ObjectID(hex: rest[id..<id + 40]) else { return nil }
        return (bits == 0 ? nil : Content(id: id, mode: FileMode(bits: bits)), ())
    }
}
