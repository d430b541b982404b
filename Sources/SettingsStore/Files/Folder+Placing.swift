import Git
import SettingsModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a file is known to hold. Whatever else it holds is somebody's edit.
enum Held: Sendable {
    case content(Content?)
    case bytes([UInt8]?)

    func matches(_ bytes: [UInt8]?) -> Bool {
        switch self {
        case .bytes(let held): return held == bytes
        case .content(let content):
            guard let bytes, let content else { return bytes == nil && content == nil }
            return ObjectID.hash(ofBlob: bytes) == content.id || ObjectID.hash(ofBlob: Store.unified(bytes)) == content.id
        }
    }
}

extension Folder {
    /// Gives a new file its name in an open folder, over what holds `old`; false where something else is there, which stays.
    ///
    /// The two change places in one step, and what was there is looked at then: between a look and a renaming somebody could
    /// save an edit, and did, in one of four tries of a test that aims at it.
    static func place(
        _ new: String, _ bytes: [UInt8], as name: String, in folder: borrowing Descriptor, over old: Held?
    ) throws(Failure) -> Bool {
        func failure(_ code: Int32 = errno) -> Failure { Failure(code: code, operation: "write", path: name) }
        func keep() -> Bool {
            unlink(new)
            return false
        }
        guard let old else {
            guard renameat(AT_FDCWD, new, folder.number, name) == 0 else { throw failure() }
            return true
        }
        if old.matches(nil) {
            if FileSystem.renameOnly(new, to: name, in: folder.number) { return true }
            if errno == EEXIST { return keep() }
            guard errno == EINVAL || errno == ENOSYS || errno == ENOTSUP else { throw failure() }
        } else if FileSystem.exchange(new, with: name, in: folder.number) {
            if old.matches(held(new)) {
                unlink(new)
                return true
            }
            guard FileSystem.exchange(new, with: name, in: folder.number) else { throw failure() }
            // Saved once more meanwhile: that is the edit that stays.
            if held(new) != bytes { _ = FileSystem.exchange(new, with: name, in: folder.number) }
            return keep()
        } else if errno == ENOENT {
            return keep()
        } else if errno != EINVAL && errno != ENOSYS && errno != ENOTSUP {
            throw failure()
        }
        // A file system that can do neither.
        guard old.matches(held(name, in: folder.number)) else { return keep() }
        guard renameat(AT_FDCWD, new, folder.number, name) == 0 else { throw failure() }
        return true
    }

    /// Takes a file that holds `old` out of an open folder, by way of `away`; false where it holds something else and stays.
    static func take(
        _ name: String, from folder: borrowing Descriptor, by away: String, holding old: Held?
    ) throws(Failure) -> Bool {
        let failure = { (code: Int32) in Failure(code: code, operation: "remove", path: name) }
        if let old, renameat(folder.number, name, AT_FDCWD, away) == 0 {
            if !old.matches(held(away)) {
                // Whoever saved it once more has a newer edit there.
                if FileSystem.renameOnly(away, to: name, in: folder.number) || errno == EEXIST {
                    unlink(away)
                    return false
                }
                guard renameat(AT_FDCWD, away, folder.number, name) == 0 else { throw failure(errno) }
                return false
            }
            unlink(away)
            return true
        }
        if old != nil, errno != EXDEV {
            if errno == ENOENT { return true }
            throw failure(errno)
        }
        guard unlinkat(folder.number, name, 0) == 0 || errno == ENOENT else { throw failure(errno) }
        return true
    }

    /// The bytes of a file; nil where that is no regular file.
    private static func held(_ path: String, in folder: Int32 = AT_FDCWD) -> [UInt8]? {
        let file = Descriptor(retrying { openat(folder, path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) })
        return file.number < 0 ? nil : contents(of: file.number, size: 1024, limit: Store.otherFileLimit)
    }
}
