import Files
package import Base
internal import CGit2

extension Objects {
    /// Writes a tree with some paths changed; a nil base is a tree without entries.
    ///
    /// Folders on the way are made, folders that become empty are left out. Of two updates of one path the later counts;
    /// removing what is not there is no error. A file where a folder is wanted, or the reverse, is `.conflict`.
    /// Own code over the tree's bytes: `git_tree_create_updated` leaves empty folders behind, and `git_treebuilder` looks
    /// through the folder of packs at each tree that it writes.
    package func tree(
        updating base: ObjectID?, with updates: [TreeUpdate]
    ) throws(GitError) -> ObjectID {
        var steps: [Step] = []
        steps.reserveCapacity(updates.count)
        for (number, update) in updates.enumerated() { steps.append(try Step(update, number)) }
        steps.sort()
        if let tree = try folder(updating: base, with: steps[...], from: 0) { return tree }
        return try write([], GIT_OBJECT_TREE, "write a tree")
    }

    /// All steps lie in this folder, whose path is the first `start` bytes of each; nil when nothing is left in it.
    private func folder(
        updating base: ObjectID?, with steps: ArraySlice<Step>, from start: Int
    ) throws(GitError) -> ObjectID? {
        let tree = try Tree.read(base, in: self)
        var changing = Changing(steps, from: start)
        var kept: [Tree.Entry] = []
        var entries = tree.entries
        while let entry = try entries.next() { if !changing.take(entry) { kept.append(entry) } }
        var rest = steps
        while let step = rest.first {
            let name = step.name(from: start)
            let end = start + name.count
            let place = changing.place(of: name)
            let old = changing[place]
            guard step.path.count > end else {
                rest.removeFirst()
                switch step.change {
                case .put(_, let mode) where old != nil && (old?.mode == .tree) != (mode == .tree): throw conflict(step.path[...])
                case .put(let id, let mode): changing[place] = Content(id: id, mode: mode)
                case .remove: changing[place] = nil
                }
                continue
            }
            // Sorted by bytes, the paths of one folder stand together.
            let folder = step.path[..<(end + 1)]
            let inside = rest.prefix { $0.path.starts(with: folder) }
            rest = rest[inside.endIndex...]
            guard old == nil || old?.mode == .tree else { throw conflict(folder.dropLast()) }
            changing[place] = try self.folder(updating: old?.id, with: inside, from: end + 1).map { Content(id: $0, mode: .tree) }
        }
        let bytes = changing.tree(with: kept)
        withExtendedLifetime(tree) {}
        guard !bytes.isEmpty else { return nil }
        return try write(bytes, GIT_OBJECT_TREE, "write a tree")
    }

    private func conflict(_ path: ArraySlice<UInt8>) -> GitError {
        let path = String(decoding: path, as: UTF8.self)
        return GitError(.conflict, "\(path) is a file in one and a folder in the other", operation: "write a tree")
    }
}

/// The names of one folder that some steps are about, and what stands there.
private struct Changing {
    private var names: [(name: ArraySlice<UInt8>, content: Content?)] = []

    init(_ steps: ArraySlice<Step>, from start: Int) {
        for step in steps {
            let name = step.name(from: start)
            if names.last?.name != name { names.append((name, nil)) }
        }
        // By bytes; the steps of a folder stand behind those of `folder.json`.
        guard names.count > 1 else { return }
        names.sort { $0.name.lexicographicallyPrecedes($1.name) }
        var last = 0
        for index in 1..<names.count where names[index].name != names[last].name {
            last += 1
            names[last] = names[index]
        }
        names.removeSubrange((last + 1)...)
    }

    subscript(place: Int) -> Content? {
        get { names[place].content }
        set { names[place].content = newValue }
    }

    /// Of a name that is one of them.
    func place(of name: ArraySlice<UInt8>) -> Int { search { $0.lexicographicallyPrecedes(name) } }

    /// Whether an entry of the tree is one of them; it is noted then.
    mutating func take(_ entry: Tree.Entry) -> Bool {
        let place = search { name in name.withUnsafeBytes { entry.nameOrder($0) > 0 } }
        guard place < names.count, names[place].name.withUnsafeBytes({ entry.nameOrder($0) == 0 }) else { return false }
        names[place].content = entry.content
        return true
    }

    /// The first name that doesn't come before what is looked for.
    private func search(_ precedes: (ArraySlice<UInt8>) -> Bool) -> Int {
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            if precedes(names[middle].name) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The bytes of a tree of these entries and of what stands at the names now.
    func tree(with kept: [Tree.Entry]) -> [UInt8] {
        var placed = names.compactMap { name, content in content.map { (name: name, content: $0) } }
        if placed.contains(where: { $0.content.mode == .tree }) {
            func ordered(_ placed: (name: ArraySlice<UInt8>, content: Content)) -> ArraySlice<UInt8> {
                placed.content.mode == .tree ? placed.name + [UInt8(ascii: "/")] : placed.name
            }
            placed.sort { ordered($0).lexicographicallyPrecedes(ordered($1)) }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(kept.reduce(0) { $0 + $1.bytes.count } + placed.reduce(0) { $0 + $1.name.count + 28 })
        var next = 0
        for entry in kept {
            while next < placed.count, case let (name, content) = placed[next],
                name.withUnsafeBytes({ entry.order($0, isTree: content.mode == .tree) }) > 0
            {
                Self.append(name, content, to: &bytes)
                next += 1
            }
            bytes.append(contentsOf: entry.bytes)
        }
        for (name, content) in placed[next...] { Self.append(name, content, to: &bytes) }
        return bytes
    }

    private static func append(_ name: ArraySlice<UInt8>, _ content: Content, to bytes: inout [UInt8]) {
        bytes += String(content.mode.rawValue, radix: 8).utf8
        bytes.append(UInt8(ascii: " "))
        bytes += name
        bytes.append(0)
        withUnsafeBytes(of: content.id.raw.id) { bytes.append(contentsOf: $0) }
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
        guard !path.contains(0), !parts.contains(where: FileSystem.isReserved), parts.count <= Tree.depthLimit else {
            throw GitError(.invalid, "'\(update.path)' is not a valid path in a tree", operation: "write a tree")
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
}
