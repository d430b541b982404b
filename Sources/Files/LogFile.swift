package import Base

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A log that one entry is added to.
package final class LogFile {
    private let path: String
    private let file: FileDescriptor
    private let before: FileAttributes?
    private var length = 0

    private var size: Int { before?.size ?? 0 }

    /// Whether it is as expected; to be checked before an entry is appended.
    package var isRegular: Bool { before?.kind == .file }

    private init(_ path: String, _ file: consuming FileDescriptor) {
        self.path = path
        before = file.attributes
        self.file = file
    }

    /// Nil where there is none and none is to be made.
    package static func open(_ path: String, making: Bool, _ shared: SharedMode) throws(SystemFailure) -> LogFile? {
        // What it says is partly the store's: no link may lead it into another file.
        let flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK
        if let file = FileDescriptor(path, flags) { return LogFile(path, file) }
        guard errno == ENOENT else { throw .last("write", path) }
        guard making else { return nil }
        try Folder.make(FileSystem.folder(of: path), shared: shared)
        guard let file = FileDescriptor(path, flags | O_CREAT) else { throw .last("write", path) }
        shared.apply(to: file.number)
        return LogFile(path, file)
    }

    /// The last bytes of a log; none where there is no such file.
    package static func end(of path: String, atMost count: Int) throws(SystemFailure) -> [UInt8] {
        guard let file = try FileDescriptor.regular(path), let size = file.attributes?.size else { return [] }
        guard lseek(file.number, off_t(max(0, size - count)), SEEK_SET) >= 0, let bytes = file.read(min(size, count)) else {
            throw .last("read", path)
        }
        return bytes
    }

    /// A line that a full disk cut short is ended first: git would lose this entry with it.
    package func append(_ entry: String) throws(SystemFailure) {
        var last = UInt8(ascii: "\n")
        guard size == 0 || pread(file.number, &last, 1, off_t(size - 1)) == 1 else { throw .last("write", path) }
        let bytes = Array(((last == UInt8(ascii: "\n") ? "" : "\n") + entry).utf8)
        length = bytes.count
        guard file.write(bytes) else {
            let failure = SystemFailure.last("write", path)
            takeBack()
            throw failure
        }
    }

    package func sync(_ durability: Durability) throws(SystemFailure) {
        try file.sync(durability, path)
        if durability == .strict, size == 0 { try FileSystem.sync(FileSystem.folder(of: path)) }
    }

    /// Removes the entry again unless another follows it: what it records has not happened.
    package func takeBack() {
        guard let now = file.attributes, now.size <= size + length else { return }
        _ = ftruncate(file.number, off_t(size))
    }
}
