package import Base
import Files

/// The lock that `git gc` takes, `gc.pid`. Two programs that pack at once each take away packs that the other one counts on: an
/// object that one leaves out because a second pack has it, while the other removes that pack because a third has it, is gone.
package struct UpkeepLock: ~Copyable {
    private let path: String

    private init(_ path: String) { self.path = path }

    deinit { try? FileSystem.remove(path) }

    /// So old is what a process left whose ID another one has by now, or that ran on another machine.
    private static let patience: Int64 = 12 * 3600

    /// Nil while somebody else maintains the repository. `own`: a path for the second name of git's lock file, see `LockFile`.
    package static func take(in git: GitDirectory, own: String) throws(SystemFailure) -> UpkeepLock? {
        let path = git.commonDirectory + "/gc.pid"
        guard var lock = try LockFile.take(path, second: own, git.sharedMode) else { return nil }
        if isHeld(path) { return nil }
        try lock.write(Array("\(ThisProcess.id) \(ThisProcess.host)".utf8))
        try lock.place()
        return UpkeepLock(path)
    }

    /// As git decides it: the process lives, or is one of another machine, of which nobody knows.
    private static func isHeld(_ path: String) -> Bool {
        guard let attributes = (try? FileSystem.attributes(of: path)) ?? nil,
            ThisProcess.now - attributes.status.modified.seconds <= patience,
            let bytes = (try? FileSystem.bytes(of: path, atMost: 1024)) ?? nil
        else { return false }
        let words = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        guard words.count >= 2, let id = Int32(words[0]) else { return false }
        return words[1] != ThisProcess.host || ThisProcess.isThere(id)
    }
}
