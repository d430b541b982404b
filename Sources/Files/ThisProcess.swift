internal import CFiles
package import Base

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What this process was started with, and its own input and output.
package enum ThisProcess {
    package enum Stream {
        case input, output, errors
    }

    package static let standardOutput = STDOUT_FILENO

    package static func isTerminal(_ stream: Stream) -> Bool {
        switch stream {
        case .input: isatty(STDIN_FILENO) == 1
        case .output: isatty(STDOUT_FILENO) == 1
        case .errors: isatty(STDERR_FILENO) == 1
        }
    }

    /// The terminal that is standard input; nil where it is none.
    package static var terminal: String? { ttyname(STDIN_FILENO).map { String(cString: $0) } }

    /// What comes in at standard input: everything, or more than `limit` bytes of it.
    package static func standardInput(atMost limit: Int) throws(SystemFailure) -> [UInt8] {
        guard let bytes = FileDescriptor.readAll(STDIN_FILENO, size: (1 << 16) - 1, atMost: limit) else {
            throw .last("read", "standard input")
        }
        return bytes
    }

    /// The columns of the terminal at standard output; nil where there is none or it doesn't say.
    package static var terminalColumns: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Fails where a program that waits for `Interrupts.descriptor` is interrupted.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemFailure) {
        guard settings_write_until_interrupt(descriptor, bytes, bytes.count) == 0 else { throw .last("write", "standard output") }
    }

    /// A failure is ignored, because there is nowhere to report it.
    package static func report(_ text: String) { try? write(Array(text.utf8), to: STDERR_FILENO) }

    package static func close(_ descriptor: Int32) { _ = FileDescriptor(descriptor) }

    /// A write to a pipe that nobody reads fails instead of ending the process, and so does one beyond the limit of `ulimit -f`.
    package static func ignoreSignalsOfWrites() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Keeps memory that is freed, for a program that ends soon: it is asked for again when the next object is compressed, and
    /// giving it back to the system in between took a sixth of the time in which a version is recorded.
    package static func keepMemory() { settings_keep_memory() }

    /// Gives memory that was freed back to the system, for a program that goes on.
    package static func returnMemory() { settings_return_memory() }

    /// Allows this process as many open files as the system lets it have: a shell's usual 1,024 are fewer than the connections of a
    /// server.
    package static func allowManyFiles() { settings_allow_files() }

    /// Has a crash reported on standard error in one line: the signal, the place in the program, its `build` and `advice`.
    /// Debuggers and core files see the crash as they would without this.
    package static func reportCrashes(of build: String, advice: String) { settings_report_crashes(build, advice) }

    /// Puts something in the places of input, output and errors that are closed, so that no file that is opened takes one of
    /// them and gets what is meant for people. Reading and writing fail as before.
    package static func occupyClosedStreams() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
            let access = stream == STDIN_FILENO ? O_WRONLY : O_RDONLY
            if open("/dev/null", access) < 0 { _ = open("/", O_RDONLY) }
        }
    }

    package static func end(_ status: Int32) -> Never {
        Trace.note("exit status \(status)")
        exit(status)
    }

    /// With the status that a shell gives to a program that a signal has ended.
    package static func end(bySignal signal: Int32) -> Never { end(128 + signal) }

    /// Whether the current folder's path is not UTF-8.
    package static var folderIsInvalid: Bool {
        guard let path = getcwd(nil, 0) else { return false }
        defer { free(path) }
        return String(validatingCString: path) == nil
    }

    /// Nil where the current folder was removed.
    package static var folder: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// The user who called sudo, if any.
    package static var sudoUser: UInt32? {
        guard user == 0, let id = variable("SUDO_UID") else { return nil }
        return UInt32(id)
    }

    /// An environment variable; an empty one counts as missing, as git has it for most.
    package static func variable(_ name: String) -> String? {
        guard let value = variable(orEmpty: name), !value.isEmpty else { return nil }
        return value
    }

    package static func variable(orEmpty name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// All variables, for a program that is started. Few commands start one: put into a dictionary, they would take
    /// 0.1 ms of each `settings get`.
    package static var variables: [String: String] {
        var variables: [String: String] = [:]
        guard var entry = settings_environment() else { return variables }
        while let text = entry.pointee {
            let line = String(cString: text)
            if let equals = line.firstIndex(of: "=") {
                variables[String(line[..<equals])] = String(line[line.index(after: equals)...])
            }
            entry += 1
        }
        return variables
    }

    /// Closes the files that it was started with, apart from its input and output: somebody may wait for that.
    package static func closeInherited() { settings_close_from(3) }

    /// Goes on without a folder that it keeps busy.
    package static func leaveFolder() { _ = chdir("/") }

    /// Waits until the system's clock shows a moment, however it is set meanwhile; time during which the machine sleeps counts.
    /// Waits no longer than until `descriptor` can be read from, and returns whether it can be.
    @discardableResult
    package static func wait(until moment: Int64, orReading descriptor: Int32? = nil) -> Bool {
        settings_wait_until(moment, descriptor ?? -1) != 0
    }

    /// Waits for so many microseconds.
    package static func pause(_ microseconds: UInt32) { usleep(microseconds) }

    /// The process ID.
    package static var id: Int32 { getpid() }

    /// Whether there is a process of that ID, as far as this one can see.
    package static func isThere(_ id: Int32) -> Bool { kill(id, 0) == 0 || errno == EPERM }

    /// Seconds since 1970.
    package static var now: Int64 { Int64(time(nil)) }

    /// The user whose rights it has.
    package static var user: UInt32 { geteuid() }

    /// The machine's name.
    package static var host: String {
        var host = [CChar](repeating: 0, count: 256)
        gethostname(&host, host.count - 1)
        let name = host.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? ""
        return name.isEmpty ? "localhost" : name
    }

    /// An account of this machine as git makes a person of it, and its home folder.
    package static func account(_ id: UInt32) -> (name: String, email: String, home: String) {
        let place = host
        guard let entry = getpwuid(id) else { return ("user \(id)", "\(id)@\(place)", "/") }
        let login = String(cString: entry.pointee.pw_name)
        let full = entry.pointee.pw_gecos.map { String(cString: $0) }?.split(separator: ",", omittingEmptySubsequences: false)
            .first.map(String.init)
        let name = full.flatMap { $0.isEmpty ? nil : $0 } ?? login
        return (name, "\(login)@\(place)", String(cString: entry.pointee.pw_dir))
    }
}
