package import Base
internal import CGit2

/// What a walk through a history needs of a commit: reading the rest of it would cost as much again as reading the object.
package struct CommitHeader: Hashable, Sendable {
    package let id: ObjectID
    package let tree: ObjectID
    package let parents: [ObjectID]
    /// The committer's: seconds since 1970.
    package let time: Int64
    /// Which of the words that were looked for begin a line of the message: bit 0 for the first one.
    package let noticed: UInt16
    /// Which of them do so in its last paragraph.
    package let noticedAtEnd: UInt16

    /// Of a commit that was read whole. `time`: as it is known from elsewhere.
    package init(_ commit: Commit, time: Int64? = nil, noticing words: [[UInt8]] = []) {
        (id, tree, parents, self.time) = (commit.id, commit.tree, commit.parents, time ?? commit.committer.time)
        var (message, notices) = (commit.message, Notices(words))
        if !words.isEmpty {
            message.withUTF8 { bytes in
                for line in UnsafeRawBufferPointer(bytes).split(separator: 10, omittingEmptySubsequences: false) {
                    notices.take(UnsafeRawBufferPointer(rebasing: line))
                }
            }
        }
        (noticed, noticedAtEnd) = (notices.all, notices.atEnd)
    }

    /// Reads a commit object as `Commit` does. `words` are in lower case; those in the message may be in any.
    init?(id: ObjectID, bytes: UnsafeRawBufferPointer, noticing words: [[UInt8]] = []) {
        var tree: ObjectID?
        var parents: [ObjectID] = []
        var (author, committer): (Int64?, Int64?)
        var place = 0
        var notices = Notices(words)
        var isHeader = true
        var limit = bytes.count
        while place < limit, let base = bytes.baseAddress {
            let end = memchr(base + place, 10, bytes.count - place).map { UnsafeRawPointer($0) - base }
            let line = UnsafeRawBufferPointer(start: base + place, count: (end ?? bytes.count) - place)
            place += line.count + 1
            if !isHeader {
                notices.take(line)
                continue
            }
            // Without an end it is no line of the header.
            if end == nil { break }
            if line.isEmpty {
                if words.isEmpty { break }
                isHeader = false
                limit = min(limit, place + Commit.messageLimit)
            } else if tree == nil, let value = Self.value(of: line, "tree ") {
                tree = ObjectID(hex: value)
            } else if let value = Self.value(of: line, "parent ") {
                guard let parent = ObjectID(hex: value) else { return nil }
                parents.append(parent)
            } else if author == nil, let value = Self.value(of: line, "author ") {
                author = Self.time(value)
            } else if committer == nil, let value = Self.value(of: line, "committer ") {
                committer = Self.time(value)
            }
        }
        guard let tree else { return nil }
        self.id = id
        self.tree = tree
        self.parents = Commit.distinct(parents)
        self.time = committer ?? author ?? 0
        (noticed, noticedAtEnd) = (notices.all, notices.atEnd)
    }

    private static func value(of line: UnsafeRawBufferPointer, _ token: StaticString) -> UnsafeRawBufferPointer? {
        let count = token.utf8CodeUnitCount
        guard line.count >= count, let base = line.baseAddress, memcmp(base, token.utf8Start, count) == 0 else { return nil }
        return UnsafeRawBufferPointer(start: base + count, count: line.count - count)
    }

    /// Of a signature's line.
    private static func time(_ line: UnsafeRawBufferPointer) -> Int64 {
        var place = line.count
        while place > 0, line[place - 1] != UInt8(ascii: ">") { place -= 1 }
        guard place > 0 else { return 0 }
        while place < line.count, line[place] == UInt8(ascii: " ") { place += 1 }
        let digits = line[place...].prefix { $0 != UInt8(ascii: " ") }
        var time: Int64 = 0
        for digit in digits {
            guard (48...57).contains(digit), time < .max / 20 else {
                return Int64(String(decoding: digits, as: UTF8.self)) ?? 0
            }
            time = time * 10 + Int64(digit - 48)
        }
        return time
    }
}

/// The words that lines of a message begin with, also behind the four blanks that `git merge --squash` puts before them. A word
/// that is looked for twice is noticed in a second line.
private struct Notices {
    let words: [[UInt8]]
    private(set) var all: UInt16 = 0
    private(set) var atEnd: UInt16 = 0
    private var isBetween = false

    init(_ words: [[UInt8]]) { self.words = words }

    mutating func take(_ line: UnsafeRawBufferPointer) {
        guard let first = line.first, line.count > 1 || first > UInt8(ascii: " ") else {
            isBetween = true
            return
        }
        if isBetween { (atEnd, isBetween) = (0, false) }
        if first == UInt8(ascii: " "), line.count > 4, line.prefix(4).allSatisfy({ $0 == first }) {
            all |= bit(of: UnsafeRawBufferPointer(rebasing: line.dropFirst(4)), besides: all) | bit(of: line, besides: all)
        } else {
            let found = bit(of: line, besides: 0)
            atEnd |= found
            all |= all & found == 0 ? found : bit(of: line, besides: all)
        }
    }

    private func bit(of line: UnsafeRawBufferPointer, besides known: UInt16) -> UInt16 {
        for (index, word) in words.enumerated() where known & 1 << UInt16(index) == 0 && Self.begins(line, with: word) {
            return 1 << UInt16(index)
        }
        return 0
    }

    private static func begins(_ line: UnsafeRawBufferPointer, with word: [UInt8]) -> Bool {
        guard line.count >= word.count else { return false }
        for index in word.indices where line[index] | 0x20 != word[index] | 0x20 { return false }
        return true
    }
}

extension Objects {
    package func header(_ id: ObjectID, noticing words: [[UInt8]] = []) throws(GitError) -> CommitHeader {
        let header = try object(id, GIT_OBJECT_COMMIT, "read commit \(id)") { CommitHeader(id: id, bytes: $0, noticing: words) }
        guard let header else { throw GitError(.corrupt, "it names no tree", operation: "read commit \(id)") }
        return header
    }
}
