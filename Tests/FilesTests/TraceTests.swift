import Base
import Testing

@testable import Files

struct TraceTests {
    @Test(arguments: [
        ("https://ada:pass@word@example.org/hub.git", "ada:pass@word@"), ("ssh://ada@host", "ada@"),
        ("https://ada:pa/ss@host:8443/a", "ada:pa/ss@"), ("https://ada:/s@[::1]/a", "ada:/s@"), ("foo::http://t@h/x@2", "t@"),
        ("https://u%40x:p%2Fw@h", "u%40x:p%2Fw@"), ("https://ada:p?a#s@h/x", "ada:p?a#s@"), ("https://host:8443/a@2", nil),
        ("https://host/a@2", nil), ("https://[::1]/a@2", nil), ("https://[::1]:80/a@2", nil), ("ada@host:hub", nil), ("", nil),
        ("https://h:1/?u=https://ada:pw@h/", "ada:pw@"), ("file:///srv/a:b@c/hub", nil),
        // Typed wrong, but with a password.
        ("https:/ada:pw@h/x", "ada:pw@"), ("https//ada:pw@h/x", "ada:pw@"), ("//ada:pw@h/x", "ada:pw@"),
        ("ada:pw@h:x.git", "ada:pw@"), ("/srv//a@b/c", nil), ("host:a@b", nil), ("git@host:a@b:c", nil), ("/", nil), ("a:/", nil),
    ])
    func whoLogsInIsBeforeTheLastSign(_ address: String, _ login: String?) {
        #expect(Login.range(in: address).map { String(address[$0]) } == login)
    }

    @Test(arguments: [
        ("there is no remote 'https://ada:pw@h/x.git'", "there is no remote 'https://h/x.git'"),
        ("cannot write /srv/https:/ada:pw@h/x: no folder", "cannot write /srv/https:/h/x: no folder"),
        ("ssh://ada:pw@h/x,https://b@h/y  z\n", "ssh://ada@h/x,https://h/y  z\n"), ("'ada:pw@h:x' is none", "'ada@h:x' is none"),
        ("Ada <ada@example.org>: https://h/x, HTTP://a:b@h", "Ada <ada@example.org>: https://h/x, HTTP://h"), (" @ ", " @ "),
    ])
    func textsLoseWhoLogsIn(_ text: String, _ hidden: String) {
        #expect(Login.hidden(in: text) == hidden)
        #expect(Login.hidden(in: hidden) == hidden)
    }

    @Test func addressesLoseWhoLogsIn() {
        let words = [
            "git", "fetch", "https://ada:pass@word@example.org/hub.git", "-c", "a.url=ssh://ada@host/x", "two words", "",
        ]
        #expect(
            Trace.shown(words) == "git fetch https://…@example.org/hub.git -c a.url=ssh://…@host/x 'two words' ''")
    }

    private enum Request { case set(String, to: Int), undo }
    private struct Query { var key = "secret" }

    @Test func namesHoldNoValues() {
        #expect(Trace.name(of: Request.set("key", to: 1)) == "Request.set")
        #expect(Trace.name(of: Request.undo) == "Request.undo")
        #expect(Trace.name(of: Query()) == "Query")
    }
}
