#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension Child {
    /// What a program is given to read.
    package struct Input {
        /// At its standard input; nil leaves this process's there, so that the program may ask at the terminal.
        package var standard: [UInt8]?
        /// Where `secondPath` leads; nothing is there if this is nil.
        package var second: [UInt8]?

        package init(standard: [UInt8]?, second: [UInt8]? = nil) {
            self.standard = standard
            self.second = second
        }

        /// The path by which a program opens its second input: a file without a name that anybody could find or leave behind.
        package static let secondPath = "/dev/fd/\(fourthDescriptor)"
    }

    /// Runs a program that may wait for a person, and feeds it. Its exit status, nil where it could not be started or was
    /// killed, and what it printed to its output and to its errors, up to a limit each.
    ///
    /// Signals that the caller blocks still reach the program. If one of them asks this process to end, the program is ended
    /// and this returns, so that the caller can clean up without waiting for the person.
    package static func run(
        _ program: String, _ words: [String], _ variables: [String: String], feeding input: Input, atMost limit: Int
    ) -> (status: Int32?, output: [UInt8], errors: [UInt8]) {
        guard let output = Pipe(), let errors = Pipe(), let standard = Pipe(), let second = Pipe() else { return (nil, [], []) }
        let child = Child(
            program, words, variables, input.standard == nil ? .shared : .end(standard.output.number),
            .end(output.input.number), .end(errors.input.number), fourth: input.second == nil ? nil : second.output.number,
            endable: true)
        for end in [output.input.released(), errors.input.released(), standard.output.released(), second.output.released()] {
            close(end)
        }
        guard let child else { return (nil, [], []) }
        var ends = [
            End(output.output.released(), .reading(limit)), End(errors.output.released(), .reading(limit)),
            End(standard.input.released(), .writing(input.standard ?? [])),
            End(second.input.released(), .writing(input.second ?? [])),
        ]
        // A program may end without having read everything.
        while ends[..<2].contains(where: { $0.number >= 0 }) {
            var open = ends.map { pollfd(fd: $0.number, events: $0.events, revents: 0) }
            guard poll(&open, nfds_t(open.count), 100) >= 0 || errno == EINTR else { break }
            if BlockedSignals.isEndPending {
                kill(child.process, SIGTERM)
                break
            }
            for index in ends.indices where ends[index].number >= 0 && open[index].revents != 0 { ends[index].goOn() }
        }
        for index in ends.indices { ends[index].shut() }
        return (child.wait(), ends[0].bytes, ends[1].bytes)
    }

    /// This process's end of a pipe to or from a program.
    private struct End {
        enum Work {
            case reading(Int)
            case writing([UInt8])
        }

        /// -1 once it is closed.
        private(set) var number: Int32
        private let work: Work
        /// What was read.
        private(set) var bytes: [UInt8] = []
        private var written = 0

        init(_ number: Int32, _ work: Work) {
            self.number = number
            self.work = work
            if case .writing(let bytes) = work {
                _ = fcntl(number, F_SETFL, O_NONBLOCK)
                if bytes.isEmpty { shut() }
            }
        }

        var events: Int16 { if case .reading = work { Int16(POLLIN) } else { Int16(POLLOUT) } }

        mutating func goOn() {
            switch work {
            case .reading(let limit):
                var chunk = [UInt8](repeating: 0, count: 1 << 16)
                let count = read(number, &chunk, chunk.count)
                // What goes beyond the limit is read all the same, so that the program comes to its end.
                bytes += chunk.prefix(min(max(count, 0), limit - bytes.count))
                if count == 0 || count < 0 && errno != EINTR { shut() }
            case .writing(let bytes):
                let count = bytes.withUnsafeBytes { write(number, $0.baseAddress.map { $0 + written }, bytes.count - written) }
                written += max(count, 0)
                if written == bytes.count || count < 0 && errno != EINTR && errno != EAGAIN { shut() }
            }
        }

        mutating func shut() {
            if number >= 0 { close(number) }
            number = -1
        }
    }
}
