package import SettingsModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The files to read settings from: single files, or everything below a folder.
///
/// Symbolic links below a given folder are not followed, and files larger than `sizeLimit` are not read.
package struct Source {
    /// The paths as given.
    package var given: [String]
    /// The files in byte order of their paths, those of one folder together.
    package var files: [File]

    /// The maximum size of a file in bytes.
    package static let sizeLimit = 16 << 20
    /// The maximum number of files below the given folders.
    static let countLimit = 100_000
    static let depthLimit = 32

    package struct File {
        /// The path as given, or the given folder's path with the path below it.
        package var path: String
        /// The path relative to the given folder, with `/`; for a file that was given itself, its name.
        package var relativePath: String
        fileprivate var content: Content

        fileprivate enum Content {
            case disk(isLink: Bool)
            case memory([UInt8])
        }

        package var name: String {
            String(relativePath[(relativePath.lastIndex(of: "/").map(relativePath.index(after:)) ?? relativePath.startIndex)...])
        }
        /// Its folder below the given one, with a trailing slash; empty for the given folder itself.
        package var folder: String { String(relativePath.dropLast(name.count)) }

        /// Whether it is a symbolic link below a given folder.
        package var isLink: Bool { if case .disk(isLink: true) = content { true } else { false } }

        package func bytes() throws(Refusal) -> [UInt8] {
            switch content {
            case .memory(let bytes): return bytes
            case .disk(isLink: true):
                throw Refusal("is a symbolic link, and those aren't followed", in: path, hint: "put the file itself there")
            case .disk(isLink: false): return try File.contents(of: path, follows: false)
            }
        }

        fileprivate static func standardInput() throws(Refusal) -> [UInt8] {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = chunk.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else {
                    throw Refusal("can't be read: \(String(cString: strerror(errno)))", in: "standard input")
                }
                if count == 0 { return bytes }
                bytes += chunk[..<count]
                guard bytes.count <= sizeLimit else { throw tooLarge("standard input") }
            }
        }

        /// The content of a regular file.
        fileprivate static func contents(of path: String, follows: Bool) throws(Refusal) -> [UInt8] {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (follows ? 0 : O_NOFOLLOW))
            guard descriptor >= 0 else { throw Refusal("can't be read: \(String(cString: strerror(errno)))", in: path) }
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw Refusal("is not a regular file", in: path)
            }
            let size = Int(status.st_size)
            guard size <= sizeLimit else { throw tooLarge(path) }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(size + 1)
            while true {
                var chunk = [UInt8](repeating: 0, count: max(size - bytes.count, 0) + 4096)
                let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw Refusal("can't be read: \(String(cString: strerror(errno)))", in: path) }
                if count == 0 { return bytes }
                chunk.removeLast(chunk.count - count)
                bytes += chunk
                guard bytes.count <= sizeLimit else { throw tooLarge(path) }
            }
        }

        private static func tooLarge(_ path: String) -> Refusal {
            Refusal("is larger than \(sizeLimit >> 20) MiB", in: path, hint: "settings are small: is this the right file?")
        }
    }

    /// Lists the files; their contents are read on demand.
    package init(paths: [String]) throws(Refusal) {
        given = paths
        files = []
        for path in paths {
            if path == "-" {
                files.append(File(path: "standard input", relativePath: "", content: .memory(try File.standardInput())))
                continue
            }
            var status = stat()
            guard stat(path, &status) == 0 else {
                let code = errno
                var refusal = Refusal(
                    "\(path): \(String(cString: strerror(code)))", hint: "name a file or a folder that is there")
                refusal.isMissing = code == ENOENT || code == ENOTDIR
                throw refusal
            }
            if status.st_mode & S_IFMT == S_IFDIR {
                var trimmed = path
                while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
                try addFolder(trimmed, below: "", depth: 0)
            } else {
                try files.append(File(named: path))
            }
        }
    }

    /// Standard input, under a name with this extension.
    init(standardInput bytes: [UInt8], ending: String) {
        given = ["standard input"]
        files = [File(path: "standard input", relativePath: "standard input\(ending)", content: .memory(bytes))]
    }

    /// Joins several sources.
    init(joining sources: [Source]) {
        given = sources.flatMap(\.given)
        files = sources.flatMap(\.files)
    }

    /// Files in memory, for tests.
    package init(files: [(path: String, bytes: [UInt8])]) {
        given = files.map(\.path)
        self.files = files.map { File(path: $0.path, relativePath: $0.path, content: .memory($0.bytes)) }
    }

    private mutating func addFolder(_ path: String, below: String, depth: Int) throws(Refusal) {
        guard depth < Source.depthLimit else {
            throw Refusal(
                "has folders more than \(Source.depthLimit) deep", in: path, hint: "name the folder that holds the settings")
        }
        guard let folder = opendir(path) else { throw Refusal("can't be read: \(String(cString: strerror(errno)))", in: path) }
        var entries: [(name: String, type: UInt8)] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { entries.append((name, entry.pointee.d_type)) }
        }
        closedir(folder)
        entries.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        for (name, type) in entries {
            let full = "\(path)/\(name)"
            var kind = type
            if kind == UInt8(DT_UNKNOWN) {
                var status = stat()
                guard lstat(full, &status) == 0 else { continue }
                kind = UInt8((status.st_mode & S_IFMT) >> 12)
            }
            switch kind {
            case UInt8(DT_DIR): try addFolder(full, below: below + name + "/", depth: depth + 1)
            case UInt8(DT_REG), UInt8(DT_LNK):
                guard files.count < Source.countLimit else {
                    throw Refusal(
                        "holds more than \(Source.countLimit) files", in: given.joined(separator: ", "),
                        hint: "name the folder that holds the settings")
                }
                files.append(
                    File(path: full, relativePath: below + name, content: .disk(isLink: kind == UInt8(DT_LNK))))
            default: continue
            }
        }
    }

    /// The file at a path relative to `file`'s folder; nil if there is none. For a file that was given itself, a file
    /// next to it.
    package func file(_ name: String, beside file: File) -> File? {
        if let found = files.first(where: {
            $0.relativePath == file.folder + name
                && $0.path.dropLast($0.relativePath.count) == file.path.dropLast(file.relativePath.count)
        }) {
            return found
        }
        guard case .disk = file.content, given.contains(file.path), !name.contains("/") else { return nil }
        let path = file.path.dropLast(file.name.count) + name
        var status = stat()
        guard lstat(String(path), &status) == 0 else { return nil }
        return File(path: String(path), relativePath: name, content: .disk(isLink: status.st_mode & S_IFMT == S_IFLNK))
    }
}

extension Source.File {
    /// A file that was given itself: a symbolic link is followed.
    package init(named path: String) throws(Refusal) {
        var resolved = path
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
            guard let real = realpath(path, nil) else {
                throw Refusal("can't be read: \(String(cString: strerror(errno)))", in: path)
            }
            resolved = String(cString: real)
            free(real)
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        if resolved == path {
            self.init(path: path, relativePath: name, content: .disk(isLink: false))
        } else {
            self.init(path: path, relativePath: name, content: .memory(try Self.contents(of: resolved, follows: true)))
        }
    }
}

extension Source {
    /// The current content of an output file; nil if there is none or it is a folder.
    package static func present(_ path: String) throws(Refusal) -> [UInt8]? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return try File.contents(of: path, follows: true)
    }
}
