import SettingsModel

/// How people reach the server: `https://settings.example.org/path`.
struct WebAddress: Sendable, Equatable {
    let isSecure: Bool
    /// The name and the port, unless that is the scheme's own, as browsers send them.
    let authority: String
    /// `/path`, or nothing.
    let path: String

    /// Nil for what is no such address: nothing but a scheme, a name, a port and a path stands in one.
    init?(_ text: String) {
        let lower = text.lowercased()
        guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix) else { return nil }
        isSecure = scheme == "https://"
        let rest = text.dropFirst(scheme.count)
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        guard let authority = Self.authority(rest[..<end].lowercased(), standard: isSecure ? 443 : 80) else { return nil }
        self.authority = authority
        let parts = rest[end...].split(separator: "/")
        let isPlain = { (character: Character) in
            character.isASCII && (character.isLetter || character.isNumber || "-._~".contains(character))
        }
        guard parts.allSatisfy({ $0 != "." && $0 != ".." && $0.allSatisfy(isPlain) }) else { return nil }
        path = parts.map { "/\($0)" }.joined()
    }

    private static func authority(_ text: String, standard: Int) -> String? {
        var (host, port) = (text[...], standard)
        let name = text.lastIndex(of: "]").map { text[$0...] } ?? text[...]
        if let colon = name.lastIndex(of: ":") {
            guard let number = Int(text[text.index(after: colon)...]), (1...65_535).contains(number) else { return nil }
            (host, port) = (text[..<colon], number)
        }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let allowed = isBracketed ? "[]:.0123456789abcdef" : "-._0123456789abcdefghijklmnopqrstuvwxyz"
        guard !host.isEmpty, host.allSatisfy(allowed.contains) else { return nil }
        return port == standard ? String(host) : "\(host):\(port)"
    }

    var origin: String { "\(isSecure ? "https" : "http")://\(authority)" }
    var text: String { origin + path }

    var isLoopback: Bool {
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        return Listening.isLoopback(String(host))
    }
}

/// The names by which people reach the server, and what follows from them.
struct Hosts: Sendable {
    private let origins: Set<String>
    private let authorities: Set<String>
    /// Those that nobody reaches but by https.
    private let secure: Set<String>
    private let name: String
    /// What stands before every path.
    private let prefix: String

    /// Addresses of this machine that nobody else's page can be at.
    private static let loopback = ["127.0.0.1", "localhost", "[::1]"]

    /// `port` is nil where a socket is listened on.
    init(urls: [WebAddress], _ listening: Listening, port: Int?) {
        prefix = urls.first?.path ?? ""
        var plain = Set(urls.lazy.filter { !$0.isSecure }.map(\.authority))
        var own = Self.loopback
        if case .port(let host, _) = listening, Listening.isLoopback(host), !host.contains(":") { own.append(host) }
        for host in own {
            plain.insert(port == 80 || port == nil ? host : "\(host):\(port ?? 0)")
        }
        let https = Set(urls.lazy.filter(\.isSecure).map(\.authority))
        secure = https.subtracting(plain)
        authorities = plain.union(https)
        origins = Set(plain.map { "http://\($0)" }).union(https.map { "https://\($0)" })
        // Cookies know no ports: servers beside each other must not take each other's.
        name = port.map { "settings-\($0)" } ?? "settings" + prefix.replacing("/", with: "-")
    }

    func allow(_ authority: String?) -> Bool { authority.map { authorities.contains($0.lowercased()) } ?? false }
    func isOrigin(_ origin: String) -> Bool { origins.contains(origin.lowercased()) }

    private func isSecure(_ authority: String?) -> Bool { authority.map { secure.contains($0.lowercased()) } ?? false }

    /// Whether a browser forgets pages where it is told to: it does so for names that it trusts.
    func clears(at authority: String?) -> Bool {
        isSecure(authority) || authority.flatMap { WebAddress("http://\($0)") }?.isLoopback ?? false
    }

    /// What the cookie of a session is called at this name of the server.
    func cookieName(at authority: String?) -> String { isSecure(authority) ? "__Host-\(name)" : name }

    /// `Set-Cookie`. A name with `__Host-` stands for a cookie that no other server can set, and asks for the path `/`.
    func cookie(_ value: String, for seconds: Int64, at authority: String?) -> String {
        let isSecure = isSecure(authority)
        let path = isSecure ? "/" : prefix + "/"
        return "\(cookieName(at: authority))=\(value); Path=\(path); Max-Age=\(seconds); HttpOnly; SameSite=Lax"
            + (isSecure ? "; Secure" : "")
    }
}
