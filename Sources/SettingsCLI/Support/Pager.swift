#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A pager, fed through a pipe.
struct Pager {
    let input: Int32
    private let process: pid_t

    /// Nil if it can't be started.
    init?(_ command: String, _ environment: Environment) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        var variables = environment.variables
        // As in git: exit if the text fits on the screen, show colours, keep the screen.
        if variables["LESS"] == nil { variables["LESS"] = "FRX" }
        if variables["LV"] == nil { variables["LV"] = "-c" }
        guard let process = Shell.spawn(command, [], variables, &actions) else {
            close(ends[0])
            close(ends[1])
            return nil
        }
        close(ends[0])
        input = ends[1]
        self.process = process
    }

    func finish() {
        close(input)
        _ = Shell.wait(process)
    }
}

/// Programs that the user configured, run through the shell as git does.
enum Shell {
    static func spawn(
        _ command: String, _ arguments: [String], _ variables: [String: String],
        _ actions: UnsafePointer<posix_spawn_file_actions_t>?
    ) -> pid_t? {
        var words: [UnsafeMutablePointer<CChar>?] =
            (["sh", "-c", arguments.isEmpty ? command : command + " \"$@\"", command] + arguments).map { strdup($0) }
        words.append(nil)
        var entries: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") }
        entries.append(nil)
        defer {
            for word in words { free(word) }
            for entry in entries { free(entry) }
        }
        var process = pid_t()
        return posix_spawn(&process, "/bin/sh", actions, nil, words, entries) == 0 ? process : nil
    }

    /// The exit status; nil if a signal ended it.
    static func wait(_ process: pid_t) -> Int32? {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { if errno != EINTR { return nil } }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }
}
