import ArgumentParser
import Files
import SettingsServer

@main
struct SettingsServe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings serve", abstract: "Serve a page on which people change settings in a browser.",
        discussion: """
            Prints the address with a token that signs in whoever opens it. Listens on this machine alone unless --listen says
            otherwise. SIGTERM and Ctrl-C end it once what is being recorded has been.
            """)

    @Option(help: "Where to listen; port 0 takes a free one.")
    var listen = "127.0.0.1:8080"

    @Option(help: "An address by which people reach the page, such as https://settings.example.org. Repeatable.")
    var url: [String] = []

    @Flag(help: "Nobody can change anything.")
    var readOnly = false

    @Option(help: "The folder of the store.")
    var store: String?

    @Flag(name: .shortAndLong, help: "Print no line for each request.")
    var quiet = false

    func validate() throws {
        guard let colon = listen.lastIndex(of: ":"), let port = Int(listen[listen.index(after: colon)...]),
            (0...65_535).contains(port)
        else { throw ValidationError("--listen takes ADDRESS:PORT, such as 127.0.0.1:8080") }
        _ = port
    }

    func run() async throws {
        var options = ServeOptions()
        let parts = listen.split(separator: ":")
        options.host = parts.dropLast().joined(separator: ":")
        options.port = parts.last.flatMap { Int($0) } ?? 0
        options.store = store
        options.urls = url
        options.isReadOnly = readOnly
        options.isQuiet = quiet
        do { try await serve(options) } catch let failure as ServeFailure {
            ThisProcess.report("settings: \(failure.reason)\n")
            throw ExitCode(failure.status)
        }
    }
}
