#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What git's index notes of a file, to see later whether it was touched.
package struct FileStatus: Hashable, Sendable {
    package struct Moment: Hashable, Sendable {
        let seconds: Int64
        let nanoseconds: UInt32

        init(seconds: Int64, nanoseconds: UInt32) {
            self.seconds = seconds
            self.nanoseconds = nanoseconds
        }

        /// By more than a tick of the clock that file systems take their times from, 10 ms at most.
        func isBefore(_ other: Moment) -> Bool {
            let tick: Int64 = 10_000_000
            let seconds = min(max(other.seconds - self.seconds, -1), 1)
            return seconds * 1_000_000_000 + Int64(other.nanoseconds) - Int64(nanoseconds) > tick
        }

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

    /// What git takes for "look at the file".
    static let unknown = FileStatus(entry: [UInt8](repeating: 0, count: 40), at: 0)

    /// As an entry of the index has it.
    init(entry bytes: [UInt8], at offset: Int) {
        func number(_ place: Int) -> UInt32 { IndexFile.number(bytes, offset + place) }
        changed = Moment(seconds: Int64(number(0)), nanoseconds: number(4))
        modified = Moment(seconds: Int64(number(8)), nanoseconds: number(12))
        device = number(16)
        inode = number(20)
        user = number(28)
        group = number(32)
        size = number(36)
    }

    /// An open file's; nil where the system doesn't tell.
    package init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// That of a name in an open folder, a symbolic link not followed; nil where there is nothing.
    package init?(of name: String, in folder: Int32) {
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        self.init(status)
    }

    /// Whether nothing was done to the file since `noted`, by what git's index notes of files. It doesn't look at the
    /// device, as git doesn't: that is another one after the next start of some systems.
    package func isUntouched(since noted: FileStatus) -> Bool {
        (changed, modified, inode, size) == (noted.changed, noted.modified, noted.inode, noted.size)
            && (user, group) == (noted.user, noted.group)
    }

    init(_ status: stat) {
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
