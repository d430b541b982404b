import SettingsModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Files that a user asked for, outside the store: each is replaced completely or not at all.
enum OutputFile {
    static func put(_ bytes: [UInt8], at path: String) throws {
        // A symbolic link is followed to its target.
        let target = realpath(path, nil).map { real in
            defer { free(real) }
            return String(cString: real)
        }
        let path = target ?? path
        var status = stat()
        let isThere = stat(path, &status) == 0
        if isThere, status.st_mode & S_IFMT != S_IFREG {
            guard status.st_mode & S_IFMT != S_IFDIR else { throw failure(path, EISDIR) }
            return try stream(bytes, to: path)
        }
        let temporary = "\(path).\(getpid()).part"
        let mode = isThere ? status.st_mode & 0o777 : 0o666
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw failure(path, errno) }
        do {
            if isThere { _ = fchmod(descriptor, mode) }
            try all(bytes, to: descriptor, path)
            guard close(descriptor) == 0 else { throw failure(path, errno) }
            guard rename(temporary, path) == 0 else { throw failure(path, errno) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// A device or a pipe can't be replaced.
    private static func stream(_ bytes: [UInt8], to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        try all(bytes, to: descriptor, path)
    }

    static func put(_ files: [Exported.File], in folder: String) throws {
        for file in files {
            let path = "\(folder)/\(file.path)"
            try makeFolders(above: path)
            try put(file.bytes, at: path)
        }
    }

    private static func makeFolders(above path: String) throws {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        let folder = String(path[..<slash])
        if mkdir(folder, 0o777) == 0 || errno == EEXIST { return }
        guard errno == ENOENT else { throw failure(folder, errno) }
        try makeFolders(above: folder)
        guard mkdir(folder, 0o777) == 0 || errno == EEXIST else { throw failure(folder, errno) }
    }

    private static func all(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws {
        var done = 0
        while done < bytes.count {
            let written = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done) }
            if written > 0 { done += written }
            if written < 0, errno != EINTR { throw failure(path, errno) }
        }
    }

    private static func failure(_ path: String, _ code: Int32) -> Failure {
        Failure(.cannotWrite, "cannot write \(path): \(String(cString: strerror(code)))")
    }
}
