import Files

/// git's index while its lock is held, read as far as writing it needs.
package struct LockedIndex: ~Copyable {
    var lock: LockFile
    let found: Found
    /// What the index ends in: of what was found, and of what took its place.
    package internal(set) var hash: [UInt8]

    struct Found {
        /// Nil where there is no index.
        var bytes: [UInt8]?
        var attributes: FileAttributes?
        /// Nil where writing it is for libgit2.
        var file: IndexFile?
    }

    init(_ lock: consuming LockFile, _ found: Found) {
        self.lock = lock
        self.found = found
        hash = found.bytes?.suffix(20) ?? []
    }
}
