package import Base
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The one lock of all processes that use a store: writers one at a time, readers of several files not while one writes.
/// It goes with the process that holds it, however that ends.
package struct Lock: ~Copyable {
    private let file: FileDescriptor

    private init(file: consuming FileDescriptor) { self.file = file }

    /// Closing alone isn't enough: a program that another thread is just starting has the file as well, until it begins.
    deinit { flock(file.number, LOCK_UN) }

    /// Removes a folder in which the lock's own file lies. The file is closed first: on FUSE and NFS one that is open is only
    /// renamed when it is removed, and the folder would not be empty.
    package consuming func remove(folder path: String) throws(SystemFailure) {
        letGo()
        try FileSystem.removeAll(path)
    }

    private consuming func letGo() {}

    package enum Mode {
        case exclusive, shared
    }

    /// How long to wait before somebody else is too slow.
    package static let patience = 10.0

    /// Nil where it can't be had within `patience` seconds. While it waits it asks `goesOn` several times a second whether
    /// the lock is still wanted.
    package static func take(
        _ path: String, _ mode: Mode, patience: Double = Lock.patience, shared: SharedMode = .none,
        goesOn: () -> Bool = { true }
    ) throws(SystemFailure) -> Lock? {
        // Not to wait where somebody put a pipe.
        let access = mode == .exclusive ? O_RDWR | O_CREAT : O_RDONLY
        guard let file = FileDescriptor(path, access | O_NOFOLLOW | O_NONBLOCK) else {
            let failure = SystemFailure.last("write to", path)
            // Who may not write there reads what there is.
            if mode == .shared, failure.isMissing || failure.isDenied || failure.isLink { return nil }
            throw failure
        }
        if mode == .exclusive { shared.apply(to: file.number) }
        let operation = mode == .exclusive ? LOCK_EX : LOCK_SH
        if retrying({ flock(file.number, operation | LOCK_NB) }) == 0 { return Lock(file: file) }
        guard errno == EWOULDBLOCK else {
            let failure = SystemFailure.last("lock", path)
            // A file system without locks.
            if mode == .shared, [ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL].contains(failure.code) { return nil }
            throw failure
        }
        let descriptor = file.released()
        let isHad = LockQueue.wait(for: descriptor, operation, patience, goesOn)
        return isHad ? Lock(file: FileDescriptor(descriptor)) : nil
    }

    /// That of a folder itself, which leaves nothing there. Waits for as long as it takes.
    package static func take(folder path: String) throws(SystemFailure) -> Lock {
        guard let folder = FileDescriptor(folder: path), flock(folder.number, LOCK_EX) == 0 else { throw .last("lock", path) }
        return Lock(file: folder)
    }
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
        guard let pipe = Pipe() else { return nil }
        self.descriptor = descriptor
        self.operation = operation
        (ended, end) = (pipe.output.released(), pipe.input.released())
    }

    /// Whether the lock was had in time. If not, or where `goesOn` says no, the descriptor is closed, sooner or later.
    static func wait(
        for descriptor: Int32, _ operation: Int32, _ patience: Double, _ goesOn: () -> Bool
    ) -> Bool {
        guard let turn = LockQueue(descriptor, operation) else { return ask(descriptor, operation, patience, goesOn) }
        guard turn.start() else {
            close(turn.ended)
            close(turn.end)
            return ask(descriptor, operation, patience, goesOn)
        }
        return turn.isHad(within: patience, goesOn)
    }

    /// Without descriptors or threads to spare, again and again.
    private static func ask(
        _ descriptor: Int32, _ operation: Int32, _ patience: Double, _ goesOn: () -> Bool
    ) -> Bool {
        let deadline = ContinuousClock.now + .seconds(patience)
        while flock(descriptor, operation | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < deadline else {
                close(descriptor)
                return false
            }
            guard goesOn() else {
                close(descriptor)
                return nil
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
        let isHad = retrying { flock(turn.descriptor, turn.operation) } == 0
        turn.state.withLock { state in
            if state == .givenUp {
                flock(turn.descriptor, LOCK_UN)
                close(turn.descriptor)
            } else {
                state = isHad ? .had : .failed
            }
            close(turn.end)
        }
        return nil
    }

    private func isHad(within patience: Double, _ goesOn: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .seconds(patience)
        defer { close(ended) }
        while true {
            let left = max(((deadline - ContinuousClock.now) / .milliseconds(1)).rounded(.up), 0)
            var files = [pollfd(fd: ended, events: Int16(POLLIN), revents: 0)]
            let count = poll(&files, 1, Int32(min(left, Self.pause)))
            if count < 0, errno == EINTR { continue }
            guard count == 0, left > 0 else { return isHadNow() }
            guard goesOn() else {
                if isHadNow() { close(descriptor) }
                return false
            }
        }
    }

    /// The milliseconds after which whoever waits is asked whether they still do.
    private static let pause = 50.0

    /// If not, it isn't waited for any more.
    private func isHadNow() -> Bool {
        state.withLock { state in
            if state == .had { return true }
            if state == .waiting { state = .givenUp } else { close(descriptor) }
            return false
        }
    }
}
