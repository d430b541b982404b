import Files
package import Base
internal import CGit2

extension Objects {
    /// Where two trees differ, in git's order, as `git diff-tree -r` has it; nil stands for a tree without entries.
    /// Folders that are equal are not entered, submodules are not followed, renames are not guessed. `.tooLarge` where more
    /// entries differ than `limit`.
    package func differences(
        from old: ObjectID?, to new: ObjectID?, under: String = "", atMost limit: Int = Tree.entryLimit
    ) throws(GitError) -> [Difference] {
        var differences: [Difference] = []
        try self.differences(from: old, to: new, under: under, atMost: limit) { path, old, new in
            differences.append(Difference(path: path.text, pathIsValid: path.isValid, old: old, new: new))
        }
        return differences
    }

    func differences(
        from old: ObjectID?, to new: ObjectID?, under: String, atMost limit: Int = Tree.entryLimit,
        _ visit: @escaping TreeComparison.Visit
    ) throws(GitError) {
        var walk = TreeComparison(path: Array(under.utf8), limit: limit, visit: visit)
        if !under.isEmpty && under.utf8.last != UInt8(ascii: "/") { walk.path.append(UInt8(ascii: "/")) }
        try walk.compare(try folder(under, of: old), try folder(under, of: new), in: self, depth: 0)
    }

    /// Whether two trees differ in one of these entries of a folder; in anything of it where no names are given. Told
    /// without reading more than the folders on the way that differ.
    package func differ(
        _ old: ObjectID?, _ new: ObjectID?, in folder: [[UInt8]], names: [[UInt8]]
    ) throws(GitError) -> Bool {
        var (old, new) = (old, new)
        for name in folder {
            if old == new { return false }
            (old, new) = (try self.folder(named: name, in: old), try self.folder(named: name, in: new))
        }
        if old == new { return false }
        if names.isEmpty { return true }
        let (before, after) = (try Tree.read(old, in: self), try Tree.read(new, in: self))
        defer { withExtendedLifetime((before, after)) {} }
        for name in names where try before.entry(named: name)?.content != after.entry(named: name)?.content { return true }
        return false
    }

    private func folder(named name: [UInt8], in tree: ObjectID?) throws(GitError) -> ObjectID? {
        let tree = try Tree.read(tree, in: self)
        defer { withExtendedLifetime(tree) {} }
        guard let entry = try tree.entry(named: name), entry.mode == .tree else { return nil }
        return entry.id
    }

    /// The tree at a path; nil where there is none.
    package func folder(_ path: String, of tree: ObjectID?) throws(GitError) -> ObjectID? {
        guard let tree, !path.isEmpty else { return tree }
        let path = FileSystem.trimmed(path)
        guard let entry = try entry(at: path, in: tree), entry.mode == .tree else { return nil }
        return entry.id
    }
}

/// A walk down two trees at once.
struct TreeComparison {
    /// Takes a path, and whether it is UTF-8; what stood there, and what stands there.
    typealias Visit = ((text: String, isValid: Bool), Content?, Content?) -> Void

    /// The folder that is being compared, with a slash at its end.
    var path: [UInt8]
    let limit: Int
    let visit: Visit
    private var entries = 0

    init(path: [UInt8], limit: Int, visit: @escaping Visit) {
        self.path = path
        self.limit = limit
        self.visit = visit
    }

    mutating func compare(
        _ old: ObjectID?, _ new: ObjectID?, in objects: Objects, depth: Int
    ) throws(GitError) {
        if old == new { return }
        guard depth < Tree.depthLimit else {
            throw GitError(.tooDeep, "folders more than \(Tree.depthLimit) deep", operation: "compare trees")
        }
        let (oldTree, newTree) = (try Tree.read(old, in: objects), try Tree.read(new, in: objects))
        defer { withExtendedLifetime((oldTree, newTree)) {} }
        var (olds, news) = (oldTree.entries, newTree.entries)
        var (left, right) = (try olds.next(), try news.next())
        while true {
            let order: Int
            switch (left, right) {
            case (let left?, let right?): order = left.order(right)
            case (_?, nil): order = -1
            case (nil, _?): order = 1
            case (nil, nil): return
            }
            if order == 0, let left, let right, left.isSame(as: right) {
            } else {
                try meet(order <= 0 ? left : nil, order >= 0 ? right : nil, in: objects, depth: depth)
            }
            if order <= 0 { left = try olds.next() }
            if order >= 0 { right = try news.next() }
        }
    }

    /// Two entries at one place. They are both folders or both not, because git's order tells them apart.
    private mutating func meet(
        _ old: Tree.Entry?, _ new: Tree.Entry?, in objects: Objects, depth: Int
    ) throws(GitError) {
        guard let entry = old ?? new else { return }
        try Tree.count(&entries, of: limit)
        let length = path.count
        path += entry.name
        defer { path.removeSubrange(length...) }
        if entry.mode == .tree {
            path.append(UInt8(ascii: "/"))
            try compare(old?.id, new?.id, in: objects, depth: depth + 1)
        } else {
            visit(decoded(path), old?.content, new?.content)
        }
    }
}
