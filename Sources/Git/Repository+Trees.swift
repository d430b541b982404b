internal import CGit2

extension Repository {
    package func entries(of tree: ObjectID) throws(GitError) -> [TreeEntry] {
        let tree = try Tree.read(tree, in: self)
        var entries: [TreeEntry] = []
        entries.reserveCapacity(tree.count)
        for index in 0..<tree.count {
            guard let entry = tree[index] else { continue }
            let name = decoded(entry.bytes)
            entries.append(TreeEntry(name: name.text, nameIsValid: name.isValid, mode: entry.mode, id: entry.id))
        }
        return entries
    }

    /// What stands at a path (`a/b/c`); nil where nothing does.
    package func entry(at path: String, in tree: ObjectID) throws(GitError) -> TreeEntry? {
        guard tree != .emptyTree else { return nil }
        let operation = "look up \(path) in tree \(tree)"
        try refuseZeroByte(in: path, operation)
        var raw = tree.raw
        let root = try own(operation, git_tree_free) { git_tree_lookup(&$0, pointer, &raw) }
        let found = try ownIfFound(operation, git_tree_entry_free) {
            git_tree_entry_bypath(&$0, root.pointer, path)
        }
        guard let found, let id = git_tree_entry_id(found.pointer) else { return nil }
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) }
        return TreeEntry(
            name: name ?? "", nameIsValid: true, mode: FileMode(git_tree_entry_filemode(found.pointer)),
            id: ObjectID(id.pointee))
    }

    /// What stands at each path in a folder of a tree and below, folders too; paths count from that folder. Names beyond
    /// ASCII are left out.
    package func contents(of tree: ObjectID, under folder: String = "") throws(GitError) -> [String: Content] {
        var contents: [String: Content] = [:]
        guard let tree = try self.folder(folder, of: tree) else { return contents }
        try visit(tree, "", depth: 0) { contents[$0] = $1 }
        return contents
    }

    private func visit(
        _ tree: ObjectID, _ path: String, depth: Int, _ take: (String, Content) -> Void
    ) throws(GitError) {
        guard depth < Tree.depthLimit else {
            throw GitError(.invalid, "folders more than \(Tree.depthLimit) deep", operation: "read a tree")
        }
        let tree = try Tree.read(tree, in: self)
        for index in 0..<tree.count {
            guard let entry = tree[index], entry.bytes.allSatisfy({ $0 < 0x80 }) else { continue }
            let inside = path + String(decoding: entry.bytes, as: UTF8.self)
            let content = entry.content
            take(inside, content)
            if content.mode == .tree { try visit(content.id, inside + "/", depth: depth + 1, take) }
        }
    }

    /// Every file (links and submodules too) in a folder of a tree and below, in git's order. `under` is the folder's
    /// path, empty for all; paths count from the tree's root.
    package func files(in tree: ObjectID, under: String = "") throws(GitError) -> [TreeFile] {
        var files: [TreeFile] = []
        try differences(from: nil, to: tree, under: under) { path, _, new in
            guard let new else { return }
            files.append(TreeFile(path: path.text, pathIsValid: path.isValid, mode: new.mode, id: new.id))
        }
        return files
    }
}
