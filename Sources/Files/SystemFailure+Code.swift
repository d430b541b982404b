package import Base

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension SystemFailure {
    /// Somebody else is writing it.
    package static func busy(_ operation: String, _ path: String) -> SystemFailure {
        SystemFailure(code: EBUSY, operation: operation, path: path)
    }

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
            case EMFILE, ENFILE, EAGAIN, ENOMEM: .exhausted
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

    /// An address that this machine doesn't have.
    package var isOtherAddress: Bool { code == EADDRNOTAVAIL }

    /// One failure for each code that `isFull`, `isDenied` and `isExhausted` stand for.
    package static var distinct: [SystemFailure] {
        [ENOSPC, EDQUOT, EACCES, EPERM, EROFS, EMFILE, ENFILE, EAGAIN, ENOMEM].map {
            SystemFailure(code: $0, operation: "", path: "")
        }
    }

    /// The failure whose words end a line that another program printed, if it is about this machine: none of the network's.
    package static func ending(_ line: some StringProtocol) -> SystemFailure? {
        (distinct
            + [EIO, EFBIG, ENAMETOOLONG, EMLINK, ENOTSUP, ENOSYS, EINVAL, EBUSY, EISDIR, ENOTDIR, EXDEV].map {
                SystemFailure(code: $0, operation: "", path: "")
            }).first { line.hasSuffix(": " + $0.reason) }
    }
}
