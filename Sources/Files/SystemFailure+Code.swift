package import SettingsModel

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension SystemFailure {
    package init(code: Int32, operation: String, path: String) {
        let cause: Cause =
            switch code {
            case ENOENT, ENOTDIR: .missing
            case EEXIST: .isThereAlready
            case ELOOP: .isLink
            case EISDIR: .isFolder
            case EPIPE: .closedPipe
            case ENOSPC, EDQUOT: .full
            case EROFS: .readOnly
            case EACCES, EPERM: .forbidden
            case ENXIO: .noFile
            default: .other
            }
        let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
        self.init(code: code, operation: operation, path: path, reason: reason, cause: cause)
    }

    /// Of the call that has just failed; to be made before anything else can change `errno`.
    package static func last(_ operation: String, _ path: String) -> SystemFailure {
        SystemFailure(code: errno, operation: operation, path: path)
    }

    /// One failure for each code that `isFull` and `isDenied` stand for.
    package static var fullOrDenied: [SystemFailure] {
        [ENOSPC, EDQUOT, EACCES, EPERM, EROFS].map { SystemFailure(code: $0, operation: "", path: "") }
    }
}
