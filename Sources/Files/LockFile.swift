internal import CFiles
package import Base

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
    private let path: String
    private let file: Int32
    private let second: String?
    private var isPlaced = false

    private var lock: String { path + ".lock" }

    private init(_ path: String, _ file: consuming FileDescriptor, second: String?) {
        self.path = path
        self.file = file.released()
        self.second = second
        Trace.note("locked \(path).lock")
    }

    private static func isHeld(_ path: String) -> LockFile? {
        Trace.note("\(path).lock is somebody else's")
        return nil
    }

    /// Nil where somebody else has it. `second` is the second name's path; without one it is made in place.
    package static func take(_ path: String, second: String?, _ shared: SharedMode) throws(SystemFailure) -> LockFile? {
        if let second {
            // A second name that is there already was a dead process's: nobody else may make one meanwhile.
            try removeLeft(path, second: second)
            if let file = FileDescriptor(creating: second, O_RDWR) {
                shared.apply(to: file.number)
                if link(second, path + ".lock") == 0 { return LockFile(path, file, second: second) }
                let failure = SystemFailure.last("lock", path)
                close(file.released())
                unlink(second)
                if failure.isThereAlready { return isHeld(path) }
                guard [EXDEV, EPERM, EMLINK, EOPNOTSUPP, ENOSYS].contains(failure.code) else { throw failure }
            } else if errno != ENAMETOOLONG {
                throw .last("lock", path)
            }
        }
        guard let file = FileDescriptor(creating: path + ".lock", O_RDWR) else {
            let failure = SystemFailure.last("lock", path)
            if failure.isThereAlready { return isHeld(path) }
            throw failure
        }
        shared.apply(to: file.number)
        return LockFile(path, file, second: nil)
    }

    /// Removes what a dead process left: the second name, and the lock, if that is the one with this second name.
    package static func removeLeft(_ path: String, second: String) throws(SystemFailure) {
        guard let own = try FileSystem.attributes(of: second) else { return }
        if own.isSame(as: try FileSystem.attributes(of: path + ".lock")) { unlink(path + ".lock") }
        unlink(second)
    }

    package func write(_ bytes: [UInt8]) throws(SystemFailure) {
        guard settings_write_all(file, bytes, bytes.count) == 0 else { throw .last("write", lock) }
    }

    /// As if it had been written when that file was.
    package func setTime(of other: FileAttributes) {
        let time = other.status.modified.time
        _ = futimens(file, [time, time])
    }

    /// As who may read and write that file.
    package func setMode(of other: FileAttributes) { _ = fchmod(file, other.permissions) }

    /// Waits for its content, also when it is in place.
    package func sync(_ durability: Durability) throws(SystemFailure) {
        guard durability.wait(for: file) else { throw .last("sync", lock) }
    }

    /// Puts it in the place of what it locks. Its second name is anybody's then.
    package mutating func place() throws(SystemFailure) {
        if rename(lock, path) != 0 {
            // Git leaves a branch's empty folders behind.
            let failure = SystemFailure.last("write", path)
            guard failure.isFolder, rmdir(path) == 0, rename(lock, path) == 0 else { throw failure }
        }
        isPlaced = true
        Trace.note("wrote \(path)")
        if let second { unlink(second) }
    }

    deinit {
        // Before its names are removed: on FUSE and NFS a file that is open is only renamed then.
        close(file)
        // One that can't be removed keeps its second name, so that the next one knows it for ours.
        var isGone = false
        for _ in 0..<3 where !isPlaced && !isGone { isGone = unlink(path + ".lock") == 0 || errno == ENOENT }
        if let second, isGone { unlink(second) }
    }
}
