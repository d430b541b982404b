package import SettingsModel
/// A commit as a value.
package struct Commit: Hashable, Sendable {
    package let id: ObjectID
    package let tree: ObjectID
    package let parents: [ObjectID]
    package let author: Signature
    package let committer: Signature
    /// As it stands in the commit; bytes that are not UTF-8 are replaced. What is longer than the limit is cut off there.
    package let message: String

    /// No person writes more; a message of 50 MB from elsewhere took seconds to be read.
    static let messageLimit = 1 << 20

    /// Reads a commit object: header lines (those that begin with a space continue the one before), an empty line, the
    /// message. Own code, because libgit2 refuses commits that git and every hosting service live with: no author, no
    /// name, a date that is none (all versions; not reported). Nil without a tree.
    init?(id: ObjectID, bytes: UnsafeRawBufferPointer) {
        var tree: ObjectID?
        var parents: [ObjectID] = []
        var author: Signature?
        var committer: Signature?
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
            case "author" where author == nil: author = Signature(line: value)
            case "committer" where committer == nil: committer = Signature(line: value)
            default: break
            }
        }
        guard let tree else { return nil }
        let nobody = Signature(name: "", email: "", time: 0, offset: 0)
        self.id = id
        self.tree = tree
        self.parents = parents
        self.author = author ?? nobody
        self.committer = committer ?? author ?? nobody
        message = String(decoding: rest.prefix(Self.messageLimit), as: UTF8.self)
    }
}
