package import Base

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A folder whose files are read and written without ever following a symbolic link below it.
package struct Folder: Sendable {
    package let path: String

    package typealias Entry = FileAttributes.Kind

    package init(path: String) { self.path = path }

    /// A path with the symbolic links on its way resolved, as far as it is there; without a slash at the end.
    package static func resolved(_ path: String) -> String {
        if let resolved = try? FileSystem.resolved(path) { return resolved }
        let path = FileSystem.trimmed(path)
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return path }
        return FileSystem.trimmed(resolved(String(path[..<slash]))) + path[slash...]
    }

    /// Makes a folder if it is missing, and those above it if `withThoseAbove`. `durable`: waits until their names are on the
    /// disk.
    package static func make(
        _ path: String, withThoseAbove: Bool = true, durable: Bool = false, shared: SharedMode = .none
    ) throws(SystemFailure) {
        let above = FileSystem.folder(of: path)
        if mkdir(path, 0o777) != 0 {
            let failure = SystemFailure.last("create", path)
            if failure.isThereAlready { return }
            guard withThoseAbove, failure.code == ENOENT, above != path else { throw failure }
            try make(above, durable: durable, shared: shared)
            guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw .last("create", path) }
        }
        shared.apply(to: path)
        if durable { try FileSystem.sync(above) }
    }

    package func full(_ relative: String) -> String { relative.isEmpty ? path : "\(path)/\(relative)" }

    func fail(_ operation: String, _ relative: String, _ code: Int32 = errno) -> SystemFailure {
        SystemFailure(code: code, operation: operation, path: full(relative))
    }

    /// Opens the folder at `relative`, one part at a time. `making` makes what is missing.
    func open(
        folder relative: String, making: Bool = false, durable: Bool = true, for operation: String
    ) throws(SystemFailure) -> FileDescriptor {
        guard var current = FileDescriptor(folder: path) else { throw fail(operation, relative) }
        for part in relative.split(separator: "/") {
            let name = String(part)
            if making, mkdirat(current.number, name, 0o777) == 0, durable { try sync(current, relative) }
            guard let next = FileDescriptor(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, in: current.number) else {
                let code = errno
                // O_DIRECTORY wins over O_NOFOLLOW: a link to a folder is ENOTDIR on some systems.
                let isLink = code == ENOTDIR && FileAttributes(of: name, in: current.number)?.kind == .link
                throw fail(operation, relative, isLink ? ELOOP : code)
            }
            current = next
        }
        return current
    }

    /// Waits until the names in an open folder are on the disk.
    func sync(_ folder: borrowing FileDescriptor, _ relative: String) throws(SystemFailure) {
        guard Durability.strict.wait(for: folder.number) else { throw fail("sync the folder of", relative) }
    }

    static func split(_ relative: String) -> (folder: String, name: String) {
        guard let slash = relative.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", relative) }
        return (String(relative[..<slash]), String(relative[relative.index(after: slash)...]))
    }

    /// Nil where nothing is there.
    package func entry(at relative: String) throws(SystemFailure) -> Entry? {
        try ifThere { () throws(SystemFailure) in
            let (folder, name) = Self.split(relative)
            let parent = try open(folder: folder, for: "look at")
            guard let attributes = FileAttributes(of: name, in: parent.number) else { throw fail("look at", relative) }
            return attributes.kind
        }
    }

    /// Nil where nothing is there.
    private func ifThere<Result>(_ work: () throws(SystemFailure) -> Result) throws(SystemFailure) -> Result? {
        do { return try work() } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// What each of several files is; nil where there is none or it can't be told. Fast where those of a folder follow
    /// each other.
    package func statuses(of files: [String]) -> [FileStatus?] {
        var last: String?
        var parent: FileDescriptor?
        var statuses: [FileStatus?] = []
        for file in files {
            let (folder, name) = Self.split(file)
            if last != folder {
                last = folder
                parent = try? open(folder: folder, for: "look at")
            }
            if let number = parent?.number {
                statuses.append(FileAttributes(of: name, in: number)?.status)
            } else {
                statuses.append(nil)
            }
        }
        return statuses
    }

    /// A file's bytes, and what it was while they were read.
    package struct Reading: Hashable, Sendable {
        package var bytes: [UInt8]
        package var status: FileStatus
    }

    /// The bytes of a regular file, at most `limit + 1` of them; nil where nothing is there.
    package func read(_ relative: String, limit: Int) throws(SystemFailure) -> [UInt8]? {
        try reading(of: relative, limit: limit)?.bytes
    }

    /// The same with what the file was while it was read.
    package func reading(of relative: String, limit: Int) throws(SystemFailure) -> Reading? {
        var reader = Reader(self)
        return try reader.reading(of: relative, limit: limit)
    }

    /// Reads several files; fast where those of a folder follow each other, which is opened once for them.
    package struct Reader: ~Copyable {
        private let folder: Folder
        private var parent: FileDescriptor?
        private var parentPath: String?

        package init(_ folder: Folder) { self.folder = folder }

        /// As `Folder.reading`.
        package mutating func reading(of relative: String, limit: Int) throws(SystemFailure) -> Reading? {
            do throws(SystemFailure) { return try there(relative, limit) } catch {
                if error.isMissing { return nil }
                throw error
            }
        }

        private mutating func there(_ relative: String, _ limit: Int) throws(SystemFailure) -> Reading {
            let (path, name) = Folder.split(relative)
            if path != parentPath {
                parentPath = nil
                parent = try folder.open(folder: path, for: "read")
                parentPath = path
            }
            guard let number = parent?.number, let file = FileDescriptor(reading: name, in: number) else {
                throw folder.fail("read", relative)
            }
            guard let (bytes, attributes) = try file.contents(atMost: limit, folder.full(relative)) else {
                throw folder.fail("read", relative, EISDIR)
            }
            Trace.count(.filesRead)
            return Reading(bytes: bytes, status: attributes.status)
        }
    }

    /// As `read`, for a file given by its path; if its name is a symbolic link, the link is not followed.
    package static func read(path: String, limit: Int) throws(SystemFailure) -> [UInt8]? {
        try Folder(path: FileSystem.folder(of: path)).read(FileSystem.name(of: path), limit: limit)
    }

    /// Removes a file that holds `old`, and the folders that become empty with it; false where it holds something else and
    /// stays. `scratch`: see `write`.
    package func remove(
        _ relative: String, holding old: ExpectedContent?, scratch: String, _ durability: Durability
    ) throws(SystemFailure) -> Bool {
        var (folder, name) = Self.split(relative)
        let isRemoved = try ifThere { () throws(SystemFailure) in
            let parent = try open(folder: folder, for: "remove")
            do throws(SystemFailure) {
                guard try Self.take(name, from: parent, by: "\(scratch)/new-\(TemporaryName.end)", holding: old) else {
                    return false
                }
            } catch { throw fail("remove", relative, error.code) }
            Trace.note("removed \(full(relative))")
            if durability == .strict { try sync(parent, relative) }
            return true
        }
        guard let isRemoved else { return true }
        guard isRemoved else { return false }
        while !folder.isEmpty {
            (folder, name) = Self.split(folder)
            guard let parent = try? open(folder: folder, for: "remove"), unlinkat(parent.number, name, AT_REMOVEDIR) == 0 else {
                break
            }
        }
        return true
    }

    /// The names in a folder with what they are, sorted by bytes; nil where it isn't there. Files for which `isPassed`,
    /// asked with the bytes of the name, is true are left out.
    package func names(
        in relative: String = "", passing isPassed: ((UnsafeRawBufferPointer) -> Bool)? = nil
    ) throws(SystemFailure) -> [(name: String, entry: Entry)]? {
        try ifThere { () throws(SystemFailure) in
            let folder = try open(folder: relative, for: "list")
            return try folder.entries(path: full(relative), passing: isPassed).sorted { $0.name.precedesInBytes($1.name) }
        }
    }
}

extension FileDescriptor {
    /// What is in an open folder, in no order, without the folder itself and the one above, and without the files for which
    /// `isPassed` is true. `path`: for the failure.
    func entries(
        path: String, passing isPassed: ((UnsafeRawBufferPointer) -> Bool)? = nil
    ) throws(SystemFailure) -> [(name: String, entry: FileAttributes.Kind)] {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        if copy < 0 { throw .last("list", path) }
        guard let stream = fdopendir(copy), let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) else {
            let failure = SystemFailure.last("list", path)
            close(copy)
            throw failure
        }
        defer { closedir(stream) }
        rewinddir(stream)
        var entries: [(name: String, entry: FileAttributes.Kind)] = []
        errno = 0
        while let item = readdir(stream) {
            defer { errno = 0 }
            let start = (UnsafeRawPointer(item) + nameOffset).assumingMemoryBound(to: CChar.self)
            let name = UnsafeRawBufferPointer(start: start, count: strlen(start))
            if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { continue }
            var kind = kind(item.pointee.d_type)
            if kind == nil {
                kind = FileAttributes(of: start, in: number)?.kind
                if kind == nil, errno != ENOENT {
                    throw .last("look at", "\(path)/\(String(decoding: name, as: UTF8.self))")
                }
            }
            if kind == .file, let isPassed, isPassed(name) { continue }
            if let kind { entries.append((String(decoding: name, as: UTF8.self), kind)) }
        }
        guard errno == 0 else { throw .last("list", path) }
        return entries
    }

    /// Most file systems tell it with the name, which saves looking at each file. Nil where it isn't told.
    private func kind(_ type: UInt8) -> FileAttributes.Kind? {
        switch Int(type) {
        case Int(DT_REG): .file
        case Int(DT_DIR): .folder
        case Int(DT_LNK): .link
        case Int(DT_UNKNOWN): nil
        default: .special
        }
    }
}
