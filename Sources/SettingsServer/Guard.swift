import Hummingbird
import HTTPTypes

/// What a request carries on its way.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Nil until somebody has signed in.
    var visitor: Who.Visitor?

    init(source: Source) { coreContext = .init(source: source) }

    /// A form of a megabyte.
    var maxUploadSize: Int { 1 << 20 }
}

/// Which requests are answered at all: to a host that is ours, from a page that is ours, by somebody who is signed in.
struct Guard: RouterMiddleware {
    typealias Context = WebContext

    let site: Site
    let who: Who
    let served: Served

    /// What anybody may see.
    private static let open: Set<String> = ["/login", "/page.css", "/page.js"]

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var response = try await answer(request, context, next)
        for (name, value) in Self.headers { response.headers.set(name, value) }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }

    private func answer(
        _ request: Request, _ context: WebContext, _ next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        guard served.hosts.allow(request.head.authority) else {
            return Response.page(
                .misdirectedRequest, Plain(site, "Not this server").html("This server doesn't go by the name in the address."))
        }
        if request.method != .get, request.method != .head, !isFromOurPage(request) {
            let words = "The form was sent from another site, or by a browser that doesn't say from where."
            return Response.page(.forbidden, Plain(site, "Not allowed").html(words))
        }
        var context = context
        context.visitor = request.cookies[served.hosts.cookie].flatMap { who.visitor(session: $0.value) }
        let path = String(request.uri.path.dropFirst(site.prefix.count))
        guard context.visitor != nil || Self.open.contains(path) else {
            if request.method == .get, path != "/events" {
                return Response.leading(to: site.address("/login?next=\(path.inAddress)"))
            }
            return Response.page(
                .unauthorized, Plain(site, "Signed out").html("Sign in first; what was typed is still in the form."))
        }
        if request.method == .post, path != "/login", path != "/logout", context.visitor?.mayWrite != true {
            return Response.page(.forbidden, Plain(site, "Not allowed").html("This page is for reading only."))
        }
        return try await next(request, context)
    }

    /// Browsers say from where a form comes. Those that leave `Sec-Fetch-Site` out, as they do for names without https, have `Origin`.
    private func isFromOurPage(_ request: Request) -> Bool {
        if let site = request.headers[named: "Sec-Fetch-Site"] { return site == "same-origin" }
        return request.headers[.origin].map(served.hosts.isOrigin) ?? false
    }

    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'self'; "
        + "base-uri 'none'; frame-ancestors 'none'"

    private static let headers = [
        ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]
}

extension HTTPFields {
    /// Fields that the library has no names for.
    subscript(named name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }

    mutating func set(_ name: String, _ value: String) {
        if let name = HTTPField.Name(name) { self[name] = value }
    }
}

/// The names by which people reach the server, and what follows from them.
struct Hosts: Sendable {
    /// `http://127.0.0.1:8080`, of `--url` and of the address that is listened on.
    private let origins: Set<String>
    private let authorities: Set<String>
    /// The name of the cookie.
    let cookie: String

    /// Addresses of this machine that nobody else's page can be at.
    private static let loopback = ["127.0.0.1", "localhost", "[::1]"]

    init(urls: [String], port: Int) {
        var origins = Set(urls)
        origins.formUnion(Self.loopback.map { "http://\($0):\(port)" })
        if port == 80 { origins.formUnion(Self.loopback.map { "http://\($0)" }) }
        self.origins = origins
        authorities = Set(origins.compactMap { $0.split(separator: "/").last.map { $0.lowercased() } })
        cookie = "settings-\(port)"
    }

    func allow(_ authority: String?) -> Bool { authority.map { authorities.contains($0.lowercased()) } ?? false }
    func isOrigin(_ origin: String) -> Bool { origins.contains(origin.lowercased()) }
}
