internal import CFiles
package import Base

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// An open file or folder; the descriptor closes itself. Calls that fail leave their reason in `errno`: whoever opened it
/// knows the path that belongs into the failure.
package struct FileDescriptor: ~Copyable {
    package let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// Opens a path, which counts from an open folder unless it is absolute.
    init?(_ path: String, _ flags: Int32, in folder: Int32 = AT_FDCWD, mode: mode_t = 0o666) {
        let number = retrying { openat(folder, path, flags | O_CLOEXEC, mode) }
        guard number >= 0 else { return nil }
        self.number = number
    }

    /// Opens a folder.
    init?(folder path: String) { self.init(path, O_RDONLY | O_DIRECTORY) }

    /// For reading. Not to wait where somebody put a pipe, and no symbolic link is followed, unless that is wanted.
    init?(reading path: String, in folder: Int32 = AT_FDCWD, following: Bool = false) {
        self.init(path, O_RDONLY | O_NONBLOCK | (following ? 0 : O_NOFOLLOW), in: folder)
    }

    /// A file that somebody may have put there, for reading; nil where there is none.
    static func regular(_ path: String, in folder: Int32 = AT_FDCWD) throws(SystemFailure) -> FileDescriptor? {
        if let file = FileDescriptor(reading: path, in: folder) { return file }
        let failure = SystemFailure.last("read", path)
        if failure.isNoFile { return nil }
        throw failure
    }

    /// A new file.
    init?(creating path: String, _ flags: Int32 = O_WRONLY, mode: mode_t = 0o666) {
        self.init(path, flags | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
    }

    /// The descriptor, which the caller must close from here on.
    consuming func released() -> Int32 {
        let number = number
        discard self
        return number
    }

    var attributes: FileAttributes? { FileAttributes(of: number) }

    /// The next bytes, fewer than `count` only where there are no more.
    func read(_ count: Int) -> [UInt8]? { Self.read(count, from: number) }

    /// `expected`: a regular file that gave so much and no more has ended, and isn't asked again.
    private static func read(_ count: Int, from number: Int32, expecting expected: Int? = nil) -> [UInt8]? {
        var isRead = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            while done < count {
                let more = retrying { systemRead(number, buffer.baseAddress.map { $0 + done }, count - done) }
                isRead = more >= 0
                if more <= 0 { return }
                done += more
                if done == expected { return }
            }
        }
        return isRead ? bytes : nil
    }

    /// Everything up to the end, or more than `limit` bytes of it. `size`: as much as is expected.
    static func readAll(_ number: Int32, size: Int, atMost limit: Int, isRegular: Bool = false) -> [UInt8]? {
        var room = min(size, limit) + 1
        guard var bytes = read(room, from: number, expecting: isRegular ? size : nil) else { return nil }
        while bytes.count == room, bytes.count <= limit {
            guard let more = read(64 << 10, from: number) else { return nil }
            bytes += more
            room += 64 << 10
        }
        return bytes
    }

    func readAll(size: Int, atMost limit: Int) -> [UInt8]? { Self.readAll(number, size: size, atMost: limit) }

    /// The bytes of a regular file whatever its size, at most `limit + 1` of them, and what it was while they were read; nil
    /// where it is no regular file. `path`: for the failure.
    func contents(
        atMost limit: Int, _ path: String
    ) throws(SystemFailure) -> (bytes: [UInt8], attributes: FileAttributes)? {
        guard let attributes else { throw .last("read", path) }
        guard attributes.kind == .file else { return nil }
        guard let bytes = Self.readAll(number, size: attributes.size, atMost: limit, isRegular: true) else {
            throw .last("read", path)
        }
        return (bytes, attributes)
    }

    /// Waits for what was written, or for the names in a folder. `path`: for the failure.
    package func sync(_ durability: Durability, _ path: String) throws(SystemFailure) {
        guard durability.wait(for: number) else { throw .last("sync", path) }
    }

    /// Writes all of the bytes from an offset on.
    func write(_ bytes: [UInt8], at offset: Int) -> Bool {
        var count = 0
        while count < bytes.count {
            let more = retrying {
                bytes.withUnsafeBytes {
                    pwrite(number, $0.baseAddress.map { $0 + count }, bytes.count - count, off_t(offset + count))
                }
            }
            if more == 0 { errno = ENOSPC }
            guard more > 0 else { return false }
            count += more
        }
        return true
    }

    /// Takes what there is of a pipe that doesn't wait.
    func drain() {
        withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { room in
            while retrying({ systemRead(number, room.baseAddress, room.count) }) == room.count {}
        }
    }

    func write(_ bytes: [UInt8]) -> Bool { settings_write_all(number, bytes, bytes.count) == 0 }
}

/// A pipe whose ends no started program gets.
struct Pipe: ~Copyable {
    let output: FileDescriptor
    let input: FileDescriptor

    init?() {
        var ends: [Int32] = [-1, -1]
        guard settings_pipe(&ends) == 0 else { return nil }
        output = FileDescriptor(ends[0])
        input = FileDescriptor(ends[1])
    }

    /// From now on what doesn't fit is dropped, and where there is nothing, nothing is read.
    func neverWaits() -> Bool { [output.number, input.number].allSatisfy { fcntl($0, F_SETFL, O_NONBLOCK) == 0 } }
}

/// Makes a call again for as long as signals interrupt it.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}

/// The system's call, which a method of that name would hide.
private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int { read(file, buffer, count) }
