package import Base

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A folder for the work of one command, which is removed with all that is in it. Locked as long as its process lives, so that
/// the next command can remove what a dead one left.
package struct WorkFolder: ~Copyable {
    package let path: String
    private let lock: FileDescriptor

    private init(path: String, lock: consuming FileDescriptor) {
        self.path = path
        self.lock = lock
    }

    /// `place`: the folder that it is made in. `prefix`: what the names of its kind begin with.
    package static func make(in place: String, _ prefix: String) throws(SystemFailure) -> WorkFolder {
        sweep(place, prefix)
        while true {
            let path = try FileSystem.makeTemporary(in: place, prefix)
            // Somebody who sweeps may be faster.
            guard let folder = FileDescriptor(folder: path) else { continue }
            let isTaken = flock(folder.number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
            if !isTaken, try FileSystem.isThere(path) { return WorkFolder(path: path, lock: folder) }
        }
    }

    private static func sweep(_ place: String, _ prefix: String) {
        for (name, kind) in (try? FileSystem.entries(of: place)) ?? [] where name.hasPrefix(prefix) && kind == .folder {
            // Where there are no locks nobody knows which process is dead.
            guard let folder = FileDescriptor(folder: "\(place)/\(name)"), flock(folder.number, LOCK_EX | LOCK_NB) == 0 else {
                continue
            }
            try? FileSystem.removeAll("\(place)/\(name)")
        }
    }

    deinit { try? FileSystem.removeAll(path) }
}
