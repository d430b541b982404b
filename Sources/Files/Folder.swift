import Git
import SettingsModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder whose files are read and written without ever following a symbolic link below it.
struct Folder: Sendable {
    let path: String

    /// What stands at a path.
    enum Entry: Hashable {
        case file
        case folder
        /// A symbolic link, a device, a pipe: nothing a store has.
        case other(Stray.Kind)
    }

    /// A descriptor that closes itself.
    struct Descriptor: ~Copyable {
        let number: Int32
        init(_ number: Int32) { self.number = number }
        deinit { close(number) }
    }

    /// A path with the symbolic links on its way resolved, as far as it is there; without a slash at the end.
    static func resolved(_ path: String) -> String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        let path = path.trimmingSlash
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return path }
        return resolved(String(path[..<slash])).trimmingSlash + path[slash...]
    }

    /// Makes a folder and those above it; one that is there already is fine.
    static func make(_ path: String) throws(SystemFailure) {
        if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, path.contains("/"), path.deletingLastPart != path else {
            throw SystemFailure(code: errno, operation: "make", path: path)
        }
        try make(path.deletingLastPart)
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw SystemFailure(code: errno, operation: "make", path: path) }
    }

    func full(_ relative: String) -> String { relative.isEmpty ? path : "\(path)/\(relative)" }

    func fail(_ operation: String, _ relative: String, _ code: Int32 = errno) -> SystemFailure {
        SystemFailure(code: code, operation: operation, path: full(relative))
    }

    /// Opens the folder at `relative`, one part at a time. `making` makes what is missing.
    func open(
        folder relative: String, making: Bool = false, durable: Bool = true, for operation: String
    ) throws(SystemFailure) -> Descriptor {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        var current = Descriptor(Self.retrying { openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
        guard current.number >= 0 else { throw fail(operation, relative) }
        for part in relative.split(separator: "/") {
            let name = String(part)
            if making, mkdirat(current.number, name, 0o777) == 0, durable { try sync(current, relative) }
            let next = Self.retrying { openat(current.number, name, flags) }
            guard next >= 0 else {
                let code = errno
                // O_DIRECTORY wins over O_NOFOLLOW: a link to a folder is ENOTDIR on some systems.
                throw fail(operation, relative, code == ENOTDIR && Self.isLink(current.number, name) ? ELOOP : code)
            }
            current = Descriptor(next)
        }
        return current
    }

    /// Waits until the names in an open folder are on the disk.
    func sync(_ folder: borrowing Descriptor, _ relative: String) throws(SystemFailure) {
        guard Durability.strict.wait(for: folder.number) else { throw fail("sync the folder of", relative) }
    }

    private static func isLink(_ folder: Int32, _ name: String) -> Bool {
        var status = stat()
        return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    static func split(_ relative: String) -> (folder: String, name: String) {
        guard let slash = relative.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", relative) }
        return (String(relative[..<slash]), String(relative[relative.index(after: slash)...]))
    }

    static func retrying(_ call: () -> Int32) -> Int32 {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    /// Nil where nothing is there.
    func entry(at relative: String) throws(SystemFailure) -> Entry? {
        let (folder, name) = Self.split(relative)
        do throws(SystemFailure) {
            let descriptor = try open(folder: folder, for: "look at")
            var status = stat()
            guard fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                let failure = fail("look at", relative)
                if failure.isMissing { return nil }
                throw failure
            }
            return Self.kind(status)
        } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    private static func kind(_ status: stat) -> Entry {
        switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        case S_IFLNK: .other(.link)
        default: .other(.notRegular)
        }
    }

    /// What each of several files is; nil where there is none or it can't be told. Fast where those of a folder follow
    /// each other.
    func statuses(of files: [String]) -> [FileStatus?] {
        var last: (folder: String, descriptor: Int32)?
        defer { if let last { close(last.descriptor) } }
        return files.map { file in
            let (folder, name) = Self.split(file)
            if last?.folder != folder {
                if let last { close(last.descriptor) }
                last = nil
                if let opened = try? open(folder: folder, for: "look at") { last = (folder, dup(opened.number)) }
            }
            return last.flatMap { FileStatus(of: name, in: $0.descriptor) }
        }
    }

    /// A file's bytes, and what it was while they were read.
    struct Reading: Hashable, Sendable {
        var bytes: [UInt8]
        var status: FileStatus
    }

    /// The bytes of a regular file, at most `limit + 1` of them; nil where nothing is there.
    func read(_ relative: String, limit: Int) throws(SystemFailure) -> [UInt8]? { try reading(of: relative, limit: limit)?.bytes }

    func reading(of relative: String, limit: Int) throws(SystemFailure) -> Reading? {
        let (folder, name) = Self.split(relative)
        do throws(SystemFailure) {
            let parent = try open(folder: folder, for: "read")
            let file = Descriptor(Self.retrying { openat(parent.number, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) })
            guard file.number >= 0 else { throw fail("read", relative) }
            var status = stat()
            guard fstat(file.number, &status) == 0, let noted = FileStatus(of: file.number) else { throw fail("read", relative) }
            guard status.st_mode & S_IFMT == S_IFREG else { throw fail("read", relative, EISDIR) }
            guard let bytes = Self.contents(of: file.number, size: min(Int(status.st_size), limit), limit: limit) else {
                throw fail("read", relative)
            }
            return Reading(bytes: bytes, status: noted)
        } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    static func contents(of file: Int32, size: Int, limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var capacity = size + 1
        while true {
            var failed = false
            let chunk = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                let result = retrying64 { systemRead(file, buffer.baseAddress, capacity) }
                failed = result < 0
                count = max(result, 0)
            }
            if failed { return nil }
            // A read may be short though there is more; only nothing is the end.
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
            if chunk.isEmpty || bytes.count > limit { return bytes }
            capacity = chunk.count < capacity ? max(capacity - chunk.count, 1) : 64 << 10
        }
    }

    static func retrying64(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    /// Removes a file that holds `old`, and the folders that become empty with it; false where it holds something else and
    /// stays. `scratch`: see `write`.
    func remove(
        _ relative: String, holding old: ExpectedContent?, scratch: String, _ durability: Durability
    ) throws(SystemFailure) -> Bool {
        var (folder, name) = Self.split(relative)
        do throws(SystemFailure) {
            let parent = try open(folder: folder, for: "remove")
            do throws(SystemFailure) {
                guard try Self.take(name, from: parent, by: "\(scratch)/new-\(getpid())-gone", holding: old) else { return false }
            } catch { throw fail("remove", relative, error.code) }
            if durability == .strict { try sync(parent, relative) }
        } catch {
            if error.isMissing { return true }
            throw error
        }
        while !folder.isEmpty {
            (folder, name) = Self.split(folder)
            guard let parent = try? open(folder: folder, for: "remove"), unlinkat(parent.number, name, AT_REMOVEDIR) == 0 else {
                break
            }
        }
        return true
    }

    /// The names in a folder with what they are, sorted by bytes; nil where it isn't there. Files for which `isPassed`,
    /// asked with the name and what the file is, is true are left out.
    func names(
        in relative: String = "", passing isPassed: ((String, FileStatus) -> Bool)? = nil
    ) throws(SystemFailure) -> [(name: String, entry: Entry)]? {
        do throws(SystemFailure) {
            let folder = try open(folder: relative, for: "list")
            guard let stream = fdopendir(dup(folder.number)) else { throw fail("list", relative) }
            defer { closedir(stream) }
            rewinddir(stream)
            var names: [(name: String, entry: Entry)] = []
            errno = 0
            while let item = readdir(stream) {
                let name = withUnsafePointer(to: &item.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != ".", name != ".." {
                    guard let entry = Self.kind(item.pointee, name, in: folder.number) else {
                        if errno == ENOENT { continue }
                        throw fail("look at", relative.isEmpty ? name : "\(relative)/\(name)")
                    }
                    names.append((name, entry))
                }
                errno = 0
            }
            guard errno == 0 else { throw fail("list", relative) }
            if let isPassed {
                names.removeAll { name, entry in
                    guard entry == .file, let status = FileStatus(of: name, in: folder.number) else { return false }
                    return isPassed(name, status)
                }
            }
            return names.sorted { $0.name.precedesInBytes($1.name) }
        } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// Most file systems tell it with the name, which saves looking at each file. Nil, with `errno`, where it can't be had.
    private static func kind(_ item: dirent, _ name: String, in folder: Int32) -> Entry? {
        switch Int(item.d_type) {
        case Int(DT_REG): return .file
        case Int(DT_DIR): return .folder
        case Int(DT_LNK): return .other(.link)
        case Int(DT_UNKNOWN):
            var status = stat()
            return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? kind(status) : nil
        default: return .other(.notRegular)
        }
    }
}

/// The system's call, which a method of that name would hide.
private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int { read(file, buffer, count) }

extension SystemFailure {
    var isMissing: Bool { code == ENOENT || code == ENOTDIR }
    var isLink: Bool { code == ELOOP }
}
