internal import CFiles
package import Base

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Another program as it is to be started, which `start` does, and `run` where it is fed or read through pipes.
///
/// Not by swift-subprocess, which knows neither limits for files nor programs that end with this one.
package struct Command {
    /// Where a program's standard input, output or errors are.
    package enum Place {
        /// Where this program's are.
        case shared
        case nowhere
        case end(Int32)
    }

    /// What signals of a terminal don't reach it, and whether all that it starts can be ended with it.
    package enum Isolation {
        case none, group
        /// The terminal's end doesn't end it, and it can't ask there.
        case session
    }

    /// A path, or a name that is looked for in the search path.
    private let program: String
    /// The program's name and its arguments.
    private let words: [String]
    private let variables: [String: String]
    package var input = Place.nowhere
    package var output = Place.nowhere
    package var errors = Place.nowhere
    /// What it has as its descriptor 3.
    var second = Place.shared
    /// Where it works; nil for where this process does.
    package var folder: String?
    package var isolation: Isolation
    /// Whether signals reach it that this process blocks.
    package var unblocksSignals = false
    /// Whether failed writes end it, by signals that this process ignores.
    private var endsOnFailedWrites = false
    /// Whether it ends with the thread that starts it, where the system offers that.
    package var isBound = false
    /// The bytes that a file may have which it writes.
    package var fileSize: Int?

    /// It neither reads nor prints anything unless that is set.
    package init(_ program: String, _ words: [String], _ variables: [String: String], _ isolation: Isolation = .none) {
        self.program = program
        self.words = words
        self.variables = variables
        self.isolation = isolation
    }

    /// A program of the person's choice as git starts it: by the shell, and with this program's input and output.
    package init(shell command: String, _ arguments: [String], _ variables: [String: String]) {
        let script = arguments.isEmpty ? command : command + " \"$@\""
        self.init("/bin/sh", ["sh", "-c", script, command] + arguments, variables)
        (input, output, errors) = (.shared, .shared, .shared)
    }

    /// One that a person gave the words of; what it prints goes to standard error. At a terminal it shares this program's process
    /// group, so that it may ask and Ctrl-C reaches both. Elsewhere it has its own, so that all it started can be ended.
    package init(typed words: [String], _ variables: [String: String]) {
        self.init(words.first ?? "", words, variables, ThisProcess.isTerminal(.input) ? .none : .group)
        (input, output, errors) = (.shared, .end(STDERR_FILENO), .shared)
        endsOnFailedWrites = true
    }

    package func start() throws(SystemFailure) -> Child {
        let path = try path()
        do throws(SystemFailure) { return try spawn(path, words) } catch {
            guard error.code == ENOEXEC else { throw error }
            // A script without a line that names its interpreter is one for the shell.
            return try spawn("/bin/sh", ["sh", path] + words.dropFirst())
        }
    }

    /// The same with a pipe: what is written to `input` is what it reads.
    package func startFed() throws(SystemFailure) -> (child: Child, input: Int32) {
        guard let pipe = Pipe() else { throw .last("run", program) }
        var command = self
        command.input = .end(pipe.output.number)
        let child = try command.start()
        return (child, pipe.input.released())
    }

    /// The same with a file for what it reads, which has no name. It is made in `temporaryFolder`.
    package func start(reading bytes: [UInt8], temporaryFolder: String) throws(SystemFailure) -> Child {
        let file = try FileDescriptor.unnamed(in: temporaryFolder, bytes)
        var command = self
        command.input = .end(file.number)
        return try command.start()
    }

    /// Runs it as a check. `Interrupts` are passed on to it; then this returns once it has ended, within seconds.
    package func check() -> Child.Ending {
        if words.isEmpty { return .exited(0) }
        do { return try start().waitPassingInterrupts() } catch { return .notStarted(error) }
    }

    /// Where it lies. Folders of the search path count from where this process works.
    private func path() throws(SystemFailure) -> String {
        if program.contains("/") { return program }
        let folders = (variables["PATH"] ?? "/bin:/usr/bin").split(separator: ":", omittingEmptySubsequences: false)
        let paths = folders.map { folder in
            folder.hasPrefix("/") ? "\(folder)/\(program)" : "\(ThisProcess.folder ?? "")/\(folder)/\(program)"
        }
        if !program.isEmpty, let path = paths.first(where: FileSystem.isExecutable) { return path }
        let isThere = !program.isEmpty && paths.contains { FileSystem.kind(of: $0, following: true) == .file }
        throw SystemFailure(code: isThere ? EACCES : ENOENT, operation: "run", path: program)
    }

    private func spawn(_ path: String, _ words: [String]) throws(SystemFailure) -> Child {
        var opened: [Int32] = []
        defer { for number in opened { close(number) } }
        func number(_ place: Place) throws(SystemFailure) -> Int32 {
            switch place {
            case .shared: return -1
            case .end(let number): return number
            case .nowhere:
                guard let file = FileDescriptor("/dev/null", O_RDWR) else { throw .last("open", "/dev/null") }
                opened.append(file.released())
                return opened[opened.count - 1]
            }
        }
        var start = settings_start()
        start.descriptors = (try number(input), try number(output), try number(errors), try number(second))
        start.has_session = isolation == .session ? 1 : 0
        start.has_group = isolation == .group ? 1 : 0
        start.unblocks_signals = unblocksSignals ? 1 : 0
        start.ends_on_failed_writes = endsOnFailedWrites ? 1 : 0
        start.is_bound = isBound ? 1 : 0
        start.file_size = fileSize.map { Int64(max(0, $0)) } ?? -1
        var texts: [[UnsafeMutablePointer<CChar>?]] = []
        for list in [words, variables.map { "\($0)=\($1)" }, [path], folder.map { [$0] } ?? []] {
            texts.append(list.map { strdup($0) } + [nil])
        }
        defer { for text in texts.joined() { free(text) } }
        start.program = UnsafePointer(texts[2][0])
        start.folder = UnsafePointer(texts[3][0])
        var process = pid_t()
        let code = texts[0].withUnsafeBufferPointer { words in
            texts[1].withUnsafeBufferPointer { variables in
                (start.words, start.variables) = (words.baseAddress, variables.baseAddress)
                return settings_spawn(&start, &process)
            }
        }
        guard code == 0 else { throw SystemFailure(code: code, operation: "run", path: program) }
        return Child(process, words, hasGroup: isolation != .none)
    }
}

extension FileDescriptor {
    /// A file that has no name, with these bytes, to be read from its beginning.
    fileprivate static func unnamed(in folder: String, _ bytes: [UInt8]) throws(SystemFailure) -> FileDescriptor {
        let pattern = "\(folder)/settings-XXXXXX"
        guard let name = strdup(pattern) else { throw .last("create", pattern) }
        defer { free(name) }
        let number = mkstemp(name)
        guard number >= 0 else { throw .last("create a file in", folder) }
        unlink(name)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        let file = FileDescriptor(number)
        guard file.write(bytes), lseek(number, 0, SEEK_SET) == 0 else { throw .last("write to a file in", folder) }
        return file
    }
}
