internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Work on many things that don't depend on each other, on all processors.
package enum Workers {
    /// Fewer things than this are not worth a thread.
    package static let share = 512
    /// More threads than these would wait for each other, for memory and for the system's locks of a folder.
    private static let most = 8

    /// What `work` makes of each of consecutive parts of `0..<count`, in their order. Each thread gets several of them,
    /// as some take longer than others.
    package static func parts<Part: Sendable>(
        of count: Int, _ work: @escaping @Sendable (Range<Int>) -> Part
    ) -> [Part] {
        let threads = min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), most, count / Self.share)
        guard threads > 1 else { return [work(0..<count)] }
        let parts = min(threads * 4, count / (Self.share / 2))
        let bounds = (0...parts).map { count * $0 / parts }
        let pool = Pool(parts) { work(bounds[$0]..<bounds[$0 + 1]) }
        let others = (1..<threads).compactMap { _ in startThread(pool.run) }
        pool.run()
        for thread in others { pthread_join(thread, nil) }
        return pool.results
    }
}

/// Parts that threads take one after the other.
private final class Pool<Part: Sendable>: Sendable {
    private let work: @Sendable (Int) -> Part
    private let count: Int
    private let next = Atomic(0)
    private let done: Mutex<[Part?]>

    init(_ count: Int, _ work: @escaping @Sendable (Int) -> Part) {
        self.count = count
        self.work = work
        done = Mutex(Array(repeating: nil, count: count))
    }

    var results: [Part] { done.withLock { $0.compactMap { $0 } } }

    func run() {
        while true {
            let part = next.wrappingAdd(1, ordering: .relaxed).oldValue
            guard part < count else { return }
            let result = work(part)
            done.withLock { $0[part] = result }
        }
    }
}
