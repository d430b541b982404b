import Git

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension Folder {
    /// Puts a file in place whole: readers see the old one or the new one. `scratch` is a folder for the new one while it
    /// is written, on the same file system where possible. Returns what the file is then, if nobody touched it meanwhile.
    @discardableResult
    func write(_ bytes: [UInt8], to relative: String, scratch: String, durable: Bool) throws(Failure) -> FileStatus? {
        let (folder, name) = Self.split(relative)
        let parent = try open(folder: folder, making: true, for: "write")
        let temporary = "\(scratch)/new-\(getpid())"
        var status = try Self.create(temporary, bytes, durable: durable)
        if renameat(AT_FDCWD, temporary, parent.number, name) != 0 {
            let code = errno
            unlink(temporary)
            guard code == EXDEV else { throw fail("write", relative, code) }
            // The repository lies on another file system than its files.
            let beside = full(folder.isEmpty ? ".new-\(getpid())" : "\(folder)/.new-\(getpid())")
            status = try Self.create(beside, bytes, durable: durable)
            guard renameat(AT_FDCWD, beside, parent.number, name) == 0 else {
                let code = errno
                unlink(beside)
                throw fail("write", relative, code)
            }
        }
        if durable { fsync(parent.number) }
        return Self.status(of: name, in: parent, since: status)
    }

    /// Puts many files in place, each whole. Waits for the disk twice for all together, not twice for each.
    func write(_ files: [(relative: String, bytes: [UInt8])], scratch: String) throws(Failure) -> [FileStatus?] {
        func temporary(_ number: Int) -> String { "\(scratch)/new-\(getpid())-\(number)" }
        var created: [stat] = []
        created.reserveCapacity(files.count)
        var placed = 0
        var statuses: [FileStatus?] = []
        do throws(Failure) {
            for (number, file) in files.enumerated() {
                created.append(try Self.create(temporary(number), file.bytes, durable: false))
            }
            // A name must not be on the disk before its content.
            try Self.syncFileSystem(of: scratch)
            var folder = ""
            var parent = try open(folder: folder, for: "write")
            for (number, file) in files.enumerated() {
                let (place, name) = Self.split(file.relative)
                if place != folder {
                    parent = try open(folder: place, making: true, durable: false, for: "write")
                    folder = place
                }
                if renameat(AT_FDCWD, temporary(number), parent.number, name) == 0 {
                    statuses.append(Self.status(of: name, in: parent, since: created[number]))
                } else if errno == EXDEV {
                    unlink(temporary(number))
                    statuses.append(try write(file.bytes, to: file.relative, scratch: scratch, durable: true))
                } else {
                    throw fail("write", file.relative)
                }
                placed += 1
            }
        } catch {
            for number in placed..<max(placed, created.count) { unlink(temporary(number)) }
            throw error
        }
        try Self.syncFileSystem(of: path)
        return statuses
    }

    /// What a file is that was made with `created` and renamed; nil where somebody has written to it since.
    private static func status(of name: String, in folder: borrowing Descriptor, since created: stat) -> FileStatus? {
        var status = stat()
        guard fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        let (was, now) = (FileStatus(created), FileStatus(status))
        return now.isSameContent(as: was) ? now : nil
    }

    private static func syncFileSystem(of path: String) throws(Failure) {
        let folder = Descriptor(retrying { openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
        guard folder.number >= 0, FileSystem.syncAll(of: folder.number) else {
            throw Failure(code: errno, operation: "sync", path: path)
        }
    }

    /// A new file with these bytes, in place of one that may be left there.
    @discardableResult
    static func create(_ path: String, _ bytes: [UInt8], durable: Bool) throws(Failure) -> stat {
        func fail(_ code: Int32 = errno) -> Failure {
            unlink(path)
            return Failure(code: code, operation: "write", path: path)
        }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        var number = retrying { openat(AT_FDCWD, path, flags, 0o666) }
        if number < 0, errno == EEXIST {
            unlink(path)
            number = retrying { openat(AT_FDCWD, path, flags, 0o666) }
        }
        guard number >= 0 else { throw Failure(code: errno, operation: "write", path: path) }
        let file = Descriptor(number)
        var done = 0
        while done < bytes.count {
            let written = retrying64 {
                bytes.withUnsafeBytes { systemWrite(file.number, $0.baseAddress.map { $0 + done }, bytes.count - done) }
            }
            guard written > 0 else { throw fail() }
            done += written
        }
        if durable, fsync(file.number) != 0 { throw fail() }
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw fail() }
        return status
    }
}

/// The system's call, which a method of that name would hide.
private func systemWrite(_ file: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int { write(file, buffer, count) }
