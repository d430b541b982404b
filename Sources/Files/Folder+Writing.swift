import Git
import SettingsModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension Folder {
    /// What became of a file.
    enum Written {
        /// It was put in place; what it is then, if nobody has touched it since.
        case placed(FileStatus?)
        /// Something else than expected was there, and stays.
        case kept
    }

    /// From here on files are waited for all at once, by waiting for the whole file system.
    private static let manyFiles = 64

    /// Puts files in place, each whole: readers see the old one or the new one. `scratch` is a folder for the new ones while
    /// they are written, on the same file system where possible. All are written before any is waited for, as `durability`
    /// wants it, and none gets its name before that: a name on the disk without its content would look like an edit.
    ///
    /// Returns what became of each.
    func write(
        _ files: [(relative: String, bytes: [UInt8], old: ExpectedContent?)], scratch: String, _ durability: Durability
    ) throws(SystemFailure) -> [Written] {
        guard !files.isEmpty else { return [] }
        let isMany = files.count > Self.manyFiles
        func temporary(_ number: Int) -> String { "\(scratch)/new-\(getpid())-\(number)" }
        var created: [FileStatus] = []
        created.reserveCapacity(files.count)
        var placed = 0
        var written: [Written] = []
        do throws(SystemFailure) {
            for (number, file) in files.enumerated() {
                created.append(try Self.create(temporary(number), file.bytes, isMany ? .none : durability))
            }
            if isMany, durability != .none { try Self.syncFileSystem(of: scratch) }
            var folder = ""
            var parent = try open(folder: folder, for: "write")
            for (number, file) in files.enumerated() {
                let (place, name) = Self.split(file.relative)
                if place != folder {
                    if !isMany, durability == .strict, number > 0 { try sync(parent, folder) }
                    parent = try open(folder: place, making: true, durable: !isMany && durability == .strict, for: "write")
                    folder = place
                }
                do throws(SystemFailure) {
                    let isPlaced = try Self.place(temporary(number), file.bytes, as: name, in: parent, over: file.old)
                    written.append(
                        isPlaced ? .placed(Self.status(of: name, in: parent, since: created[number])) : .kept)
                } catch {
                    guard error.code == EXDEV else { throw fail("write", file.relative, error.code) }
                    unlink(temporary(number))
                    written.append(try write(file.bytes, beside: place, name, in: parent, over: file.old, durability))
                }
                placed += 1
            }
            if durability == .strict {
                if isMany { try Self.syncFileSystem(of: path) } else { try sync(parent, folder) }
            }
        } catch {
            for number in placed..<max(placed, created.count) { unlink(temporary(number)) }
            throw error
        }
        return written
    }

    /// Waits for files that somebody else has written, as `durability` wants it.
    func sync(_ files: [String], _ durability: Durability) throws(SystemFailure) {
        guard durability != .none, !files.isEmpty else { return }
        if files.count > Self.manyFiles { return try Self.syncFileSystem(of: path) }
        var synced: String?
        for file in files {
            let (folder, name) = Self.split(file)
            let parent = try open(folder: folder, for: "sync")
            let descriptor = Descriptor(
                Self.retrying { openat(parent.number, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) })
            guard descriptor.number >= 0, durability.wait(for: descriptor.number) else { throw fail("sync", file) }
            if durability == .strict, folder != synced { try sync(parent, file) }
            synced = folder
        }
    }

    /// The repository lies on another file system than its files.
    private func write(
        _ bytes: [UInt8], beside folder: String, _ name: String, in parent: borrowing Descriptor, over old: ExpectedContent?,
        _ durability: Durability
    ) throws(SystemFailure) -> Written {
        let beside = full(folder.isEmpty ? ".new-\(getpid())" : "\(folder)/.new-\(getpid())")
        let status = try Self.create(beside, bytes, durability)
        do throws(SystemFailure) {
            guard try Self.place(beside, bytes, as: name, in: parent, over: old) else { return .kept }
        } catch {
            unlink(beside)
            throw SystemFailure(code: error.code, operation: "write", path: full("\(folder)/\(name)"))
        }
        if durability == .strict { try sync(parent, folder) }
        return .placed(Self.status(of: name, in: parent, since: status))
    }

    /// What a file is that was made with `created` and renamed; nil where somebody has written to it since.
    private static func status(of name: String, in folder: borrowing Descriptor, since created: FileStatus) -> FileStatus? {
        guard let now = FileStatus(of: name, in: folder.number) else { return nil }
        return now.isSameContent(as: created) ? now : nil
    }

    private static func syncFileSystem(of path: String) throws(SystemFailure) {
        let folder = Descriptor(retrying { openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
        guard folder.number >= 0, FileSystem.syncAll(of: folder.number) else {
            throw SystemFailure(code: errno, operation: "sync", path: path)
        }
    }

    /// A new file with these bytes, in place of one that may be left there.
    @discardableResult
    static func create(_ path: String, _ bytes: [UInt8], _ durability: Durability) throws(SystemFailure) -> FileStatus {
        func fail(_ code: Int32 = errno) -> SystemFailure {
            unlink(path)
            return SystemFailure(code: code, operation: "write", path: path)
        }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        var number = retrying { openat(AT_FDCWD, path, flags, 0o666) }
        if number < 0, errno == EEXIST {
            unlink(path)
            number = retrying { openat(AT_FDCWD, path, flags, 0o666) }
        }
        guard number >= 0 else { throw SystemFailure(code: errno, operation: "write", path: path) }
        let file = Descriptor(number)
        var done = 0
        while done < bytes.count {
            let written = retrying64 {
                bytes.withUnsafeBytes { systemWrite(file.number, $0.baseAddress.map { $0 + done }, bytes.count - done) }
            }
            guard written > 0 else { throw fail() }
            done += written
        }
        guard durability.wait(for: file.number) else { throw fail() }
        guard let status = FileStatus(of: file.number) else { throw fail() }
        return status
    }
}

/// The system's call, which a method of that name would hide.
private func systemWrite(_ file: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int { write(file, buffer, count) }
