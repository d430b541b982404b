import CCrypto
import Files
import HTTPTypes
import Hummingbird
import NIOCore
import SettingsModel
import Synchronization

/// Who may see and change the store, and under which name. Exactly one of: *alone*, whoever has the token of this start is the account
/// that serves; *users*, the people of a file, each with a token; *proxy*, whoever a proxy in front names.
final class Who: Sendable {
    /// Somebody who is signed in.
    struct Visitor: Sendable {
        /// As the pages say it.
        var name: String
        /// Nil: the account's own git identity.
        var author: Person?
        var mayWrite: Bool
        var pass: Pass
        /// The cookie's; nil where it is known otherwise.
        var session: String?
        /// Known by a header that no browser sends by itself.
        var isProgram = false

        /// Of the request that is being answered.
        @TaskLocal static var current: Visitor?

        /// What somebody is known by.
        enum Pass: Sendable, Equatable {
            case account
            /// The SHA-256 of the token.
            case token(String)
            case proxy
        }
    }

    /// Why somebody is not let in.
    enum Refusal: Error {
        /// A token that nobody has, or has any more.
        case unknown
        /// The proxy names nobody.
        case unnamed(String)
        case malformed(String)
        /// Somebody else says who is there.
        case stranger(String)
    }

    enum Mode: Sendable {
        /// `name`: what the account's identity says.
        case alone(token: String, name: String)
        case users(path: String)
        case proxy(Proxy)
    }

    let mode: Mode
    private let sessions: Sessions
    private let isReadOnly: Bool
    /// The people of the file, and what it looked like when they were read.
    private let known = Mutex<(users: [Users.User], status: FileStatus?)>(([], nil))
    /// Lets its bearer in once.
    private let once = Mutex<String?>(nil)

    init(_ mode: Mode, _ sessions: Sessions, isReadOnly: Bool) {
        (self.mode, self.sessions, self.isReadOnly) = (mode, sessions, isReadOnly)
    }

    /// 192 bits, in hexadecimal digits.
    static func newToken() -> String { random(24).hexadecimal }

    static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    static func digest(_ token: String) -> String {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        _ = SHA256(Array(token.utf8), token.utf8.count, &digest)
        return digest.hexadecimal
    }

    /// Compares in a time that depends on nothing but the lengths.
    static func areEqual(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return zip(left.utf8, right.utf8).reduce(into: UInt8(0)) { $0 |= $1.0 ^ $1.1 } == 0
    }

    /// A token that lets somebody in once, as the account; nil where there is no such mode.
    func oneTimeToken() -> String? {
        guard case .alone = mode else { return nil }
        let token = Self.newToken()
        once.withLock { $0 = token }
        return token
    }

    // MARK: Of requests

    /// Who sends a request; nil for nobody who has signed in. `session`: the cookie's.
    func visitor(
        _ headers: HTTPFields, from peer: @autoclosure () -> SocketAddress?, session: @autoclosure () -> String?
    ) throws(Refusal) -> Visitor? {
        if case .proxy(let proxy) = mode { return try proxy.visitor(headers, from: peer()) }
        if let authorization = headers[.authorization] {
            guard let (token, isBearer) = Self.token(in: authorization), var visitor = visitor(token: token) else {
                throw .unknown
            }
            visitor.isProgram = isBearer
            return visitor
        }
        let session = session()
        var visitor = session.flatMap { sessions.holder(of: $0) }.flatMap(visitor(holder:))
        visitor?.session = session
        return visitor
    }

    func signOut(_ visitor: Visitor?) {
        if let session = visitor?.session { sessions.end(session) }
    }

    /// Whether somebody who was let in still would be.
    func isWelcome(_ visitor: Visitor) -> Bool {
        if let session = visitor.session, sessions.holder(of: session) == nil { return false }
        if case .token(let digest) = visitor.pass { return users.contains { $0.digest == digest } }
        return true
    }

    /// The cookie's value for whoever has a token; nil for a wrong one.
    func session(for token: String) -> String? {
        let isOnce = once.withLock { once in
            guard let expected = once, Self.areEqual(token, expected) else { return false }
            once = nil
            return true
        }
        if isOnce { return sessions.session(of: Self.account) }
        switch visitor(token: token)?.pass {
        case .account: return sessions.session(of: Self.account)
        case .token(let digest): return sessions.session(of: digest)
        case .proxy, nil: return nil
        }
    }

    /// The holder of a session who is the account.
    private static let account = "alone"

    private func visitor(token: String) -> Visitor? {
        switch mode {
        case .alone(let expected, _): Self.areEqual(token, expected) ? visitor(holder: Self.account) : nil
        case .users: visitor(holder: Self.digest(token))
        case .proxy: nil
        }
    }

    private func visitor(holder: String) -> Visitor? {
        switch mode {
        case .alone(_, let name):
            guard holder == Self.account else { return nil }
            return Visitor(name: name, author: nil, mayWrite: !isReadOnly, pass: .account)
        case .users:
            // Each is compared, so that the time says nothing of which one it is.
            let found = users.reduce(into: Users.User?.none) { if Self.areEqual($1.digest, holder) { $0 = $1 } }
            guard let user = found else { return nil }
            return Visitor(
                name: user.person.name, author: user.person, mayWrite: user.role == .write && !isReadOnly,
                pass: .token(user.digest))
        case .proxy: return nil
        }
    }

    /// The token of `Bearer TOKEN`, or of `Basic`, where it is the password.
    private static func token(in authorization: String) -> (token: String, isBearer: Bool)? {
        let words = authorization.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { return nil }
        let word = words[1].trimmingSpaces
        switch words[0].lowercased() {
        case "bearer": return (word, true)
        case "basic":
            var bytes = [UInt8](repeating: 0, count: word.utf8.count / 4 * 3 + 3)
            let count = EVP_DecodeBlock(&bytes, Array(word.utf8), Int32(word.utf8.count))
            // It counts the padding.
            let padding = word.utf8.suffix(2).count { $0 == UInt8(ascii: "=") }
            guard count >= padding, let pair = String(validating: bytes.prefix(Int(count) - padding), as: UTF8.self),
                let colon = pair.firstIndex(of: ":")
            else { return nil }
            return (String(pair[pair.index(after: colon)...]), false)
        default: return nil
        }
    }

    // MARK: The file of the people

    /// The people of the file as it is now. Where it can't be read, and whose line can't be, is nobody: whoever was removed must
    /// not stay because of a slip in the same edit.
    private var users: [Users.User] {
        guard case .users(let path) = mode else { return [] }
        let status = ((try? FileSystem.attributes(of: path, following: true)) ?? nil)?.status
        return known.withLock { known in
            if let status, status == known.status { return known.users }
            do throws(ServeFailure) {
                let users = try UsersFile.read(path)
                for fault in users.faults { ThisProcess.report("settings: warning: \(path): \(fault)\n") }
                known = (users.users, status)
            } catch {
                if known.status != nil { ThisProcess.report("settings: warning: \(error.reason)\n") }
                known = ([], nil)
            }
            return known.users
        }
    }
}
