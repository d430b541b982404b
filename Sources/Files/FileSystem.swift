internal import CFiles
package import Base

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The system's call, which a method of that name would hide.
private func systemRename(_ old: String, _ new: String) -> Int32 { rename(old, new) }

/// Files and folders by their paths.
package enum FileSystem {
    /// A file takes the place of what has that name.
    package static func rename(_ path: String, to new: String) throws(SystemFailure) {
        guard systemRename(path, new) == 0 else { throw .last("rename", path) }
    }

    /// Removes a file's name.
    package static func remove(_ path: String) throws(SystemFailure) {
        guard unlink(path) == 0 else { throw .last("remove", path) }
    }

    /// Removes a folder that is empty.
    package static func removeFolder(_ path: String) throws(SystemFailure) {
        guard rmdir(path) == 0 else { throw .last("remove", path) }
    }

    /// Removes a folder with all that is in it, no symbolic link followed; where there is none, nothing happens.
    package static func removeAll(_ path: String) throws(SystemFailure) {
        guard try attributes(of: path) != nil else { return }
        guard settings_remove_all(path) == 0 else { throw .last("remove", path) }
    }

    /// Makes a folder of a new name that only the user may look into, and returns its path without symbolic links.
    package static func makeTemporary(
        in folder: String, _ prefix: String, _ operation: String = "create a folder in"
    ) throws(SystemFailure) -> String {
        // Not the new folder's path: somebody who sweeps may remove it before it is locked.
        guard let resolved = try? resolved(folder) else { throw .last(operation, folder) }
        let pattern = "\(resolved)/\(prefix)XXXXXX"
        guard let name = strdup(pattern) else { throw .last("create", pattern) }
        defer { free(name) }
        guard mkdtemp(name) != nil else { throw .last(operation, folder) }
        return String(cString: name)
    }

    /// Makes a folder that only the user may look into.
    package static func makePrivate(_ path: String) throws(SystemFailure) {
        guard mkdir(path, 0o700) == 0 else { throw .last("create", path) }
    }

    /// Nobody else may read or write a file from now on.
    package static func forbidOthers(_ path: String) throws(SystemFailure) {
        guard chmod(path, 0o600) == 0 else { throw .last("change the mode of", path) }
    }

    /// The user and the group may read and write it, as they may connect to a socket, and nobody else.
    package static func allowGroup(_ path: String) throws(SystemFailure) {
        guard chmod(path, 0o660) == 0 else { throw .last("change the mode of", path) }
    }

    /// Truncates a file to no bytes.
    package static func empty(_ path: String) throws(SystemFailure) {
        guard truncate(path, 0) == 0 else { throw .last("write", path) }
    }

    /// Waits until a file's or a folder's content is on the disk.
    package static func sync(_ path: String) throws(SystemFailure) {
        guard let file = FileDescriptor(path, O_RDONLY) else { throw .last("sync", path) }
        try file.sync(.strict, path)
    }

    /// Opens a folder, which is made, with those above it, where it is missing.
    package static func open(
        folder path: String, durable: Bool, _ shared: SharedMode
    ) throws(SystemFailure) -> FileDescriptor {
        if let folder = FileDescriptor(folder: path) { return folder }
        guard errno == ENOENT else { throw .last("open", path) }
        try Folder.make(path, durable: durable, shared: shared)
        guard let folder = FileDescriptor(folder: path) else { throw .last("open", path) }
        return folder
    }

    /// The attributes of a file or folder that must exist.
    package static func existing(_ path: String, following: Bool = false) throws(SystemFailure) -> FileAttributes {
        guard let attributes = FileAttributes(of: path, following: following) else { throw .last("look at", path) }
        return attributes
    }

    /// The attributes of a file or folder; nil if it doesn't exist.
    package static func attributes(of path: String, following: Bool = false) throws(SystemFailure) -> FileAttributes? {
        do { return try existing(path, following: following) } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// The kind of a file or folder; nil if it can't be determined.
    package static func kind(of path: String, following: Bool = false) -> FileAttributes.Kind? {
        FileAttributes(of: path, following: following)?.kind
    }

    /// Whether anything is there, symbolic links followed. Only what the system says to be missing is.
    package static func isThere(_ path: String) throws(SystemFailure) -> Bool {
        if access(path, F_OK) == 0 { return true }
        let failure = SystemFailure.last("look at", path)
        if failure.isMissing { return false }
        throw failure
    }

    /// Whether something is there that the user may not read.
    package static func isUnreadable(_ path: String) -> Bool { access(path, R_OK) != 0 && errno == EACCES }

    /// Whether the user may write a file, or make names in a folder.
    package static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

    /// Why the user may not make files in a folder; nil where that is possible, as far as permissions tell.
    package static func refusal(toMakeFilesIn folder: String) -> SystemFailure? {
        access(folder, W_OK | X_OK) == 0 ? nil : .last("write", folder)
    }

    /// Why nothing could take the place of a file, as far as that can be known without trying.
    package static func refusal(toReplace path: String) -> SystemFailure? {
        settings_can_replace(path, folder(of: path)) == 0 ? nil : .last("write", path)
    }

    /// Whether a program is there that the user may run.
    package static func isExecutable(_ path: String) -> Bool {
        access(path, X_OK) == 0 && kind(of: path, following: true) == .file
    }

    /// Where a program lies, by what PATH says: the first in one of its folders that the user may run. Entries that are no
    /// absolute paths are passed over. Nil where there is none.
    package static func program(_ name: String, path: String?) -> String? {
        (path ?? "").split(separator: ":").lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first(where: isExecutable)
    }

    /// The path that all symbolic links on the way lead to.
    package static func resolved(_ path: String) throws(SystemFailure) -> String {
        guard let resolved = realpath(path, nil) else { throw .last("read", path) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The path from the root, as it is where the current folder was removed. Links and `..` stay.
    package static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : ThisProcess.folder.map { "\($0)/\(path)" } ?? path
    }

    /// The path that symbolic links lead to in the end, where there may be nothing yet, not even its folder. A path that leads
    /// round in a circle, as it is.
    package static func target(of path: String) -> String {
        var target = path
        for _ in 0..<40 {
            if let found = try? resolved(target) { return found }
            guard let next = link(at: target) else { break }
            target = next.hasPrefix("/") ? next : "\(folder(of: target))/\(next)"
        }
        if kind(of: target, following: false) == .link { return path }
        guard let folder = try? resolved(folder(of: target)) else { return target }
        return "\(folder)/\(name(of: target))"
    }

    /// What a symbolic link holds; nil where there is none.
    static func link(at path: String) -> String? {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink(path, &text, text.count)
        return length > 0 ? String(decoding: text[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    /// The seconds since a file was last written; 0 where there is none, or where its time is yet to come.
    package static func age(of path: String) -> Int64 {
        let made = (try? attributes(of: path))??.status.modified.seconds ?? ThisProcess.now
        return max(0, ThisProcess.now - made)
    }

    /// The entries of a folder, in no particular order; none if there is no such folder.
    package static func entries(of folder: String) throws(SystemFailure) -> [(name: String, entry: FileAttributes.Kind)] {
        guard let descriptor = FileDescriptor(folder: folder) else {
            let failure = SystemFailure.last("list", folder)
            if failure.isMissing { return [] }
            throw failure
        }
        return try descriptor.entries(path: folder)
    }

    /// The first of what lies in a folder that is neither a file nor a folder, nor leads to one.
    package static func special(in folder: String) -> String? {
        var path = [CChar](repeating: 0, count: 4096)
        guard settings_find_special(folder, &path, path.count) == 1 else { return nil }
        return path.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    }

    /// A regular file's bytes; nil where there is no such file, or a larger one.
    package static func bytes(of path: String, atMost limit: Int) throws(SystemFailure) -> [UInt8]? {
        try read(path, atMost: limit)?.bytes
    }

    /// A regular file's bytes and what it was while they were read; nil where there is no such file, or a larger one.
    package static func read(
        _ path: String, atMost limit: Int
    ) throws(SystemFailure) -> (bytes: [UInt8], attributes: FileAttributes)? {
        let trace = Trace.begin()
        guard let file = try FileDescriptor.regular(path) else { return nil }
        guard let attributes = file.attributes else { throw .last("read", path) }
        guard attributes.kind == .file, attributes.size <= limit else { return nil }
        guard let bytes = file.read(attributes.size) else { throw .last("read", path) }
        trace?.end("read \(path), \(bytes.count) bytes")
        // Somebody made it shorter meanwhile.
        return bytes.count == attributes.size ? (bytes, attributes) : nil
    }

    /// A regular file that has to be there.
    package static func whole(_ path: String) throws(SystemFailure) -> (bytes: [UInt8], attributes: FileAttributes) {
        if let file = try read(path, atMost: .max) { return file }
        throw SystemFailure(code: ENOENT, operation: "read", path: path)
    }

    /// Throws where something is there that can't be opened.
    package static func checkOpens(_ path: String) throws(SystemFailure) {
        if FileDescriptor(reading: path, following: true) != nil { return }
        let failure = SystemFailure.last("read", path)
        if !failure.isMissing { throw failure }
    }

    /// The bytes of a regular file whatever its size, at most `limit + 1` of them; nil where it is no regular file.
    package static func contents(of path: String, following: Bool, limit: Int) throws(SystemFailure) -> [UInt8]? {
        guard let file = FileDescriptor(reading: path, following: following) else { throw .last("read", path) }
        return try file.contents(atMost: limit, path)?.bytes
    }

    /// What comes from a file, a pipe or a device that a person named: everything, or more than `limit` bytes of it.
    package static func input(_ path: String, atMost limit: Int) throws(SystemFailure) -> [UInt8] {
        guard let file = FileDescriptor(path, O_RDONLY) else { throw .last("read", path) }
        guard let bytes = file.readAll(size: (1 << 16) - 1, atMost: limit) else { throw .last("read", path) }
        return bytes
    }

    /// A regular file in memory, to be read only and given back with `unmap`; nil where there is none of these sizes.
    package static func mapped(
        _ path: String, sizes: Range<Int>, following: Bool = false
    ) -> UnsafeMutableRawBufferPointer? {
        guard let file = FileDescriptor(reading: path, following: following), let attributes = file.attributes,
            attributes.kind == .file,
            sizes.contains(attributes.size), let address = mmap(nil, attributes.size, PROT_READ, MAP_PRIVATE, file.number, 0),
            address != MAP_FAILED
        else { return nil }
        Trace.note("mapped \(path), \(attributes.size) bytes")
        return UnsafeMutableRawBufferPointer(start: address, count: attributes.size)
    }

    /// What `mapped` gave will not be looked at again soon, so that it needs not count as this process's memory.
    package static func release(_ memory: UnsafeMutableRawBufferPointer) {
        madvise(memory.baseAddress, memory.count, MADV_DONTNEED)
    }

    /// Gives back what `mapped` gave.
    package static func unmap(_ memory: UnsafeMutableRawBufferPointer) { munmap(memory.baseAddress, memory.count) }

    /// Writes into a file that is there, from an offset on, as far as that works. Not synced.
    package static func patch(_ path: String, _ bytes: [UInt8], at offset: Int) {
        guard let file = FileDescriptor(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK) else { return }
        _ = file.write(bytes, at: offset)
    }

    /// Writes the beginning of a file, which is made where it is missing, in place. Returns whether it was made.
    package static func writeBeginning(
        _ bytes: [UInt8], of path: String, _ durability: Durability, _ shared: SharedMode
    ) throws(SystemFailure) -> Bool {
        let flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK
        var isNew = false
        var opened = FileDescriptor(path, flags)
        if opened == nil, errno == ENOENT {
            opened = FileDescriptor(path, flags | O_CREAT)
            isNew = true
        }
        guard let file = opened else { throw .last("write", path) }
        if isNew { shared.apply(to: file.number) }
        guard file.write(bytes, at: 0), durability.wait(for: file.number) else { throw .last("write", path) }
        Trace.note("wrote \(path)")
        return isNew
    }

    /// A file with these bytes, in place of one that may be there; not synced.
    package static func write(_ bytes: [UInt8], to path: String) throws(SystemFailure) {
        unlink(path)
        guard let file = FileDescriptor(creating: path), file.write(bytes) else { throw .last("write", path) }
        Trace.note("wrote \(path)")
    }

    /// An absolute path, without `.`, `..` and trailing slashes, of one from `folder` on, or from `home` on where it begins with `~`.
    package static func absolute(_ path: String, in folder: String, home: String?) -> String {
        var full = path.hasPrefix("/") ? path : "\(folder)/\(path)"
        if path == "~" || path.hasPrefix("~/"), let home { full = home + path.dropFirst() }
        var parts: [Substring] = []
        for part in full.split(separator: "/") {
            if part == "." { continue }
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// The folder that contains a path.
    package static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// An absolute path and the folders above it, up to the root.
    package static func folders(upFrom path: String) -> some Sequence<String> {
        sequence(first: path) { path in
            guard path != "/", let slash = path.lastIndex(of: "/") else { return nil }
            return slash == path.startIndex ? "/" : String(path[..<slash])
        }
    }

    /// The last part of a path.
    package static func name(of path: String) -> String { Folder.split(path).name }

    /// A folder's path without a slash at its end.
    package static func trimmed(_ folder: String) -> String {
        folder.utf8.count > 1 && folder.utf8.last == UInt8(ascii: "/") ? String(folder.dropLast()) : folder
    }
}
