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
    private let path: String
    private let held = Trace.begin()

    private init(file: consuming FileDescriptor, _ path: String) {
        self.file = file
        self.path = path
    }

    /// Closing alone isn't enough: a program that another thread is just starting has the file as well, until it begins.
    deinit {
        flock(file.number, LOCK_UN)
        held?.end("unlocked \(path), held")
    }

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
        let trace = Trace.begin()
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
        if retrying({ flock(file.number, operation | LOCK_NB) }) == 0 {
            trace?.end(mode == .shared ? "locked \(path) for reading" : "locked \(path)")
            return Lock(file: file, path)
        }
        guard errno == EWOULDBLOCK else {
            let failure = SystemFailure.last("lock", path)
            // A file system without locks.
            if mode == .shared, [ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL].contains(failure.code) { return nil }
            throw failure
        }
        Trace.note("waiting for the lock \(path)")
        guard let descriptor = LockQueue.wait(for: file.released(), operation, patience, goesOn) else {
            trace?.end("gave up the lock \(path), waited")
            return nil
        }
        trace?.end("locked \(path), waited")
        return Lock(file: FileDescriptor(descriptor), path)
    }

    /// That of a folder itself, which leaves nothing there. Waits for as long as it takes.
    package static func take(folder path: String) throws(SystemFailure) -> Lock {
        let trace = Trace.begin()
        guard let folder = FileDescriptor(folder: path), flock(folder.number, LOCK_EX) == 0 else { throw .last("lock", path) }
        trace?.end("locked \(path), waited")
        return Lock(file: folder, path)
    }
}

/// A place in the system's queue for a lock. Who asks again and again is passed by whoever asks in the right moment: of
/// eight writers one waited for nine tenths of the time that all of them took. The system's own waiting knows no end but the
/// lock, so a thread does it, and is left behind where it takes too long. Whoever waits for the same lock next takes its place
/// over: however often somebody gives up, there are no more threads than waited at once.
private final class LockQueue: Sendable {
    private enum State {
        case waiting, had, failed, givenUp
    }

    /// What is waited for, and how.
    private struct Place: Hashable {
        let (device, inode): (UInt64, UInt64)
        let operation: Int32

        init?(_ descriptor: Int32, _ operation: Int32) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { return nil }
            (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
            self.operation = operation
        }
    }

    private let descriptor: Int32
    private let place: Place
    private let (ended, end): (Int32, Int32)
    private let state = Mutex(State.waiting)
    /// The turns that were given up, whose threads still wait.
    private static let left = Mutex<[Place: [LockQueue]]>([:])

    private init?(_ descriptor: Int32, _ place: Place) {
        guard let pipe = Pipe() else { return nil }
        self.descriptor = descriptor
        self.place = place
        (ended, end) = (pipe.output.released(), pipe.input.released())
    }

    /// The descriptor by which the lock is had; nil where it wasn't in time. The one that is given, or another one, is closed.
    static func wait(
        for descriptor: Int32, _ operation: Int32, _ patience: Double, _ goesOn: () -> Bool
    ) -> Int32? {
        guard let place = Place(descriptor, operation) else { return ask(descriptor, operation, patience, goesOn) }
        if let turn = takeOver(place) {
            close(descriptor)
            return turn.isHad(within: patience, goesOn) ? turn.descriptor : nil
        }
        guard let turn = LockQueue(descriptor, place) else { return ask(descriptor, operation, patience, goesOn) }
        guard turn.start() else {
            close(turn.ended)
            close(turn.end)
            return ask(descriptor, operation, patience, goesOn)
        }
        return turn.isHad(within: patience, goesOn) ? descriptor : nil
    }

    /// A turn that somebody gave up.
    private static func takeOver(_ place: Place) -> LockQueue? {
        left.withLock { left in
            guard let turn = left[place]?.popLast() else { return nil }
            turn.state.withLock { $0 = .waiting }
            return turn
        }
    }

    /// Without descriptors or threads to spare, again and again.
    private static func ask(
        _ descriptor: Int32, _ operation: Int32, _ patience: Double, _ goesOn: () -> Bool
    ) -> Int32? {
        let deadline = ContinuousClock.now + .seconds(patience)
        while flock(descriptor, operation | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < deadline else {
                close(descriptor)
                return nil
            }
            guard goesOn() else {
                close(descriptor)
                return nil
            }
            usleep(UInt32.random(in: 1000...5000))
        }
        return descriptor
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
        let isHad = retrying { flock(turn.descriptor, turn.place.operation) } == 0
        left.withLock { left in
            turn.state.withLock { state in
                if state == .givenUp {
                    left[turn.place]?.removeAll { $0 === turn }
                    if left[turn.place]?.isEmpty == true { left[turn.place] = nil }
                    letGo(turn.descriptor)
                    close(turn.ended)
                } else {
                    state = isHad ? .had : .failed
                }
                close(turn.end)
            }
        }
        return nil
    }

    private func isHad(within patience: Double, _ goesOn: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .seconds(patience)
        while true {
            let left = max(((deadline - ContinuousClock.now) / .milliseconds(1)).rounded(.up), 0)
            var files = [pollfd(fd: ended, events: Int16(POLLIN), revents: 0)]
            let count = poll(&files, 1, Int32(min(left, Self.pause)))
            if count < 0, errno == EINTR { continue }
            guard count == 0, left > 0 else { return isHadNow() }
            guard goesOn() else {
                if isHadNow() { Self.letGo(descriptor) }
                return false
            }
        }
    }

    /// The milliseconds after which whoever waits is asked whether they still do.
    private static let pause = 50.0

    /// If not, it isn't waited for any more.
    private func isHadNow() -> Bool {
        Self.left.withLock { left in
            state.withLock { state in
                if state == .waiting {
                    state = .givenUp
                    left[place, default: []].append(self)
                    return false
                }
                close(ended)
                if state == .failed { close(descriptor) }
                return state == .had
            }
        }
    }

    private static func letGo(_ descriptor: Int32) {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
