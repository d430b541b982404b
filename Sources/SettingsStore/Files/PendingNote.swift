#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a Done is about to do, noted before the branch moves: `old <id or none>` and `new <id>`, a line each.
///
/// One small file, written in place and synced; an empty line in its place when the work is done. Making and removing a
/// file for each Done would cost a folder's sync and, where the disk is told of freed blocks, a millisecond.
struct PendingNote {
    /// `settings/pending` in git's folder.
    let path: String

    /// The whole file, so that a shorter note covers a longer one.
    private static let size = 100

    func write(old: VersionID?, new: VersionID) throws(Folder.Failure) {
        let isNew = access(path, F_OK) != 0
        try put("old \(old?.hex ?? "none")\nnew \(new.hex)\n", durable: true)
        if isNew { Folder.sync(path.deletingLastPart) }
    }

    /// Not synced: a note that comes back is looked into once more, and nothing is found to do.
    func clear() throws(Folder.Failure) { try put("\n", durable: false) }

    private func put(_ text: String, durable: Bool) throws(Folder.Failure) {
        let bytes = Array(text.utf8) + Array(repeating: UInt8(ascii: " "), count: max(0, Self.size - text.utf8.count))
        let descriptor = Folder.retrying { open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else { throw Folder.Failure(code: errno, operation: "write", path: path) }
        defer { close(descriptor) }
        let written = bytes.withUnsafeBufferPointer { pwrite(descriptor, $0.baseAddress, bytes.count, 0) }
        guard written == bytes.count, !durable || fsync(descriptor) == 0 else {
            throw Folder.Failure(code: written >= 0 && written < bytes.count ? ENOSPC : errno, operation: "write", path: path)
        }
    }

    /// Whether something is noted; costs the reading of a few bytes.
    var isThere: Bool { read() != nil }

    /// The versions of a Done that may be unfinished.
    func read() -> (old: VersionID?, new: VersionID?)? {
        guard access(path, F_OK) == 0,
            let bytes = try? Folder(path: path.deletingLastPart).read(path.lastPart, limit: 4096), bytes.starts(with: "old ".utf8)
        else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let ids = lines.prefix(2).map { $0.split(separator: " ").last.flatMap { VersionID(hex: String($0)) } }
        return (ids.first ?? nil, ids.count > 1 ? ids[1] : nil)
    }
}
