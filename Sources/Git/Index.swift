import Files
import Base
internal import CGit2

/// git's index: what it notes of files, and writing what a version has into it.
package struct Index {
    let git: GitDirectory
    let objects: Objects
    let references: References

    /// The files below a folder that the index knows by their times, with what they hold if those still fit; paths count
    /// from the folder. Left out are those that were written when the index was or later, as git does, because what is
    /// done to them in that moment leaves no trace, and names beyond ASCII. Nothing where the index is in a form that is
    /// left to libgit2, or damaged: that is for those to tell who write it.
    package func notedFiles(under folder: String) -> NotedFiles {
        let folder = folder.isEmpty ? "" : FileSystem.trimmed(folder) + "/"
        guard let (bytes, attributes) = try? FileSystem.read(git.gitDirectory + "/index", atMost: .max) else {
            return NotedFiles()
        }
        let written = attributes.status.modified
        guard let index = try? IndexFile(bytes, writtenIn: written.seconds) else { return NotedFiles() }
        var files = NotedFiles(capacity: index.count)
        index.eachFile(under: Array(folder.utf8)) { name, content, status in
            guard status.modified.isBefore(written) else { return }
            name.withUnsafeBytes { name in
                if name.allSatisfy({ $0 < 0x80 }) { files.put(content, status, at: name) }
            }
        }
        return files
    }

    /// What the index holds of the files below a folder; paths count from there. `.some(nil)` stands for a path in conflict, and
    /// for one that is only meant to be added. Nil where there is no index.
    package func contents(under folder: String) throws(GitError) -> [String: Content?]? {
        let folder = folder.isEmpty ? "" : FileSystem.trimmed(folder) + "/"
        guard let bytes = try system(FileSystem.bytes(of: git.gitDirectory + "/index", atMost: .max)) else { return nil }
        var contents: [String: Content?] = [:]
        if let index = try? IndexFile(bytes, writtenIn: .max) {
            index.eachContent(under: Array(folder.utf8)) { name, content in
                if let path = String(validating: name, as: UTF8.self) { contents[path] = .some(content) }
            }
            return contents
        }
        let index = try index(fresh: false)
        for place in 0..<git_index_entrycount(index.pointer) {
            guard let entry = git_index_get_byindex(index.pointer, place)?.pointee, let name = entry.path,
                let path = String(validatingCString: name), path.utf8.starts(with: folder.utf8)
            else { continue }
            let isOnlyMeant = entry.flags_extended & UInt16(GIT_INDEX_ENTRY_INTENT_TO_ADD.rawValue) != 0
            let isInConflict = entry.flags & UInt16(GIT_INDEX_ENTRY_STAGEMASK) != 0
            contents[String(decoding: path.utf8.dropFirst(folder.utf8.count), as: UTF8.self)] =
                .some(isOnlyMeant || isInConflict ? nil : Content(entry))
        }
        return contents
    }

    /// The index as it stands on the disk. libgit2 looks at the file's times; `fresh` reads it whatever they are.
    func index(fresh: Bool) throws(GitError) -> Owned {
        do {
            let index = try own("read the index", git_index_free) { git_repository_index(&$0, git.pointer) }
            try check("read the index") { git_index_read(index.pointer, fresh ? 1 : 0) }
            return index
        } catch {
            try refuseUnknownIndex()
            throw error
        }
    }

    /// Throws `.unknownIndex` where the index is in a form that libgit2 cannot read.
    func refuseUnknownIndex() throws(GitError) {
        guard let bytes = try system(FileSystem.bytes(of: git.gitDirectory + "/index", atMost: .max)) else { return }
        try refuseUnknownIndex(bytes)
    }

    func refuseUnknownIndex(_ bytes: [UInt8]) throws(GitError) {
        guard let name = IndexFile.unknownExtension(in: bytes) else { return }
        throw GitError(.unknownIndex(extension: name), "libgit2 does not know its form", operation: "read git's index")
    }

    /// The paths of files that git was told not to check out (`git sparse-checkout`): that they are missing says nothing.
    /// None where the index is damaged.
    package func skippedPaths() throws(GitError) -> Set<String> {
        var paths: Set<String> = []
        guard let bytes = try system(FileSystem.bytes(of: git.gitDirectory + "/index", atMost: .max)) else { return paths }
        if let index = try? IndexFile(bytes, writtenIn: .max) {
            index.eachSkipped { name in if let path = String(validating: name, as: UTF8.self) { paths.insert(path) } }
            return paths
        }
        try refuseUnknownIndex()
        guard let index = try? index(fresh: false) else { return paths }
        for place in 0..<git_index_entrycount(index.pointer) {
            guard let entry = git_index_get_byindex(index.pointer, place)?.pointee, let name = entry.path,
                entry.flags_extended & UInt16(GIT_INDEX_ENTRY_SKIP_WORKTREE.rawValue) != 0
            else { continue }
            paths.insert(String(cString: name))
        }
        return paths
    }

    /// The folders of a work tree in which the index has a file of that name, from the root on. Nil where the index can't be
    /// read.
    package static func folders(holding name: String, workDirectory: String, gitDirectory: String) -> [String]? {
        guard let bytes = try? FileSystem.bytes(of: gitDirectory + "/index", atMost: .max) else { return [] }
        if IndexFile.surelyLacks(name, in: bytes) { return [] }
        var folders: Set<String> = []
        func take(_ path: String) {
            if path == name { folders.insert("") } else { folders.insert(String(path.dropLast(name.count + 1))) }
        }
        let end = Array("/\(name)".utf8)
        if let index = try? IndexFile(bytes, writtenIn: .max) {
            index.eachPath(under: []) { path in
                guard path.count >= end.count ? path.suffix(end.count).elementsEqual(end) : path.elementsEqual(end.dropFirst())
                else { return }
                if let path = String(validating: path, as: UTF8.self) { take(path) }
            }
        } else {
            guard let all = indexedPaths(under: "", workDirectory: workDirectory, gitDirectory: gitDirectory) else { return nil }
            for path in all where path == name || path.utf8.suffix(end.count).elementsEqual(end) { take(path) }
        }
        return folders.sorted()
    }

    /// The paths in the index of a work tree below a folder, given with a slash at its end or empty; they count from there.
    /// A repository is opened only for forms of the index that are left to libgit2. Nil where the index can't be read.
    package static func indexedPaths(
        under folder: String, workDirectory: String, gitDirectory: String
    ) -> [String]? {
        let bytes: [UInt8]
        do {
            guard let found = try FileSystem.bytes(of: gitDirectory + "/index", atMost: .max) else { return [] }
            bytes = found
        } catch { return nil }
        var paths: [String] = []
        if let index = try? IndexFile(bytes, writtenIn: .max) {
            index.eachPath(under: Array(folder.utf8)) { name in
                if let path = String(validating: name, as: UTF8.self) { paths.append(path) }
            }
            return paths
        }
        guard let repository = try? Repository.open(at: workDirectory), let index = try? repository.index.index(fresh: false)
        else { return nil }
        for place in 0..<git_index_entrycount(index.pointer) {
            guard let name = git_index_get_byindex(index.pointer, place)?.pointee.path,
                let path = String(validatingCString: name), path.utf8.starts(with: folder.utf8)
            else { continue }
            paths.append(String(decoding: path.utf8.dropFirst(folder.utf8.count), as: UTF8.self))
        }
        return paths
    }
}

extension Content {
    init(_ entry: git_index_entry) {
        self.init(id: ObjectID(entry.id), mode: FileMode(git_filemode_t(rawValue: entry.mode)))
    }
}
