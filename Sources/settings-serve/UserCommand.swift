import ArgumentParser
import Files
import SettingsServer

/// Who may sign in with `--users`.
struct UserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Add, remove or list the people who may sign in.",
        discussion: "A running server applies the change at once, and signs out a person who is removed.",
        subcommands: [Add.self, Remove.self, List.self])

    /// The file that `--users` names, which stands among the options of the server.
    static func file(_ serve: SettingsServe) throws -> String {
        guard let users = serve.users else { throw ValidationError("--users FILE is missing") }
        return users
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Allow a person to sign in. The last line of standard output is the token, which is printed only once.",
            usage: "settings serve user add <person> [--role <role>] --users <file>")

        @ParentCommand var serve: SettingsServe

        @Argument(help: "The person, as 'Marie Curie <marie@example.org>'. A person who is already listed gets a new token.")
        var person: String

        @Option(help: "What the person may do: read or write.", completion: .list(["read", "write"]))
        var role = "write"

        func run() async throws {
            let path = try UserCommand.file(serve)
            try await reporting {
                let (token, isNew) = try addUser(person, role: role, to: path)
                let what =
                    isNew
                    ? "Added \(person)"
                    : "Changed \(person); the previous token is no longer valid, and its sessions have ended"
                ThisProcess.report("\(what); may \(role == "read" ? "read" : "read and write")\n")
                try? ThisProcess.write(Array("\(token)\n".utf8), to: ThisProcess.standardOutput)
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Withdraw the permission to sign in.", usage: "settings serve user remove <person> --users <file>")

        @ParentCommand var serve: SettingsServe

        @Argument(help: "The person, as 'Marie Curie <marie@example.org>' or by the e-mail address alone.")
        var person: String

        func run() async throws {
            let path = try UserCommand.file(serve)
            try await reporting {
                let person = try removeUser(person, from: path)
                ThisProcess.report("Removed \(person); the token is no longer valid, and its sessions have ended\n")
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the people who may sign in, and what they may do.", usage: "settings serve user list --users <file>")

        @ParentCommand var serve: SettingsServe

        func run() async throws {
            let path = try UserCommand.file(serve)
            try await reporting {
                let lines = try listedUsers(in: path).map { "\($0.person)\t\($0.role)\n" }
                if lines.isEmpty { ThisProcess.report("Nobody may sign in: \(path) lists no person\n") }
                try? ThisProcess.write(Array(lines.joined().utf8), to: ThisProcess.standardOutput)
            }
        }
    }
}
