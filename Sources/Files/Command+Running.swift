#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension Command {
    package enum Stream {
        case output, errors
    }

    /// How a program ended that was read through pipes.
    package struct Run: Hashable, Sendable {
        /// Nil where it could not be started or was ended.
        package var ending: Child.Ending?
        /// The beginning of what it printed to its output, and to its errors.
        package var output: [UInt8] = []
        package var errors: [UInt8] = []
        /// Whether it was ended because nothing came for too long.
        package var isStalled = false
        /// Whether it was ended because it printed too much.
        package var isTalkative = false

        /// Its exit status; nil where it has none.
        package var status: Int32? { ending?.status }
    }

    /// The path by which a program opens its second input: a file without a name that anybody could find or leave behind.
    package static let secondInput = "/dev/fd/3"

    /// Runs it. It reads `input`, if that is given, and `second` where `secondInput` leads. As much as `limit` of its output and
    /// of its errors is kept.
    ///
    /// It is ended where an interrupt or a blocked signal asks this process to end, where nothing comes for `patience` seconds,
    /// and where it prints more than `talkLimit`. `hear` is given what comes, and nothing once 200 ms have passed without more,
    /// because what was printed last may be a question.
    package func run(
        giving input: [UInt8]? = nil, second: [UInt8]? = nil, keeping limit: Int, patience: Int = .max, talkLimit: Int = .max,
        hear: (Stream, UnsafeRawBufferPointer) -> Void = { _, _ in }
    ) -> Run {
        var command = self
        guard let output = PipeEnd(.reading), let errors = PipeEnd(.reading) else { return Run() }
        (command.output, command.errors) = (.end(output.other), .end(errors.other))
        var ends = [output, errors]
        for (bytes, place) in [(input, \Command.input), (second, \Command.second)] {
            guard let bytes else { continue }
            guard let end = PipeEnd(.writing(bytes)) else { return Run() }
            command[keyPath: place] = .end(end.other)
            ends.append(end)
        }
        guard let child = try? command.start() else { return Run() }
        for end in ends { end.closeOther() }
        var run = Run()
        var printed = 0
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var last = ContinuousClock.now
        while output.isOpen || errors.isOpen {
            var polled = ends.map(\.polled)
            let count = poll(&polled, nfds_t(polled.count), 200)
            guard count >= 0 || errno == EINTR else { break }
            let isEnding = Interrupts.signal != nil || BlockedSignals.isEndPending
            if count > 0 {
                last = .now
            } else {
                hear(.errors, UnsafeRawBufferPointer(start: nil, count: 0))
                // What it left in the background may keep its errors open, as an ssh connection that is shared does.
                run.ending = child.ending()
                if run.ending != nil { return run }
                run.isStalled = patience < .max && ContinuousClock.now - last > .seconds(patience)
            }
            for (index, end) in ends.enumerated() where end.isOpen && polled[index].revents != 0 {
                let count = end.goOn(&chunk)
                guard count > 0 else { continue }
                // What goes beyond the limit is read all the same, so that the program comes to its end.
                let text = index == 0 ? \Run.output : \Run.errors
                run[keyPath: text] += chunk.prefix(min(count, limit - run[keyPath: text].count))
                printed += count
                chunk.withUnsafeBytes { hear(index == 0 ? .output : .errors, .init(rebasing: $0[..<count])) }
            }
            run.isTalkative = printed > talkLimit
            if isEnding || run.isStalled || run.isTalkative {
                child.end()
                return run
            }
        }
        run.ending = child.wait()
        return run
    }
}

/// This process's end of a pipe to or from a program.
private final class PipeEnd {
    enum Work {
        case reading
        case writing([UInt8])
    }

    /// Both -1 once they are closed.
    private var number: Int32
    private(set) var other: Int32
    private let work: Work
    private var written = 0

    init?(_ work: Work) {
        guard let pipe = Pipe() else { return nil }
        self.work = work
        let (output, input) = (pipe.output.released(), pipe.input.released())
        switch work {
        case .reading: (number, other) = (output, input)
        case .writing(let bytes):
            (number, other) = (input, output)
            _ = fcntl(number, F_SETFL, O_NONBLOCK)
            if bytes.isEmpty { shut() }
        }
    }

    deinit {
        shut()
        closeOther()
    }

    var isOpen: Bool { number >= 0 }

    var polled: pollfd {
        if case .reading = work {
            pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        } else {
            pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        }
    }

    /// How many bytes were read.
    func goOn(_ chunk: inout [UInt8]) -> Int {
        switch work {
        case .reading:
            let count = read(number, &chunk, chunk.count)
            if count == 0 || count < 0 && errno != EINTR { shut() }
            return count
        case .writing(let bytes):
            let count = bytes.withUnsafeBytes { write(number, $0.baseAddress.map { $0 + written }, bytes.count - written) }
            written += max(count, 0)
            // A program may end without having read everything.
            if written == bytes.count || count < 0 && errno != EINTR && errno != EAGAIN { shut() }
            return 0
        }
    }

    private func shut() {
        if number >= 0 { close(number) }
        number = -1
    }

    func closeOther() {
        if other >= 0 { close(other) }
        other = -1
    }
}
