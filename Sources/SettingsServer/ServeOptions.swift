import NIOCore
import SettingsModel

/// What `settings serve` is asked for.
public struct ServeOptions: Sendable {
    /// The store's folder; nil for the one that is found from the current folder.
    public var store: String?
    /// `ADDRESS:PORT`, where port 0 is a free one, or `unix:PATH`.
    public var listen = "127.0.0.1:8080"
    /// How people reach the server: `https://settings.example.org/path`.
    public var urls: [String] = []
    /// A browser is opened, signed in.
    public var opensBrowser = false
    public var isReadOnly = false
    /// The file of those who may sign in.
    public var users: String?
    /// What a proxy in front says of who is there.
    public var userHeader: String?
    public var nameHeader: String?
    public var emailHeader: String?
    public var emailDomain: String?
    public var trustedProxies: [String] = []
    /// No line for each request.
    public var isQuiet = false

    public init() {}

    /// Everything that is wrong with them, a sentence each.
    public var faults: [String] { Plan(self).faults }
}

/// Why the server can't go on.
public struct ServeFailure: Error, Sendable {
    /// As of `settings`: 64 usage, 66 no store, 75 the address is taken, 77 it may not be used.
    public var status: Int32
    public var reason: String
}

/// What the options mean.
struct Plan {
    private(set) var listening = Listening.port(host: "127.0.0.1", 0)
    private(set) var urls: [WebAddress] = []
    /// What a proxy says of who is there; nil without one.
    private(set) var proxy: Proxy?
    private(set) var faults: [String] = []
    /// What is wrong with them without being an error.
    private(set) var warnings: [String] = []

    init(_ options: ServeOptions) {
        if let listening = Listening(options.listen) {
            self.listening = listening
        } else {
            faults.append(
                "invalid value '\(options.listen)' for --listen: expected ADDRESS:PORT, such as 127.0.0.1:8080 or [::1]:8080, "
                    + "or unix:PATH")
        }
        for url in options.urls {
            guard let address = WebAddress(url) else {
                faults.append("invalid value '\(url)' for --url: expected an address such as https://settings.example.org/path")
                continue
            }
            urls.append(address)
        }
        if Set(urls.map(\.path)).count > 1 { faults.append("every --url must have the same path") }
        if case .socket = listening, options.urls.isEmpty { faults.append("--listen unix:PATH needs --url") }
        takeProxy(options)
        if options.users != nil, options.userHeader != nil { faults.append("--users and --user-header cannot be combined") }
        let isAlone = options.users == nil && options.userHeader == nil
        if isAlone, !listening.isLocal {
            faults.append("--listen beyond this machine needs --users FILE, or --user-header with --trusted-proxy")
        }
        let isOpen = !listening.isLocal || urls.contains { !$0.isSecure && !$0.isLoopback }
        if options.userHeader == nil, isOpen, !urls.contains(where: \.isSecure) {
            warnings.append("without an https --url, tokens travel in the clear")
        }
        if !listening.isLocal, urls.isEmpty {
            warnings.append("without --url, only browsers on this machine are answered")
        }
    }

    private mutating func takeProxy(_ options: ServeOptions) {
        let others = [
            ("--name-header", options.nameHeader), ("--email-header", options.emailHeader),
            ("--email-domain", options.emailDomain), ("--trusted-proxy", options.trustedProxies.first),
        ]
        guard let userHeader = options.userHeader else {
            for (name, value) in others where value != nil { faults.append("\(name) needs --user-header") }
            return
        }
        if options.emailHeader == nil, options.emailDomain == nil {
            faults.append("--user-header needs --email-header or --email-domain")
        }
        if options.emailHeader != nil, options.emailDomain != nil {
            faults.append("--email-header and --email-domain cannot be combined")
        }
        if case .port = listening, options.trustedProxies.isEmpty {
            faults.append("--user-header needs --trusted-proxy, or --listen unix:PATH")
        }
        var trusted: Set<String> = []
        for address in options.trustedProxies {
            if let address = Proxy.address(address) {
                trusted.insert(address)
            } else {
                faults.append("invalid value '\(address)' for --trusted-proxy: expected an address such as 10.0.0.7")
            }
        }
        let headers = [("--user-header", userHeader)] + others.prefix(2).compactMap { name, value in value.map { (name, $0) } }
        for (name, value) in headers where !Proxy.isName(value) {
            faults.append("invalid value '\(value)' for \(name): expected the name of a header")
        }
        if let domain = options.emailDomain,
            Person("x <x@\(domain)>") == nil || domain.contains(where: { $0 == "@" || $0 == " " })
        {
            faults.append("invalid value '\(domain)' for --email-domain: expected a domain such as example.org")
        }
        proxy = Proxy(
            user: userHeader, name: options.nameHeader, email: options.emailHeader, domain: options.emailDomain,
            trusted: trusted, mayWrite: !options.isReadOnly)
    }
}
