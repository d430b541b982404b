import Foundation

/// The result of a program.
package struct Run: Sendable {
    package var status: Int32
    package var output: String
    package var errors: String
}

package struct NotRun: Error {
    package let program: [String]
    package let reason: String
}

extension Surroundings {
    /// Runs a program from the search path and waits for its end. Its standard input is empty unless `input` is given; with
    /// `joined` its standard error is part of its output.
    ///
    /// Foundation's `Process` waits in a run loop, which takes several times as long.
    package static func run(
        _ program: [String], in folder: String, _ environment: [String: String], input: [UInt8]? = nil, joined: Bool = false
    ) throws -> Run {
        let output = try UnnamedFile()
        let errors = joined ? output : try UnnamedFile()
        let given = try input.map(UnnamedFile.init)
        #if canImport(Darwin)
            var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?)
            let ownFlags = Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
        #else
            var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
            let ownFlags: Int16 = 0
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        if let given {
            posix_spawn_file_actions_adddup2(&actions, given.descriptor, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output.descriptor, 1)
        posix_spawn_file_actions_adddup2(&actions, errors.descriptor, 2)
        // The default handling of signals, whatever this process does with them.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | ownFlags)
        let words = (["env", "-C", folder] + program).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var process = pid_t()
        let failure = posix_spawnp(&process, "env", &actions, &attributes, words, variables)
        guard failure == 0 else { throw NotRun(program: program, reason: String(cString: strerror(failure))) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw NotRun(program: program, reason: String(cString: strerror(errno))) }
        }
        // The exit status, or 128 plus the signal, as in a shell.
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
        return Run(status: code, output: try output.text(), errors: joined ? "" : try errors.text())
    }
}

/// A file without a name, which is gone with its descriptor.
private final class UnnamedFile {
    let descriptor: Int32

    init(_ bytes: [UInt8] = []) throws {
        let path = "\(Surroundings.root)/\(UUID().uuidString)"
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw NotRun(program: [], reason: String(cString: strerror(errno))) }
        unlink(path)
        guard !bytes.isEmpty else { return }
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: bytes)
        lseek(descriptor, 0, SEEK_SET)
    }

    deinit { close(descriptor) }

    func text() throws -> String {
        lseek(descriptor, 0, SEEK_SET)
        let data = try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readToEnd()
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}

package struct GitFailed: Error {
    package let status: Int32
    package let words: String
}

/// Runs git, which sees no configuration but the repository's; its standard output without the last line break.
@discardableResult
package func runGit(
    _ arguments: [String], in folder: String, at time: Int64 = 1_700_000_000, input: [UInt8]? = nil
) throws -> String {
    let environment = Surroundings.environment(
        home: folder, person: "Git", at: "\(time) +0000",
        [
            "PATH": Surroundings.searchPath, "LC_ALL": "C", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_ALLOW_PROTOCOL": "file",
            "GIT_MERGE_AUTOEDIT": "no",
        ])
    let run = try Surroundings.run(["git"] + arguments, in: folder, environment, input: input)
    guard run.status == 0 else { throw GitFailed(status: run.status, words: run.errors + run.output) }
    return run.output.utf8.last == 10 ? String(run.output.unicodeScalars.dropLast()) : run.output
}
