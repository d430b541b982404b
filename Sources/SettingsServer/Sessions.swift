import CCrypto
import Files
import SettingsModel
import Synchronization

/// Sessions. A cookie holds whose it is, until when, what tells it from others, and a signature over that, so that the server
/// remembers only those that somebody signed out of.
final class Sessions: Sendable {
    private let key: [UInt8]
    private let path: String?
    private let now: @Sendable () -> Int64
    /// By the signature, until when each would have stayed.
    private let ended = Mutex<[String: Int64]>([:])

    /// For how many seconds somebody stays signed in: 30 days.
    static let stay: Int64 = 30 * 86_400

    /// `path`: the file of the sessions that have ended; nil to forget them with the server.
    init(key: [UInt8], ended path: String? = nil, now: @escaping @Sendable () -> Int64) {
        (self.key, self.path, self.now) = (key, path, now)
        ended.withLock { $0 = kept() }
    }

    func session(of holder: String) -> String {
        let claim = "\(holder).\(now() + Self.stay).\(Who.random(8).hexadecimal)"
        return "\(claim).\(signature(of: claim))"
    }

    /// Whose session it is; nil for one that is over.
    func holder(of session: String) -> String? {
        guard let known = read(session) else { return nil }
        return ended.withLock { $0[known.signature] == nil } ? known.holder : nil
    }

    /// Signs out of it, wherever else its cookie is.
    func end(_ session: String) {
        guard let known = read(session) else { return }
        ended.withLock { ended in
            ended[known.signature] = known.end
            // Those of another server of the same account as well.
            ended.merge(kept()) { first, _ in first }
            ended = ended.filter { $0.value > now() }
            guard let path else { return }
            let lines = ended.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)\n" }.joined()
            do { try FileSystem.replace(path, with: Array(lines.utf8), .fast, isPrivate: true) } catch {
                // It is over until the next start.
            }
        }
    }

    private func read(_ session: String) -> (holder: String, end: Int64, signature: String)? {
        let parts = session.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, let end = Int64(parts[1]), end > now() else { return nil }
        let signature = signature(of: parts.dropLast().joined(separator: "."))
        return Who.areEqual(parts[3], signature) ? (parts[0], end, signature) : nil
    }

    private func kept() -> [String: Int64] {
        guard let path, let bytes = (try? Folder.read(path: path, limit: 1 << 24)) ?? nil else { return [:] }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
        return Dictionary(lines.compactMap { line in line.count == 2 ? Int64(line[0]).map { (String(line[1]), $0) } : nil }) {
            first, _ in first
        }
    }

    private func signature(of claim: String) -> String {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        _ = HMAC(EVP_sha256(), key, Int32(key.count), Array(claim.utf8), claim.utf8.count, &digest, &length)
        return digest.prefix(Int(length)).hexadecimal
    }
}

/// The key that sessions are signed with: kept, so that people stay signed in over a restart.
enum SessionKey {
    private static let size = 32

    static func read() -> [UInt8] {
        let new = Who.random(size)
        guard let folder else { return new }
        let path = folder + "/session-key"
        if (try? FileSystem.existing(path))?.isPrivate == true, let bytes = (try? Folder.read(path: path, limit: size)) ?? nil,
            bytes.count == size
        {
            return bytes
        }
        do {
            try Folder.make(folder)
            try FileSystem.replace(path, with: new, .fast, isPrivate: true)
        } catch {
            // Everybody signs in again after the next start.
        }
        return new
    }

    /// Where sessions that have ended are kept beside it.
    static var ended: String? { folder.map { $0 + "/ended-sessions" } }

    private static var folder: String? {
        if let state = ThisProcess.variable("XDG_STATE_HOME"), state.hasPrefix("/") { return state + "/settings" }
        return ThisProcess.variable("HOME").map { $0 + "/.local/state/settings" }
    }
}

extension Sequence<UInt8> {
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
