import Foundation
import Seeds
import Surroundings
import Testing

/// What programs record, upon which conditions, and what each refusal says.
struct APIRecordingTests {
    private static let script = """
        settings add -q general.language --title Language --choice en=English fr=French de=German
        settings add -q sound.volume --title Volume --number 40 --range 0..100:5
        settings add -q general.greeting --title Greeting --text Welcome
        settings add -q general.fixed --title Fixed --text x --read-only
        settings add -q net.key --title Key --text S3CRET --masked
        settings add -q net.hosts --title Hosts --data '{"label":"a"}'
        """

    private func value(_ server: RunningServer, _ key: String) throws -> String {
        try server.sh("settings get \(key)").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test func aVersionIsRecordedAndNamed() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        let answer = try server.send(
            "/api/v1/done",
            """
            {"set": {"general.language": {"label": "German"}, "sound/volume": 60.0, "net.hosts": {"label": "b"}},
             "unset": ["general.greeting"], "why": "For Berlin.", "requestedBy": ["Marie Curie"], "tickets": ["T-1", "T-2"]}
            """)
        let head = try server.head
        #expect(answer.status == 201 && answer.field("Location") == "/api/v1/versions/\(head)", "\(answer.body)")
        #expect(answer.json["status"] as? String == "recorded")
        let version = try #require(answer.json["version"] as? [String: Any])
        #expect(
            version["id"] as? String == head && version["via"] as? String == "api" && version["why"] as? String == "For Berlin.")
        #expect(try value(server, "general.language sound.volume net.hosts") == "de\n60\n{\"label\":\"b\"}")
        #expect(try server.sh("settings get general.greeting || true") == "")
        let trailers = try server.sh(
            "git log -1 --format='%an %(trailers:key=Ticket,valueonly,separator=%x2C)%(trailers:key=Via)'")
        #expect(trailers.contains("Ada T-1,T-2Via: api"))
        // Whoever recorded it reads it.
        #expect(try server.curl("/api/v1/options/sound.volume").body.contains("\"value\":60"))
        #expect(try server.curl(try #require(answer.field("Location"))).json["version"] != nil)
        // The same once more, as after a lost answer.
        let again = try server.send("/api/v1/done", "{\"set\": {\"sound.volume\": 60}, \"why\": \"For Berlin.\"}")
        #expect(again.status == 200 && again.json["unchanged"] as? Bool == true)
        #expect(try server.head == head)
    }

    @Test func aTrialRecordsNothing() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        let head = try server.head
        let answer = try server.send("/api/v1/done", "{\"set\": {\"sound.volume\": 60}, \"dryRun\": true}")
        #expect(answer.status == 200 && answer.json["status"] as? String == "planned" && answer.body.contains("40 → 60"))
        #expect(try server.head == head)
        // Or one could guess what is masked without a trace.
        #expect(try server.send("/api/v1/done", "{\"set\": {\"net.key\": \"x\"}, \"dryRun\": true}").status == 422)
        #expect(try server.send("/api/v1/done", "{\"set\": {\"sound.volume\": 5}, \"if\": {\"net.key\": \"x\"}}").status == 422)
    }

    @Test func conditionsOnValues() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        for (condition, isSo) in [
            (#"{"sound.volume": 40}"#, true), (#"{"sound.volume": 40.0}"#, true), (#"{"sound.volume": 41}"#, false),
            (#"{"general.language": "en"}"#, true), (#"{"general.language": {"label": "English"}}"#, true),
            (#"{"general.language": {"label": "French"}}"#, false), (#"{"general.greeting": null}"#, false),
            (#"{"general.greeting": ""}"#, false), (#"{"general.greeting": "Welcome"}"#, true),
            (#"{"net.hosts": {"label": "a"}}"#, true), (#"{"sound.volume": 40, "general.language": "fr"}"#, false),
        ] {
            let head = try server.head
            let answer = try server.send("/api/v1/done", "{\"set\": {\"general.fixed2\": 1}, \"if\": \(condition)}")
            #expect(answer.status == 404)
            let done = try server.send(
                "/api/v1/done", "{\"set\": {\"net.key\": \"\(UUID())\"}, \"if\": \(condition)}")
            #expect(done.status == (isSo ? 201 : 409), "\(condition): \(done.body)")
            #expect(try (server.head != head) == isSo)
            if !isSo { #expect(done.json["exitStatus"] as? Int == 2 && done.body.contains("nothing was changed")) }
        }
    }

    @Test func conditionsThatDoNotHoldAreNamedByTheirKeys() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        for (condition, keys) in [
            (#"{"sound.volume": 41}"#, ["sound.volume"]),
            (#"{"sound.volume": 41, "general.language": "en", "general.greeting": null}"#, ["sound.volume", "general.greeting"]),
        ] {
            let answer = try server.send("/api/v1/done", "{\"set\": {\"sound.volume\": 60}, \"if\": \(condition)}")
            let problems = try #require(answer.json["problems"] as? [[String: Any]])
            #expect(answer.status == 409 && problems.map { $0["key"] as? String } == keys, "\(answer.body)")
            #expect(problems.allSatisfy { ($0["detail"] as? String)?.contains("not ") == true && $0["exitStatus"] as? Int == 2 })
        }
    }

    @Test func conditionsOnVersions() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        let first = try server.head
        try server.sh("settings set -q general.greeting Hello")
        let head = try server.head
        let set = "\"set\": {\"sound.volume\": 60}"
        for stale in [["{\(set), \"ifVersion\": \"\(first)\"}"], ["{\(set)}", "-H", "If-Match: \"\(first)\""]] {
            let answer = try server.send("/api/v1/done", stale[0], Array(stale.dropFirst()))
            #expect(answer.status == 412 && answer.json["exitStatus"] as? Int == 2, "\(answer.body)")
            #expect(answer.json["version"] as? String == head)
            let changes = try #require(answer.json["changes"] as? [[String: Any]])
            #expect(changes.map { $0["key"] as? String } == ["general.greeting"])
        }
        let unknown = try server.send("/api/v1/done", "{\(set), \"ifVersion\": \"\(String(repeating: "1", count: 40))\"}")
        #expect(unknown.status == 412 && unknown.body.contains("not in the history"))
        #expect(try server.head == head)
        #expect(try server.send("/api/v1/done", "{\(set), \"ifVersion\": \"\(head)\"}").status == 201)
    }

    /// Whoever writes back what was read would lose the secret.
    @Test func theDotsOfAMaskedTextAreNoValue() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        let answer = try server.send("/api/v1/done", "{\"set\": {\"net.key\": \"••••••\"}}")
        #expect(answer.status == 422 && answer.body.contains("is shown in place of masked text"), "\(answer.body)")
        #expect(try server.sh("settings set net.key '••••••' 2> /dev/null || settings get net.key").contains("S3CRET"))
    }

    /// By the tag of an option: whatever becomes of others.
    @Test func conditionsOnOptions() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        let tag = try #require(try server.curl("/api/v1/options/sound.volume").field("ETag"))
        let list = try #require(try server.curl("/api/v1/options").field("ETag"))
        try server.sh("settings set -q general.greeting Hello")
        let match = { (tag: String) in ["-H", "If-Match: \(tag)"] }
        #expect(try server.send("/api/v1/done", "{\"set\": {\"sound.volume\": 60}}", match(list)).status == 412)
        // A proxy that compresses makes the tag weak.
        #expect(try server.send("/api/v1/done", "{\"set\": {\"sound.volume\": 60}}", match("W/\(tag)")).status == 201)
        let stale = try server.send("/api/v1/done", "{\"set\": {\"sound.volume\": 80}}", match(tag))
        let head = try server.head
        #expect(stale.status == 412 && stale.json["version"] as? String == head)
        #expect(stale.json["options"] as? [String] == ["sound.volume"])
        #expect(
            stale.json["detail"] as? String
                == "If-Match does not match the current sound.volume. Nothing was recorded.", "\(stale.body)")
        #expect(try value(server, "sound.volume") == "60")
        let now = try #require(try server.curl("/api/v1/options").field("ETag"))
        #expect(try server.send("/api/v1/done", "{\"set\": {\"sound.volume\": 80}}", match(now)).status == 201)
    }

    @Test func versionsAreRevertedRestoredAndUndone() throws {
        let server = try RunningServer(Self.script)
        try server.sh("git tag before && settings set -q sound.volume=60 general.greeting=Hello -m 'Loud.'")
        try server.start()
        let loud = try server.head
        let reverted = try server.send(
            "/api/v1/revert", "{\"versions\": [\"\(loud)\"], \"only\": [\"sound\"], \"why\": \"Too loud.\"}")
        #expect(reverted.status == 201, "\(reverted.body)")
        #expect((reverted.json["version"] as? [String: Any])?["reverts"] as? [String] == [loud])
        #expect(try value(server, "sound.volume general.greeting") == "40\nHello")
        let again = try server.send("/api/v1/revert", "{\"versions\": [\"\(loud)\"], \"only\": [\"sound\"]}")
        #expect(again.status == 200 && again.json["unchanged"] as? Bool == true)
        #expect(try server.send("/api/v1/undo", "{\"ifVersion\": \"\(loud)\"}").status == 412)
        #expect(try server.send("/api/v1/undo", "{\"ifVersion\": \"\(try server.head)\"}").status == 201)
        #expect(try value(server, "sound.volume general.greeting") == "60\nHello")
        let restored = try server.send("/api/v1/restore", "{\"keys\": [], \"from\": \"before\"}")
        #expect(restored.status == 201, "\(restored.body)")
        #expect(try value(server, "sound.volume general.greeting") == "40\nWelcome")
        #expect(try server.send("/api/v1/restore", "{\"keys\": [\"sound.volume\"], \"from\": \"before\"}").status == 200)
        try server.sh("settings set -q sound.volume 80")
        try server.sh("settings set -q sound.volume 90")
        let conflict = try server.send("/api/v1/revert", "{\"versions\": [\"HEAD~1\"]}")
        #expect(conflict.status == 409 && conflict.json["exitStatus"] as? Int == 2, "\(conflict.body)")
        let rows = try #require(conflict.json["conflicts"] as? [[String: Any]])
        #expect(rows.map { $0["key"] as? String } == ["sound.volume"])
    }

    @Test func somebodyElsesVersionIsNotUndone() throws {
        let server = try RunningServer(Self.script)
        try server.sh("settings set -q sound.volume 60 --author 'Marie Curie <marie@example.org>'")
        try server.start()
        let answer = try server.send("/api/v1/undo", "{}")
        #expect(answer.status == 409 && answer.json["exitStatus"] as? Int == 1 && answer.body.contains("Marie Curie"))
    }

    @Test func whatIsWrongIsSaidAtOnce() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        let head = try server.head
        for (path, body, status, exit, words) in [
            ("done", "", 400, 64, ["The body is empty"]), ("done", "[]", 400, 64, ["is an array, but must be an object"]),
            ("done", "{\"set\": {\"a\" 1}}", 400, 64, ["not valid JSON: line 1, column 14"]),
            ("done", "{}", 400, 64, ["The request neither sets nor unsets"]),
            (
                "done", #"{"sett": {}, "why": 3, "tickets": ["a\nb"], "ifVersion": "x", "dryRun": 1, "set": []}"#, 400, 64,
                ["'sett': did you mean 'set'?", "'why' is a number", "'tickets'", "'ifVersion'", "'dryRun'", "'set' is an array"]
            ),
            ("done", #"{"set": {"a..b": 1, "sound.volume": 50}}"#, 400, 64, ["Invalid key 'a..b'"]),
            ("done", #"{"set": {"sound.volume": 50, "sound/volume": 55}}"#, 400, 64, ["sound.volume is set twice"]),
            ("done", #"{"set": {"sound.volume": 50}, "unset": ["sound.volume"]}"#, 400, 64, ["sound.volume is set twice"]),
            ("done", #"{"set": {"sound.volume": 50}, "author": "Eve <e@e>"}"#, 400, 64, ["Unknown member 'author'"]),
            (
                "done", #"{"set": {"sound.volum": 1, "general.language": "xx", "sound.volume": 61, "general.fixed": "y"}}"#, 404,
                66,
                ["'sound.volum'", "general.language: ", "61 is not a step of 5", "general.fixed is read-only"]
            ),
            ("done", #"{"set": {"sound.volume": "loud"}}"#, 422, 65, ["sound.volume: "]),
            ("done", #"{"set": {"general.language": {"label": "Klingon"}}}"#, 422, 65, ["'Klingon'"]),
            ("revert", "{}", 400, 64, ["'versions' is missing"]), ("revert", #"{"versions": ["nope"]}"#, 404, 66, ["'nope'"]),
            ("restore", "{}", 400, 64, ["'keys' is missing", "'from' is missing"]),
            ("restore", #"{"keys": ["nope"], "from": "HEAD"}"#, 404, 66, ["'nope'"]),
            ("undo", #"{"count": 0}"#, 400, 64, ["'count'"]),
        ] as [(String, String, Int, Int, [String])] {
            let answer = try server.send("/api/v1/\(path)", body)
            #expect(answer.status == status && answer.json["exitStatus"] as? Int == exit, "\(path) \(body): \(answer.body)")
            for words in words { #expect((answer.json["detail"] as? String)?.contains(words) == true, "\(body): \(answer.body)") }
        }
        let several = try server.send("/api/v1/done", #"{"set": {"sound.volum": 1, "sound.volume": 61}}"#)
        let rows = try #require(several.json["problems"] as? [[String: Any]])
        #expect(Set(rows.compactMap { $0["key"] as? String }) == ["sound.volum", "sound.volume"])
        #expect(several.json["nearest"] as? [String] == ["sound.volume"])
        for type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""] {
            #expect(try server.curl("/api/v1/done", ["-H", "Content-Type: \(type)", "-d", "{}"]).status == 415, "\(type)")
        }
        try Data(repeating: UInt8(ascii: " "), count: 2 << 20).write(to: URL(fileURLWithPath: server.folder + "/large"))
        #expect(try server.send("/api/v1/done", "@large").status == 413)
        #expect(try server.head == head)
    }

    @Test func whatAPolicyAsksForIsNamed() throws {
        let server = try RunningServer(
            Self.script + """

                sed -i 's/"why": "[a-z]*"/"why": "required"/; s/"ticket": "[a-z]*"/"ticket": "required"/' _store.json
                settings done -q -m 'A reason is wanted.' --ticket T-0
                """)
        try server.start()
        let answer = try server.send("/api/v1/done", #"{"set": {"sound.volume": 60}}"#)
        #expect(answer.status == 422 && answer.json["exitStatus"] as? Int == 77, "\(answer.body)")
        #expect(answer.json["missing"] as? [String] == ["why", "tickets"])
        let one = try server.send("/api/v1/done", #"{"set": {"sound.volume": 60}, "why": "Loud."}"#)
        #expect(one.json["missing"] as? [String] == ["tickets"])
        let both = #"{"set": {"sound.volume": 60}, "why": "Loud.", "tickets": ["T-1"]}"#
        #expect(try server.send("/api/v1/done", both).status == 201)
    }

    @Test func whoMayNotWriteIsToldSo() throws {
        let server = try RunningServer(Self.script)
        try server.start(["--read-only"])
        for path in ["done", "revert", "restore", "undo"] {
            let answer = try server.send("/api/v1/\(path)", #"{"set": {"sound.volume": 60}}"#)
            #expect(answer.status == 403 && answer.field("Content-Type") == "application/problem+json")
            #expect(answer.json["exitStatus"] as? Int == 77)
        }
        // A value is asked for by POST.
        #expect(try server.send("/ofrep/v1/evaluate/flags/sound.volume", "{}").status == 200)
        for path in ["/api/v1/options", "/api/v1/events"] {
            let answer = try server.curl(path, isSignedIn: false)
            #expect(answer.status == 401 && answer.field("WWW-Authenticate") == "Bearer" && answer.json["status"] as? Int == 401)
            let wrong = try server.curl(path, isSignedIn: false, ["-H", "Authorization: Bearer x"])
            #expect(
                wrong.status == 401
                    && wrong.json["detail"] as? String == "The token is not valid. Create one with 'settings serve user add'.")
            #expect(try server.curl(path, ["-H", "Host: evil.example"]).status == 421)
        }
        #expect(try server.curl("/ofrep/v1/evaluate/flags/sound.volume", isSignedIn: false, ["-d", "{}"]).status == 401)
    }

    /// What a browser sends by itself, its cookie or its password, is no consent of whoever it is of.
    @Test func whatAnotherSiteSendsIsRefused() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        let head = try server.head
        let form = ["-d", "token=\(server.token)", "-H", "Origin: \(server.base)"]
        let signIn = try server.curl("/login", isSignedIn: false, form)
        let cookie = ["-b", String(try #require(signIn.field("Set-Cookie")).prefix { $0 != ";" })]
        let json = ["-H", "Content-Type: application/json", "-d", #"{"set": {"sound.volume": 60}}"#]
        for who in [cookie, ["-u", "x:\(server.token)"]] {
            for origin in [[], ["-H", "Origin: http://evil.example"], ["-H", "Sec-Fetch-Site: cross-site"]] {
                for path in ["done", "revert", "restore", "undo"] {
                    let answer = try server.curl("/api/v1/\(path)", isSignedIn: false, who + origin + json)
                    #expect(answer.status == 403 && answer.json["exitStatus"] as? Int == 77, "\(path) \(origin): \(answer.body)")
                }
            }
        }
        #expect(try server.head == head)
        let own = ["-H", "Sec-Fetch-Site: same-origin"]
        #expect(try server.curl("/api/v1/done", isSignedIn: false, cookie + own + json).status == 201)
    }

    /// Files edited by hand, a merge under way, a store that is locked.
    @Test func whatStandsInTheWay() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        let set = #"{"set": {"general.greeting": "Hello"}}"#
        try server.sh("sed -i 's/Welcome/Typed/' general/greeting.json")
        let edited = try server.send("/api/v1/done", set)
        #expect(edited.status == 409 && edited.body.contains("has an edit that is not recorded"), "\(edited.body)")
        try server.sh("git checkout -q -- . && git checkout -q -b other && settings set -q sound.volume 80")
        try server.sh("git checkout -q main && settings set -q sound.volume 20 && git merge -q other >/dev/null 2>&1 || true")
        let merging = try server.send("/api/v1/done", set)
        #expect(merging.status == 409 && merging.json["exitStatus"] as? Int == 2, "\(merging.body)")
        try server.sh("git merge --abort || git reset -q --hard")
        try server.sh("touch .git/index.lock")
        let start = Date()
        let busy = try server.send("/api/v1/done", set)
        #expect(busy.status == 503 && busy.field("Retry-After") == "1" && busy.json["exitStatus"] as? Int == 75, "\(busy.body)")
        #expect(Date().timeIntervalSince(start) < 15)
        try server.sh("rm .git/index.lock")
        #expect(try server.send("/api/v1/done", set).status == 201)
    }

    /// A counter that eight programs raise: each of their steps counts, and once.
    @Test(.slow) func noStepIsLostAndNoneCountsTwice() async throws {
        let server = try RunningServer("settings add -q count --title Count --number 0")
        try server.start()
        let (base, token, clients, steps) = (server.base, server.token, 8, 25)
        try await withThrowingTaskGroup { group in
            for client in 0..<clients {
                group.addTask {
                    for step in 0..<steps {
                        while true {
                            let read = try await Self.request("\(base)/api/v1/options/count", token)
                            let option = read.json["option"] as? [String: Any]
                            let count = try #require(option?["value"] as? Int)
                            let body =
                                #"{"set": {"count": \#(count + 1)}, "if": {"count": \#(count)}, "why": "\#(client).\#(step)"}"#
                            let done = try await Self.request("\(base)/api/v1/done", token, body)
                            if done.status == 201 { break }
                            try #require(done.status == 409, "\(done.json)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try value(server, "count") == "\(clients * steps)")
        #expect(try server.sh("git rev-list --count HEAD").hasPrefix("\(clients * steps + 2)\n"))
        try server.sh("git fsck --strict")
    }

    private static func request(
        _ address: String, _ token: String, _ body: String? = nil
    ) async throws -> (
        status: Int, json: [String: Any]
    ) {
        let words =
            ["curl", "-s", "-w", "\n%{http_code}", "-H", "Authorization: Bearer \(token)"]
            + (body.map { ["-H", "Content-Type: application/json", "-d", $0] } ?? []) + [address]
        let output = try await Task.detached { try Surroundings.run(words, in: "/", ["PATH": Surroundings.searchPath]).output }
            .value
        let lines = output.split(separator: "\n")
        let json = (try? JSONSerialization.jsonObject(with: Data(lines.dropLast().joined().utf8))) as? [String: Any]
        return (lines.last.flatMap { Int($0) } ?? 0, json ?? [:])
    }
}
