import HTTPTypes
import Hummingbird

/// Signing in and out.
struct Login: Sendable {
    let site: Site
    let who: Who
    let served: Served

    func page(next: String?, isWrong: Bool = false) -> Response {
        // Whoever comes from the proxy is signed in.
        if case .proxy = who.mode { return .leading(to: site.address("/")) }
        var frame = Frame(site, "Sign in")
        frame.isSignedIn = false
        let html = frame.html { html in
            if isWrong { html.faults([("token", "The token is not valid")]) }
            html.tag("form", ["method": "post", "action": site.address("/login"), "id": "login"]) { html in
                html.hidden("next", next ?? "/")
                html.tag("section", ["class": "card"]) { html in
                    html.tag("div", ["class": "row"]) { html in
                        html.tag("label", ["for": "token", "class": "name"], "Token")
                        html.tag(
                            "input", ["type": "password", "id": "token", "name": "token", "autocomplete": "off", "required": ""])
                    }
                }
                html.tag("div", ["class": "review shown"]) { $0.tag("button", [:], "Sign in") }
            }
            html.tag("p", ["class": "note"], note)
        }
        return .page(isWrong ? .unauthorized : .ok, html)
    }

    private var note: String {
        if case .users = who.mode { return "The administrator of this page gives you a token." }
        return "The token is the end of the address that the server printed when it started."
    }

    func signIn(_ form: Form, at authority: String?) -> Response {
        guard let token = form["token"], let session = who.session(for: token.trimmingSpaces) else {
            return page(next: form["next"], isWrong: true)
        }
        let next = form["next"].flatMap { Site.isLocal($0) ? $0 : nil } ?? "/"
        var response = Response.leading(to: site.address(next))
        response.headers[.setCookie] = served.hosts.cookie(session, for: Sessions.stay, at: authority)
        return response
    }

    func signOut(at authority: String?) -> Response {
        var response = Response.leading(to: site.address("/login"))
        response.headers[.setCookie] = served.hosts.cookie("", for: 0, at: authority)
        return response
    }
}
