import Base
internal import CGit2

/// A tree while it is being read. Its entries are looked at where libgit2 has the object: `MODE NAME`, a zero byte, the
/// id's 20 bytes, one after the other. Own code, because libgit2 makes an array of them first, which costs as much as
/// reading the object.
final class Tree {
    /// How deep folders may lie in each other.
    static let depthLimit = 64
    /// How many entries are looked at at once, each folder's as often as it comes by: ten small trees can stand for
    /// 10,000,000,000 files. So many take 2 GB at the most.
    static let entryLimit = 1 << 20

    /// An entry more.
    static func count(_ entries: inout Int, of limit: Int = entryLimit) throws(GitError) {
        entries += 1
        guard entries <= limit else {
            throw GitError(.tooLarge, "they have more than \(limit) files and folders", operation: "read the trees")
        }
    }

    private let object: ReadObject?
    private let id: ObjectID
    private let bytes: UnsafeRawBufferPointer
    /// Where each entry begins, for looking up names in a large tree.
    private lazy var starts: [Int] = {
        var starts: [Int] = []
        var reader = entries
        while let next = reader.position, (try? reader.next()) ?? nil != nil { starts.append(next) }
        return starts
    }()

    private init(_ object: consuming ReadObject?, _ id: ObjectID, _ bytes: UnsafeRawBufferPointer) {
        self.object = object
        self.id = id
        self.bytes = bytes
    }

    /// Nil and the empty tree, which need not be there, have no entries.
    static func read(_ id: ObjectID?, in objects: Objects) throws(GitError) -> Tree {
        guard let id, id != .emptyTree else { return Tree(nil, .emptyTree, UnsafeRawBufferPointer(start: nil, count: 0)) }
        if let tree = objects.git.trees[id] { return tree }
        let object = try objects.object(id, GIT_OBJECT_TREE, "read tree \(id)")
        let bytes = object.bytes
        let tree = Tree(object, id, bytes)
        objects.git.trees.keep(tree, id, size: bytes.count)
        return tree
    }

    /// From the first one on; good only as long as the tree.
    var entries: Entries { Entries(id: id, bytes: bytes) }

    /// Nil where no entry has that name.
    func entry(named name: [UInt8]) throws(GitError) -> Entry? {
        if bytes.count <= Tree.scanLimit {
            var entries = entries
            while let entry = try entries.next() { if entry.isNamed(name) { return entry } }
            return nil
        }
        // A folder's name counts as if it ended in a slash, so either may stand elsewhere.
        for end in [0, UInt8(ascii: "/")] {
            var (low, high) = (0, starts.count)
            while low < high {
                let middle = (low + high) / 2
                guard let entry = try Entries(id: id, bytes: bytes, from: starts[middle]).first() else { break }
                if entry.isNamed(name) { return entry }
                if entry.orderedName.lexicographicallyPrecedes(name + [end]) { low = middle + 1 } else { high = middle }
            }
        }
        return nil
    }

    /// Up to here looking at one entry after the other is fast enough.
    private static let scanLimit = 16 << 10

    struct Entries {
        let id: ObjectID
        let bytes: UnsafeRawBufferPointer
        private(set) var position: Int?

        init(id: ObjectID, bytes: UnsafeRawBufferPointer, from start: Int = 0) {
            self.id = id
            self.bytes = bytes
            position = start < bytes.count ? start : nil
        }

        func first() throws(GitError) -> Entry? {
            var copy = self
            return try copy.next()
        }

        mutating func next() throws(GitError) -> Entry? {
            guard let start = position, let base = bytes.baseAddress else { return nil }
            var place = start
            var mode: UInt32 = 0
            while place < bytes.count, case let digit = bytes[place] &- UInt8(ascii: "0"), digit < 8, mode < 1 << 24 {
                mode = mode << 3 | UInt32(digit)
                place += 1
            }
            guard place > start, place < bytes.count, bytes[place] == UInt8(ascii: " ") else { throw malformed }
            place += 1
            guard let end = memchr(base + place, 0, bytes.count - place) else { throw malformed }
            let count = UnsafeRawPointer(end) - (base + place)
            guard count > 0, place + count + 21 <= bytes.count else { throw malformed }
            let name = UnsafeRawBufferPointer(start: base + place, count: count)
            place += count + 21
            position = place < bytes.count ? place : nil
            return Entry(
                name: name, mode: FileMode(bits: mode), bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<place]),
                idBytes: base + place - 20)
        }

        private var malformed: GitError { GitError(.corrupt, "an entry of it is malformed", operation: "read tree \(id)") }
    }

    /// An entry where libgit2 has it: good only as long as its tree.
    struct Entry {
        let name: UnsafeRawBufferPointer
        let mode: FileMode
        /// All of it.
        let bytes: UnsafeRawBufferPointer
        private let idBytes: UnsafeRawPointer

        fileprivate init(name: UnsafeRawBufferPointer, mode: FileMode, bytes: UnsafeRawBufferPointer, idBytes: UnsafeRawPointer) {
            self.name = name
            self.mode = mode
            self.bytes = bytes
            self.idBytes = idBytes
        }

        var id: ObjectID { ObjectID(at: idBytes) }
        var content: Content { Content(id: id, mode: mode) }

        func isNamed(_ other: [UInt8]) -> Bool {
            guard let name = name.baseAddress, self.name.count == other.count else { return false }
            return memcmp(name, other, other.count) == 0
        }

        func isSame(as other: Entry) -> Bool { memcmp(idBytes, other.idBytes, 20) == 0 && mode == other.mode }

        /// Git's order within a tree: by bytes, a folder's name as if it ended in `/`. Negative, 0 or positive.
        func order(_ other: Entry) -> Int { order(other.name, isTree: other.mode == .tree) }

        func order(_ other: UnsafeRawBufferPointer, isTree: Bool) -> Int {
            Self.order(name, mode == .tree ? Self.slash : 0, other, isTree ? Self.slash : 0)
        }

        /// The order of the names alone.
        func nameOrder(_ other: UnsafeRawBufferPointer) -> Int { Self.order(name, 0, other, 0) }

        private static func order(
            _ left: UnsafeRawBufferPointer, _ leftEnd: Int, _ right: UnsafeRawBufferPointer, _ rightEnd: Int
        ) -> Int {
            let shared = min(left.count, right.count)
            if let left = left.baseAddress, let right = right.baseAddress {
                let difference = memcmp(left, right, shared)
                if difference != 0 { return Int(difference) }
            }
            return (shared < left.count ? Int(left[shared]) : leftEnd) - (shared < right.count ? Int(right[shared]) : rightEnd)
        }

        private static let slash = Int(UInt8(ascii: "/"))

        fileprivate var orderedName: [UInt8] { Array(name) + [mode == .tree ? UInt8(ascii: "/") : 0] }
    }
}

/// The trees that were read last: a history looks at the same ones again and again.
final class TreeCache {
    /// Of larger ones two are kept, those of two versions that are compared: a walk through a history of large folders
    /// would fill the memory, and a million names that are looked up in one would each read it.
    private static let sizeLimit = 512 << 10
    private var slots: [(id: ObjectID, tree: Tree)?] = Array(repeating: nil, count: 256)
    private var large: [(id: ObjectID, tree: Tree)] = []

    subscript(id: ObjectID) -> Tree? {
        if let slot = slots[id.slot(of: 256)], slot.id == id { return slot.tree }
        return large.first { $0.id == id }?.tree
    }

    func keep(_ tree: Tree, _ id: ObjectID, size: Int) {
        if size <= Self.sizeLimit {
            slots[id.slot(of: 256)] = (id, tree)
        } else {
            large = [(id, tree)] + large.prefix(1)
        }
    }
}

/// Bytes as text, and whether they were UTF-8.
func decoded(_ bytes: some Collection<UInt8>) -> (text: String, isValid: Bool) {
    if let text = String(validating: bytes, as: UTF8.self) { return (text, true) }
    return (String(decoding: bytes, as: UTF8.self), false)
}
