import ArgumentParser
import Files
import SettingsModel
import SettingsText

/// A program of its own serves the page, so that nothing of it is part of this one; as git does with its commands.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a page for changing settings in a browser.",
        discussion: """
            This runs the program settings-serve, which is installed separately, with these
            arguments; 'settings serve --help' lists them.

              settings serve
              settings serve --listen 127.0.0.1:8080 --store ~/office
            """)

    @Argument(parsing: .captureForPassthrough, help: "The arguments of settings-serve.") var arguments: [String] = []

    /// The server's program; nil where it is not installed.
    private static var program: String? {
        guard let own = ThisProcess.program else { return nil }
        let folder = FileSystem.folder(of: own)
        let places = ["\(folder)/settings-serve", "\(folder)/../lib/settings/settings-serve"]
        return places.first { FileSystem.kind(of: $0) == .file }
    }

    /// What the server says of its own options and commands, for completion; nil where it isn't there.
    static var serverDescription: JSON? {
        guard let program else { return nil }
        let run = Command(program, [program, "--experimental-dump-help"], ThisProcess.variables).run(keeping: 1 << 20)
        return (try? JSON(parsing: run.output))?["command"]
    }

    func run() throws {
        guard let program = Self.program else { throw Failure(.unavailable, CommandLineHints.noServer) }
        do throws(SystemFailure) {
            try ThisProcess.become(program, [program] + arguments, with: (Release.variable, Release.version))
        } catch {
            throw Failure(.unavailable, "cannot run \(program): \(error.reason)")
        }
    }
}
