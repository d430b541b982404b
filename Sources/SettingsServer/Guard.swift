import Hummingbird
import HTTPTypes
import NIOCore

/// What a request carries on its way.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Nil until somebody has signed in.
    var visitor: Who.Visitor?

    private let channel: any Channel

    /// From where it comes.
    var peer: SocketAddress? { channel.remoteAddress }

    init(source: Source) {
        coreContext = .init(source: source)
        channel = source.channel
    }

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
        var response: Response
        switch verdict(on: request, context) {
        case .refused(let refusal): response = refusal
        case .signedOut(let path, let audience): response = try await signedOut(request, path, audience)
        case .admitted(let visitor, let isKept):
            var context = context
            context.visitor = visitor
            response = try await Who.Visitor.$current.withValue(visitor) { try await next(request, context) }
            if isKept { response = kept(response, request) }
        }
        response.headers.append(contentsOf: Self.headers)
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        // Whatever was answered, refusals among it: the bytes of a body would be taken for the next answer's.
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// What becomes of a request.
    private enum Verdict {
        case refused(Response)
        case signedOut(path: String, Audience)
        /// `isKept`: a browser may keep the answer.
        case admitted(Who.Visitor?, isKept: Bool)
    }

    private func verdict(on request: Request, _ context: WebContext) -> Verdict {
        let hosts = served.hosts
        let path = site.path(request.uri.path)
        let audience = Audience(path ?? "/")
        let isReading = request.method == .get || request.method == .head
        // Load balancers ask by address and know no token. It says nothing of what is in the store.
        if path == "/health", isReading { return .admitted(nil, isKept: false) }
        guard hosts.allow(request.head.authority) else {
            let words =
                "The server is not configured for this host name. The administrator of the server can add the name with --url."
            return .refused(audience.refusal(.misdirectedRequest, "Unknown host name", words, site))
        }
        guard let path else { return .refused(.leading(to: site.address("/"))) }
        let visitor: Who.Visitor?
        do throws(Who.Refusal) {
            visitor = try who.visitor(
                request.headers, from: context.peer,
                session: request.cookies[hosts.cookieName(at: request.head.authority)]?.value)
        } catch { return .refused(refuse(error, audience)) }
        // Asking for flags changes nothing, although it is sent as a form is.
        let isAsking = isReading || audience == .flags
        if !isAsking, visitor?.isProgram != true, !isFromOurPage(request, hosts) {
            let words = "The request came from another site, or from a browser that does not send an Origin header."
            return .refused(audience.refusal(.forbidden, "Not allowed", words, site))
        }
        guard visitor != nil || Self.open.contains(path) else { return .signedOut(path: path, audience) }
        if !isAsking, path != "/login", path != "/logout", visitor?.mayWrite != true {
            return .refused(audience.refusal(.forbidden, "Not allowed", ReviewHTML.mayOnlyRead, site))
        }
        return .admitted(visitor, isKept: visitor != nil && audience == .people)
    }

    /// A browser keeps a page so that one can go back to it, and to what was typed there, until its person signs out.
    private func kept(_ answer: Response, _ request: Request) -> Response {
        if answer.headers[.cacheControl] != nil { return answer }
        var answer = answer
        answer.headers[.cacheControl] = "private, no-cache"
        // There, signing out can't tell the browser to forget; but to somebody else it gives nothing of it.
        if !served.hosts.clears(at: request.head.authority) { answer.headers[.vary] = "Cookie" }
        return answer
    }

    private func refuse(_ refusal: Who.Refusal, _ audience: Audience) -> Response {
        switch refusal {
        case .unknown:
            unauthorized("Not signed in", "The token is not valid. Create one with 'settings serve user add'.", audience)
        case .unnamed(let words): audience.refusal(.unauthorized, "Not signed in", words, site)
        case .malformed(let words): audience.refusal(.badRequest, "Not signed in", words, site)
        case .stranger(let words): audience.refusal(.forbidden, "Not allowed", words, site)
        }
    }

    private func unauthorized(_ title: String, _ words: String, _ audience: Audience) -> Response {
        var response = audience.refusal(.unauthorized, title, words, site)
        response.headers[.wwwAuthenticate] = "Bearer"
        return response
    }

    private func signedOut(_ request: Request, _ path: String, _ audience: Audience) async throws -> Response {
        if audience != .people {
            return unauthorized("Signed out", "Send a token: Authorization: Bearer TOKEN.", audience)
        }
        if request.method == .post { return try await keeping(request, path) }
        if request.method != .get && request.method != .head || path == "/events" {
            return .page(.unauthorized, Plain(site, "Signed out").html("Sign in first."))
        }
        let query = request.uri.query.map { "?\($0)" } ?? ""
        return .leading(to: site.address("/login?next=\((path + query).inAddress)"))
    }

    /// A form of somebody who is no longer signed in: the page to sign in hands on what was typed.
    private func keeping(_ request: Request, _ path: String) async throws -> Response {
        var request = request
        let login = Login(site: site, who: who, served: served)
        guard let body = try? await request.collectBody(upTo: 1 << 20), let form = try? Form(body.readableBytesView),
            let action = form.review(of: path)
        else { return login.page(.unauthorized, next: "/", "You are signed out. Nothing was recorded.") }
        return login.page(
            .unauthorized, next: action, "You are signed out. Nothing has been recorded yet.", kept: form.kept(await site.shown())
        )
    }

    /// Browsers say from where a form comes. Those that leave `Sec-Fetch-Site` out, as they do for names without https, have `Origin`.
    private func isFromOurPage(_ request: Request, _ hosts: Hosts) -> Bool {
        if let site = request.headers[named: "Sec-Fetch-Site"] { return site == "same-origin" }
        return request.headers[.origin].map(hosts.isOrigin) ?? false
    }

    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'self'; "
        + "base-uri 'none'; frame-ancestors 'none'"

    /// Nothing else sets these.
    private static let headers: HTTPFields = {
        var fields = HTTPFields()
        for (name, value) in [
            ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ] { fields.set(name, value) }
        return fields
    }()
}

extension HTTPFields {
    /// Fields that the library has no names for.
    subscript(named name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }

    mutating func set(_ name: String, _ value: String) {
        if let name = HTTPField.Name(name) { self[name] = value }
    }
}
