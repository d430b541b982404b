internal import CFiles

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A program that was started.
package struct Child {
    let process: pid_t
    private let trace: Trace?

    /// Where a program's standard input, output or errors are.
    enum Place {
        /// Where this program's are.
        case shared
        case nowhere
        case end(Int32)
        /// A file that it reads.
        case file(String)
    }

    /// `words`: the program's name and its arguments. `fourth`: what it has as its descriptor 3. `detached`: in a session of
    /// its own, which the terminal's end doesn't end. `endable`: by signals that this process blocks. Nil where it can't be
    /// started.
    init?(
        _ program: String, _ words: [String], _ variables: [String: String], _ input: Place, _ output: Place, _ errors: Place,
        fourth: Int32? = nil, detached: Bool = false, endable: Bool = false
    ) {
        var actions = Self.noActions
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, place) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
            Self.redirect(&actions, number, place)
        }
        if let fourth { posix_spawn_file_actions_adddup2(&actions, fourth, Self.fourthDescriptor) }
        var attributes = Self.noAttributes
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        if detached { posix_spawnattr_setflags(&attributes, Self.newSession) }
        if endable {
            var none = sigset_t()
            sigemptyset(&none)
            posix_spawnattr_setsigmask(&attributes, &none)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        }
        let entries = variables.map { "\($0)=\($1)" }
        var process = pid_t()
        let code = Self.withPointers(words) { words in
            Self.withPointers(entries) { posix_spawn(&process, program, &actions, &attributes, words, $0) }
        }
        guard code == 0 else { return nil }
        self.process = process
        trace = Self.traced(process, words)
    }

    /// The same for a program that reads nothing and does not outlive this process.
    init?(
        boundTo program: String, _ words: [String], _ variables: [String: String], output: Int32, errors: Int32,
        within limits: NetworkLimits
    ) {
        let (detached, fileSize): (Int32, UInt64) = (limits.hasSession ? 1 : 0, UInt64(max(0, limits.fileSize)))
        let entries = variables.map { "\($0)=\($1)" }
        let started = Self.withPointers(words) { words in
            Self.withPointers(entries) { settings_spawn_bound(program, words, $0, output, errors, detached, fileSize) }
        }
        guard let started, started > 0 else { return nil }
        process = started
        trace = Self.traced(started, words)
    }

    static func traced(_ process: pid_t, _ words: [String]) -> Trace? {
        Trace.note("started \(process): \(Trace.shown(words))")
        return Trace.begin()
    }

    static func redirect(_ actions: inout SpawnActions, _ number: Int32, _ place: Place) {
        switch place {
        case .shared: break
        case .nowhere:
            let access = number == STDIN_FILENO ? O_RDONLY : O_WRONLY
            posix_spawn_file_actions_addopen(&actions, number, "/dev/null", access, 0)
        case .end(let end): posix_spawn_file_actions_adddup2(&actions, end, number)
        case .file(let path): posix_spawn_file_actions_addopen(&actions, number, path, O_RDONLY, 0)
        }
    }

    static let fourthDescriptor: Int32 = 3

    static func withPointers<Result>(
        _ words: [String], _ work: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result?
    ) -> Result? {
        var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap(work) }
    }

    /// Starts a program of the person's choice as git does: by the shell.
    package static func byShell(
        _ command: String, _ arguments: [String] = [], _ variables: [String: String]
    ) -> Child? { Child(shell: command, arguments, variables, .shared) }

    private init?(shell command: String, _ arguments: [String], _ variables: [String: String], _ input: Place) {
        let script = arguments.isEmpty ? command : command + " \"$@\""
        self.init("/bin/sh", ["sh", "-c", script, command] + arguments, variables, input, .shared, .shared)
    }

    /// The same, fed through a pipe: what is written to `input` is what it reads.
    package static func fed(by command: String, _ variables: [String: String]) -> (child: Child, input: Int32)? {
        guard let pipe = Pipe(), let child = Child(shell: command, [], variables, .end(pipe.output.number)) else { return nil }
        return (child, pipe.input.released())
    }

    /// As git has it with its pager: Ctrl-C closes `input`, from which this reads, and ends this process once that one has ended.
    package func holdsInterrupts(closing input: Int32) { settings_end_after(process, input) }

    /// Ctrl-C ends this process at once again.
    package static func releaseInterrupts() { settings_end_at_once() }

    /// Starts a program that neither reads nor prints anything.
    package static func silent(
        _ program: String, _ words: [String], _ variables: [String: String], detached: Bool = false
    ) -> Child? { Child(program, words, variables, .nowhere, .nowhere, .nowhere, detached: detached) }

    /// Runs a program. Its exit status, nil where it could not be started or was killed, and what it printed to its output
    /// and to its errors, up to a limit each.
    package static func run(
        _ program: String, _ words: [String], _ variables: [String: String], atMost limit: Int
    ) -> (status: Int32?, output: [UInt8], errors: [UInt8]) {
        guard let output = Pipe(), let errors = Pipe() else { return (nil, [], []) }
        let child = Child(program, words, variables, .nowhere, .end(output.input.number), .end(errors.input.number))
        for end in [output.input.released(), errors.input.released()] { close(end) }
        var open = [output.output.number, errors.output.number].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var texts: [[UInt8]] = [[], []]
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while open.contains(where: { $0.fd >= 0 }) {
            guard poll(&open, 2, -1) >= 0 || errno == EINTR else { break }
            for number in 0..<2 where open[number].fd >= 0 && open[number].revents != 0 {
                let count = read(open[number].fd, &chunk, chunk.count)
                // What goes beyond the limit is read all the same, so that the program comes to its end.
                texts[number] += chunk.prefix(min(max(count, 0), limit - texts[number].count))
                if count == 0 || count < 0 && errno != EINTR { open[number].fd = -1 }
            }
        }
        return (child?.wait(), texts[0], texts[1])
    }

    /// Waits for its end. The exit status; nil where a signal ended it.
    package func wait() -> Int32? {
        var status: Int32 = 0
        guard retrying({ waitpid(process, &status, 0) }) >= 0 else { return nil }
        trace?.end("\(process) ended: \(Self.ending(status))")
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }
}
