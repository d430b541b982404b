import SettingsModel
import Testing

@testable import SettingsServer

struct HostsTests {
    @Test(arguments: [
        ("https://settings.example.org", "https://settings.example.org"),
        ("HTTPS://Settings.Example.org:443/", "https://settings.example.org"),
        ("http://lab:80/a/b/", "http://lab/a/b"),
        ("http://lab:8080", "http://lab:8080"),
        ("https://[::1]:8443/x", "https://[::1]:8443/x"),
    ])
    func addressesAreUnderstood(_ text: String, _ meaning: String) { #expect(WebAddress(text)?.text == meaning) }

    @Test(arguments: [
        "", "settings.example.org", "ftp://x", "http://", "http:///x", "http://user@host", "http://a b", "http://x/?q",
        "http://x/#f",
        "http://x/../y", "http://x/{y}", "http://x:0", "http://x:99999", "http://x:", "http://x/%2e",
    ])
    func otherAddressesAreRefused(_ text: String) { #expect(WebAddress(text) == nil) }

    @Test(arguments: [
        ("127.0.0.1:0", Listening.port(host: "127.0.0.1", 0)), ("[::1]:8080", .port(host: "::1", 8080)),
        ("lab:80", .port(host: "lab", 80)), ("unix:/run/s", .socket(path: "/run/s")),
    ])
    func placesToListenAreUnderstood(_ text: String, _ meaning: Listening) { #expect(Listening(text) == meaning) }

    @Test(arguments: [
        "", "8080", ":8080", "::1:8080", "x:y", "x:70000", "unix:", "a b:1", "unix:" + String(repeating: "x", count: 104),
    ])
    func otherPlacesAreRefused(_ text: String) { #expect(Listening(text) == nil) }

    @Test func onlyThisMachineIsLocal() {
        for host in ["127.0.0.1", "127.9.9.9", "localhost", "::1"] { #expect(Listening.port(host: host, 1).isLocal, "\(host)") }
        for host in ["0.0.0.0", "::", "127.example.org", "127.0.0.1.nip.io", "10.0.0.1", "lab"] {
            #expect(!Listening.port(host: host, 1).isLocal, "\(host)")
        }
    }

    private func hosts(_ urls: [String], port: Int? = 8080) -> Hosts {
        Hosts(urls: urls.compactMap { WebAddress($0) }, .port(host: "127.0.0.1", 8080), port: port)
    }

    /// Another name that leads to this machine is somebody else's page.
    @Test func loopbackIsAllowedAndNothingElse() {
        let hosts = hosts([])
        for host in ["127.0.0.1:8080", "localhost:8080", "[::1]:8080", "LOCALHOST:8080"] { #expect(hosts.allow(host), "\(host)") }
        for host in [nil, "", "evil.example:8080", "127.0.0.1", "127.0.0.1:80", "localhost.evil.example:8080"] {
            #expect(!hosts.allow(host), "\(host ?? "nil")")
        }
        #expect(hosts.isOrigin("http://127.0.0.1:8080"))
        for origin in ["null", "https://127.0.0.1:8080", "http://127.0.0.1", "http://evil.example", ""] {
            #expect(!hosts.isOrigin(origin), "\(origin)")
        }
    }

    @Test func addressesByWhichPeopleComeAreAllowed() {
        let hosts = hosts(["https://settings.example.org/lab", "http://lab:8080/lab"])
        #expect(hosts.allow("settings.example.org") && hosts.allow("lab:8080") && hosts.allow("127.0.0.1:8080"))
        #expect(hosts.isOrigin("https://settings.example.org"))
        #expect(!hosts.isOrigin("http://settings.example.org"))
    }

    @Test func cookiesAreSecureWherePeopleComeByHTTPS() {
        let hosts = hosts(["https://settings.example.org/lab"])
        #expect(
            hosts.cookie("v", for: 60, at: "settings.example.org")
                == "__Host-settings-8080=v; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure")
        #expect(
            hosts.cookie("v", for: 60, at: "127.0.0.1:8080")
                == "settings-8080=v; Path=/lab/; Max-Age=60; HttpOnly; SameSite=Lax")
    }

    @Test func everythingThatIsWrongIsNamedAtOnce() {
        var options = ServeOptions()
        options.listen = "0.0.0.0:80"
        options.urls = ["x", "http://a/b", "http://a/c"]
        options.emailDomain = "e"
        #expect(options.faults.count == 4)
        options = ServeOptions()
        options.userHeader = "X User"
        options.emailDomain = "a b"
        options.trustedProxies = ["nowhere"]
        options.users = "file"
        #expect(options.faults.count == 4)
        options = ServeOptions()
        options.listen = "unix:/run/s"
        options.urls = ["https://a"]
        options.userHeader = "X-User"
        options.emailHeader = "X-Email"
        #expect(options.faults.isEmpty)
    }

    @Test func tokensInTheClearAreWarnedOf() {
        var options = ServeOptions()
        #expect(Plan(options).warnings.isEmpty)
        options.listen = "0.0.0.0:80"
        options.users = "file"
        #expect(Plan(options).warnings.count == 2)
        options.urls = ["https://a"]
        #expect(Plan(options).warnings.isEmpty)
        options.urls = ["http://a"]
        #expect(Plan(options).warnings.count == 1)
    }
}
