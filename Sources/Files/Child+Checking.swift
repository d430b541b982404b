internal import CFiles
package import Base

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Ctrl-C and the like, for a program that has something to clean up.
package enum Interrupts {
    /// From now on they are noted instead of ending the process at once.
    package static func note() { settings_note_interrupts() }

    /// They end the process again.
    package static func forget() { settings_forget_interrupts() }

    /// The signal that came, if any.
    package static var signal: Int32? { settings_interrupt() == 0 ? nil : settings_interrupt() }

    /// Whether a signal asks a program that runs until it is stopped to end, as Ctrl-C and `kill` do.
    package static func isOrderly(_ signal: Int32) -> Bool { signal == SIGINT || signal == SIGTERM }

    /// Can be read from once one has come, or a command has ended; -1 where the system has no more descriptors.
    package static var descriptor: Int32 { settings_interrupt_descriptor() }

    /// From now on, the descriptor tells of what comes next. What has come is to be looked for after this.
    package static func takeHints() { settings_take_interrupts() }
}

extension Child {
    /// How a check ended.
    package enum Ending: Hashable, Sendable {
        case exited(Int32)
        case killed(Int32)
        case notStarted(SystemFailure)
    }

    /// Runs a command as a check of what is in `folder`: it works there, and what it prints goes to standard error, or nowhere.
    /// `Interrupts` are passed on to it; then this returns once it has ended, within seconds.
    package static func check(
        _ words: [String], in folder: String, _ variables: [String: String], isSilent: Bool
    ) -> Ending {
        if words.isEmpty { return .exited(0) }
        // At a terminal, the command shares this program's process group, so that it may ask and Ctrl-C reaches both.
        // Elsewhere it has its own, so that all it started can be ended.
        let hasGroup = !ThisProcess.isTerminal(.input)
        let start = Start(
            output: isSilent ? .nowhere : .end(STDERR_FILENO), errors: isSilent ? .nowhere : .shared, folder: folder,
            hasGroup: hasGroup)
        do { return wait(for: try command(words, variables, start), hasGroup: hasGroup) } catch { return .notStarted(error) }
    }

    /// How a command is started.
    struct Start {
        var input = Place.shared
        var output: Place
        var errors: Place
        /// Where it works; nil for where this process does.
        var folder: String?
        /// Whether it has a process group of its own.
        var hasGroup: Bool
    }

    private enum Started {
        case success(pid_t)
        case failure(Int32)
    }

    /// Starts a command, whose first word is looked for in the search path.
    static func command(
        _ words: [String], _ variables: [String: String], _ start: Start
    ) throws(SystemFailure) -> pid_t {
        let program = words.first ?? ""
        var code = spawn(program, words, variables, start)
        // A script without a line that names its interpreter is one for the shell.
        if case .failure(ENOEXEC) = code, program.contains("/") { code = spawn("/bin/sh", ["sh"] + words, variables, start) }
        switch code {
        case .failure(let code): throw SystemFailure(code: code, operation: "run", path: program)
        case .success(let process): return process
        }
    }

    private static func spawn(
        _ program: String, _ words: [String], _ variables: [String: String], _ start: Start
    ) -> Started {
        var actions = noActions
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        redirect(&actions, STDIN_FILENO, start.input)
        redirect(&actions, STDOUT_FILENO, start.output)
        redirect(&actions, STDERR_FILENO, start.errors)
        if let folder = start.folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
        var attributes = noAttributes
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This program ignores these signals; what it starts doesn't expect that.
        var ignored = sigset_t()
        sigemptyset(&ignored)
        for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&ignored, signal) }
        posix_spawnattr_setsigdefault(&attributes, &ignored)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGDEF | (start.hasGroup ? POSIX_SPAWN_SETPGROUP : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var process = pid_t()
        let code = withPointers(words) { words in
            withPointers(variables.map { "\($0)=\($1)" }) { posix_spawnp(&process, program, &actions, &attributes, words, $0) }
        }
        return code == 0 ? .success(process) : .failure(code ?? ENOMEM)
    }

    private static func wait(for process: pid_t, hasGroup: Bool) -> Ending {
        let target = hasGroup ? -process : process
        settings_pass_interrupts(target)
        defer { settings_pass_interrupts(0) }
        var status: Int32 = 0
        var pauses = 0
        while true {
            let ended = waitpid(process, &status, pauses == 0 ? 0 : WNOHANG)
            if ended == process {
                // What it started and left behind.
                if hasGroup, Interrupts.signal != nil { kill(target, SIGKILL) }
                return ending(status)
            }
            if ended < 0, errno != EINTR { return .killed(SIGKILL) }
            guard Interrupts.signal != nil else { continue }
            // After an interrupt the command has two seconds to end.
            if pauses == 100 { kill(target, SIGKILL) }
            ThisProcess.pause(20_000)
            pauses += 1
        }
    }

    static func ending(_ status: Int32) -> Ending {
        status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .killed(status & 0x7F)
    }
}
