internal import CFiles
import Base

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What a file is known to hold. Whatever else it holds is somebody's edit.
package struct ExpectedContent: Sendable {
    /// Whether these bytes are it; nil stands for no file.
    package let matches: @Sendable ([UInt8]?) -> Bool

    package init(_ matches: @escaping @Sendable ([UInt8]?) -> Bool) { self.matches = matches }

    package static func bytes(_ held: [UInt8]?) -> ExpectedContent { ExpectedContent { $0 == held } }
}

extension Folder {
    /// Gives a new file its name in an open folder, over what holds `old`; false where something else is there, which stays.
    ///
    /// The two change places in one step, and what was there is looked at then: between a look and a renaming somebody could
    /// save an edit, and did, in one of four tries of a test that aims at it.
    static func place(
        _ new: String, _ bytes: [UInt8], as name: String, in folder: borrowing FileDescriptor, over old: ExpectedContent?
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
            if renameOnly(new, to: name, in: folder.number) { return true }
            if errno == EEXIST { return keep() }
            guard errno == EINVAL || errno == ENOSYS || errno == ENOTSUP else { throw failure() }
        } else if exchange(new, with: name, in: folder.number) {
            let isOld: Bool
            do { isOld = try holds(old, new) } catch {
                // Nobody knows what it held: it goes back, and the next command tries again.
                _ = exchange(new, with: name, in: folder.number)
                unlink(new)
                throw error
            }
            if isOld {
                unlink(new)
                return true
            }
            guard exchange(new, with: name, in: folder.number) else { throw failure() }
            // Saved once more meanwhile: that is the edit that stays.
            if (try? held(new)) != bytes { _ = exchange(new, with: name, in: folder.number) }
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
        _ name: String, from folder: borrowing FileDescriptor, by away: String, holding old: ExpectedContent?
    ) throws(SystemFailure) -> Bool {
        let failure = { (code: Int32) in SystemFailure(code: code, operation: "remove", path: name) }
        if let old, renameat(folder.number, name, AT_FDCWD, away) == 0 {
            let isOld: Bool
            do { isOld = try holds(old, away) } catch {
                _ = renameOnly(away, to: name, in: folder.number)
                throw error
            }
            if !isOld {
                // Whoever saved it once more has a newer edit there.
                if renameOnly(away, to: name, in: folder.number) || errno == EEXIST {
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
        guard let file = try FileDescriptor.regular(path, in: folder) else { return nil }
        return try file.contents(atMost: heldLimit, path)?.bytes
    }

    /// Nothing that is larger is written to a work tree.
    private static let heldLimit = 16 << 20

    /// A file and a name in an open folder change places in one step. False, with `errno`, where that fails.
    private static func exchange(_ path: String, with name: String, in folder: Int32) -> Bool {
        settings_exchange(path, folder, name) == 0
    }

    /// Renames a file to a name in an open folder that nothing has. False, with `errno`, where that fails.
    private static func renameOnly(_ path: String, to name: String, in folder: Int32) -> Bool {
        settings_rename_only(path, folder, name) == 0
    }
}
