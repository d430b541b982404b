package import Base
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A thread for what belongs to one thread and may block it: it does one piece of work after the other, and waits for
/// descriptors in between. Actors run on it, so that what they wait for keeps no other thread from its work.
///
/// Its work is finished before it ends, and it lives until `end()`.
package final class ServiceThread: SerialExecutor {
    /// What to wait for beside work.
    package struct Wait: Sendable {
        package var descriptors: [Int32]
        /// Nil is for ever.
        package var limit: Duration?

        package init(for descriptors: [Int32] = [], atMost limit: Duration? = nil) {
            self.descriptors = descriptors
            self.limit = limit
        }
    }

    /// Is called on the thread whenever it has no work, with the descriptors that can be read from; says what to wait for next.
    package typealias Idle = @Sendable (_ readable: Set<Int32>) -> Wait

    private struct State {
        var jobs: [UnownedJob] = []
        var isEnding = false
        var idle: Idle?
        var thread: pthread_t?
    }
    private let state = Mutex(State())
    private let wakes: Pipe

    /// Fails where the system has no more threads or descriptors.
    package init() throws(SystemFailure) {
        guard let pipe = Pipe(), pipe.neverWaits() else { throw .last("make", "a pipe") }
        wakes = pipe
        guard let thread = startThread(stack: Self.stack, { [self] in run() }) else { throw .last("start", "a thread") }
        pthread_detach(thread)
        state.withLock { $0.thread = thread }
    }

    /// Files are nested as deep as their limit allows, wherever the system gives threads less room than a process's first one.
    fileprivate static let stack = 8 << 20

    package func whenIdle(_ idle: @escaping Idle) {
        state.withLock { $0.idle = idle }
        wake()
    }

    /// Has it end once its work is done.
    package func end() {
        state.withLock {
            $0.isEnding = true
            $0.idle = nil
        }
        wake()
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = state.withLock {
            $0.jobs.append(job)
            return $0.jobs.count == 1
        }
        if isFirst { wake() }
    }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    package func checkIsolated() { precondition(isCurrent, "called on another thread than its own") }

    private var isCurrent: Bool {
        let current = pthread_self()
        return state.withLock { $0.thread.map { pthread_equal($0, current) != 0 } ?? false }
    }

    private func wake() { _ = wakes.input.write([0]) }

    private func run() {
        state.withLock { $0.thread = pthread_self() }
        var readable: Set<Int32> = []
        while true {
            let (jobs, isEnding, idle) = state.withLock { state in
                defer { state.jobs.removeAll() }
                return (state.jobs, state.isEnding, state.idle)
            }
            for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
            if !jobs.isEmpty { continue }
            if isEnding { return }
            let wait = idle?(readable) ?? Wait()
            let ready = Readiness.wait(reading: [wakes.output.number] + wait.descriptors, writing: nil, atMost: wait.limit)
            readable = ready.readable
            if readable.remove(wakes.output.number) != nil { wakes.output.drain() }
        }
    }
}

/// Runs something on a thread of its own that nobody waits for. False where the system has none to spare.
package func runAside(_ run: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = startThread(stack: ServiceThread.stack, run) else { return false }
    pthread_detach(thread)
    return true
}

/// Starts a thread; nil where the system has none to spare. `stack`: how many bytes of it there are; as usual where it is nil.
func startThread(stack: Int? = nil, _ run: @escaping @Sendable () -> Void) -> pthread_t? {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return nil }
    defer { pthread_attr_destroy(&attributes) }
    if let stack { pthread_attr_setstacksize(&attributes, stack) }
    let body = Unmanaged.passRetained(Body(run)).toOpaque()
    #if canImport(Darwin)
        var thread: pthread_t?
        let code = pthread_create(&thread, &attributes, { Body.start($0) }, body)
    #else
        var thread = pthread_t()
        let code = pthread_create(&thread, &attributes, { $0.flatMap { Body.start($0) } }, body)
    #endif
    if code == 0 { return thread }
    errno = code
    Unmanaged<Body>.fromOpaque(body).release()
    return nil
}

/// What a thread does, for the system, which knows one pointer.
private final class Body: Sendable {
    private let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }

    static func start(_ body: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
        return nil
    }
}
