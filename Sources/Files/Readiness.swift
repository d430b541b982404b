#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What a process that waits was woken by.
package struct Readiness {
    /// The descriptors that can be read from.
    package var readable: Set<Int32> = []
    /// Whether nobody reads any more what is written.
    package var isClosed = false

    /// Waits until one of `inputs` can be read from, until nobody reads `output` any more, or for so long; nil is for ever.
    /// A signal ends the wait, too.
    package static func wait(reading inputs: [Int32], writing output: Int32?, atMost limit: Duration?) -> Readiness {
        var files = inputs.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // Asked for nothing, the system tells of errors alone.
        if let output { files.append(pollfd(fd: output, events: 0, revents: 0)) }
        let milliseconds = limit.map { Int32(min(max(($0 / .milliseconds(1)).rounded(.up), 0), 1e9)) } ?? -1
        var ready = Readiness()
        guard poll(&files, nfds_t(files.count), milliseconds) > 0 else { return ready }
        for file in files[..<inputs.count] where file.revents != 0 { ready.readable.insert(file.fd) }
        ready.isClosed = output != nil && files[inputs.count].revents & Int16(POLLERR | POLLHUP) != 0
        return ready
    }
}
