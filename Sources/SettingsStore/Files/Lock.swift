#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The one lock of all processes that use a store: writers one at a time, readers of several files not while one writes.
/// It goes with the process that holds it, however that ends.
struct Lock: ~Copyable {
    private let descriptor: Int32

    enum Mode {
        case exclusive, shared
    }

    /// How long to wait before somebody else is too slow.
    static let patience = 10.0

    /// Nil where it can't be had within `patience` seconds.
    static func take(_ path: String, _ mode: Mode, patience: Double = Lock.patience) throws(StoreError) -> Lock? {
        // Not to wait where somebody put a pipe.
        var flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        flags |= mode == .exclusive ? O_RDWR | O_CREAT : O_RDONLY
        let descriptor = Folder.retrying { open(path, flags, 0o666) }
        guard descriptor >= 0 else {
            let code = errno
            if mode == .shared { return nil }
            throw StoreError(.cannotWrite, "cannot write to \(path): \(String(cString: strerror(code)))", hint: Lock.hint(code))
        }
        let operation = (mode == .exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB
        var waited = 0.0
        var pause = 0.001
        while flock(descriptor, operation) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, waited < patience else {
                close(descriptor)
                return nil
            }
            usleep(UInt32(pause * 1_000_000))
            waited += pause
            pause = min(pause * 1.5, 0.02) * Double.random(in: 0.7...1.3)
        }
        return Lock(descriptor: descriptor)
    }

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    private static func hint(_ code: Int32) -> String? {
        switch code {
        case EROFS: "the file system is read-only"
        case EACCES, EPERM: "you may not write there; ask its owner, or use a clone of your own"
        case ENOSPC, EDQUOT: "the disk is full"
        default: nil
        }
    }
}
