import CCrypto
import Files
import SettingsModel

/// Sessions, which the server need not remember: a cookie holds whose it is, until when, and a signature over that.
struct Sessions: Sendable {
    private let key: [UInt8]
    private let now: @Sendable () -> Int64

    /// For how many seconds somebody stays signed in: 30 days.
    static let stay: Int64 = 30 * 86_400

    init(key: [UInt8], now: @escaping @Sendable () -> Int64) { (self.key, self.now) = (key, now) }

    func session(of holder: String) -> String {
        let claim = "\(holder).\(now() + Self.stay)"
        return "\(claim).\(signature(of: claim))"
    }

    func holder(of session: String) -> String? {
        let parts = session.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let end = Int64(parts[1]), end > now() else { return nil }
        return Who.areEqual(String(parts[2]), signature(of: "\(parts[0]).\(parts[1])")) ? String(parts[0]) : nil
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
