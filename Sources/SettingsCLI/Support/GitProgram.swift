#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The `git` program, run so that it executes nothing that a repository configures and fetches nothing.
struct GitProgram {
    private let path: String
    private let variables: [String: String]

    /// Nil if git is not installed.
    init?(environment: Environment) {
        let folders = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        guard let folder = folders.first(where: { access("\($0)/git", X_OK) == 0 }) else { return nil }
        path = "\(folder)/git"
        var variables = environment.variables.filter { !$0.key.hasPrefix("GIT_") }
        variables["GIT_ALLOW_PROTOCOL"] = "none"
        variables["GIT_NO_LAZY_FETCH"] = "1"
        variables["LC_ALL"] = "C"
        self.variables = variables
    }

    /// Runs a command on a git directory and returns its exit status; nil if it could not be started or was killed.
    func run(
        _ words: [String], in directory: String, configuration: [String] = [], variables: [String: String] = [:]
    ) -> Int32? {
        start(words, in: directory, configuration, variables, nil).flatMap { Shell.wait($0) }
    }

    /// As `run`, and returns the standard output and standard error, each up to a limit.
    func output(
        of words: [String], in directory: String, atMost limit: Int = 1 << 20
    ) -> (status: Int32?, output: String, errors: String) {
        var pipes: [[Int32]] = []
        for _ in 0..<2 {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { break }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            pipes.append(ends)
        }
        guard pipes.count == 2 else {
            for end in pipes.joined() { close(end) }
            return (nil, "", "")
        }
        let process = start(words, in: directory, [], [:], (pipes[0][1], pipes[1][1]))
        for ends in pipes { close(ends[1]) }
        var open = pipes.map { pollfd(fd: $0[0], events: Int16(POLLIN), revents: 0) }
        var texts: [[UInt8]] = [[], []]
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while open.contains(where: { $0.fd >= 0 }) {
            guard poll(&open, 2, -1) >= 0 || errno == EINTR else { break }
            for number in 0..<2 where open[number].fd >= 0 && open[number].revents != 0 {
                let count = read(open[number].fd, &chunk, chunk.count)
                // Output beyond the limit is read and dropped, so that the command can finish.
                texts[number] += chunk.prefix(min(max(count, 0), limit - texts[number].count))
                if count == 0 || count < 0 && errno != EINTR { open[number].fd = -1 }
            }
        }
        for ends in pipes { close(ends[0]) }
        let status = process.flatMap { Shell.wait($0) }
        return (status, String(decoding: texts[0], as: UTF8.self), String(decoding: texts[1], as: UTF8.self))
    }

    private func start(
        _ words: [String], in directory: String, _ configuration: [String], _ more: [String: String],
        _ output: (out: Int32, errors: Int32)?
    ) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output.out, STDOUT_FILENO)
            posix_spawn_file_actions_adddup2(&actions, output.errors, STDERR_FILENO)
        } else {
            for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
                posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
            }
        }
        let options = (["core.hooksPath=/dev/null", "core.fsmonitor=false"] + configuration).flatMap { ["-c", $0] }
        return Child.spawn(
            path, [path, "--git-dir=\(directory)"] + options + words, variables.merging(more) { $1 }, &actions, detached: false)
    }
}
