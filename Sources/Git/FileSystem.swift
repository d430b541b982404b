internal import CGit2

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

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

    /// Waits until a file's or a folder's content is on the disk.
    static func sync(_ path: String) throws(GitError) {
        let operation = "sync \(path)"
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .system(operation: operation) }
        defer { close(file) }
        #if canImport(Darwin)
            // fsync leaves it in the drive's cache there.
            if fcntl(file, F_FULLFSYNC) == 0 { return }
        #endif
        while fsync(file) != 0 {
            guard errno == EINTR else { throw .system(operation: operation) }
        }
    }

    /// What a path itself is, a symbolic link not followed; nil where there is nothing.
    static func status(of path: String) throws(GitError) -> stat? {
        var status = stat()
        guard lstat(path, &status) != 0 else { return status }
        guard errno == ENOENT || errno == ENOTDIR else { throw .system(operation: "look at \(path)") }
        return nil
    }

    /// A regular file's bytes and what it was while they were read; nil where there is no such file, or a larger one.
    static func read(_ path: String, atMost limit: Int) -> (bytes: [UInt8], status: stat)? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else { return nil }
        let size = Int(status.st_size)
        var count = 0
        var bytes = [UInt8](repeating: 0, count: size)
        while count < size {
            let more = bytes.withUnsafeMutableBytes {
                pread(file, $0.baseAddress?.advanced(by: count), size - count, off_t(count))
            }
            if more < 0 && errno == EINTR { continue }
            guard more > 0 else { break }
            count += more
        }
        return count == size ? (bytes, status) : nil
    }

    static func trimmed(_ folder: String) -> String {
        folder.utf8.count > 1 && folder.utf8.last == UInt8(ascii: "/") ? String(folder.dropLast()) : folder
    }
}
