import Foundation
import Surroundings
import Testing

@testable import SettingsServer

/// What is masked, or was once what is masked now, is in no answer.
struct MaskedTests {
    /// An option that was masked only later and has another name since; both sides of a conflict of it. Two that were removed then.
    private static let script = """
        settings setup >/dev/null 2>&1
        settings add -q net.key --title Key --text S3CRET-first
        settings set -q net.key S3CRET-second -m 'The key of the lab.'
        settings add -q net.plain --title Plain --text hello
        settings rename -q net.key net.token
        settings define -q net.token --masked
        settings set -q net.token S3CRET-third
        git checkout -q -b phone
        settings set -q net.token S3CRET-theirs
        git checkout -q main
        settings set -q net.token S3CRET-ours -m 'The old one was read by others.'
        settings merge -q phone --keep
        settings add -q net.pin --title Pin --text S3CRET-pin
        settings define -q net.pin --masked
        settings rename -q net.pin net.code
        settings remove -q net.code
        settings add -q net.reused --title Reused --text S3CRET-reused
        settings define -q net.reused --masked
        settings remove -q net.reused
        settings add -q net.reused --title Reused --switch
        """

    @Test func noAnswerHoldsASecret() throws {
        let server = try RunningServer(Self.script)
        #expect(try server.run(["settings", "conflicts"]).output.contains("net.token"))
        #expect(try server.sh("git log -p").contains("S3CRET-first"))
        try server.start()
        var answers = 0
        func check(_ answer: RunningServer.Answer, _ what: String) {
            answers += 1
            #expect(!answer.body.contains("S3CRET") && !answer.head.contains("S3CRET"), "\(what): \(answer.body)")
        }

        // Every page that a page leads to, and those that nothing leads to.
        let versions = try server.sh("git rev-list --all").split(separator: "\n").map(String.init)
        var open = [
            "/", "/conflicts", "/search?q=key", "/history?key=net.token", "/history?key=net.key", "/o/net.key", "/events",
            "/history?key=net.pin", "/history?key=net.code", "/history?key=net.reused",
        ]
        open += versions.flatMap { ["/v/\($0)", "/compare?from=\($0)"] }
        open += versions.map { "/compare?from=\(versions[versions.count - 1])&to=\($0)" }
        var seen = Set(open)
        while let path = open.popLast() {
            let answer = try server.curl(path, path == "/events" ? ["-m", "1"] : [])
            check(answer, path)
            for match in answer.body.matches(of: /(?:href|action)="(\/[^"#]*)"/) {
                let found = String(match.1).replacing("&amp;", with: "&")
                if seen.insert(found).inserted { open.append(found) }
            }
        }
        #expect(seen.count > 40)

        // Every form.
        let version = try server.head
        for id in versions {
            check(try server.post("/revert", ["of": id]), "revert \(id)")
            check(try server.post("/restore", ["of": id]), "restore \(id)")
        }
        let masked = try server.post("/review", ["version": version, "option:net.token": "x"])
        #expect(masked.status == 400)
        check(masked, "review")
        for path in ["/review", "/edit", "/done"] {
            check(try server.post(path, ["version": version, "option:net.plain": "x", "why": ""]), path)
        }
        // A form that shows what was recorded before it was masked.
        for id in versions where id != version {
            check(try server.post("/edit", ["version": id, "option:net.plain": "x", "back": "/g/net"]), "edit at \(id)")
        }
        let side = "conflict:net/token.json:value"
        for path in ["/conflicts", "/conflicts/edit", "/done"] {
            check(try server.post(path, ["version": version, "act": "settle", side: "theirs"]), path)
        }
        // Somebody else sets it meanwhile: both sides of what was changed twice.
        try server.sh("settings set -q net.token S3CRET-other")
        check(try server.post("/done", ["version": version, "masked:net.token": "S3CRET-mine", "why": "x"]), "done")
        check(try server.post("/undo", ["version": try server.head]), "undo")
        check(try server.curl("/"), "/")
        #expect(answers > 60)
        #expect(!server.errors.contains("S3CRET"))
    }

    /// The same of programs: whatever they read, try, record or follow.
    @Test func noAnswerToAProgramHoldsASecret() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        var answers = 0
        func check(_ answer: RunningServer.Answer, _ what: String, _ statuses: Set<Int>) {
            answers += 1
            #expect(!answer.body.contains("S3CRET") && !answer.head.contains("S3CRET"), "\(what): \(answer.body)")
            #expect(statuses.contains(answer.status), "\(what): \(answer.status) \(answer.body)")
        }
        let versions = try server.sh("git rev-list --all").split(separator: "\n").map(String.init)
        let root = try #require(versions.last)
        let keys = ["net.key", "net.token", "net.plain", "net.pin", "net.code", "net.reused"]
        var paths = ["/options", "/versions?limit=1000", "/versions?q=S3CRET", "/versions?became=S3CRET-second"]
        paths += keys.flatMap { ["/options/\($0)", "/versions?key=\($0)"] }
        for id in versions {
            paths += ["/versions/\(id)", "/diff?from=\(id)", "/diff?from=\(root)&to=\(id)", "/options?at=\(id)"]
            paths += keys.map { "/options/\($0)?at=\(id)" }
        }
        for path in paths { check(try server.curl("/api/v1" + path), path, [200, 404]) }
        check(try server.curl("/api/v1/events?since=\(root)", ["-m", "1"]), "events", [200])
        check(try server.send("/ofrep/v1/evaluate/flags", "{}"), "flags", [200])
        for key in keys { check(try server.send("/ofrep/v1/evaluate/flags/\(key)", "{}"), key, [200, 403, 404]) }
        let trial = ", \"dryRun\": true}"
        for id in versions {
            check(try server.send("/api/v1/revert", "{\"versions\": [\"\(id)\"]" + trial), "revert \(id)", [200, 400, 404, 409])
            for keys in ["[]", "[\"net.token\"]", "[\"net.plain\"]"] {
                let body = "{\"keys\": \(keys), \"from\": \"\(id)\""
                check(try server.send("/api/v1/restore", body + trial), "restore \(id)", [200, 404, 409, 422])
            }
        }
        for body in [
            #"{"set": {"net.token": "S4-mine"}, "if": {"net.token": "S3CRET-ours"}}"#, #"{"set": {"net.token": 3}}"#,
            #"{"set": {"net.token": {"label": "x"}}}"#, #"{"set": {"net.token": "S4"}, "ifVersion": "\#(root)"}"#,
            #"{"set": {"net.token": "S4"}, "why": "Another."}"#, #"{"unset": ["net.token"]}"#,
        ] { check(try server.send("/api/v1/done", body), body, [201, 412, 422]) }
        for body in ["{}", #"{"count": 2}"#] { check(try server.send("/api/v1/undo", body), "undo", [201, 200, 409]) }
        for id in versions.prefix(8) {
            check(try server.send("/api/v1/revert", "{\"versions\": [\"\(id)\"]}"), "revert \(id)", [200, 201, 404, 409])
        }
        check(
            try server.send("/api/v1/restore", #"{"keys": [], "from": "\#(versions[versions.count - 3])"}"#), "restore",
            [200, 201, 409])
        check(try server.curl("/api/v1/events?since=\(root)", ["-m", "1"]), "events", [200])
        #expect(answers > 150 && !server.errors.contains("S3CRET"))
    }

    /// Whether a word is found must not depend on what is masked, or one could guess it piece by piece.
    @Test func searchesDoNotFindSecrets() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        for path in ["/search?q=", "/history?q=", "/api/v1/versions?q=", "/api/v1/versions?became="] {
            let found = try server.curl(path + "S3CRET").body
            let nothing = try server.curl(path + "n0where").body
            #expect(found.replacing("S3CRET", with: "n0where") == nothing)
        }
    }

    /// Whoever is signed out gets what was typed back, but nothing that is masked.
    @Test func signingInHandsOnWhatIsNotMasked() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        let head = try server.head
        let form: [(String, String)] = [
            ("version", head), ("masked:net.token", "S3CRET-typed"), ("value:net.token", "S3CRET-other"),
            ("value:net.plain", "Hi <b>"),
            ("why", "For Paris"),
        ]
        let fields = form.flatMap { ["--data-urlencode", "\($0.0)=\($0.1)"] } + ["-H", "Sec-Fetch-Site: same-origin"]
        let signIn = try server.curl("/done", isSignedIn: false, fields)
        #expect(signIn.status == 401 && !signIn.body.contains("S3CRET"))
        #expect(signIn.body.contains("name=\"kept:value:net.plain\" value=\"Hi &lt;b&gt;\""))
        #expect(signIn.body.contains("name=\"kept:why\" value=\"For Paris\"") && signIn.body.contains("value=\"/review\""))
        let undo = try server.curl("/undo", isSignedIn: false, fields)
        #expect(undo.status == 401 && !undo.body.contains("kept:"))
        #expect(try server.head == head)
    }

    /// Nor does a refusal that no review can be made for.
    @Test func tryingAgainKeepsNothingMasked() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        let head = try server.head
        try server.sh("mv .git ../git.away")
        let answer = try server.post("/done", ["version": head, "masked:net.token": "S3CRET-typed", "why": "For Paris"])
        try server.sh("mv git.away store/.git", in: server.folder)
        #expect(answer.status >= 404 && !answer.body.contains("S3CRET"))
        #expect(answer.body.contains("For Paris"))
    }
}
