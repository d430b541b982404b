import HTTPTypes
import Hummingbird

/// Signing in and out.
struct Login: Sendable {
    let site: Site
    let who: Who
    let served: Served

    /// `kept`: the fields of a form that was sent by somebody who is signed out. They go on to `next`.
    func page(
        _ status: HTTPResponse.Status = .ok, next: String?, _ words: String? = nil, isWrong: Bool = false,
        kept: [(name: String, value: String)] = []
    ) -> Response {
        // Whoever comes from the proxy is signed in.
        if case .proxy = who.mode { return .leading(to: site.address("/")) }
        var frame = Frame(site, "Sign in")
        frame.isSignedIn = false
        let html = frame.html { html in
            if let words { html.tag("p", ["role": "alert"], words) }
            if !kept.isEmpty {
                let words = "Your input is kept until you have signed in, except for masked values, which you have to type again."
                html.tag("p", [:], words)
            }
            if isWrong { html.faults([("token", "The token is not valid")]) }
            html.tag("form", ["method": "post", "action": site.address("/login"), "id": "login"]) { html in
                html.hidden("next", next ?? "/")
                for (name, value) in kept { html.hidden(Form.handedOn + name, value) }
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
        return .page(status, html)
    }

    private var note: String {
        if case .users = who.mode { return "Ask the administrator of this page for a token." }
        return "The token is the last part of the address that the server printed when it started."
    }

    func signIn(_ form: Form, at authority: String?) -> Response {
        let kept = form.handedOn
        guard let token = form["token"], let session = who.session(for: token.trimmingSpaces) else {
            return page(.unauthorized, next: form["next"], isWrong: true, kept: kept)
        }
        let next = site.address(form["next"].flatMap { Site.isLocal($0) ? $0 : nil } ?? "/")
        var response = Response.leading(to: next)
        if !kept.isEmpty {
            let words = "Your input is kept. Nothing has been recorded yet."
            let page = KeptHTML(site: site, title: "Signed in", words: words, action: next, fields: kept, button: "Continue")
            response = .page(.ok, page.html())
        }
        response.headers[.setCookie] = served.hosts.cookie(session, for: Sessions.stay, at: authority)
        return response
    }

    func signOut(_ visitor: Who.Visitor?, at authority: String?) -> Response {
        who.signOut(visitor)
        var response = Response.leading(to: site.address("/login"))
        response.headers[.setCookie] = served.hosts.cookie("", for: 0, at: authority)
        response.headers.set("Clear-Site-Data", "\"cache\"")
        return response
    }
}
