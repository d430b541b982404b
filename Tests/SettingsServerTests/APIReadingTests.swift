import Foundation
import Surroundings
import Testing

/// What programs read, and the tags by which they need not read it again.
struct APIReadingTests {
    private static let script = """
        settings add -q general.language --title Language --choice en=English fr=French de=German
        settings add -q sound.volume --title Volume --number 40 --range 0..100:5
        settings set -q general.language French -m 'Paris opens.' --ticket T-1
        git tag v1
        settings set -q sound.volume 60 -m 'Too quiet.'
        """

    /// The documents are those of the command line: a program that reads one reads the other.
    @Test func documentsAreThoseOfTheCommandLine() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        let rows = try #require(try server.curl("/api/v1/options").json["options"] as? [[String: Any]])
        let listed = try JSONSerialization.jsonObject(with: Data(server.sh("settings list --json").utf8)) as? [String: Any]
        var plain = rows
        for place in plain.indices { plain[place]["chosenBy"] = nil }
        #expect(plain as NSArray == listed?["options"] as? NSArray)
        let chosen = try #require(rows.first?["chosenBy"] as? [String: Any])
        #expect(chosen["why"] as? String == "Paris opens." && chosen["tickets"] as? [String] == ["T-1"])
        for (path, command) in [
            ("/versions", "history --json"), ("/versions?key=general.language&limit=1", "history general.language -n 1 --json"),
            ("/versions?became=60", "history --became 60 --json"),
            ("/versions?since=2001-01-01&until=2100-01-01", "history --json"),
            ("/diff?from=v1", "diff v1..HEAD --json"),
            ("/diff?from=v1&to=HEAD&key=general", "diff general --from v1 --to HEAD --json"),
            ("/versions/v1", "show v1 --json"),
        ] {
            let answer = try server.curl("/api/v1" + path)
            #expect(answer.status == 200 && answer.field("Content-Type") == "application/json", "\(path): \(answer.body)")
            var expected = try JSONSerialization.jsonObject(with: Data(server.sh("settings \(command)").utf8)) as? [String: Any]
            // Only the command line checks signatures.
            if var version = expected?["version"] as? [String: Any] {
                version["signature"] = nil
                expected?["version"] = version
            }
            #expect(answer.json as NSDictionary == expected as NSDictionary?, "\(path): \(answer.body)")
        }
        let option = try server.curl("/api/v1/options/general.language").json
        let shown =
            try JSONSerialization.jsonObject(with: Data(server.sh("settings show general.language --json").utf8))
            as? [String: Any]
        #expect(option["chosen"] as? NSDictionary == shown?["chosen"] as? NSDictionary)
        let old = try server.curl("/api/v1/options/sound.volume?at=v1").json["option"] as? [String: Any]
        #expect(old?["value"] as? Int == 40)
        let group = try server.curl("/api/v1/options?group=sound&at=v1").json["options"] as? [[String: Any]]
        #expect(group?.map { $0["key"] as? String } == ["sound.volume"])
    }

    /// A tag holds as long as the very answer does: of an option, whatever becomes of others.
    @Test func tagsSayWhatIsKnown() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        let paths = [
            "/options", "/options/general.language", "/versions", "/versions/v1", "/diff?from=v1", "/options?group=general",
        ]
        var tags: [String: String] = [:]
        for path in paths {
            let answer = try server.curl("/api/v1" + path)
            let tag = try #require(answer.field("ETag"))
            #expect(answer.field("Cache-Control") == "no-cache")
            tags[path] = tag
            for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                let again = try server.curl("/api/v1" + path, ["-H", "If-None-Match: \(known)"])
                #expect(again.status == 304 && again.body.isEmpty && again.field("ETag") == tag, "\(path) \(known)")
            }
            #expect(try server.curl("/api/v1" + path, ["-H", "If-None-Match: \"x\""]).status == 200)
        }
        try server.sh("settings set -q sound.volume 80")
        for path in paths {
            let isSame = ["/options/general.language", "/versions/v1", "/options?group=general"].contains(path)
            let answer = try server.curl("/api/v1" + path, ["-H", "If-None-Match: \(try #require(tags[path]))"])
            #expect(answer.status == (isSame ? 304 : 200), "\(path)")
        }
    }

    @Test func theHistoryLeadsOnPageByPage() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        var (path, ids): (String?, [String]) = ("/api/v1/versions?limit=2&author=Ada", [])
        while let next = path {
            let answer = try server.curl(next)
            ids += (answer.json["versions"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
            path = answer.field("Link")?.firstMatch(of: /<(.+)>; rel="next"/).map { String($0.1) }
            #expect(path?.contains("author=Ada") != false && ids.count < 10)
        }
        let all = try server.sh("git rev-list HEAD").split(separator: "\n").map(String.init)
        #expect(ids == all)
    }

    @Test func whatIsWrongIsSaidAsAProblem() throws {
        let server = try RunningServer(Self.script)
        try server.sh("settings rename -q sound.volume sound.loudness")
        try server.start()
        for (path, status, exit, words, nearest) in [
            ("/options/general.langage", 404, 66, "There is no option 'general.langage'", ["general.language"]),
            ("/options/sound.volume", 404, 66, "renamed it to sound.loudness", ["sound.loudness"]),
            ("/options/a..b", 400, 64, "a part of the key is empty", nil), ("/options/%FF", 400, 64, "Invalid key", nil),
            ("/options?group=genral", 404, 66, "There is no option or group 'genral'", ["general"]),
            ("/options?at=nowhen", 404, 66, "'nowhen' is not a version or a time", nil),
            ("/options?grup=x&at=y&foo=", 400, 64, "Unknown parameter 'grup'", nil),
            ("/options?group=a&group=b", 400, 64, "repeats a parameter", nil),
            ("/versions/1234567", 404, 66, "is not a version", nil), ("/versions?limit=0", 400, 64, "from 1 to 1000", nil),
            ("/versions?key=nope", 404, 66, "'nope'", nil),
            ("/versions?before=\(String(repeating: "0", count: 40))", 404, 66, "is not a version", nil),
            ("/versions?since=soon", 404, 66, "'soon'", nil), ("/diff", 400, 64, "'from' is missing", nil),
            ("/nothing", 404, 66, "There is no", nil),
        ] as [(String, Int, Int, String, [String]?)] {
            let answer = try server.curl("/api/v1" + path)
            #expect(answer.status == status, "\(path): \(answer.body)")
            #expect(answer.field("Content-Type") == "application/problem+json", "\(path)")
            #expect(
                answer.json["status"] as? Int == status && answer.json["exitStatus"] as? Int == exit, "\(path): \(answer.body)")
            #expect((answer.json["detail"] as? String)?.contains(words) == true, "\(path): \(answer.body)")
            #expect(answer.json["nearest"] as? [String] == nearest, "\(path): \(answer.body)")
        }
        let all = try server.curl("/api/v1/options?grup=x&at=y&foo=").json["problems"] as? [[String: Any]]
        #expect(all?.count == 2)
        for method in ["PUT", "DELETE", "PATCH", "POST", "OPTIONS"] {
            let answer = try server.curl("/api/v1/options", ["-X", method])
            #expect(answer.status == 405 && answer.field("Allow") == "GET, HEAD", "\(method)")
        }
    }

    /// HEAD: what GET answers, its fields with the length among them, and not a byte of its body (RFC 9110, section 9.3.2).
    @Test func headsAreThoseOfGet() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        func fields(_ answer: RunningServer.Answer) -> [Substring] {
            answer.head.split(separator: "\n").filter { !$0.lowercased().hasPrefix("date:") }
        }
        let pages = ["/", "/g/sound", "/o/sound.volume", "/search?q=vol", "/history", "/v/v1", "/compare?from=v1", "/conflicts"]
        let programs = [
            "/health", "/api/v1/options", "/api/v1/options/sound.volume", "/api/v1/versions", "/api/v1/versions/v1",
            "/api/v1/diff?from=v1",
        ]
        let refused = ["/api/v1/options/nope", "/api/v1/diff", "/api/v1/nothing", "/nothing", "/o/nope", "/done", "/v/nope"]
        for path in pages + programs + refused + ["/login", "/page.css", "/page.js"] {
            let (get, head) = (try server.curl(path), try server.curl(path, ["-I"]))
            #expect(fields(head) == fields(get) && head.body.isEmpty, "\(path)\n\(head.head)\n\(get.head)")
            #expect(head.field("Content-Length") == "\(get.body.utf8.count)" && !get.body.isEmpty, "\(path)")
        }
        // Whoever is not signed in, and what was read already.
        for path in ["/", "/api/v1/options"] {
            let (get, head) = (try server.curl(path, isSignedIn: false), try server.curl(path, isSignedIn: false, ["-I"]))
            #expect(fields(head) == fields(get) && head.status != 200)
        }
        let tag = try #require(try server.curl("/api/v1/options", ["-I"]).field("ETag"))
        #expect(try server.curl("/api/v1/options", ["-I", "-H", "If-None-Match: \(tag)"]).status == 304)
        // Those who only post, and streams, have none; a connection goes on with the next answer.
        let keeps = try server.run(
            ["curl", "-sS", "-m", "10", "-w", "%{http_code} %{num_connects}\n", "-H", "Authorization: Bearer \(server.token)"]
                + [
                    "/api/v1/done", "/ofrep/v1/evaluate/flags", "/events", "/api/v1/events", "/ofrep/v1/stream", "/nothing",
                    "/health",
                ].flatMap { ["-o", "/dev/null", "-I", server.base + $0] })
        #expect(keeps.output == "405 1\n405 0\n405 0\n405 0\n405 0\n404 0\n200 0\n" && keeps.errors.isEmpty, "\(keeps)")
    }

    /// Nothing is known where nothing was recorded, and the server says so to whoever looks after it.
    @Test func theHealthOfAStore() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        #expect(try server.curl("/health", isSignedIn: false).json["status"] as? String == "ok")
        // Load balancers ask by address, by no name at all, with what they were given for other servers.
        for host in ["Host: 10.1.2.3:8080", "Host:", "Host: _", "Authorization: Bearer x"] {
            let answer = try server.curl("/health", isSignedIn: false, ["-H", host])
            #expect(answer.status == 200, "\(host): \(answer)")
            #expect(answer.body == "{\"format_version\":\"1.0\",\"status\":\"ok\"}\n", "\(host): \(answer)")
            #expect(try server.curl("/health", isSignedIn: false, ["-I", "-H", host]).status == 200)
            #expect(try server.curl("/health", isSignedIn: false, ["-H", host, "-d", ""]).status != 200)
            #expect(try server.curl("/", isSignedIn: false, ["-H", host]).status != 200)
        }
        #expect(try server.curl("/health", isSignedIn: false, ["--http1.0", "-H", "Host:"]).status == 200)
        let empty = try RunningServer()
        try empty.sh("rm -rf .git && git init -q")
        try empty.start()
        let answer = try empty.curl("/health", isSignedIn: false)
        #expect(answer.status == 503 && answer.json["detail"] as? String == "The store has no version yet.")
        #expect(answer.field("Retry-After") == "1")
        let options = try empty.curl("/api/v1/options").json["options"] as? [Any]
        let flags = try empty.send("/ofrep/v1/evaluate/flags", "{}").json["flags"] as? [Any]
        #expect(options?.isEmpty == true && flags?.isEmpty == true)
        #expect(try empty.curl("/api/v1/versions").status < 500)
    }

    /// What can't be read any more keeps its last value, and is named.
    @Test func unreadableFilesAreNamed() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        try server.sh("echo '{' >sound/volume.json && git commit -qam 'By hand'")
        var answer = try server.curl("/api/v1/options")
        for _ in 0..<50 where answer.json["unreadable"] == nil {
            Thread.sleep(forTimeInterval: 0.1)
            answer = try server.curl("/api/v1/options")
        }
        let files = try #require(answer.json["unreadable"] as? [[String: Any]])
        #expect(files.map { $0["path"] as? String } == ["sound/volume.json"])
        #expect(answer.body.contains("\"key\":\"sound.volume\""))
        let flag = try server.send("/ofrep/v1/evaluate/flags/sound.volume", "{}")
        #expect(flag.status == 400 && flag.json["errorCode"] as? String == "PARSE_ERROR")
        #expect((flag.json["errorDetails"] as? String)?.contains("sound/volume.json") == true)
        #expect(try server.send("/ofrep/v1/evaluate/flags", "{}").body.contains(flag.body))
    }
}
