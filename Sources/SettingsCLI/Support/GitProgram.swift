import Files

/// The `git` program, run so that it executes nothing that a repository configures and fetches nothing.
struct GitProgram {
    private let path: String
    private let variables: [String: String]

    /// Nil if git is not installed.
    init?(environment: Environment) {
        guard let path = Self.path(environment) else { return nil }
        self.path = path
        var variables = ThisProcess.variables.filter { !$0.key.hasPrefix("GIT_") }
        variables["GIT_ALLOW_PROTOCOL"] = "none"
        variables["GIT_NO_LAZY_FETCH"] = "1"
        variables["LC_ALL"] = "C"
        self.variables = variables
    }

    /// Where git is installed; nil if it is not.
    static func path(_ environment: Environment) -> String? {
        FileSystem.program("git", path: environment["PATH"])
    }

    /// Runs a command on a git directory and returns its exit status; nil if it could not be started or was killed.
    func run(
        _ words: [String], in directory: String, configuration: [String] = [], variables more: [String: String] = [:]
    ) -> Int32? {
        (try? Command(path, command(words, directory, configuration), variables.merging(more) { $1 }).start())?.wait().status
    }

    /// As `run`, and returns the standard output and standard error, each up to a limit.
    func output(
        of words: [String], in directory: String, atMost limit: Int = 1 << 20
    ) -> (status: Int32?, output: String, errors: String) {
        let run = Command(path, command(words, directory, []), variables).run(keeping: limit)
        return (run.status, String(decoding: run.output, as: UTF8.self), String(decoding: run.errors, as: UTF8.self))
    }

    private func command(_ words: [String], _ directory: String, _ configuration: [String]) -> [String] {
        let options = (["core.hooksPath=/dev/null", "core.fsmonitor=false"] + configuration).flatMap { ["-c", $0] }
        return [path, "--git-dir=\(directory)"] + options + words
    }
}
