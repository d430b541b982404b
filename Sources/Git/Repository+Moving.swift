internal import CGit2

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension Repository {
    /// Moves the branch that HEAD is on (or a detached HEAD) to a new commit, if it is still at `old`; a nil `old` means
    /// that the branch has no commit yet. Both reflogs say who and why. `own` is a folder for second names of locks.
    ///
    /// `.modified`: somebody else moved it first. `.locked`: somebody else is about to. `.durabilityUnknown`: it has moved,
    /// but the disk failed after that. After any other error it stands where it stood.
    ///
    /// libgit2 would sync both reflogs, the reference and the folder of each, one after the other, and no call of its own
    /// comes between writing a reference and renaming it, where its content must be on its way. A branch without a commit,
    /// or that isn't a plain file, is left to libgit2.
    package func moveHead(
        to new: ObjectID, from old: ObjectID?, by signature: Signature, note: String, own: String? = nil,
        durability: Durability = .strict
    ) throws(GitError) {
        let head = try head()
        func isUnmoved() throws(GitError) -> Bool {
            // HEAD is not under the branch's lock: somebody may have checked out another branch.
            try self.head().branch == head.branch
        }
        let path = head.branch.map { commonDirectory + "/" + $0 } ?? gitDirectory + "/HEAD"
        guard let old, old != new, head.branch?.hasPrefix("refs/heads/") ?? true, try isPlainReference(path) else {
            return try move(head.reference, to: new, from: old, by: signature, note: note, if: isUnmoved)
        }
        let operation = "move \(head.reference)"
        try refuseZeroByte(in: note, operation)
        let signature = try OwnedSignature.make(signature)
        try writeObjects(durability)
        try FileSystem.makeFolders(of: path)
        var lock = try LockFile.take(path, second: Self.second(of: head.reference, in: own))
        let current = try reference(named: head.reference)
        guard current == old, try isUnmoved() else {
            throw GitError(
                .modified, "it is at \(current?.short ?? "nothing"), no longer at \(old.short)", operation: operation)
        }
        let entry = "\(old) \(new) \(signature.line)\t\(note.map { $0.isNewline ? " " : String($0) }.joined())\n"
        var logs: [ReferenceLog] = []
        let makesLogs = try makesLogs
        for name in [head.branch.map { commonDirectory + "/logs/" + $0 }, gitDirectory + "/logs/HEAD"].compactMap({ $0 }) {
            if let log = try ReferenceLog.append(entry, to: name, making: makesLogs) { logs.append(log) }
        }
        do {
            for log in logs { try log.sync(durability) }
            try lock.write(Array("\(new)\n".utf8))
            try lock.sync(durability.sync)
            try lock.place()
        } catch {
            for log in logs { log.takeBack() }
            throw error
        }
        do {
            if durability == .fast { try lock.sync(SETTINGS_SYNC_FULL) }
            if durability != .none { try FileSystem.sync(FileSystem.folder(of: path)) }
        } catch { throw error.of(.durabilityUnknown) }
    }

    /// Removes the locks that a dead process left, of those it made with second names in `own`.
    package func removeLeftLocks(own: String) {
        guard let folder = opendir(own) else { return }
        defer { closedir(folder) }
        while let item = readdir(folder) {
            let name = withUnsafePointer(to: &item.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix(Self.secondPrefix) else { continue }
            let locked = name.dropFirst(Self.secondPrefix.count).split(separator: ":").joined(separator: "/")
            let isOfAll = locked.hasPrefix("refs/")
            LockFile.removeLeft((isOfAll ? commonDirectory : gitDirectory) + "/" + locked, second: own + "/" + name)
        }
    }

    private static let secondPrefix = "lock-"

    /// No name of a reference has a colon.
    static func second(of name: String, in own: String?) -> String? {
        own.map { $0 + "/" + secondPrefix + name.split(separator: "/").joined(separator: ":") }
    }

    /// A file that holds an id, or none where the id is packed.
    private func isPlainReference(_ path: String) throws(GitError) -> Bool {
        guard let status = try FileSystem.status(of: path) else { return true }
        if status.st_mode & S_IFMT == S_IFDIR { return true }
        guard let (bytes, _) = FileSystem.read(path, atMost: 4096) else { return false }
        return ObjectID(hex: bytes.prefix(40)) != nil
    }

    /// Whether reflogs are made where there are none, by git's rule.
    private var makesLogs: Bool {
        get throws(GitError) {
            guard let value = try configured("core.logAllRefUpdates")?.lowercased() else { return !isBare }
            return !["false", "no", "off", "0", ""].contains(value)
        }
    }
}

/// A reflog with one entry more.
private final class ReferenceLog {
    let path: String
    private let descriptor: Int32
    private let size: off_t
    private let length: Int

    /// Nil where there is none and none is to be made. A line that a full disk cut short is ended first: git would lose
    /// this entry with it.
    static func append(_ entry: String, to path: String, making: Bool) throws(GitError) -> ReferenceLog? {
        let operation = "write \(path)"
        let flags = O_RDWR | O_APPEND | O_CLOEXEC
        var file = open(path, flags)
        if file < 0, errno == ENOENT, making {
            try FileSystem.makeFolders(of: path)
            file = open(path, flags | O_CREAT, 0o666)
        }
        guard file >= 0 else {
            if errno == ENOENT, !making { return nil }
            throw .system(operation: operation)
        }
        var status = stat()
        var last = UInt8(ascii: "\n")
        guard fstat(file, &status) == 0, status.st_size == 0 || pread(file, &last, 1, status.st_size - 1) == 1 else {
            let code = errno
            close(file)
            throw .system(code, operation: operation)
        }
        let bytes = Array(((last == UInt8(ascii: "\n") ? "" : "\n") + entry).utf8)
        let log = ReferenceLog(path: path, descriptor: file, size: status.st_size, length: bytes.count)
        guard settings_write_all(file, bytes, bytes.count) == 0 else {
            let code = errno
            log.takeBack()
            throw .system(code, operation: operation)
        }
        return log
    }

    private init(path: String, descriptor: Int32, size: off_t, length: Int) {
        self.path = path
        self.descriptor = descriptor
        self.size = size
        self.length = length
    }

    func sync(_ durability: Durability) throws(GitError) {
        guard settings_sync_file(descriptor, durability.sync) == 0 else { throw .system(operation: "sync \(path)") }
        if durability == .strict, size == 0 { try FileSystem.sync(FileSystem.folder(of: path)) }
    }

    /// Drops the entry again, if nobody has written behind it: what it tells of has not happened.
    func takeBack() {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size <= size + off_t(length) else { return }
        _ = ftruncate(descriptor, size)
    }

    deinit { close(descriptor) }
}
