internal import CGitObjects
import SettingsModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A branch that has moved, and what there is to wait for before that is sure to outlast a loss of power.
package struct BranchMove: ~Copyable {
    let name: String
    let path: String
    let new: ObjectID
    let old: ObjectID?
    /// The second name of its lock, see `LockFile`.
    let second: String?
    let durability: Durability
    let file: LockFile
    let folder: OpenFolder
    let logs: [ReferenceLog]

    /// Waits for it and for all that the process has done since on the same file system, whose journal keeps the order:
    /// `last` is a folder in which a name was changed after the rest. What others do meanwhile is waited for with it.
    package func settle(with last: String) throws(GitError) {
        try file.sync(SETTINGS_SYNC_FULL)
        try FileSystem.sync(last)
    }
}

/// A folder whose names can be waited for without opening anything.
struct OpenFolder: ~Copyable {
    private let path: String
    private let descriptor: Int32

    /// The one that a path lies in; made, with those above it, where it is missing.
    static func make(of file: String, durable: Bool, _ shared: SharedMode) throws(GitError) -> OpenFolder {
        let path = FileSystem.folder(of: file)
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        var descriptor = systemOpen(path, flags)
        if descriptor < 0, errno == ENOENT {
            try FileSystem.makeFolders(of: file, durable: durable, shared: shared)
            descriptor = systemOpen(path, flags)
        }
        guard descriptor >= 0 else { throw .system(operation: "open \(path)") }
        return OpenFolder(path: path, descriptor: descriptor)
    }

    func sync() throws(GitError) {
        guard settings_sync_file(descriptor, SETTINGS_SYNC_FULL) == 0 else { throw .system(operation: "sync \(path)") }
    }

    deinit { close(descriptor) }
}

/// A reflog with one entry more.
final class ReferenceLog {
    let path: String
    private let descriptor: Int32
    private let size: off_t
    private let length: Int

    /// Nil where there is none and none is to be made. A line that a full disk cut short is ended first: git would lose
    /// this entry with it.
    static func append(
        _ entry: String, to path: String, making: Bool, _ shared: SharedMode
    ) throws(GitError) -> ReferenceLog? {
        let operation = "write \(path)"
        // What it says is partly the store's: no link may lead it into another file.
        let flags = O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        var file = open(path, flags)
        if file < 0, errno == ENOENT, making {
            try FileSystem.makeFolders(of: path, shared: shared)
            file = open(path, flags | O_CREAT, 0o666)
            if file >= 0 { shared.apply(to: file) }
        }
        guard file >= 0 else {
            if errno == ENOENT, !making { return nil }
            throw .system(operation: operation)
        }
        var status = stat()
        var last = UInt8(ascii: "\n")
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw GitError(.invalid, "it is not a regular file", operation: operation)
        }
        guard status.st_size == 0 || pread(file, &last, 1, status.st_size - 1) == 1 else {
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
