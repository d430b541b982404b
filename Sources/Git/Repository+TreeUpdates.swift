internal import CGit2

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension Repository {
    /// Writes a tree with some paths changed; a nil base is a tree without entries.
    ///
    /// Folders on the way are made, folders that become empty are left out. Of two updates of one path the later counts;
    /// removing what is not there is no error. A file where a folder is wanted, or the reverse, is `.conflict`.
    /// Own walk over `git_treebuilder`: `git_tree_create_updated` leaves empty folders behind.
    package func tree(
        updating base: ObjectID?, with updates: [TreeUpdate]
    ) throws(GitError) -> ObjectID {
        var steps: [Step] = []
        steps.reserveCapacity(updates.count)
        for (number, update) in updates.enumerated() { steps.append(try Step(update, number)) }
        steps.sort()
        if let tree = try folder(updating: base, with: steps[...], from: 0) { return tree }
        return try emptyTree()
    }

    /// All steps lie in this folder, whose path is the first `start` bytes of each; nil when nothing is left in it.
    private func folder(
        updating base: ObjectID?, with steps: ArraySlice<Step>, from start: Int
    ) throws(GitError) -> ObjectID? {
        let operation = "write a tree"
        let builder = try builder(from: base, operation)
        var rest = steps
        while let step = rest.first {
            let name = step.name(from: start)
            let end = start + name.count
            guard step.path.count > end else {
                try apply(step, name, to: builder.pointer)
                rest.removeFirst()
                continue
            }
            // Sorted by bytes, the paths of one folder stand together.
            let folder = step.path[..<(end + 1)]
            let inside = rest.prefix { $0.path.starts(with: folder) }
            rest = rest[inside.endIndex...]
            let old = entry(name, of: builder.pointer)
            guard old == nil || old?.mode == .tree else { throw conflict(folder.dropLast()) }
            let new = try self.folder(updating: old?.id, with: inside, from: end + 1)
            if let new {
                try insert(name, Content(id: new, mode: .tree), into: builder.pointer)
            } else if old != nil {
                try check(operation) { git_treebuilder_remove(builder.pointer, Step.terminated(name)) }
            }
        }
        guard git_treebuilder_entrycount(builder.pointer) > 0 else { return nil }
        return try id(operation) { git_treebuilder_write(&$0, builder.pointer) }
    }

    private func apply(_ step: Step, _ name: ArraySlice<UInt8>, to builder: OpaquePointer) throws(GitError) {
        let old = entry(name, of: builder)
        switch step.change {
        case .put(let id, let mode):
            guard old == nil || (old?.mode == .tree) == (mode == .tree) else { throw conflict(step.path[...]) }
            try insert(name, Content(id: id, mode: mode), into: builder)
        case .remove:
            guard old != nil else { return }
            try check("write a tree") { git_treebuilder_remove(builder, Step.terminated(name)) }
        }
    }

    private func insert(_ name: ArraySlice<UInt8>, _ content: Content, into builder: OpaquePointer) throws(GitError) {
        var raw = content.id.raw
        try check("put \(String(decoding: name, as: UTF8.self)) into a tree") {
            git_treebuilder_insert(nil, builder, Step.terminated(name), &raw, content.mode.raw)
        }
    }

    private func entry(_ name: ArraySlice<UInt8>, of builder: OpaquePointer) -> Content? {
        guard let entry = git_treebuilder_get(builder, Step.terminated(name)), let id = git_tree_entry_id(entry) else {
            return nil
        }
        return Content(id: ObjectID(id.pointee), mode: FileMode(git_tree_entry_filemode(entry)))
    }

    /// The builder copies the tree's entries.
    private func builder(from base: ObjectID?, _ operation: String) throws(GitError) -> Owned {
        guard let base, base != .emptyTree else {
            return try own(operation, git_treebuilder_free) { git_treebuilder_new(&$0, pointer, nil) }
        }
        var raw = base.raw
        let tree = try own("read tree \(base)", git_tree_free) { git_tree_lookup(&$0, pointer, &raw) }
        return try own(operation, git_treebuilder_free) { git_treebuilder_new(&$0, pointer, tree.pointer) }
    }

    private func emptyTree() throws(GitError) -> ObjectID {
        let builder = try builder(from: nil, "write a tree")
        return try id("write a tree") { git_treebuilder_write(&$0, builder.pointer) }
    }

    private func conflict(_ path: ArraySlice<UInt8>) -> GitError {
        let path = String(decoding: path, as: UTF8.self)
        return GitError(.conflict, "\(path) is a file in one and a folder in the other", operation: "write a tree")
    }
}

/// An update with its path as bytes: strings that Swift holds equal may be different names.
private struct Step: Comparable {
    let path: [UInt8]
    let change: TreeUpdate.Change
    let number: Int

    init(_ update: TreeUpdate, _ number: Int) throws(GitError) {
        path = Array(update.path.utf8)
        change = update.change
        self.number = number
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard !path.contains(0), !parts.contains(where: \.isEmpty), parts.count <= Tree.depthLimit else {
            throw GitError(.invalid, "‘\(update.path)’ is no path for a tree", operation: "write a tree")
        }
    }

    /// By bytes; of one path the earlier first.
    static func < (left: Step, right: Step) -> Bool {
        let (count, otherCount) = (left.path.count, right.path.count)
        let order = memcmp(left.path, right.path, min(count, otherCount))
        if order != 0 { return order < 0 }
        return count == otherCount ? left.number < right.number : count < otherCount
    }

    static func == (left: Step, right: Step) -> Bool { left.path == right.path && left.number == right.number }

    func name(from start: Int) -> ArraySlice<UInt8> {
        path[start...].prefix { $0 != UInt8(ascii: "/") }
    }

    static func terminated(_ name: ArraySlice<UInt8>) -> [CChar] {
        name.map { CChar(bitPattern: $0) } + [0]
    }
}
