import SettingsModel

/// Values that contain secrets, whatever the settings are called.
enum SecretValues {
    /// Whether a value, or a text in it, holds a password or the like: in a URL, as a token of a known kind, as a private key, or
    /// behind a name in a command line or in a list of variables.
    static func holdsSecret(_ value: JSON) -> Bool {
        switch value {
        case .string(let text): holdsSecret(text.string)
        case .array(let elements): elements.contains { holdsSecret($0) }
        case .object(let members):
            members.contains { member in
                let text = member.value.text?.string ?? ""
                return holdsSecret(member.value) || !isWord(text) && SecretNames.isSecret(member.name.string, in: [])
            }
        case .null, .bool, .number: false
        }
    }

    /// Whether a text is one that says whether something is there, and not what.
    static func isWord(_ text: String) -> Bool { SecretNames.switches.contains(text.lowercased()) }

    private static func holdsSecret(_ text: String) -> Bool {
        // Nearly all values are short words, and every secret here has one of these.
        guard text.utf8.count >= 6 else { return false }
        if text.contains("PRIVATE KEY-----") || isHeader(text) { return true }
        return text.split { $0.isWhitespace || ",;".contains($0) }.contains { word in
            let parts = word.split { "?&".contains($0) }
            return parts.contains(where: isNamedSecret)
                || word.contains("://") && parts.dropFirst().contains { isAssigned($0, to: ["auth"]) }
                || word.split { "\"'".contains($0) }.contains { hasCredentials($0) || isToken($0) }
        }
    }

    /// `Authorization: Bearer abc`, or another header of HTTP that is named after a secret.
    private static func isHeader(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else { return false }
        let name = text[..<colon].lowercased()
        let value = text[text.index(after: colon)...].drop(while: \.isWhitespace)
        guard !value.isEmpty, !isReference(value), name.allSatisfy({ $0.isLetter || $0 == "-" }) else { return false }
        return ["authorization", "proxy-authorization", "cookie"].contains(name)
            || name.contains("-") && SecretNames.isSecret(name, in: [])
    }

    /// `user:password`, by itself or in Base64.
    static func isUserAndPassword(_ text: String) -> Bool {
        let plain = Base64.bytes(of: text).flatMap { String(validating: $0, as: UTF8.self) } ?? text
        let parts = plain.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty && !parts[1].hasPrefix("//") && !isReference(parts[1])
            && !plain.contains(where: \.isWhitespace)
    }

    /// `scheme://user:password@host`, or a long user alone, as in the addresses of error trackers.
    private static func hasCredentials(_ word: Substring) -> Bool {
        guard let start = word.firstRange(of: "://")?.upperBound else { return false }
        guard let end = word[start...].prefix(while: { !"/?#".contains($0) }).lastIndex(of: "@") else { return false }
        let parts = word[start..<end].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return isRandom(word[start..<end]) }
        return !parts[1].isEmpty && !isReference(parts[1])
    }

    private static let prefixes = [
        "sk_live_", "sk_test_", "rk_live_", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "xapp-", "AKIA",
        "ASIA",
        "AIza", "SG.", "npm_", "pypi-", "eyJ",
    ]

    private static func isToken(_ word: Substring) -> Bool {
        prefixes.contains { word.hasPrefix($0) && word.utf8.count >= $0.utf8.count + 12 } && !word.contains("/")
    }

    /// `--password=x`, `PASSWORD=x` or `password="x"`.
    private static func isNamedSecret(_ word: Substring) -> Bool {
        assignment(word).map { SecretNames.isSecret(String($0.name), in: []) } ?? false
    }

    private static func isAssigned(_ word: Substring, to names: [String]) -> Bool {
        assignment(word).map { names.contains($0.name.lowercased()) } ?? false
    }

    /// The name that a value is given to; nil where none is, or one that is no secret.
    private static func assignment(_ word: Substring) -> (name: Substring, value: Substring)? {
        guard let equals = word.firstIndex(of: "=") else { return nil }
        let value = word[word.index(after: equals)...].drop { "\"'".contains($0) }.prefix { !"\"'".contains($0) }
        guard !value.isEmpty, !isReference(value), !isWord(String(value)) else { return nil }
        return (word[..<equals].drop { "-\"'".contains($0) }, value)
    }

    /// A variable or a template stands for what is elsewhere.
    private static func isReference(_ text: Substring) -> Bool {
        text.hasPrefix("$") || text.hasPrefix("{{") || text.hasPrefix("<") || text.hasPrefix("%")
    }

    /// Whether a text looks as if a program had drawn it by lot.
    static func isRandom(_ text: some StringProtocol) -> Bool {
        let bytes = text.utf8
        func has(_ range: ClosedRange<UInt8>) -> Bool { bytes.contains { range.contains($0) } }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return bytes.count >= 16 && has(digits) && bytes.contains { letters.contains($0 | 0x20) }
            && bytes.allSatisfy { digits.contains($0) || letters.contains($0 | 0x20) || "+/=_-.".utf8.contains($0) }
    }
}
