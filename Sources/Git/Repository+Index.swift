import SettingsModel
internal import CGit2

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension Repository {
    /// What stands in the index for a path; nil where nothing does, or a conflict.
    package func indexEntry(at path: String) throws(GitError) -> Content? {
        try refuseZeroByte(in: path, "read the index")
        let index = try index(fresh: false)
        return git_index_get_bypath(index.pointer, path, 0).map { Content($0.pointee) }
    }

    package var hasConflicts: Bool {
        get throws(GitError) { git_index_has_conflicts(try index(fresh: false).pointer) == 1 }
    }

    /// Where the index differs from HEAD's tree: what is staged. `under` is a folder's path, empty for all. A path in
    /// conflict counts as gone.
    package func stagedDifferences(under: String = "") throws(GitError) -> [Difference] {
        let commit = try head().commit
        var old: [[UInt8]: TreeFile] = [:]
        if let commit {
            for file in try files(in: try self.commit(commit).tree, under: under) { old[Array(file.path.utf8)] = file }
        }
        let folder = under.isEmpty ? "" : FileSystem.trimmed(under) + "/"
        try refuseZeroByte(in: folder, "read the index")
        let index = try index(fresh: false)
        var differences: [(bytes: [UInt8], difference: Difference)] = []
        func differ(_ bytes: [UInt8], _ old: Content?, _ new: Content?) {
            let path = decoded(bytes)
            differences.append((bytes, Difference(path: path.text, pathIsValid: path.isValid, old: old, new: new)))
        }
        var position = 0
        let found = try finds("read the index") { git_index_find_prefix(&position, index.pointer, folder) }
        while found, let entry = git_index_get_byindex(index.pointer, position)?.pointee, let name = entry.path {
            position += 1
            let bytes = Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
            guard bytes.starts(with: folder.utf8) else { break }
            guard entry.flags & UInt16(GIT_INDEX_ENTRY_STAGEMASK) == 0 else { continue }
            let before = old.removeValue(forKey: bytes)
            let (was, now) = (before.map { Content(id: $0.id, mode: $0.mode) }, Content(entry))
            if was != now { differ(bytes, was, now) }
        }
        for (bytes, file) in old { differ(bytes, Content(id: file.id, mode: file.mode), nil) }
        return differences.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map(\.difference)
    }

    /// The files below a folder that the index knows by their times, with what they hold if those still fit; paths count
    /// from the folder. Left out are those that were written when the index was or later, as git does, because what is
    /// done to them in that moment leaves no trace, and names beyond ASCII. Nothing where the index is in a form that is
    /// left to libgit2, or damaged: that is for those to tell who write it.
    package func notedFiles(under folder: String) -> [String: (content: Content, status: FileStatus)] {
        let folder = folder.isEmpty ? "" : FileSystem.trimmed(folder) + "/"
        guard let (bytes, status) = try? FileSystem.read(gitDirectory + "/index", atMost: .max) else { return [:] }
        let written = FileStatus(status).modified
        guard let index = try? IndexFile(bytes, writtenIn: written.seconds) else { return [:] }
        var files: [String: (content: Content, status: FileStatus)] = [:]
        files.reserveCapacity(index.count)
        index.eachFile(under: Array(folder.utf8)) { name, content, status in
            guard status.modified.isBefore(written), let path = String(validating: name, as: UTF8.self),
                name.allSatisfy({ $0 < 0x80 })
            else { return }
            files[path] = (content, status)
        }
        return files
    }

    /// The index as it stands on the disk. libgit2 looks at the file's times; `fresh` reads it whatever they are.
    func index(fresh: Bool) throws(GitError) -> Owned {
        let index = try own("read the index", git_index_free) { git_repository_index(&$0, pointer) }
        try check("read the index") { git_index_read(index.pointer, fresh ? 1 : 0) }
        return index
    }
}

extension Content {
    init(_ entry: git_index_entry) {
        self.init(id: ObjectID(entry.id), mode: FileMode(git_filemode_t(rawValue: entry.mode)))
    }
}
