#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The processor time of work in this thread. Unlike wall-clock time, it doesn't depend on the load of the machine.
package func processorTime<Failure: Error>(of work: () throws(Failure) -> Void) throws(Failure) -> Duration {
    let start = spent()
    try work()
    return spent() - start
}

private func spent() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
