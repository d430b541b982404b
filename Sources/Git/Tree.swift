internal import CGit2

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A tree while it is being read. Its entries stay inside libgit2 and are looked at in place.
struct Tree: ~Copyable {
    /// How deep folders may lie in each other.
    static let depthLimit = 64

    private let pointer: OpaquePointer?
    let count: Int

    private init(_ pointer: OpaquePointer?) {
        self.pointer = pointer
        count = pointer.map { git_tree_entrycount($0) } ?? 0
    }

    deinit { git_tree_free(pointer) }

    /// Nil and the empty tree, which need not be there, have no entries.
    static func read(_ id: ObjectID?, in repository: borrowing Repository) throws(GitError) -> Tree {
        guard let id, id != .emptyTree else { return Tree(nil) }
        var pointer: OpaquePointer?
        var raw = id.raw
        try check("read tree \(id)") { git_tree_lookup(&pointer, repository.pointer, &raw) }
        return Tree(pointer)
    }

    subscript(index: Int) -> Entry? {
        guard let entry = git_tree_entry_byindex(pointer, index), let name = git_tree_entry_name(entry) else { return nil }
        return Entry(pointer: entry, name: name, mode: FileMode(git_tree_entry_filemode(entry)))
    }

    /// An entry inside libgit2: good only as long as its tree.
    struct Entry {
        let pointer: OpaquePointer
        let name: UnsafePointer<CChar>
        let mode: FileMode

        var id: ObjectID { git_tree_entry_id(pointer).map { ObjectID($0.pointee) } ?? .emptyTree }
        var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: name, count: strlen(name)) }
        var content: Content { Content(id: id, mode: mode) }

        /// Git's order within a tree: by bytes, a folder's name as if it ended in `/`. Negative, 0 or positive.
        func order(_ other: Entry) -> Int {
            let (left, right) = (bytes, other.bytes)
            let shared = min(left.count, right.count)
            let difference = memcmp(name, other.name, shared)
            if difference != 0 { return Int(difference) }
            return byte(at: shared, of: left) - other.byte(at: shared, of: right)
        }

        private func byte(at index: Int, of bytes: UnsafeRawBufferPointer) -> Int {
            index < bytes.count ? Int(bytes[index]) : mode == .tree ? Int(UInt8(ascii: "/")) : 0
        }
    }
}

/// Bytes as text, and whether they were UTF-8.
func decoded(_ bytes: some Collection<UInt8>) -> (text: String, isValid: Bool) {
    if let text = String(validating: bytes, as: UTF8.self) { return (text, true) }
    return (String(decoding: bytes, as: UTF8.self), false)
}
