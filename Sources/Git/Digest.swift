internal import CGitObjects

/// A hash for which nobody can prepare two values.
package enum Digest {
    /// SHA-256, in hexadecimal digits.
    package static func sha256(_ bytes: [UInt8]) -> String {
        let hash = [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            bytes.withUnsafeBytes { settings_sha256($0.baseAddress, $0.count, buffer.baseAddress) }
            count = 32
        }
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
