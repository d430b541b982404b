import CCrypto
import Files
import SettingsModel
import Synchronization

/// Who may see and change the store, and under which name.
///
/// *Alone*, the only way so far: whoever has the token of this start is the account that serves.
final class Who: Sendable {
    /// Somebody who is signed in.
    struct Visitor: Sendable {
        /// Nil: the account's own git identity.
        var author: Person?
        var mayWrite: Bool
    }

    /// 192 bits, in hexadecimal digits.
    let token: String
    private let key: [UInt8]
    private let isReadOnly: Bool
    private let now: @Sendable () -> Int64

    /// For how many seconds somebody stays signed in: 30 days.
    static let stay: Int64 = 30 * 86_400

    init(key: [UInt8], isReadOnly: Bool, now: @escaping @Sendable () -> Int64) {
        token = Self.random(24).hexadecimal
        self.key = key
        self.isReadOnly = isReadOnly
        self.now = now
    }

    static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// Whether a token is the one, compared in constant time.
    func admits(_ token: String) -> Bool { Self.areEqual(Array(token.utf8), Array(self.token.utf8)) }

    /// What a cookie holds: until when, and a signature over that.
    func session() -> String {
        let claim = "alone.\(now() + Self.stay)"
        return "\(claim).\(signature(of: claim))"
    }

    func visitor(session: String) -> Visitor? {
        let parts = session.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let end = Int64(parts[1]), end > now() else { return nil }
        let claim = "\(parts[0]).\(parts[1])"
        guard Self.areEqual(Array(parts[2].utf8), Array(signature(of: claim).utf8)) else { return nil }
        return Visitor(author: nil, mayWrite: !isReadOnly)
    }

    private func signature(of claim: String) -> String {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        _ = HMAC(EVP_sha256(), key, Int32(key.count), Array(claim.utf8), claim.utf8.count, &digest, &length)
        return digest.prefix(Int(length)).hexadecimal
    }

    private static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(into: UInt8(0)) { $0 |= $1.0 ^ $1.1 } == 0
    }
}

extension Sequence<UInt8> {
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
