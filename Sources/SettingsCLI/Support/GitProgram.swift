import Files

/// The `git` program, started so that it runs nothing that a repository's configuration names and fetches nothing.
struct GitProgram {
    private let path: String
    private let variables: [String: String]

    /// Nil where git isn't installed.
    init?(environment: Environment) {
        let folders = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        guard let folder = folders.first(where: { FileSystem.isExecutable("\($0)/git") }) else { return nil }
        path = "\(folder)/git"
        var variables = ThisProcess.variables.filter { !$0.key.hasPrefix("GIT_") }
        variables["GIT_ALLOW_PROTOCOL"] = "none"
        variables["GIT_NO_LAZY_FETCH"] = "1"
        variables["LC_ALL"] = "C"
        self.variables = variables
    }

    /// Runs a command on a git directory and returns its exit status; nil where it could not be started or was killed.
    func run(
        _ words: [String], in directory: String, configuration: [String] = [], variables more: [String: String] = [:]
    ) -> Int32? {
        Child.silent(path, command(words, directory, configuration), variables.merging(more) { $1 })?.wait()
    }

    /// The same with what the command printed to its output and to its errors, up to a limit each.
    func output(
        of words: [String], in directory: String, atMost limit: Int = 1 << 20
    ) -> (status: Int32?, output: String, errors: String) {
        let (status, output, errors) = Child.run(path, command(words, directory, []), variables, atMost: limit)
        return (status, String(decoding: output, as: UTF8.self), String(decoding: errors, as: UTF8.self))
    }

    private func command(_ words: [String], _ directory: String, _ configuration: [String]) -> [String] {
        let options = (["core.hooksPath=/dev/null", "core.fsmonitor=false"] + configuration).flatMap { ["-c", $0] }
        return [path, "--git-dir=\(directory)"] + options + words
    }
}
