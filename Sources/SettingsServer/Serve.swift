import Files
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import SettingsKit
import SettingsModel
import SettingsPages
import SettingsText
import Synchronization
import UnixSignals

/// Serves a store until the process is told to end. Prints the address on one line as soon as it answers.
public func serve(_ options: ServeOptions) async throws {
    if let reason = Release.mismatch(asked: ThisProcess.variable(Release.variable), "settings-serve") {
        throw ServeFailure(status: 69, reason: reason)
    }
    let plan = Plan(options)
    guard plan.faults.isEmpty else { throw ServeFailure(status: 64, reason: plan.faults.joined(separator: "\n")) }
    ThisProcess.allowManyFiles()
    ThisProcess.ignoreSignalsOfWrites()
    if let users = options.users { _ = try UsersFile.checked(users) }
    let settings = try await opened(options)
    try await plan.listening.checkIsFree()
    for warning in plan.warnings { ThisProcess.report("settings: warning: \(warning)\n") }
    let server = try await WebServer(plan, options, settings)
    do { try await server.run() } catch let failure as ServeFailure {
        await settings.close()
        throw failure
    }
    await settings.close()
}

/// The store, once it is certain that it can be served: what can't be signed could never be recorded.
private func opened(_ options: ServeOptions) async throws(ServeFailure) -> Settings {
    let settings: Settings
    do throws(SettingsError) { settings = try await Settings.open(options.store) } catch {
        throw ServeFailure(status: error.kind == .missing ? 66 : error.kind == .busy ? 75 : 65, reason: error.reason)
    }
    if options.isReadOnly { return settings }
    do throws(Problem) { try await settings.checkSigning() } catch {
        throw ServeFailure(status: 77, reason: SettingsError(error).reason)
    }
    return settings
}

/// The server with all that belongs to it.
private struct WebServer: Sendable {
    let plan: Plan
    let options: ServeOptions
    let settings: Settings
    let who: Who
    let site: Site
    let served: Served
    let streams: Streams
    let latest: LatestFlags
    let watch: UsersWatch?

    /// What takes longer is ended: a service manager waits no longer than it was told to.
    private static let patience = Duration.seconds(4)

    init(_ plan: Plan, _ options: ServeOptions, _ settings: Settings) async throws(ServeFailure) {
        (self.plan, self.options, self.settings) = (plan, options, settings)
        let sessions = Sessions(key: SessionKey.read(), ended: SessionKey.ended) { ThisProcess.now }
        let mode: Who.Mode
        if let users = options.users {
            mode = .users(path: users)
        } else if let proxy = plan.proxy {
            mode = .proxy(proxy)
        } else {
            let name = (try? await settings.done(via: "web"))?.author.name
            mode = .alone(token: Who.newToken(), name: name ?? "")
        }
        who = Who(mode, sessions, isReadOnly: options.isReadOnly)
        site = Site(settings, prefix: plan.urls.first?.path ?? "")
        served = Served(plan.urls, plan.listening)
        latest = LatestFlags(site)
        streams = Streams(settings, latest)
        let (who, streams) = (who, streams)
        watch = try options.users.map { path throws(ServeFailure) in
            try UsersWatch(path) { streams.end(unless: who.isWelcome) }
        }
    }

    func run() async throws {
        let logger = Logger(label: "settings-serve") { _ in SwiftLogNoOpLogHandler() }
        let application = Application(
            router: router, server: .http1(configuration: channel),
            configuration: ApplicationConfiguration(address: address, serverName: nil, backlog: 256),
            onServerRunning: { [self] in started($0) }, logger: logger)
        // The last one is told first to end: the application waits until nobody is connected, and streams are.
        var configuration = ServiceGroupConfiguration(
            services: [Deadlines(settings: settings), latest, application, streams],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger)
        configuration.maximumGracefulShutdownDuration = Self.patience
        defer { served.removeSocket() }
        do { try await ServiceGroup(configuration: configuration).run() } catch is CancellationError {
            // The time was over.
        } catch {
            guard served.isListening else { throw plan.listening.failure(error) }
        }
        withExtendedLifetime(watch) {}
    }

    private var router: Router<WebContext> {
        let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
        if !options.isQuiet { router.add(middleware: RequestLog()) }
        router.add(middleware: Guard(site: site, who: who, served: served))
        router.add(middleware: ErrorPages(site: site))
        router.add(middleware: WaitingLimit())
        Routes(site: site, who: who, served: served, streams: streams, latest: latest).add(to: router)
        return router
    }

    private var channel: HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            additionalChannelHandlers: [RequestDeadline()], idleTimeout: .seconds(60),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 100))
    }

    private var address: BindAddress {
        switch plan.listening {
        case .port(let host, let port): .hostname(host, port: port)
        case .socket(let path): .unixDomainSocket(path: path)
        }
    }

    /// It listens. Prints the address, with the token where the account is who has it.
    private func started(_ channel: any Channel) {
        served.note(port: channel.localAddress?.port)
        var end = site.address("/")
        if case .alone(let token, _) = who.mode { end = site.address("/login#\(token)") }
        try? ThisProcess.write(Array("\(origin)\(end)\n".utf8), to: ThisProcess.standardOutput)
        guard options.opensBrowser else { return }
        if let token = who.oneTimeToken() { end = site.address("/login#\(token)") }
        let words = ["xdg-open", origin + end]
        do throws(SystemFailure) { _ = try Command("xdg-open", words, ThisProcess.variables, .session).start() } catch {
            ThisProcess.report("settings: warning: cannot open a browser: \(error.reason): xdg-open\n")
        }
    }

    private var origin: String {
        if let url = plan.urls.first { return url.origin }
        guard case .port(let host, let port) = plan.listening else { return "" }
        return "http://\(Listening.authority(host, served.port ?? port))"
    }
}

/// Where the server listens, and the names by which people reach it: the port is known once it listens.
final class Served: Sendable {
    private let urls: [WebAddress]
    private let listening: Listening
    private struct State {
        var hosts: Hosts
        var port: Int?
        var isListening = false
        var socket: FileAttributes?
    }
    private let state: Mutex<State>

    init(_ urls: [WebAddress], _ listening: Listening) {
        (self.urls, self.listening) = (urls, listening)
        state = Mutex(State(hosts: Hosts(urls: urls, listening, port: 0)))
    }

    var hosts: Hosts { state.withLock { $0.hosts } }
    var port: Int? { state.withLock { $0.port } }
    var isListening: Bool { state.withLock { $0.isListening } }

    func note(port: Int?) {
        var socket: FileAttributes?
        if case .socket(let path) = listening {
            do throws(SystemFailure) {
                try FileSystem.allowGroup(path)
                socket = try FileSystem.attributes(of: path)
            } catch { ThisProcess.report("settings: warning: cannot \(error.operation) \(path): \(error.reason)\n") }
        }
        let hosts = Hosts(urls: urls, listening, port: port)
        state.withLock { $0 = State(hosts: hosts, port: port, isListening: true, socket: socket) }
    }

    /// Unless another server has made one of its own since.
    func removeSocket() {
        guard case .socket(let path) = listening, let own = state.withLock({ $0.socket }),
            let there = (try? FileSystem.attributes(of: path)) ?? nil, there.isSame(as: own)
        else { return }
        try? FileSystem.remove(path)
    }
}
