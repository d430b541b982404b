#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension Child {
    /// Runs a program that reads a file, and hands on what it prints as it comes, until `take` returns false or nothing has come
    /// for `patience` seconds. Its exit status; nil where it could not be started or was ended, as it is then.
    package static func run(
        _ program: String, _ words: [String], _ variables: [String: String], reading file: String, patience: Int32,
        _ take: (UnsafeRawBufferPointer) -> Bool
    ) -> Int32? {
        guard let output = Pipe() else { return nil }
        let child = Child(program, words, variables, .file(file), .end(output.input.number), .nowhere)
        close(output.input.released())
        guard let child else { return nil }
        let end = output.output.released()
        defer { close(end) }
        let isAtEnd = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { chunk in
            var open = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
            var last = ContinuousClock.now
            while Interrupts.signal == nil {
                let isReady = poll(&open, 1, 200)
                if isReady <= 0 {
                    guard isReady == 0 || errno == EINTR, ContinuousClock.now - last < .seconds(patience) else { return false }
                    continue
                }
                let count = retrying { read(end, chunk.baseAddress, chunk.count) }
                if count <= 0 { return count == 0 }
                if !take(UnsafeRawBufferPointer(rebasing: chunk[..<count])) { return false }
                last = ContinuousClock.now
            }
            return false
        }
        if !isAtEnd { kill(child.process, SIGKILL) }
        return child.wait()
    }
}
