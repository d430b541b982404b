internal import CGitObjects

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The system's call, which a method of that name would hide.
func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }

private func systemRename(_ old: String, _ new: String) -> Int32 { rename(old, new) }

/// The few system calls that libgit2 does not make for us.
package enum FileSystem {
    /// Waits until everything that was written to a file system is on the disk. False, with `errno`, where that fails.
    package static func syncAll(of file: Int32) -> Bool {
        #if canImport(Darwin)
            Darwin.sync()
            return fcntl(file, F_FULLFSYNC) == 0
        #else
            return syncfs(file) == 0
        #endif
    }

    /// A file and a name in an open folder change places in one step. False, with `errno`, where that fails.
    package static func exchange(_ path: String, with name: String, in folder: Int32) -> Bool {
        settings_exchange(path, folder, name) == 0
    }

    /// Renames a file to a name in an open folder that nothing has. False, with `errno`, where that fails.
    package static func renameOnly(_ path: String, to name: String, in folder: Int32) -> Bool {
        settings_rename_only(path, folder, name) == 0
    }

    /// A file takes the place of what has that name.
    package static func rename(_ path: String, to new: String) throws(GitError) {
        guard systemRename(path, new) == 0 else { throw .system(operation: "rename \(path)") }
    }

    /// Waits until a file's or a folder's content is on the disk.
    package static func sync(_ path: String) throws(GitError) {
        let operation = "sync \(path)"
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .system(operation: operation) }
        defer { close(file) }
        guard settings_sync_file(file, SETTINGS_SYNC_FULL) == 0 else { throw .system(operation: operation) }
    }

    /// What a path itself is, a symbolic link not followed; nil where there is nothing.
    static func status(of path: String) throws(GitError) -> stat? {
        var status = stat()
        guard lstat(path, &status) != 0 else { return status }
        guard errno == ENOENT || errno == ENOTDIR else { throw .system(operation: "look at \(path)") }
        return nil
    }

    /// Whether anything is there, symbolic links followed. Only what the system says to be missing is.
    package static func isThere(_ path: String) throws(GitError) -> Bool {
        if access(path, F_OK) == 0 { return true }
        guard errno == ENOENT || errno == ENOTDIR else { throw .system(operation: "look at \(path)") }
        return false
    }

    /// The names in a folder; none where it can't be read.
    static func names(in folder: String) -> [String] { (try? listed(folder)) ?? [] }

    /// The names in a folder; none where there is no such folder.
    static func listed(_ folder: String) throws(GitError) -> [String] {
        guard let stream = opendir(folder) else {
            if errno == ENOENT || errno == ENOTDIR { return [] }
            throw .system(operation: "list \(folder)")
        }
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            names.append(withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
            errno = 0
        }
        guard errno == 0 else { throw .system(operation: "list \(folder)") }
        return names
    }

    /// A regular file's bytes; nil where there is no such file, or a larger one.
    package static func bytes(of path: String, atMost limit: Int) throws(GitError) -> [UInt8]? {
        try read(path, atMost: limit)?.bytes
    }

    /// A regular file's bytes and what it was while they were read; nil where there is no such file, or a larger one.
    static func read(_ path: String, atMost limit: Int) throws(GitError) -> (bytes: [UInt8], status: stat)? {
        let operation = "read \(path)"
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            if [ENOENT, ENOTDIR, ELOOP, ENXIO].contains(errno) { return nil }
            throw .system(operation: operation)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .system(operation: operation) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else { return nil }
        let size = Int(status.st_size)
        var count = 0
        var bytes = [UInt8](repeating: 0, count: size)
        while count < size {
            let more = bytes.withUnsafeMutableBytes {
                pread(file, $0.baseAddress?.advanced(by: count), size - count, off_t(count))
            }
            if more < 0 && errno == EINTR { continue }
            guard more >= 0 else { throw .system(operation: operation) }
            // Somebody made it shorter meanwhile.
            guard more > 0 else { return nil }
            count += more
        }
        return (bytes, status)
    }

    /// A regular file in memory, to be read only and given back with `munmap`; nil where there is none of these sizes.
    package static func mapped(_ path: String, sizes: Range<Int>) -> UnsafeMutableRawBufferPointer? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, sizes.contains(Int(status.st_size)) else {
            return nil
        }
        let size = Int(status.st_size)
        guard let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), address != MAP_FAILED else { return nil }
        return UnsafeMutableRawBufferPointer(start: address, count: size)
    }

    /// A file with these bytes, in place of one that may be there; not synced.
    static func write(_ bytes: [UInt8], to path: String) throws(GitError) {
        unlink(path)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw .system(operation: "write \(path)") }
        defer { close(file) }
        guard settings_write_all(file, bytes, bytes.count) == 0 else { throw .system(operation: "write \(path)") }
    }

    /// Makes the folders that a path lies in, where they are missing. `durable`: and waits until their names are on the disk.
    static func makeFolders(
        of path: String, durable: Bool = false, shared: SharedMode = .none
    ) throws(GitError) {
        let folder = folder(of: path)
        if mkdir(folder, 0o777) != 0 {
            if errno == EEXIST { return }
            guard errno == ENOENT, folder != path else { throw .system(operation: "make \(folder)") }
            try makeFolders(of: folder, durable: durable, shared: shared)
            guard mkdir(folder, 0o777) == 0 || errno == EEXIST else { throw .system(operation: "make \(folder)") }
        }
        shared.apply(to: folder)
        if durable { try sync(self.folder(of: folder)) }
    }

    /// Removes a folder with all that is in it, no symbolic link followed; where there is none, nothing happens.
    static func removeAll(_ path: String) throws(GitError) {
        guard try status(of: path) != nil else { return }
        guard settings_remove_all(path) == 0 else { throw .system(operation: "remove \(path)") }
    }

    /// What a path lies in.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func trimmed(_ folder: String) -> String {
        folder.utf8.count > 1 && folder.utf8.last == UInt8(ascii: "/") ? String(folder.dropLast()) : folder
    }
}
