#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension Child {
    /// What a program may do that uses the network.
    package struct NetworkLimits: Hashable, Sendable {
        /// The bytes that a file may have which it writes.
        package var fileSize: Int
        /// After so many seconds in which it printed nothing it is ended.
        package var patience: Int
        /// Whether it runs in a session of its own, without a terminal to ask at.
        package var hasSession: Bool

        package init(fileSize: Int, patience: Int, hasSession: Bool) {
            self.fileSize = fileSize
            self.patience = patience
            self.hasSession = hasSession
        }
    }

    /// How a program ended that used the network.
    package struct NetworkRun: Hashable, Sendable {
        /// Nil if it could not be started or was killed.
        package var status: Int32?
        /// The beginning of what it printed to its output.
        package var output: [UInt8]
        /// Whether it was ended because it printed nothing for too long.
        package var isStalled: Bool
        /// Whether it was ended because it printed more than `talkLimit`.
        package var isTalkative = false
    }

    /// The most that is kept of a program's output.
    package static let outputLimit = 4 << 20

    /// The most that a program may print.
    package static let talkLimit = 64 << 20

    /// Runs a program that reads nothing. `tell` is given its errors as they come; an empty array once 200 ms have passed
    /// without more of them, because what was printed last may be a question.
    package static func run(
        _ program: String, _ words: [String], _ variables: [String: String], within limits: NetworkLimits,
        tell: ([UInt8]) -> Void
    ) -> NetworkRun {
        guard let output = Pipe(), let errors = Pipe() else { return NetworkRun(output: [], isStalled: false) }
        let child = Child(
            boundTo: program, words, variables, output: output.input.number, errors: errors.input.number, within: limits)
        for end in [output.input.released(), errors.input.released()] { close(end) }
        guard let child else { return NetworkRun(output: [], isStalled: false) }
        var open = [output.output.number, errors.output.number].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var run = NetworkRun(output: [], isStalled: false)
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var last = ContinuousClock.now
        var (ended, printed): (Int32, Int) = (0, 0)
        while open.contains(where: { $0.fd >= 0 }) {
            let count = poll(&open, 2, 200)
            guard count >= 0 || errno == EINTR else { break }
            if Interrupts.signal != nil {
                end(child.process, hasGroup: limits.hasSession)
                return run
            }
            if count <= 0 {
                tell([])
                // What it left in the background may keep its errors open, as an ssh connection that is shared does.
                if waitpid(child.process, &ended, WNOHANG) == child.process {
                    run.status = ended & 0x7F == 0 ? (ended >> 8) & 0xFF : nil
                    return run
                }
                if ContinuousClock.now - last > .seconds(limits.patience) {
                    run.isStalled = true
                    kill(limits.hasSession ? -child.process : child.process, SIGKILL)
                    break
                }
                continue
            }
            last = ContinuousClock.now
            for number in 0..<2 where open[number].fd >= 0 && open[number].revents != 0 {
                let count = read(open[number].fd, &chunk, chunk.count)
                if number == 0 {
                    run.output += chunk.prefix(min(max(count, 0), outputLimit - run.output.count))
                } else if count > 0 {
                    tell(Array(chunk.prefix(count)))
                }
                if count == 0 || count < 0 && errno != EINTR { open[number].fd = -1 }
                printed += max(count, 0)
            }
            if printed > talkLimit {
                end(child.process, hasGroup: limits.hasSession)
                run.isTalkative = true
                return run
            }
        }
        run.status = child.wait()
        return run
    }

    /// Ends a program, and what it started where it has a group of its own: within two seconds, or by force.
    private static func end(_ process: pid_t, hasGroup: Bool) {
        let target = hasGroup ? -process : process
        var status: Int32 = 0
        kill(target, SIGTERM)
        for _ in 0..<100 {
            if waitpid(process, &status, WNOHANG) == process {
                if hasGroup { kill(target, SIGKILL) }
                return
            }
            ThisProcess.pause(20_000)
        }
        kill(target, SIGKILL)
        waitpid(process, &status, 0)
    }
}
