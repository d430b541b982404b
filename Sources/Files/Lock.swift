import Git
import SettingsModel
import Synchronization

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
    static func take(
        _ path: String, _ mode: Mode, patience: Double = Lock.patience, shared: SharedMode = .none
    ) throws(Problem) -> Lock? {
        // Not to wait where somebody put a pipe.
        var flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        flags |= mode == .exclusive ? O_RDWR | O_CREAT : O_RDONLY
        let descriptor = Folder.retrying { open(path, flags, 0o666) }
        guard descriptor >= 0 else {
            let code = errno
            // Who may not write there reads what there is.
            if mode == .shared, [ENOENT, ENOTDIR, EACCES, EPERM, EROFS, ELOOP].contains(code) { return nil }
            throw .file(.notWritable(SystemFailure(code: code, operation: "write to", path: path)))
        }
        if mode == .exclusive { shared.apply(to: descriptor) }
        let operation = mode == .exclusive ? LOCK_EX : LOCK_SH
        if Folder.retrying({ flock(descriptor, operation | LOCK_NB) }) == 0 { return Lock(descriptor: descriptor) }
        guard errno == EWOULDBLOCK else {
            let code = errno
            close(descriptor)
            // A file system without locks.
            if mode == .shared, [ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL].contains(code) { return nil }
            throw .file(.failed(SystemFailure(code: code, operation: "lock", path: path)))
        }
        return LockQueue.wait(for: descriptor, operation, patience) ? Lock(descriptor: descriptor) : nil
    }

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}

/// A place in the system's queue for a lock. Who asks again and again is passed by whoever asks in the right moment: of
/// eight writers one waited for nine tenths of the time that all of them took. The system's own waiting knows no end but the
/// lock, so a thread does it, and is left behind where it takes too long.
private final class LockQueue: Sendable {
    private enum State {
        case waiting, had, failed, givenUp
    }

    private let descriptor: Int32
    private let operation: Int32
    private let (ended, end): (Int32, Int32)
    private let state = Mutex(State.waiting)

    private init?(_ descriptor: Int32, _ operation: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        self.descriptor = descriptor
        self.operation = operation
        (ended, end) = (ends[0], ends[1])
    }

    /// Whether the lock was had in time. If not, the descriptor is closed, sooner or later.
    static func wait(for descriptor: Int32, _ operation: Int32, _ patience: Double) -> Bool {
        guard let turn = LockQueue(descriptor, operation) else { return ask(descriptor, operation, patience) }
        guard turn.start() else {
            close(turn.ended)
            close(turn.end)
            return ask(descriptor, operation, patience)
        }
        return turn.isHad(within: patience)
    }

    /// Without descriptors or threads to spare, again and again.
    private static func ask(_ descriptor: Int32, _ operation: Int32, _ patience: Double) -> Bool {
        let deadline = ContinuousClock.now + .seconds(patience)
        while flock(descriptor, operation | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < deadline else {
                close(descriptor)
                return false
            }
            usleep(UInt32.random(in: 1000...5000))
        }
        return true
    }

    private func start() -> Bool {
        let turn = Unmanaged.passRetained(self).toOpaque()
        #if canImport(Darwin)
            var thread: pthread_t?
            let code = pthread_create(&thread, nil, { LockQueue.stand($0) }, turn)
        #else
            var thread = pthread_t()
            let code = pthread_create(&thread, nil, { $0.flatMap { LockQueue.stand($0) } }, turn)
        #endif
        guard code == 0 else {
            Unmanaged<LockQueue>.fromOpaque(turn).release()
            return false
        }
        #if canImport(Darwin)
            if let thread { pthread_detach(thread) }
        #else
            pthread_detach(thread)
        #endif
        return true
    }

    /// The thread.
    private static func stand(_ turn: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        let turn = Unmanaged<LockQueue>.fromOpaque(turn).takeRetainedValue()
        let isHad = Folder.retrying { flock(turn.descriptor, turn.operation) } == 0
        turn.state.withLock { state in
            if state == .givenUp { close(turn.descriptor) } else { state = isHad ? .had : .failed }
            close(turn.end)
        }
        return nil
    }

    private func isHad(within patience: Double) -> Bool {
        let deadline = ContinuousClock.now + .seconds(patience)
        defer { close(ended) }
        while true {
            let left = (deadline - ContinuousClock.now) / .milliseconds(1)
            var files = [pollfd(fd: ended, events: Int16(POLLIN), revents: 0)]
            if poll(&files, 1, Int32(min(max(left.rounded(.up), 0), 1e9))) < 0, errno == EINTR { continue }
            return state.withLock { state in
                if state == .had { return true }
                if state == .waiting { state = .givenUp } else { close(descriptor) }
                return false
            }
        }
    }
}
