internal import CFiles
package import Base

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension Folder {
    /// What became of a file.
    package enum Written {
        /// It was put in place; what it is then, if nobody has touched it since.
        case placed(FileStatus?)
        /// Something else than expected was there, and stays.
        case kept
        /// It could not be written; the others are.
        case failed(SystemFailure)
    }

    /// From here on files are waited for all at once, by waiting for the whole file system.
    private static let manyFiles = 64

    /// Puts files in place, each whole: readers see the old one or the new one. `scratch` is a folder for the new ones while
    /// they are written, on the same file system where possible. All are written before any is waited for, as `durability`
    /// wants it, and none gets its name before that: a name on the disk without its content would look like an edit.
    /// `keepsMode`: a file that is replaced keeps its group and its mode, but for who may execute it, which `isExecutable`
    /// says.
    ///
    /// Returns what became of each; throws where the disk fails, so that nobody knows.
    package func write(
        _ files: [(relative: String, bytes: [UInt8], isExecutable: Bool, keepsMode: Bool, old: ExpectedContent?)],
        scratch: String,
        _ durability: Durability
    ) throws(SystemFailure) -> [Written] {
        guard !files.isEmpty else { return [] }
        let trace = Trace.begin()
        let isMany = files.count > Self.manyFiles
        let new = "\(scratch)/new-\(TemporaryName.end)"
        func temporary(_ number: Int) -> String { "\(new)-\(number)" }
        var swept: String?
        var created: [Result<FileStatus, SystemFailure>] = []
        created.reserveCapacity(files.count)
        var placed = 0
        var written: [Written] = []
        do throws(SystemFailure) {
            for (number, file) in files.enumerated() {
                created.append(
                    Result { () throws(SystemFailure) in
                        try Self.create(
                            temporary(number), file.bytes, isExecutable: file.isExecutable, isMany ? .none : durability)
                    })
            }
            if isMany, durability != .none { try Self.syncFileSystem(of: scratch) }
            var folder = ""
            var parent = try open(folder: folder, for: "write")
            for (number, file) in files.enumerated() {
                let (place, name) = Self.split(file.relative)
                if place != folder, !isMany, durability == .strict, number > 0 { try sync(parent, folder) }
                do throws(SystemFailure) {
                    let status = try created[number].get()
                    if place != folder {
                        parent = try open(folder: place, making: true, durable: !isMany && durability == .strict, for: "write")
                        folder = place
                    }
                    if file.keepsMode {
                        Self.keepMode(of: name, in: parent, isExecutable: file.isExecutable, for: temporary(number))
                    }
                    do throws(SystemFailure) {
                        let isPlaced = try Self.place(temporary(number), file.bytes, as: name, in: parent, over: file.old)
                        written.append(isPlaced ? .placed(Self.status(of: name, in: parent, since: status)) : .kept)
                    } catch {
                        guard error.code == EXDEV else { throw fail("write", file.relative, error.code) }
                        unlink(temporary(number))
                        if swept != place { TemporaryName.removeLeft(in: full(place)) { $0 == Self.besideMark } }
                        swept = place
                        written.append(
                            try write(
                                file.bytes, isExecutable: file.isExecutable, keepsMode: file.keepsMode, beside: place, name,
                                in: parent, over: file.old,
                                durability))
                    }
                } catch {
                    unlink(temporary(number))
                    written.append(.failed(error))
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
        trace?.end(files.count == 1 ? "wrote \(full(files[0].relative))" : "wrote \(files.count) files in \(path)")
        return written
    }

    /// Waits for files that somebody else has written, as `durability` wants it.
    package func sync(_ files: [String], _ durability: Durability) throws(SystemFailure) {
        guard durability != .none, !files.isEmpty else { return }
        if files.count > Self.manyFiles { return try Self.syncFileSystem(of: path) }
        var synced: String?
        for file in files {
            let (folder, name) = Self.split(file)
            let parent = try open(folder: folder, for: "sync")
            guard let descriptor = FileDescriptor(reading: name, in: parent.number), durability.wait(for: descriptor.number)
            else {
                throw fail("sync", file)
            }
            if durability == .strict, folder != synced { try sync(parent, file) }
            synced = folder
        }
    }

    /// The repository lies on another file system than its files.
    private func write(
        _ bytes: [UInt8], isExecutable: Bool, keepsMode: Bool, beside folder: String, _ name: String,
        in parent: borrowing FileDescriptor,
        over old: ExpectedContent?, _ durability: Durability
    ) throws(SystemFailure) -> Written {
        let beside = "\(full(folder))/\(Self.besideMark)\(TemporaryName.end)"
        let status = try Self.create(beside, bytes, isExecutable: isExecutable, durability)
        if keepsMode { Self.keepMode(of: name, in: parent, isExecutable: isExecutable, for: beside) }
        do throws(SystemFailure) {
            guard try Self.place(beside, bytes, as: name, in: parent, over: old) else { return .kept }
        } catch {
            unlink(beside)
            throw SystemFailure(code: error.code, operation: "write", path: full("\(folder)/\(name)"))
        }
        if durability == .strict { try sync(parent, folder) }
        return .placed(Self.status(of: name, in: parent, since: status))
    }

    private static let besideMark = ".new-"

    /// Gives a new file the group and the mode of the one that it is to replace, if there is one. A group that this user isn't in
    /// can't be given.
    private static func keepMode(
        of name: String, in folder: borrowing FileDescriptor, isExecutable: Bool, for new: String
    ) {
        guard let there = FileAttributes(of: name, in: folder.number), there.kind == .file else { return }
        if lchown(new, ThisProcess.user == 0 ? there.owner : .max, there.group) != 0 { _ = lchown(new, .max, there.group) }
        let readers = there.permissions & 0o444
        chmod(new, there.permissions & 0o666 | (isExecutable ? readers >> 2 : 0))
    }

    /// What a file is that was made with `created` and renamed; nil where somebody has written to it since.
    private static func status(of name: String, in folder: borrowing FileDescriptor, since created: FileStatus) -> FileStatus? {
        guard let now = FileAttributes(of: name, in: folder.number)?.status else { return nil }
        return now.isSameContent(as: created) ? now : nil
    }

    private static func syncFileSystem(of path: String) throws(SystemFailure) {
        guard let folder = FileDescriptor(folder: path) else { throw .last("sync", path) }
        #if canImport(Darwin)
            Darwin.sync()
            let isSynced = fcntl(folder.number, F_FULLFSYNC) == 0
        #else
            let isSynced = syncfs(folder.number) == 0
        #endif
        guard isSynced else { throw .last("sync", path) }
    }

    /// A new file with these bytes, of a name that no file has. `isExecutable`: by all who may read it.
    @discardableResult
    package static func create(
        _ path: String, _ bytes: [UInt8], isExecutable: Bool = false, isPrivate: Bool = false, _ durability: Durability
    ) throws(SystemFailure) -> FileStatus {
        let mode: mode_t = isPrivate ? 0o600 : isExecutable ? 0o777 : 0o666
        guard let file = FileDescriptor(creating: path, mode: mode) else { throw .last("write", path) }
        guard file.write(bytes), durability.wait(for: file.number), let status = file.attributes?.status else {
            let failure = SystemFailure.last("write", path)
            unlink(path)
            throw failure
        }
        return status
    }
}
