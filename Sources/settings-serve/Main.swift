import ArgumentParser
import Files
import SettingsServer

@main
struct SettingsServe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings serve", abstract: "Serve a page on which people change settings in a browser.",
        discussion: """
            Prints the address of the page, with a token that signs in whoever opens it. Listens on this machine only, unless
            --listen says otherwise. After SIGTERM or Ctrl-C, it finishes recording and exits.

            The author of a recorded change is the account's git identity; with --users, the owner of the token; with
            --user-header, the person named by a trusted proxy. The committer is always the account.
            """,
        subcommands: [UserCommand.self])

    @Option(
        help: ArgumentHelp("Where to listen: ADDRESS:PORT or unix:PATH. Port 0 selects a free port.", valueName: "address"))
    var listen = "127.0.0.1:8080"

    @Option(help: "An address by which people reach the page, such as https://settings.example.org/path. Repeatable.")
    var url: [String] = []

    @Flag(help: "Open the page in a browser.")
    var open = false

    @Flag(help: "Refuse all changes.")
    var readOnly = false

    @Option(help: ArgumentHelp("The people who may sign in; see 'settings serve user'.", valueName: "file"), completion: .file())
    var users: String?

    @Option(help: ArgumentHelp("The header in which a proxy sends the name of the user.", valueName: "name"))
    var userHeader: String?

    @Option(help: ArgumentHelp("The header with the person's full name (default: that of --user-header).", valueName: "name"))
    var nameHeader: String?

    @Option(help: ArgumentHelp("The header with the person's e-mail address.", valueName: "name"))
    var emailHeader: String?

    @Option(help: ArgumentHelp("Form the e-mail address from the user name and this domain.", valueName: "domain"))
    var emailDomain: String?

    @Option(help: ArgumentHelp("The address of a trusted proxy. Repeatable.", valueName: "address"))
    var trustedProxy: [String] = []

    @Option(help: ArgumentHelp("The folder of the store.", valueName: "path"), completion: .directory)
    var store: String?

    @Flag(name: .shortAndLong, help: "Do not log requests.")
    var quiet = false

    private var options: ServeOptions {
        var options = ServeOptions()
        options.store = store
        options.listen = listen
        options.urls = url
        options.opensBrowser = open
        options.isReadOnly = readOnly
        options.users = users
        options.userHeader = userHeader
        options.nameHeader = nameHeader
        options.emailHeader = emailHeader
        options.emailDomain = emailDomain
        options.trustedProxies = trustedProxy
        options.isQuiet = quiet
        return options
    }

    func validate() throws {
        let faults = options.faults
        if !faults.isEmpty { throw ValidationError(faults.joined(separator: "\n       ")) }
    }

    func run() async throws {
        let options = options
        try await reporting { try await serve(options) }
    }
}

/// Prints why something failed, and ends with its exit status.
func reporting(_ work: () async throws -> Void) async throws {
    do { try await work() } catch let failure as ServeFailure {
        for line in failure.reason.split(separator: "\n") { ThisProcess.report("settings: \(line)\n") }
        throw ExitCode(failure.status)
    }
}
