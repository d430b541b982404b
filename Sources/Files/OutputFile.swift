package import Base
internal import CFiles

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Files that a person asked for, outside the store: each is there whole, or as it was.
package enum OutputFile {
    package static func put(_ bytes: [UInt8], at path: String) throws(SystemFailure) {
        removeLeft(beside: [path])
        try replace(path, bytes)
    }

    /// Of no larger file it is looked into what it holds.
    package static let comparedSize = 16 << 20

    package static func holds(_ bytes: [UInt8], at path: String) throws(SystemFailure) -> Bool {
        try FileSystem.bytes(of: path, atMost: bytes.count + 1) == bytes
    }

    /// Gives a file other bytes in one step: it keeps its mode, its owner and its extended attributes. A link stays, and the file
    /// behind it is written. False where it doesn't hold `old` any more.
    package static func rewrite(_ bytes: [UInt8], at path: String, over old: [UInt8]) throws(SystemFailure) -> Bool {
        let path = (try? FileSystem.resolved(path)) ?? path
        removeLeft(beside: [path])
        guard let there = FileDescriptor(path, O_RDONLY), let found = FileAttributes(of: there.number), found.kind == .file else {
            throw .last("write", path)
        }
        let temporary = "\(path).\(TemporaryName.end)\(ending)"
        guard let file = FileDescriptor(creating: temporary, mode: 0o600) else { throw .last("write", path) }
        guard file.write(bytes), settings_copy_attributes(there.number, file.number) == 0,
            Durability.strict.wait(for: file.number), try holds(old, at: path), close(file.released()) == 0,
            rename(temporary, path) == 0
        else {
            let failure = SystemFailure.last("write", path)
            unlink(temporary)
            if (try? holds(old, at: path)) == false { return false }
            throw failure
        }
        return true
    }

    private static func replace(_ path: String, _ bytes: [UInt8]) throws(SystemFailure) {
        // Through a link to the file that is meant.
        let path = (try? FileSystem.resolved(path)) ?? path
        let there = FileAttributes(of: path, following: true)
        switch there?.kind {
        case .file, nil: break
        case .folder: throw SystemFailure(code: EISDIR, operation: "write", path: path)
        case .link, .special:
            // A device or a pipe can't be replaced.
            guard let file = FileDescriptor(path, O_WRONLY), file.write(bytes) else { throw .last("write", path) }
            return
        }
        let temporary = "\(path).\(TemporaryName.end)\(ending)"
        let mode = there?.permissions ?? 0o666
        guard let file = FileDescriptor(creating: temporary, mode: mode) else { throw .last("write", path) }
        if there != nil { _ = fchmod(file.number, mode) }
        guard file.write(bytes), close(file.released()) == 0, rename(temporary, path) == 0 else {
            let failure = SystemFailure.last("write", path)
            unlink(temporary)
            throw failure
        }
    }

    private static let ending = ".part"

    /// What processes left beside files that died while they wrote them.
    private static func removeLeft(beside paths: [String]) {
        let names = Dictionary(grouping: paths, by: FileSystem.folder).mapValues { Set($0.map { FileSystem.name(of: $0) + "." }) }
        for (folder, beginnings) in names {
            TemporaryName.removeLeft(in: folder, ending: ending) { beginnings.contains(String($0)) }
        }
    }

    /// Files by their paths from a folder, which is made.
    package static func put(_ files: [(path: String, bytes: [UInt8])], in folder: String) throws(SystemFailure) {
        removeLeft(beside: files.map { "\(folder)/\($0.path)" })
        for file in files {
            let path = "\(folder)/\(file.path)"
            do throws(SystemFailure) { try Folder.make(FileSystem.folder(of: path)) } catch {
                throw SystemFailure(code: error.code, operation: "write", path: error.path)
            }
            try replace(path, file.bytes)
        }
    }
}
