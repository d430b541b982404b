import Git
import SettingsModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a file is known to hold. Whatever else it holds is somebody's edit.
enum ExpectedContent: Sendable {
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
        _ new: String, _ bytes: [UInt8], as name: String, in folder: borrowing Descriptor, over old: ExpectedContent?
    ) throws(SystemFailure) -> Bool {
        func failure(_ code: Int32 = errno) -> SystemFailure { SystemFailure(code: code, operation: "write", path: name) }
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
            let isOld: Bool
            do { isOld = try holds(old, new) } catch {
                // Nobody knows what it held: it goes back, and the next command tries again.
                _ = FileSystem.exchange(new, with: name, in: folder.number)
                unlink(new)
                throw error
            }
            if isOld {
                unlink(new)
                return true
            }
            guard FileSystem.exchange(new, with: name, in: folder.number) else { throw failure() }
            // Saved once more meanwhile: that is the edit that stays.
            if (try? held(new)) != bytes { _ = FileSystem.exchange(new, with: name, in: folder.number) }
            return keep()
        } else if errno == ENOENT {
            return keep()
        } else if errno != EINVAL && errno != ENOSYS && errno != ENOTSUP {
            throw failure()
        }
        // A file system that can do neither.
        guard try holds(old, name, in: folder.number) else { return keep() }
        guard renameat(AT_FDCWD, new, folder.number, name) == 0 else { throw failure() }
        return true
    }

    /// Takes a file that holds `old` out of an open folder, by way of `away`; false where it holds something else and stays.
    static func take(
        _ name: String, from folder: borrowing Descriptor, by away: String, holding old: ExpectedContent?
    ) throws(SystemFailure) -> Bool {
        let failure = { (code: Int32) in SystemFailure(code: code, operation: "remove", path: name) }
        if let old, renameat(folder.number, name, AT_FDCWD, away) == 0 {
            let isOld: Bool
            do { isOld = try holds(old, away) } catch {
                _ = FileSystem.renameOnly(away, to: name, in: folder.number)
                throw error
            }
            if !isOld {
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

    /// Whether a file holds what is expected. What is no regular file holds something else.
    private static func holds(_ old: ExpectedContent, _ path: String, in folder: Int32 = AT_FDCWD) throws(SystemFailure) -> Bool {
        old.matches(try held(path, in: folder))
    }

    /// The bytes of a file; nil where that is no regular file, or none is there.
    private static func held(_ path: String, in folder: Int32 = AT_FDCWD) throws(SystemFailure) -> [UInt8]? {
        let file = Descriptor(retrying { openat(folder, path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) })
        guard file.number >= 0 else {
            if [ENOENT, ENOTDIR, ELOOP, ENXIO].contains(errno) { return nil }
            throw SystemFailure(code: errno, operation: "read", path: path)
        }
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw SystemFailure(code: errno, operation: "read", path: path) }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        guard let bytes = contents(of: file.number, size: 1024, limit: Store.otherFileLimit) else {
            throw SystemFailure(code: errno, operation: "read", path: path)
        }
        return bytes
    }
}
