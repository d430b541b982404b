package import Base
/// A commit as a value.
package struct Commit: Hashable, Sendable {
    package let id: ObjectID
    package let tree: ObjectID
    package let parents: [ObjectID]
    package let author: Signature
    package let committer: Signature
    /// In UTF-8: Latin-1 is converted where the commit says that it has that; other bytes are replaced. What is longer than
    /// the limit is cut off there.
    package let message: String

    /// No person writes more; a message of 50 MB from elsewhere took seconds to be read.
    static let messageLimit = 1 << 20

    /// Reads a commit object: header lines (those that begin with a space continue the one before), an empty line, the
    /// message. Own code, because libgit2 refuses commits that git and every hosting service live with: no author, no
    /// name, a date that is none (all versions; not reported). Nil without a tree.
    init?(id: ObjectID, bytes: UnsafeRawBufferPointer) {
        var tree: ObjectID?
        var parents: [ObjectID] = []
        var author: Slice<UnsafeRawBufferPointer>?
        var committer: Slice<UnsafeRawBufferPointer>?
        var isLatin1 = false
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[..<end]
            rest = rest[(end + 1)...]
            if line.isEmpty { break }
            guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { continue }
            let value = line[(space + 1)...]
            switch String(decoding: line[..<space], as: UTF8.self) {
            case "tree" where tree == nil: tree = ObjectID(hex: value)
            case "parent":
                guard let parent = ObjectID(hex: value) else { return nil }
                parents.append(parent)
            case "author" where author == nil: author = value
            case "committer" where committer == nil: committer = value
            case "encoding": isLatin1 = Self.isLatin1(value)
            default: break
            }
        }
        guard let tree else { return nil }
        let nobody = Signature(name: "", email: "", time: 0, offset: 0)
        self.id = id
        self.tree = tree
        self.parents = Self.distinct(parents)
        func signature(_ line: Slice<UnsafeRawBufferPointer>?) -> Signature? {
            line.map { isLatin1 ? Signature(line: Self.converted($0)) : Signature(line: $0) }
        }
        self.author = signature(author) ?? nobody
        self.committer = signature(committer) ?? self.author
        let text = rest.prefix(Self.messageLimit)
        message = isLatin1 ? String(decoding: Self.converted(text), as: UTF8.self) : String(decoding: text, as: UTF8.self)
    }

    /// No tool makes a commit of so many parents, and none twice: one that names its parent 100,000 times would have it read as
    /// often in each walk.
    static func distinct(_ parents: [ObjectID]) -> [ObjectID] {
        guard parents.count > 16 else { return parents }
        var seen: Set<ObjectID> = []
        return parents.filter { seen.insert($0).inserted }
    }

    private static func isLatin1(_ encoding: some Collection<UInt8>) -> Bool {
        let name = String(decoding: encoding, as: UTF8.self).lowercased().filter { $0 != "-" && $0 != "_" }
        return name == "iso88591" || name == "latin1"
    }

    /// Latin-1 in UTF-8.
    private static func converted(_ bytes: some Collection<UInt8>) -> [UInt8] {
        bytes.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] }
    }
}
