import Files
import Base

/// `pack-X.keep`, as `git fetch` makes one: no `git gc` and no `git repack` takes a pack away to which no reference leads yet. It
/// is there before the pack, and goes once a reference has moved.
///
/// It says who made it, and is locked as long as that process lives: so the next one can tell what a dead process left, also
/// where both have the same process ID in two containers. After a restart, and on other machines, its age tells.
final class KeepFile {
    /// The pack's name without an ending. It is random, as no other pack may ever have had it: a `git repack` that has begun
    /// removes by their names the packs that it has seen, without looking for a file like this again.
    let name: String
    /// Its path.
    let pack: String
    /// Nil where the file system has no locks.
    private let lock: Lock?

    private init(_ name: String, _ pack: String, _ lock: consuming Lock?) {
        self.name = name
        self.pack = pack
        self.lock = lock
    }

    deinit { try? FileSystem.remove(pack + Self.ending) }

    private static let ending = ".keep"

    /// Makes one for a pack that is about to be put into the folder of packs.
    static func make(in folder: String, _ shared: SharedMode) throws(GitError) -> KeepFile {
        let name = "pack-" + String((TemporaryName.end + TemporaryName.end + TemporaryName.end).prefix(40))
        let path = "\(folder)/\(name)\(ending)"
        // Its lock is held before it says whose it is.
        let lock = (try? Lock.take(path, .exclusive, patience: 0, shared: shared)) ?? nil
        let keep = KeepFile(name, "\(folder)/\(name)", lock)
        do { _ = try system(FileSystem.writeBeginning(Array(record.utf8), of: path, .none, shared)) } catch {
            // A folder of packs that is missing is no object that is.
            throw error.kind == .notFound ? error.of(.other) : error
        }
        return keep
    }

    private static var record: String {
        "\(mark)\(ThisProcess.id) on \(ThisProcess.host)\n\(bootMark)\(ThisProcess.boot ?? "unknown")\n"
    }

    private static let mark = "settings "
    private static let bootMark = "boot "

    /// Whether git finds the pack.
    var packIsThere: Bool { [".pack", ".idx"].allSatisfy { FileSystem.kind(of: pack + $0) == .file } }

    /// Removes those that dead processes left in the folder of packs. Those of git and of people stay.
    static func removeLeft(in folder: String) {
        for (name, kind) in (try? FileSystem.entries(of: folder)) ?? [] where kind == .file && name.hasSuffix(ending) {
            let path = "\(folder)/\(name)"
            guard let bytes = (try? FileSystem.bytes(of: path, atMost: 1024)) ?? nil, bytes.starts(with: mark.utf8) else {
                continue
            }
            let isOfThisStart = ThisProcess.boot.map { String(decoding: bytes, as: UTF8.self).hasSuffix("\n\(bootMark)\($0)\n") }
            guard isOfThisStart == true || isOld(path) else { continue }
            guard let lock = (try? Lock.take(path, .exclusive, patience: 0)) ?? nil else { continue }
            try? FileSystem.remove(path)
            withExtendedLifetime(lock) {}
        }
    }

    /// For longer than any command takes.
    private static func isOld(_ path: String) -> Bool {
        guard let changed = (try? FileSystem.attributes(of: path))??.status.modified.seconds else { return false }
        return ThisProcess.now - changed > 24 * 3600
    }
}
