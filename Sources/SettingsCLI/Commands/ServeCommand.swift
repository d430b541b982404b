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
            Runs the program settings-serve, which is installed separately, with these
            arguments; 'settings serve --help' lists them.

              settings serve
              settings serve --listen 127.0.0.1:8080 --store ~/office
            """)

    @Argument(parsing: .captureForPassthrough, help: "What settings-serve is told.") var arguments: [String] = []

    func run() throws {
        guard let own = ThisProcess.program else { throw Failure(.unavailable, CommandLineHints.noServer) }
        let folder = FileSystem.folder(of: own)
        let places = ["\(folder)/settings-serve", "\(folder)/../lib/settings/settings-serve"]
        guard let program = places.first(where: { FileSystem.kind(of: $0) == .file }) else {
            throw Failure(.unavailable, CommandLineHints.noServer)
        }
        do throws(SystemFailure) {
            try ThisProcess.become(program, [program] + arguments, with: (Release.variable, Release.version))
        } catch {
            throw Failure(.unavailable, "cannot run \(program): \(error.reason)")
        }
    }
}
