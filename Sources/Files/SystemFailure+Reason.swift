package import SettingsModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension SystemFailure {
    /// Of the call that has just failed; to be made before anything else can change `errno`.
    package static func last(_ operation: String, _ path: String) -> SystemFailure {
        SystemFailure(code: errno, operation: operation, path: path)
    }

    /// The system's words for it.
    package var reason: String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }

    /// One failure for each code that `isFull` and `isDenied` stand for.
    package static var fullOrDenied: [SystemFailure] {
        [ENOSPC, EDQUOT, EACCES, EPERM, EROFS].map { SystemFailure(code: $0, operation: "", path: "") }
    }

    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
    /// No file that could be opened has that name.
    var isNoFile: Bool { isMissing || isLink || code == ENXIO }
    package var isThereAlready: Bool { code == EEXIST }
    package var isLink: Bool { code == ELOOP }
    /// Something that is no regular file stands where one is read or written.
    package var isFolder: Bool { code == EISDIR }
    /// Nobody reads what is written.
    package var isClosedPipe: Bool { code == EPIPE }
    /// The disk, or what the user may use of it.
    package var isFull: Bool { code == ENOSPC || code == EDQUOT }
    package var isReadOnly: Bool { code == EROFS }
    package var isForbidden: Bool { code == EACCES || code == EPERM }
    /// By permissions, or by a file system that is read-only.
    package var isDenied: Bool { isForbidden || isReadOnly }
}
