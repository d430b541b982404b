internal import CGit2

extension Repository {
    /// Where two trees differ, in git's order, as `git diff-tree -r` has it; nil stands for a tree without entries.
    /// Folders that are equal are not entered, submodules are not followed, renames are not guessed.
    package func differences(
        from old: ObjectID?, to new: ObjectID?, under: String = ""
    ) throws(GitError) -> [Difference] {
        var differences: [Difference] = []
        try self.differences(from: old, to: new, under: under) { path, old, new in
            differences.append(Difference(path: path.text, pathIsValid: path.isValid, old: old, new: new))
        }
        return differences
    }

    func differences(
        from old: ObjectID?, to new: ObjectID?, under: String,
        _ visit: @escaping TreeComparison.Visit
    ) throws(GitError) {
        var walk = TreeComparison(path: Array(under.utf8), visit: visit)
        if !under.isEmpty && under.utf8.last != UInt8(ascii: "/") { walk.path.append(UInt8(ascii: "/")) }
        try walk.compare(try folder(under, of: old), try folder(under, of: new), in: self, depth: 0)
    }

    /// The tree at a path; nil where there is none.
    func folder(_ path: String, of tree: ObjectID?) throws(GitError) -> ObjectID? {
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
    let visit: Visit

    mutating func compare(
        _ old: ObjectID?, _ new: ObjectID?, in repository: borrowing Repository, depth: Int
    ) throws(GitError) {
        if old == new { return }
        guard depth < Tree.depthLimit else {
            throw GitError(.invalid, "folders more than \(Tree.depthLimit) deep", operation: "compare trees")
        }
        let olds = try Tree.read(old, in: repository)
        let news = try Tree.read(new, in: repository)
        var (i, j) = (0, 0)
        while true {
            let left = i < olds.count ? olds[i] : nil
            let right = j < news.count ? news[j] : nil
            let order: Int
            switch (left, right) {
            case (let left?, let right?): order = left.order(right)
            case (_?, nil): order = -1
            case (nil, _?): order = 1
            case (nil, nil): return
            }
            if order <= 0 { i += 1 }
            if order >= 0 { j += 1 }
            try meet(order <= 0 ? left : nil, order >= 0 ? right : nil, in: repository, depth: depth)
        }
    }

    /// Two entries at one place. They are both folders or both not, because git's order tells them apart.
    private mutating func meet(
        _ old: Tree.Entry?, _ new: Tree.Entry?, in repository: borrowing Repository, depth: Int
    ) throws(GitError) {
        guard let entry = old ?? new, old?.content != new?.content else { return }
        let length = path.count
        path += entry.bytes
        defer { path.removeSubrange(length...) }
        if entry.mode == .tree {
            path.append(UInt8(ascii: "/"))
            try compare(old?.id, new?.id, in: repository, depth: depth + 1)
        } else {
            visit(decoded(path), old?.content, new?.content)
        }
    }
}
