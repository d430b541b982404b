/// What git's index notes of a file, to see later whether it was touched.
package struct FileStatus: Hashable, Sendable {
    package struct Moment: Hashable, Sendable {
        package let seconds: Int64
        package let nanoseconds: UInt32

        package init(seconds: Int64, nanoseconds: UInt32) {
            self.seconds = seconds
            self.nanoseconds = nanoseconds
        }

        /// By more than a tick of the clock that file systems take their times from, 10 ms at most.
        package func isBefore(_ other: Moment) -> Bool {
            let tick: Int64 = 10_000_000
            let seconds = min(max(other.seconds - self.seconds, -1), 1)
            return seconds * 1_000_000_000 + Int64(other.nanoseconds) - Int64(nanoseconds) > tick
        }
    }

    package let changed: Moment
    package let modified: Moment
    package let device: UInt32
    package let inode: UInt32
    package let user: UInt32
    package let group: UInt32
    package let size: UInt32

    package init(
        changed: Moment, modified: Moment, device: UInt32, inode: UInt32, user: UInt32, group: UInt32, size: UInt32
    ) {
        (self.changed, self.modified) = (changed, modified)
        (self.device, self.inode) = (device, inode)
        (self.user, self.group, self.size) = (user, group, size)
    }

    /// Whether nothing was written to the file between the two; a new name leaves it so.
    func isSameContent(as other: FileStatus) -> Bool {
        (modified, device, inode, size) == (other.modified, other.device, other.inode, other.size)
    }

    /// Whether nothing was done to the file since `noted`, by what git's index notes of files. It doesn't look at the
    /// device, as git doesn't: that is another one after the next start of some systems.
    package func isUntouched(since noted: FileStatus) -> Bool {
        (changed, modified, inode, size) == (noted.changed, noted.modified, noted.inode, noted.size)
            && (user, group) == (noted.user, noted.group)
    }
}
