import Testing

@testable import Files

struct TraceTests {
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
