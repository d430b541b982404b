package import Base
extension Objects {
    package func entries(of tree: ObjectID) throws(GitError) -> [TreeEntry] {
        let tree = try Tree.read(tree, in: self)
        defer { withExtendedLifetime(tree) {} }
        var entries: [TreeEntry] = []
        var reader = tree.entries
        while let entry = try reader.next() {
            let name = decoded(entry.name)
            entries.append(TreeEntry(name: name.text, nameIsValid: name.isValid, mode: entry.mode, id: entry.id))
        }
        return entries
    }

    /// What stands at a path (`a/b/c`); nil where nothing does.
    package func entry(at path: String, in tree: ObjectID) throws(GitError) -> TreeEntry? {
        try refuseZeroByte(in: path, "look up \(path) in tree \(tree)")
        var content = Content(id: tree, mode: .tree)
        var name: Substring.UTF8View?
        for part in path.utf8.split(separator: UInt8(ascii: "/")) {
            guard content.mode == .tree else { return nil }
            let folder = try Tree.read(content.id, in: self)
            guard let entry = try folder.entry(named: Array(part)) else { return nil }
            content = withExtendedLifetime(folder) { entry.content }
            name = part
        }
        guard let name else { return nil }
        return TreeEntry(name: String(Substring(name)), nameIsValid: true, mode: content.mode, id: content.id)
    }

    /// What stands at each path in a folder of a tree and below, folders too; paths count from that folder. Names beyond
    /// ASCII are left out.
    package func contents(of tree: ObjectID, under folder: String = "") throws(GitError) -> FolderContents {
        guard let tree = try self.folder(folder, of: tree) else { return .nothing }
        var contents = FolderContents()
        var path: [UInt8] = []
        var count = 0
        try visit(tree, &path, depth: 0, &count, &contents)
        return contents
    }

    private func visit(
        _ tree: ObjectID, _ path: inout [UInt8], depth: Int, _ count: inout Int, _ contents: inout FolderContents
    ) throws(GitError) {
        guard depth < Tree.depthLimit else {
            throw GitError(.tooDeep, "folders more than \(Tree.depthLimit) deep", operation: "read a tree")
        }
        let tree = try Tree.read(tree, in: self)
        defer { withExtendedLifetime(tree) {} }
        var entries = tree.entries
        let start = path.count
        while let entry = try entries.next() {
            try Tree.count(&count)
            guard entry.name.allSatisfy({ $0 < 0x80 }) else { continue }
            path.append(contentsOf: entry.name)
            let content = entry.content
            path.withUnsafeBytes { _ = contents.put(content, at: $0) }
            if content.mode == .tree {
                path.append(UInt8(ascii: "/"))
                try visit(content.id, &path, depth: depth + 1, &count, &contents)
            }
            path.removeSubrange(start...)
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
