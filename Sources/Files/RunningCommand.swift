internal import CFiles
package import Base

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A command that runs beside this program. `Interrupts` are passed on to it as long as it runs.
package struct RunningCommand {
    private let process: pid_t
    private let hasGroup: Bool

    /// Starts a command that reads `input`; what it prints to its output goes to standard error. `temporaryFolder` is where a
    /// file without a name can be made for the input.
    package static func start(
        _ words: [String], _ variables: [String: String], reading input: [UInt8], temporaryFolder: String
    ) throws(SystemFailure) -> RunningCommand {
        let file = try FileDescriptor.unnamed(in: temporaryFolder, input)
        // As `Child.check` has it.
        let hasGroup = !ThisProcess.isTerminal(.input)
        let start = Child.Start(
            input: .end(file.number), output: .end(STDERR_FILENO), errors: .shared, folder: nil, hasGroup: hasGroup)
        let process = try Child.command(words, variables, start)
        settings_pass_interrupts(hasGroup ? -process : process)
        return RunningCommand(process: process, hasGroup: hasGroup)
    }

    /// How it ended; nil as long as it runs.
    package func ending() -> Child.Ending? {
        var status: Int32 = 0
        let ended = retrying { waitpid(process, &status, WNOHANG) }
        if ended == 0 { return nil }
        settings_pass_interrupts(0)
        return ended == process ? Child.ending(status) : .killed(SIGKILL)
    }

    /// Asks it to end, and waits for that; after two seconds it is killed, with what it started.
    package func end() {
        let target = hasGroup ? -process : process
        kill(target, SIGTERM)
        for _ in 0..<100 {
            if ending() != nil { return }
            ThisProcess.pause(20_000)
        }
        kill(target, SIGKILL)
        while ending() == nil { ThisProcess.pause(1000) }
    }
}

extension FileDescriptor {
    /// A file that has no name, with these bytes, to be read from its beginning.
    static func unnamed(in folder: String, _ bytes: [UInt8]) throws(SystemFailure) -> FileDescriptor {
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
