#if canImport(Glibc)
    package import Glibc
#elseif canImport(Darwin)
    package import Darwin
#endif

/// What git's index notes of a file, to see later whether it was touched.
package struct FileStatus: Hashable, Sendable {
    package struct Moment: Hashable, Sendable {
        let seconds: Int64
        let nanoseconds: UInt32

        init(_ time: timespec) {
            seconds = Int64(time.tv_sec)
            nanoseconds = UInt32(truncatingIfNeeded: time.tv_nsec)
        }
    }

    let changed: Moment
    let modified: Moment
    let device: UInt32
    let inode: UInt32
    let user: UInt32
    let group: UInt32
    let size: UInt32

    /// Whether nothing was written to the file between the two; a new name leaves it so.
    package func isSameContent(as other: FileStatus) -> Bool {
        (modified, device, inode, size) == (other.modified, other.device, other.inode, other.size)
    }

    package init(_ status: stat) {
        #if canImport(Darwin)
            changed = Moment(status.st_ctimespec)
            modified = Moment(status.st_mtimespec)
        #else
            changed = Moment(status.st_ctim)
            modified = Moment(status.st_mtim)
        #endif
        device = UInt32(truncatingIfNeeded: status.st_dev)
        inode = UInt32(truncatingIfNeeded: status.st_ino)
        user = status.st_uid
        group = status.st_gid
        size = UInt32(truncatingIfNeeded: status.st_size)
    }
}
