import Foundation
import SettingsKit
import SettingsStore
import Surroundings
import Testing

@testable import SettingsServer

/// The server from its start to its end.
struct ServerTests {
    private static let script = "settings add -q sound.volume --title Volume --number 40 --range 0..100:5"

    @Test func theAuthorIsThePersonAndTheCommitterTheAccount() throws {
        let server = try RunningServer(Self.script)
        let users = server.folder + "/users"
        let add = try server.run(["settings-serve", "user", "add", "Marie Curie <marie@example.org>", "--users", users])
        let token = try #require(add.output.split(separator: "\n").last.map(String.init))
        // Reached as a proxy in front does it.
        let port = try RunningServer.freePort()
        try server.start(["--listen", "127.0.0.1:\(port)", "--users", users, "--url", "https://settings.example.org/lab"])
        #expect(server.base == "https://settings.example.org/lab")
        let own = ["-H", "Host: settings.example.org", "-H", "Origin: https://settings.example.org"]
        let signIn = try server.fetch("http://127.0.0.1:\(port)/lab/login", own + ["-d", "token=\(token)"])
        #expect(signIn.status == 303 && signIn.field("Location") == "/lab/")
        let cookie = try #require(signIn.field("Set-Cookie"))
        #expect(cookie.hasPrefix("__Host-settings-\(port)=") && cookie.contains("; Secure") && cookie.contains("SameSite=Lax"))
        let session = own + ["-b", String(cookie.prefix { $0 != ";" })]
        let page = try server.fetch("http://127.0.0.1:\(port)/lab/", session)
        #expect(page.body.contains("Marie Curie</span>"))
        #expect(page.body.matches(of: /(?:href|action|src)="\/(?!lab)/).isEmpty)
        // Programs are refused in their own form under a path as well.
        let other = try server.fetch("http://127.0.0.1:\(port)/lab/ofrep/v1/evaluate/flags", session + ["-X", "PUT"])
        #expect(other.status == 405 && other.json["errorCode"] as? String == "GENERAL", "\(other)")
        #expect(try server.fetch("http://127.0.0.1:\(port)/lab/health", []).json["status"] as? String == "ok")
        let done = try server.fetch(
            "http://127.0.0.1:\(port)/lab/done",
            session + ["-d", "version=\(try server.head)&value:sound.volume=60&why=loud&author=Eve <e@e>&committer=Eve <e@e>"])
        #expect(done.status == 303)
        #expect(
            try server.sh("git log -1 --format='%an <%ae>, %cn, %(trailers:key=Via,valueonly)'").trimmingCharacters(
                in: .whitespacesAndNewlines) == "Marie Curie <marie@example.org>, Ada, web")
        #expect(try server.run(["settings-serve", "user", "remove", "M <marie@example.org>", "--users", users]).status == 0)
        #expect(try server.fetch("http://127.0.0.1:\(port)/lab/", session).status == 303)
    }

    @Test func formsOfOtherPagesAreRefused() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        let cookie = try #require(
            try server.curl("/login", isSignedIn: false, ["-d", "token=\(server.token)", "-H", "Origin: \(server.base)"])
                .field("Set-Cookie"))
        let session = ["-b", String(cookie.prefix { $0 != ";" })]
        let form = ["-d", "version=\(try server.head)&value:sound.volume=60&why=x"]
        let basic = ["-u", "x:\(server.token)"]
        for origin in [
            [], ["-H", "Origin: null"], ["-H", "Origin: http://evil.example"], ["-H", "Sec-Fetch-Site: cross-site"],
            ["-H", "Sec-Fetch-Site: same-site"], ["-H", "Sec-Fetch-Site: none", "-H", "Origin: \(server.base)"],
        ] {
            #expect(try server.curl("/done", isSignedIn: false, session + form + origin).status == 403, "\(origin)")
            #expect(try server.curl("/done", isSignedIn: false, basic + form + origin).status == 403, "\(origin)")
        }
        #expect(try server.curl("/", isSignedIn: false, session + ["-H", "Host: evil.example"]).status == 421)
        #expect(try server.curl("/", isSignedIn: false).status == 303)
        #expect(try server.curl("/events", isSignedIn: false).status == 401)
        #expect(try server.curl("/done", isSignedIn: false, form + ["-H", "Origin: \(server.base)"]).status == 401)
        #expect(try server.curl("/done", isSignedIn: false, session + form + ["-H", "Origin: \(server.base)"]).status == 303)
    }

    @Test func largeRequestsAreRefused() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        try Data(repeating: UInt8(ascii: "x"), count: 2 << 20).write(to: URL(fileURLWithPath: server.folder + "/large"))
        let large = try server.curl("/review", ["--data-binary", "@large"])
        #expect(large.status == 413 && large.body.contains("larger than 1 MiB"))
        #expect(large.field("Content-Security-Policy") != nil)
        let fields = (0...1_000).map { "f\($0)=" }.joined(separator: "&")
        #expect(try server.curl("/review", ["-d", fields]).status == 400)
        #expect(try server.curl("/", ["-H", "X-Long: \(String(repeating: "y", count: 20_000))"]).status == 400)
        #expect(try server.curl("/", (0..<120).flatMap { ["-H", "X-\($0): 1"] }).status == 400)
        #expect(try server.curl("/").status == 200)
    }

    @Test func itEndsWithStreamsOpen() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        let streams = server.folder + "/streams"
        try server.sh(
            """
            for i in 1 2 3 4 5; do
                curl -sN -m 20 -H 'Authorization: Bearer \(server.token)' \(server.base)/events >>\(streams) &
            done
            while [ $(grep -c retry: \(streams)) -lt 5 ]; do sleep 0.05; done
            """)
        let end = try #require(try server.stop())
        #expect(end.status == 0 && end.seconds < 2, "\(end)")
    }

    @Test func exitStatuses() throws {
        let server = try RunningServer(Self.script)
        try server.start()
        let taken = server.base.dropFirst("http://".count)
        func status(_ words: String) throws -> Int32 {
            try server.run(["settings-serve"] + words.split(separator: " ").map(String.init)).status
        }
        #expect(try status("--listen 0.0.0.0:0") == 64)
        #expect(try status("--listen nonsense") == 64)
        #expect(try status("--store \(server.folder) --listen 127.0.0.1:0") == 66)
        #expect(try status("--listen 127.0.0.1:0 --users \(server.folder)/none") == 66)
        #expect(try status("--listen \(taken)") == 75)
        let socket = "--url https://a.example --listen unix:\(server.folder)/errors"
        #expect(try status(socket) == 75)
    }

    @Test func aSocketIsForTheGroupAndAStaleOneIsReplaced() throws {
        let server = try RunningServer(Self.script)
        // The path of a socket is short.
        let socket = "/tmp/settings-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: socket) }
        let arguments = [
            "--listen", "unix:\(socket)", "--url", "https://settings.example.org", "--user-header", "X-User", "--email-domain",
            "example.org",
        ]
        try server.start(arguments)
        #expect(try FileManager.default.attributesOfItem(atPath: socket)[.posixPermissions] as? Int == 0o660)
        let marie = ["--unix-socket", socket, "-H", "X-User: marie"]
        #expect(try server.fetch("http://settings.example.org/", marie).body.contains(">marie</span>"))
        #expect(try server.run(["settings-serve"] + arguments).status == 75)
        server.kill()
        #expect(FileManager.default.fileExists(atPath: socket))
        try server.start(arguments)
        #expect(try server.fetch("http://settings.example.org/", marie).status == 200)
        #expect(try server.stop()?.status == 0)
        #expect(!FileManager.default.fileExists(atPath: socket))
    }

    @Test func versionsAreSignedAndAKeyThatAsksEndsTheStart() throws {
        let server = try RunningServer(Self.script)
        try server.sh(
            """
            ssh-keygen -q -t ed25519 -N '' -f ~/key && ssh-keygen -q -t ed25519 -N secret -f ~/locked
            echo "ada@example.org $(cat ~/key.pub)" >~/signers
            git config --global gpg.format ssh
            git config --global gpg.ssh.allowedSignersFile ~/signers
            git config --global user.signingKey ~/key
            git config --global commit.gpgSign true
            """)
        try server.start()
        let done = try server.post("/done", ["version": try server.head, "value:sound.volume": "60", "why": "loud"])
        #expect(done.status == 303)
        #expect(try server.sh("git log -1 --format=%G?").contains("G"))
        #expect(try server.stop()?.status == 0)
        try server.sh("git config --global user.signingKey ~/locked")
        let locked = try server.run(["settings-serve", "--listen", "127.0.0.1:0"])
        #expect(locked.status == 77 && locked.errors.lowercased().contains("cannot sign"))
        try server.start(["--read-only"])
    }

    /// A page is wanted within seconds, however long the history is.
    @Test func aHistoryEndsWithWhatItHasWhenTheTimeIsOver() async throws {
        let server = try RunningServer(Self.script)
        try server.sh(
            """
            settings add -q sound.bass --title Bass --number 1
            for i in $(seq 70); do
                sed -i 's/"value": [0-9]*/"value": '$((i % 2 * 5))/ sound/volume.json && git commit -qam "$i"
            done
            """)
        let settings = try await Settings.open(server.store)
        // A search goes without the reasons, as long as nobody has read that far.
        let site = Site(settings)
        var shown = await site.shown()
        let keys = Array(shown.content.options.keys)
        #expect(try await site.learn(keys, in: &shown, atMost: .zero) == false)
        #expect(shown.scene.facts.origins.isEmpty)
        #expect(try await site.learn(keys, in: &shown))
        #expect(shown.scene.facts.origins.count == keys.count)
        let whole = try await settings.versions(HistoryQuery())
        #expect(whole.isInTime && whole.versions.count == 73)
        let some = try await settings.versions(HistoryQuery(), atMost: .zero)
        #expect(!some.isInTime && some.versions.count < 73)
        // The next one has all the time again.
        #expect(try await settings.versions(HistoryQuery()).versions.count == 73)
        await settings.close()
    }

    /// Flags and events of a new version don't wait until somebody's search has ended.
    @Test func aWalkKeepsNobodyWaitingWhoFollows() async throws {
        let server = try RunningServer(Self.script)
        let settings = try await Settings.open(server.store)
        let latest = LatestFlags(Site(settings))
        let service = Task { try await latest.run() }
        let before = await latest.flags().tag
        let (walk, began) = Walk.make()
        async let ended = settings.ask(walk)
        for await _ in began { break }
        let first = settings.snapshot.head
        try server.sh("settings set -q sound.volume 60")
        let news = settings.snapshots()
        for await snapshot in news where snapshot.head != first { break }
        #expect(await latest.flags().tag != before)
        #expect(try await settings.events(since: first).events.count == 1)
        #expect(try await settings.draft().edited.isEmpty)
        walk.end.signal()
        #expect(try await ended, "it had ended before")
        service.cancel()
        await settings.close()
    }

    /// A search that goes on until it is told to end.
    private struct Walk: Query {
        let begins: AsyncStream<Void>.Continuation
        let end = DispatchSemaphore(value: 0)

        static func make() -> (Walk, AsyncStream<Void>) {
            let (stream, begins) = AsyncStream.makeStream(of: Void.self)
            return (Walk(begins: begins), stream)
        }

        func answer(in session: Session) -> Bool {
            begins.yield()
            return end.wait(timeout: .now() + 20) == .success
        }
    }

    @Test func aBrowserIsOpenedWithATokenThatWorksOnce() throws {
        let server = try RunningServer(Self.script)
        try server.sh(
            """
            mkdir ~/bin && printf '#!/bin/sh\\necho "$1" >~/opened.new && mv ~/opened.new ~/opened\\n' >~/bin/xdg-open
            chmod +x ~/bin/xdg-open
            """)
        try server.start(["--open"], ["PATH": "\(server.folder)/bin:\(Surroundings.searchPath)"])
        let address = try server.sh("while [ ! -e ~/opened ]; do sleep 0.05; done; cat ~/opened")
        let token = try #require(address.split(whereSeparator: { $0 == "#" || $0.isNewline }).last)
        #expect(token != server.token && token.count == 48)
        let signIn = ["-d", "token=\(token)", "-H", "Origin: \(server.base)"]
        #expect(try server.curl("/login", isSignedIn: false, signIn).status == 303)
        #expect(try server.curl("/login", isSignedIn: false, signIn).status == 401)
    }

    /// A shell asks `settings`, which asks the server.
    @Test func itsWordsAreCompleted() throws {
        let server = try RunningServer(Self.script)
        func completed(_ words: String...) throws -> Set<String> {
            let lines = try server.run(["settings", "---complete", "fish", "--", "serve"] + words).output.split(separator: "\n")
            return Set(lines.map { String($0.prefix { $0 != "\t" }) })
        }
        #expect(try completed("--user") == ["--users", "--user-header"])
        #expect(try completed("--users", "x", "--tru") == ["--trusted-proxy"])
        #expect(try completed("") == ["user"])
        #expect(try completed("user", "") == ["add", "remove", "list"])
        #expect(try completed("user", "add", "--r") == ["--role", "--read-only"])
        #expect(try completed("user", "add", "M <m@e>", "--role", "") == ["read", "write"])
        #expect(try completed("--listen", "") == [])
    }
}
