import Foundation
import HTTPTypes
import NIOCore
import SettingsModel
import Surroundings
import Testing

@testable import SettingsServer

struct WhoTests {
    private static let key = [UInt8](repeating: 7, count: 32)

    private func who(_ mode: Who.Mode, isReadOnly: Bool = false, at time: Int64 = 1_000) -> Who {
        Who(mode, Sessions(key: Self.key) { time }, isReadOnly: isReadOnly)
    }

    private func headers(_ authorization: String) -> HTTPFields { [.authorization: authorization] }

    private func basic(_ words: String) -> HTTPFields { headers("Basic " + Data(words.utf8).base64EncodedString()) }

    // MARK: Sessions

    @Test func sessionsEndAfterThirtyDays() throws {
        let session = Sessions(key: Self.key) { 1_000 }.session(of: "alone")
        for (time, isThere) in [(1_000 + Sessions.stay - 1, true), (1_000 + Sessions.stay, false)] {
            #expect((Sessions(key: Self.key) { time }.holder(of: session) != nil) == isThere)
        }
    }

    @Test func sessionsThatSomebodyElseWroteAreNone() {
        let sessions = Sessions(key: Self.key) { 1_000 }
        let session = sessions.session(of: "alone")
        #expect(sessions.holder(of: session) == "alone")
        var parts = session.split(separator: ".").map(String.init)
        parts[1] += "0"
        let other = Sessions(key: [UInt8](repeating: 8, count: 32)) { 1_000 }.session(of: "alone")
        for wrong in ["", "alone", session + "0", String(session.dropLast()), parts.joined(separator: "."), other] {
            #expect(sessions.holder(of: wrong) == nil, "\(wrong)")
        }
    }

    /// Also with a copy of the cookie, and after the next start; the person's other browsers stay.
    @Test func whoeverSignsOutIsOut() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/ended"
        let sessions = Sessions(key: Self.key, ended: path) { 1_000 }
        let who = Who(.alone(token: "secret", name: "Ada"), sessions, isReadOnly: false)
        let (here, there) = (try #require(who.session(for: "secret")), try #require(who.session(for: "secret")))
        let visitor = try #require(try who.visitor([:], from: nil, session: here))
        #expect(who.isWelcome(visitor))
        who.signOut(visitor)
        #expect(!who.isWelcome(visitor))
        for sessions in [sessions, Sessions(key: Self.key, ended: path) { 1_000 }] {
            #expect(sessions.holder(of: here) == nil)
            #expect(sessions.holder(of: there) == "alone")
        }
        // Those that would be over anyway are forgotten.
        let later = Sessions(key: Self.key, ended: path) { 1_000 + Sessions.stay }
        later.end(later.session(of: "alone"))
        #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == 1)
    }

    // MARK: Alone

    @Test func whoeverHasTheTokenIsTheAccount() throws {
        let who = who(.alone(token: "secret", name: "Ada"))
        let visitor = try #require(try who.visitor(headers("Bearer secret"), from: nil, session: nil))
        #expect(visitor.name == "Ada" && visitor.author == nil && visitor.mayWrite && visitor.isProgram)
        let byPassword = try who.visitor(basic("anybody:secret"), from: nil, session: nil)
        #expect(byPassword?.isProgram == false)
        let session = try #require(who.session(for: "secret"))
        #expect(try who.visitor([:], from: nil, session: session)?.name == "Ada")
        #expect(try who.visitor([:], from: nil, session: nil) == nil)
        #expect(who.session(for: "secreT") == nil)
    }

    @Test(arguments: ["Bearer", "Bearer wrong", "Basic !!", "Basic", "Digest secret", "Basic c2VjcmV0", ""])
    func aWrongTokenIsRefusedWhateverTheCookie(_ authorization: String) {
        let who = who(.alone(token: "secret", name: "Ada"))
        let session = who.session(for: "secret")
        #expect(throws: Who.Refusal.self) { try who.visitor(headers(authorization), from: nil, session: session) }
    }

    @Test func aTokenForABrowserWorksOnce() throws {
        let who = who(.alone(token: "secret", name: "Ada"), isReadOnly: true)
        let token = try #require(who.oneTimeToken())
        #expect(throws: Who.Refusal.self) { try who.visitor(headers("Bearer \(token)"), from: nil, session: nil) }
        let session = try #require(who.session(for: token))
        #expect(who.session(for: token) == nil)
        #expect(try who.visitor([:], from: nil, session: session)?.mayWrite == false)
    }

    // MARK: Users

    private static let marie = Person(name: "Marie Curie", email: "marie@example.org")
    private static let bob = Person(name: "Bob", email: "bob@example.org")

    @Test func linesOfTheFileAreUnderstood() {
        let digest = Who.digest("t")
        let users = Users(
            Array("# people\nMarie Curie <marie@example.org>\twrite\t\(digest)\n\nBob <bob@example.org>\tread\t\(digest)".utf8))
        #expect(users.faults.isEmpty)
        #expect(users.users.map(\.person) == [Self.marie, Self.bob])
        #expect(users.users.map(\.role) == [.write, .read])
        let twice = Users(
            Array("A <a@b>\tread\t\(digest)\nB <A@b>\twrite\t\(digest)\nx\nA <c@b> read \(digest)\nC <c>\troot\t\(digest)\n".utf8)
        )
        #expect(twice.faults.count == 4)
        #expect(twice.users.map(\.person.name) == ["A"])
        #expect(Users([0xFF]).faults.count == 1)
    }

    @Test func peopleAreAddedAndRemovedAndTheRestStays() {
        let digest = Who.digest("t")
        var users = Users(Array("# people\nBob <bob@example.org>\tread\t\(digest)\n".utf8))
        let wasMarie = users.add(Users.User(person: Self.marie, role: .write, digest: digest))
        let robert = Person(name: "Robert", email: "BOB@example.org")
        let wasBob = users.add(Users.User(person: robert, role: .write, digest: digest))
        #expect(!wasMarie && wasBob)
        #expect(
            users.text
                == "# people\nMarie Curie <marie@example.org>\twrite\t\(digest)\nRobert <BOB@example.org>\twrite\t\(digest)\n")
        let (first, second) = (users.remove(Self.bob), users.remove(Self.bob))
        #expect(first && !second)
    }

    @Test func whoeverIsRemovedIsOutAtOnce() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/users"
        let (token, isNew) = try addUser("Marie Curie <marie@example.org>", role: "write", to: path)
        let reader = try addUser("Bob <bob@example.org>", role: "read", to: path).token
        #expect(isNew)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let who = who(.users(path: path))
        let visitor = try #require(try who.visitor(headers("Bearer \(token)"), from: nil, session: nil))
        #expect(visitor.author == Self.marie && visitor.mayWrite)
        #expect(try who.visitor(basic(":\(reader)"), from: nil, session: nil)?.mayWrite == false)
        let session = try #require(who.session(for: token))
        #expect(try removeUser("Marie <marie@example.org>", from: path) == "Marie Curie <marie@example.org>")
        #expect(!who.isWelcome(visitor))
        #expect(try who.visitor([:], from: nil, session: session) == nil)
        #expect(throws: Who.Refusal.self) { try who.visitor(headers("Bearer \(token)"), from: nil, session: nil) }
        #expect(who.session(for: token) == nil)
        #expect(try who.visitor(headers("Bearer \(reader)"), from: nil, session: nil)?.name == "Bob")
        #expect(try removeUser("BOB@example.org", from: path) == "Bob <bob@example.org>")
        #expect(throws: ServeFailure.self) { try removeUser("bob@example.org", from: path) }
        // Who comes back has another token, and old sessions stay over.
        _ = try addUser("Marie Curie <marie@example.org>", role: "write", to: path)
        #expect(try who.visitor([:], from: nil, session: session) == nil)
    }

    @Test func aFileThatOthersMayReadLetsNobodyIn() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/users"
        let token = try addUser("Bob <bob@example.org>", role: "read", to: path).token
        let who = who(.users(path: path))
        #expect(who.session(for: token) != nil)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        #expect(who.session(for: token) == nil)
        #expect(throws: ServeFailure.self) { try listedUsers(in: path) }
        try FileManager.default.removeItem(atPath: path)
        #expect(who.session(for: token) == nil)
    }

    @Test func sessionsOfOneModeAreNoneOfAnother() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/users"
        let token = try addUser("Bob <bob@example.org>", role: "write", to: path).token
        let (alone, users) = (who(.alone(token: "secret", name: "Ada")), who(.users(path: path)))
        #expect(try users.visitor([:], from: nil, session: alone.session(for: "secret")) == nil)
        #expect(try alone.visitor([:], from: nil, session: users.session(for: token)) == nil)
    }

    // MARK: Proxy

    private func proxy(_ headers: HTTPFields, from address: String = "10.0.0.7", email: String? = nil) throws -> Who.Visitor? {
        let proxy = Proxy(
            user: "X-User", name: "X-Name", email: email, domain: email == nil ? "example.org" : nil, trusted: ["10.0.0.7"],
            mayWrite: true)
        let peer = try SocketAddress(ipAddress: address, port: 1)
        return try who(.proxy(proxy)).visitor(headers, from: peer, session: nil)
    }

    private func fields(_ pairs: KeyValuePairs<String, String>) throws -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in pairs { fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value)) }
        return fields
    }

    @Test func theProxyNamesThePerson() throws {
        let named = try proxy(fields(["X-User": "marie", "X-Name": "Marie Curie"]))
        #expect(named?.author == Self.marie)
        #expect(try proxy(fields(["X-User": "marie"]))?.author?.description == "marie <marie@example.org>")
        #expect(try proxy(fields(["X-User": "m@lab.org"]))?.author?.email == "m@lab.org")
        #expect(try proxy(fields(["X-User": "m", "X-Email": "m@lab.org"]), email: "X-Email")?.author?.email == "m@lab.org")
        #expect(try proxy(fields(["X-User": "marie"]), from: "::ffff:10.0.0.7")?.name == "marie")
    }

    @Test func nobodyElseIsBelieved() throws {
        let fields = try fields(["X-User": "marie"])
        for address in ["10.0.0.8", "::1", "127.0.0.1"] {
            let refusal = #expect(throws: Who.Refusal.self) { try proxy(fields, from: address) }
            guard case .stranger(let words) = refusal else { throw try #require(refusal) }
            #expect(words == "The request came from \(address), which --trusted-proxy does not list.")
        }
    }

    @Test func namesThatNobodyHasAreRefused() throws {
        for value in ["a<b>", "a\tb", "a\u{FFFD}", "a\u{85}b", "...", "<>"] {
            #expect(throws: Who.Refusal.self, "\(value)") { try proxy(fields(["X-User": value])) }
        }
        #expect(throws: Who.Refusal.self) { try proxy(fields(["X-User": "marie", "x-user": "bob"])) }
        #expect(throws: Who.Refusal.self) { try proxy(fields([:])) }
        #expect(throws: Who.Refusal.self) { try proxy(fields(["X-User": "m"]), email: "X-Email") }
        #expect(throws: Who.Refusal.self) { try proxy(fields(["X-User": "m", "X-Name": "a", "X-Name": "b"])) }
    }
}
