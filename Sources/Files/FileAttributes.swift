import Base

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What the system says of a file, a folder or whatever else has a name.
package struct FileAttributes {
    /// What stands at a path.
    package enum Kind: Hashable, Sendable {
        case file
        case folder
        case link
        /// A device, a pipe or a socket.
        case special
    }

    package let kind: Kind
    package let size: Int
    package let owner: UInt32
    let group: UInt32
    let permissions: mode_t
    /// Whether nobody but the owner may read or write it.
    package var isPrivate: Bool { permissions & 0o077 == 0 }
    /// Whether others than its owner may write it; of a folder, also remove what is not theirs.
    package let isWritableByOthers: Bool
    let device: dev_t
    let inode: ino_t
    /// What git's index notes of it.
    package let status: FileStatus

    /// What tells a file or folder from every other one on the machine.
    package var identity: String { "\(device):\(inode)" }

    /// Whether both are of the same file or folder, whatever it is called.
    package func isSame(as other: FileAttributes) -> Bool { device == other.device && inode == other.inode }

    /// Of an open file; nil, with `errno`, where the system doesn't tell.
    init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Of a path, which counts from an open folder unless it is absolute; nil, with `errno`, where nothing is there.
    init?(of path: String, in folder: Int32 = AT_FDCWD, following: Bool = false) {
        var status = stat()
        guard fstatat(folder, path, &status, following ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        self.init(status)
    }

    /// The same of a name as the system gave it.
    init?(of name: UnsafePointer<CChar>, in folder: Int32) {
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .special
            }
        size = Int(status.st_size)
        owner = status.st_uid
        group = status.st_gid
        permissions = status.st_mode & 0o777
        let writers: mode_t = status.st_gid == 0 ? 0o002 : 0o022
        let isSticky = status.st_mode & S_IFMT == S_IFDIR && status.st_mode & S_ISVTX != 0
        isWritableByOthers = status.st_mode & writers != 0 && !isSticky
        (device, inode) = (status.st_dev, status.st_ino)
        #if canImport(Darwin)
            let (changed, modified) = (status.st_ctimespec, status.st_mtimespec)
        #else
            let (changed, modified) = (status.st_ctim, status.st_mtim)
        #endif
        self.status = FileStatus(
            changed: FileStatus.Moment(changed), modified: FileStatus.Moment(modified),
            device: UInt32(truncatingIfNeeded: status.st_dev), inode: UInt32(truncatingIfNeeded: status.st_ino),
            user: status.st_uid, group: status.st_gid, size: UInt32(truncatingIfNeeded: status.st_size))
    }

    /// Whether both are of the same file, by whatever name.
    func isSame(as other: FileAttributes?) -> Bool { inode == other?.inode && device == other?.device }
}

extension FileStatus.Moment {
    init(_ time: timespec) {
        self.init(seconds: Int64(time.tv_sec), nanoseconds: UInt32(truncatingIfNeeded: time.tv_nsec))
    }

    var time: timespec { timespec(tv_sec: .init(seconds), tv_nsec: .init(nanoseconds)) }
}
