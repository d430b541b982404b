import Testing

@testable import Files

struct TraceTests {
    @Test(arguments: [
        ("https://ada:pass@word@example.org/hub.git", "ada:pass@word@"), ("ssh://ada@host", "ada@"),
        ("https://ada:pa/ss@host:8443/a", "ada:pa/ss@"), ("https://ada:/s@[::1]/a", "ada:/s@"), ("foo::http://t@h/x@2", "t@"),
        ("https://u%40x:p%2Fw@h", "u%40x:p%2Fw@"), ("https://ada:p?a#s@h/x", "ada:p?a#s@"), ("https://host:8443/a@2", nil),
        ("https://host/a@2", nil), ("https://[::1]/a@2", nil), ("https://[::1]:80/a@2", nil), ("ada@host:hub", nil), ("", nil),
    ])
    func whoLogsInIsBeforeTheLastSign(_ address: String, _ login: String?) {
        #expect(Login.range(in: address).map { String(address[$0]) } == login)
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
