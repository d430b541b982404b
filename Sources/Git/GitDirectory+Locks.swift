import Files

extension GitDirectory {
    /// Takes the lock of a file, `.locked` where somebody else has it. `name`: the file's from git's folder. `own`: a folder
    /// for the second names of locks, see `LockFile`.
    func takeLock(of path: String, _ name: String, _ own: String?) throws(GitError) -> LockFile {
        if let lock = try system(LockFile.take(path, second: Self.second(of: name, in: own), sharedMode)) { return lock }
        throw GitError(.locked, "\(path).lock exists", operation: "lock \(path)")
    }

    /// Whether somebody else has the lock of a file. One that a dead process left is removed.
    func isLocked(_ path: String, _ name: String, _ own: String) throws(GitError) -> Bool {
        if let second = Self.second(of: name, in: own) { try system(LockFile.removeLeft(path, second: second)) }
        return try system(FileSystem.isThere(path + ".lock"))
    }

    /// Removes the locks that a dead process left, of those it made with second names in `own`.
    package func removeLeftLocks(own: String) throws(GitError) {
        for (name, _) in try system(FileSystem.entries(of: own)) where name.hasPrefix(Self.secondPrefix) {
            let locked = name.dropFirst(Self.secondPrefix.count).split(separator: ":").joined(separator: "/")
            let isOfAll = locked.hasPrefix("refs/") || ["packed-refs", "config"].contains(locked)
            let path = (isOfAll ? commonDirectory : gitDirectory) + "/" + locked
            let file = locked == "config" ? FileSystem.target(of: path) : path
            try system(LockFile.removeLeft(file, second: own + "/" + name))
        }
    }

    private static let secondPrefix = "lock-"

    /// No name of a reference has a colon.
    static func second(of name: String, in own: String?) -> String? {
        own.map { $0 + "/" + secondPrefix + name.split(separator: "/").joined(separator: ":") }
    }
}
