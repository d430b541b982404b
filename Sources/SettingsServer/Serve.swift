import Files
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import SettingsPages
import UnixSignals
import SettingsKit
import SettingsModel
import SettingsText
import Synchronization

/// What `settings serve` is asked for.
public struct ServeOptions: Sendable {
    /// The store's folder; nil for the one that is found from the current folder.
    public var store: String?
    public var host = "127.0.0.1"
    /// 0 for a free one.
    public var port = 0
    /// How people reach the server: `https://settings.example.org/path`.
    public var urls: [String] = []
    public var isReadOnly = false
    /// No line for each request.
    public var isQuiet = false

    public init() {}
}

/// Why the server can't go on.
public struct ServeFailure: Error, Sendable {
    /// As of `settings`: 66 no store, 75 the address is taken, 77 it may not be used.
    public var status: Int32
    public var reason: String
}

/// Serves a store until the process is told to end. Prints the address on one line as soon as it answers.
public func serve(_ options: ServeOptions) async throws {
    let settings: Settings
    do { settings = try await Settings.open(options.store) } catch {
        throw ServeFailure(status: error.kind == .missing ? 66 : 65, reason: error.reason)
    }
    let who = Who(key: SessionKey.read(), isReadOnly: options.isReadOnly) { ThisProcess.now }
    let site = Site(settings)
    let streams = Streams(settings)
    let served = Served(urls: options.urls)
    let router = Router(context: WebContext.self)
    let logger = Logger(label: "settings-serve") { _ in SwiftLogNoOpLogHandler() }
    router.add(middleware: RequestLog(isQuiet: options.isQuiet))
    router.add(middleware: Guard(site: site, who: who, served: served))
    router.add(middleware: ErrorPages(site: site))
    Routes(site: site, who: who, served: served, streams: streams).add(to: router)
    var application = Application(
        router: router,
        server: .http1(
            configuration: HTTP1Channel.Configuration(
                idleTimeout: .seconds(60),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 100))),
        configuration: ApplicationConfiguration(
            address: .hostname(options.host, port: options.port), serverName: nil, backlog: 256),
        onServerRunning: { channel in
            let port = channel.localAddress?.port ?? options.port
            served.note(port: port)
            let line = "http://\(options.host):\(port)/login#\(who.token)\n"
            try? ThisProcess.write(Array(line.utf8), to: ThisProcess.standardOutput)
        },
        logger: logger)
    application.addServices(streams, Deadlines(settings: settings))
    do { try await application.runService(gracefulShutdownSignals: [.sigterm, .sigint]) } catch let error as IOError {
        let failure = SystemFailure(code: error.errnoCode, operation: "listen on", path: "\(options.host):\(options.port)")
        throw ServeFailure(
            status: failure.isDenied ? 77 : 75, reason: "cannot listen on \(failure.path): \(failure.reason)")
    }
    await settings.close()
}

/// The names by which people reach the server: the port is known once it listens.
final class Served: Sendable {
    private let urls: [String]
    private let known: Mutex<Hosts>

    init(urls: [String]) {
        self.urls = urls
        known = Mutex(Hosts(urls: urls, port: 0))
    }

    var hosts: Hosts { known.withLock { $0 } }

    func note(port: Int) { known.withLock { $0 = Hosts(urls: urls, port: port) } }
}

/// The key that sessions are signed with: kept, so that people stay signed in over a restart.
enum SessionKey {
    private static let size = 32

    static func read() -> [UInt8] {
        let new = Who.random(size)
        guard let folder else { return new }
        let path = folder + "/session-key"
        if let bytes = (try? Folder.read(path: path, limit: size)) ?? nil, bytes.count == size { return bytes }
        do {
            try Folder.make(folder)
            try FileSystem.replace(path, with: new, .fast)
            try FileSystem.forbidOthers(path)
        } catch {
            // Everybody signs in again after the next start.
        }
        return new
    }

    private static var folder: String? {
        if let state = ThisProcess.variable("XDG_STATE_HOME"), state.hasPrefix("/") { return state + "/settings" }
        return ThisProcess.variable("HOME").map { $0 + "/.local/state/settings" }
    }
}

/// One line for each request on standard error: the method, the path, the status. No query, no token, no value.
struct RequestLog: RouterMiddleware {
    typealias Context = WebContext
    let isQuiet: Bool

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        if !isQuiet { ThisProcess.report("\(request.method) \(request.uri.path.visible) \(response.status.code)\n") }
        return response
    }
}

/// What goes wrong, as a page.
struct ErrorPages: RouterMiddleware {
    typealias Context = WebContext
    let site: Site

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        do { return try await next(request, context) } catch let error as HTTPError {
            return .page(error.status, Plain(site, "Not found").html("There is no page at this address."))
        } catch let problem as Problem {
            return .page(.of(problem.kind), Plain(site, "Not done").html(PageHints.statement(PageHints.words(problem))))
        }
    }
}
