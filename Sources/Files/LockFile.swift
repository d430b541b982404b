internal import CGitObjects

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A lock file of git's (`index.lock`, `refs/heads/main.lock`), which becomes the file that it locks.
///
/// It is made under a second name first, in a folder that only whoever holds the store's lock writes to, and linked to the
/// place where git looks: while both names are there, the inode can be no one else's, so a lock that a dead process left is
/// known for sure. Without hard links it is made in place, and a dead process's lock is a person's to remove.
package struct LockFile: ~Copyable {
    /// What is locked.
    let path: String
    let descriptor: Int32
    private let second: String?

    private var lock: String { path + ".lock" }

    private init(_ path: String, _ descriptor: Int32, second: String?) {
        self.path = path
        self.descriptor = descriptor
        self.second = second
    }

    /// `.locked` where somebody else has it. `second` is the second name's path; without one it is made in place.
    static func take(_ path: String, second: String?, _ shared: SharedMode) throws(GitError) -> LockFile {
        let operation = "lock \(path)"
        let taken = GitError(.locked, "\(path).lock is there already", operation: operation)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        if let second {
            // A second name that is there already was a dead process's: nobody else may make one meanwhile.
            try removeLeft(path, second: second)
            let file = open(second, flags, 0o666)
            if file >= 0 {
                shared.apply(to: file)
                if link(second, path + ".lock") == 0 { return LockFile(path, file, second: second) }
                let code = errno
                unlink(second)
                close(file)
                if code == EEXIST { throw taken }
                guard [EXDEV, EPERM, EMLINK, EOPNOTSUPP, ENOSYS].contains(code) else {
                    throw .system(code, operation: operation)
                }
            } else if errno != ENAMETOOLONG {
                throw .system(operation: operation)
            }
        }
        let own = open(path + ".lock", flags, 0o666)
        guard own >= 0 else { throw errno == EEXIST ? taken : .system(operation: operation) }
        shared.apply(to: own)
        return LockFile(path, own, second: nil)
    }

    /// Whether the lock that is there now is the one with this second name. Removes both then, and the second name anyhow.
    @discardableResult
    static func removeLeft(_ path: String, second: String) throws(GitError) -> Bool {
        guard let own = try FileSystem.status(of: second) else { return false }
        let there = try FileSystem.status(of: path + ".lock")
        let isOurs = own.st_ino == there?.st_ino && own.st_dev == there?.st_dev
        if isOurs { unlink(path + ".lock") }
        unlink(second)
        return isOurs
    }

    func write(_ bytes: [UInt8]) throws(GitError) {
        guard settings_write_all(descriptor, bytes, bytes.count) == 0 else {
            throw .system(operation: "write \(lock)")
        }
    }

    /// As if it had been written when that file was.
    func setTime(of status: stat) {
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        _ = futimens(descriptor, [time, time])
    }

    /// As who may read and write that file.
    func setMode(of status: stat) { _ = fchmod(descriptor, status.st_mode & 0o777) }

    /// Waits for its content as `sync` says, also when it is in place.
    func sync(_ sync: settings_sync) throws(GitError) {
        guard settings_sync_file(descriptor, sync) == 0 else { throw .system(operation: "sync \(lock)") }
    }

    /// Puts it in the place of what it locks. Its second name is anybody's then.
    mutating func place() throws(GitError) {
        if rename(lock, path) != 0 {
            // Git leaves a branch's empty folders behind.
            let code = errno
            guard code == EISDIR, rmdir(path) == 0, rename(lock, path) == 0 else {
                throw .system(code, operation: "write \(path)")
            }
        }
        isPlaced = true
        if let second { unlink(second) }
    }

    private var isPlaced = false

    deinit {
        // One that can't be removed keeps its second name, so that the next one knows it for ours.
        var isGone = false
        for _ in 0..<3 where !isPlaced && !isGone { isGone = unlink(path + ".lock") == 0 || errno == ENOENT }
        if let second, isGone { unlink(second) }
        close(descriptor)
    }
}
