package import SettingsModel

/// The texts that an import masks: those whose names suggest a secret, and those that the user names.
package struct Masking: Sendable {
    package var patterns: [String]
    package var looksForSecrets: Bool

    package init(patterns: [String] = [], looksForSecrets: Bool = true) {
        self.patterns = patterns
        self.looksForSecrets = looksForSecrets
    }
}

extension Imported {
    /// Masks texts, and lists in `parts` which were masked and which can't be because they are not texts.
    package mutating func mask(_ masking: Masking) {
        let groups = Set(settings.groups.filter { $0.value.other["key"].map(SecretValues.holdsSecret) ?? false }.keys)
        for (key, option) in settings.options {
            let isNamed = masking.patterns.contains { Glob.matches($0, key) }
            let isWithin = !groups.isEmpty && !groups.isDisjoint(with: key.enclosingGroups)
            let isSecret = masking.looksForSecrets && (isWithin || holdsSecret(key, option))
            guard isNamed || isSecret, !option.isMasked else { continue }
            if option.type == .text {
                settings.options[key]?.other["masked"] = .bool(true)
                parts.masked.append(key)
            } else if isNamed || isWithin || [.number, .data].contains(option.type), option.value?.isNull == false {
                parts.unmaskable.append(key)
            }
        }
        parts.masked.sort()
        parts.unmaskable.sort()
    }

    /// The members that look like secrets, in the order of their keys.
    var secrets: [Key] {
        var all = self
        all.mask(Masking())
        return (all.parts.masked + all.parts.unmaskable).sorted()
    }

    /// `password: "yes"` only says whether there is one.
    private func holdsSecret(_ key: Key, _ option: SettingsOption) -> Bool {
        let text = option.value?.text?.string
        if let text, SecretValues.isWord(text) { return false }
        let name = option.importedKey?.string ?? key.name
        if name.contains("://"), SecretValues.holdsSecret(.string(ExactText(name))) { return true }
        let last = name.split { ".:/".contains($0) }.last.map(String.init) ?? name
        if SecretNames.isSecret(last, in: key.group.parts) { return true }
        if let text, SecretNames.mayBeSecret(last) {
            if SecretValues.isRandom(text) || SecretNames.isAuth(last) && SecretValues.isUserAndPassword(text) { return true }
        }
        return option.value.map(SecretValues.holdsSecret) ?? false
    }
}

/// Names of settings that contain secrets.
enum SecretNames {
    /// Whether a setting of this name, in groups of these names, contains a secret. `password` and `apiKey` do, and everything
    /// in `credentials` does; `token_limit`, `max-tokens` and `password_file` only say something about one.
    static func isSecret(_ name: String, in groups: [String]) -> Bool {
        guard hasRoot(name) || groups.contains(where: hasRoot) else { return false }
        let words = words(of: name)
        let pair = words.indices.dropFirst().last { isSecret(words[$0 - 1], words[$0]) }
        let secret = max(words.lastIndex(where: isSecret) ?? -1, pair ?? -1)
        for (index, word) in words.enumerated() where others.contains(word) {
            // The password of a key store is one; a password store has some.
            if index > secret || !owners.contains(word) { return false }
        }
        if secret >= 0 || name == "_auth" { return true }
        if words == ["user"] || words.last == "username" || words.last == "login" || words.last == "email" { return false }
        return groups.contains { collections.contains(self.words(of: $0).joined()) }
    }

    /// Whether a name is one of secrets and of much else: `key` is a shortcut, the field of a table, or what a service asks for.
    static func mayBeSecret(_ name: String) -> Bool {
        let words = words(of: name)
        return words.last.map { ["key", "keys", "auth", "salt", "pepper", "seed", "hash", "cookie", "session"].contains($0) }
            ?? false
    }

    /// Whether a name ends in `auth`: it may be of a user with a password.
    static func isAuth(_ name: String) -> Bool { words(of: name).last == "auth" }

    static let switches: Set = ["", "true", "false", "yes", "no", "on", "off", "none", "null", "0", "1"]

    private static func words(of name: String) -> [String] {
        Titles.words(of: name).lowercased().split(separator: " ").map { word in
            let stem = word.reversed().drop(while: \.isNumber).reversed()
            return String(stem.isEmpty ? String(word) : String(stem))
        }
    }

    /// Each word below contains one of these, which are searched first: splitting thousands of names into words takes as
    /// long as reading them.
    private static let roots = ["pass", "key", "secret", "token", "credential", "pw", "psk", "pat", "jwt", "dsn", "auth"].map {
        Array($0.utf8)
    }

    private static func hasRoot(_ name: String) -> Bool {
        let letters = name.utf8.map { $0 | 0x20 }.filter { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        return roots.contains { root in
            letters.indices.contains { letters[$0] == root[0] && letters[$0...].starts(with: root) }
        }
    }

    private static func isSecret(_ word: String) -> Bool {
        secrets.contains(word) || endings.contains { word.hasSuffix($0) }
    }

    private static func isSecret(_ first: String, _ second: String) -> Bool {
        ["key", "keys"].contains(second) && keys.contains(first) || first == "pass" && ["word", "phrase"].contains(second)
    }

    private static let secrets: Set = [
        "secret", "secrets", "credential", "credentials", "token", "tokens", "pwd", "pw", "passcode", "psk", "apikeys", "pass",
        "pat",
        "jwt",
        "dsn",
    ]
    private static let endings = [
        "password", "passwords", "passwd", "passphrase", "secret", "token", "apikey", "privatekey", "secretkey", "accesskey",
        "passkey", "presharedkey",
    ]
    /// Words that make a key a secret one.
    private static let keys: Set = [
        "api", "private", "secret", "access", "signing", "encryption", "auth", "master", "account", "storage", "shared",
        "preshared", "wep",
    ]
    private static let collections: Set = ["secret", "secrets", "credential", "credentials", "passwords", "tokens", "apikeys"]
    /// Words that describe a secret but don't name one.
    private static let others: Set = [
        "limit", "limits", "max", "maximum", "min", "minimum", "count", "counts", "size", "length", "len", "ttl", "lifetime",
        "expiry", "expires", "expire", "expiration", "timeout", "interval", "duration", "age", "days", "hours", "minutes",
        "seconds", "rate", "budget", "usage", "cost", "price", "per", "policy", "type", "kind", "format", "algorithm", "alg",
        "method", "mode", "strategy", "name", "names", "id", "ids", "url", "uri", "urls", "endpoint", "host", "path", "paths",
        "file", "files", "filename", "dir", "directory", "folder", "store", "manager", "provider", "backend", "engine", "source",
        "ref", "reference", "helper", "enabled", "enable", "disabled", "disable", "required", "require", "allow", "allowed",
        "show", "hide", "visible", "reset", "forgot", "change", "prompt", "message", "label", "title", "placeholder", "hint",
        "field", "column", "header", "prefix", "suffix", "separator", "delimiter", "strength", "score", "complexity", "history",
        "rotation", "rotate", "generator", "validator", "regex", "pattern", "color", "colors", "colour", "colours", "theme",
        "style", "scope", "scopes", "public", "eos", "bos", "pad", "unk", "sep", "cls", "special", "stop", "issuer", "audience",
        "region", "version", "encoding", "charset", "cookie",
        "encryption",
    ]
    /// Those of them that have secrets of their own: `truststore.password`, `encryption_key`, `cookie_secret`.
    private static let owners: Set = [
        "store", "manager", "provider", "backend", "engine", "source", "host", "file", "cookie", "issuer", "encryption",
    ]
}

/// Patterns for keys: `*` is any text, `?` one character; a pattern without a dot is compared with the last part.
private enum Glob {
    static func matches(_ pattern: String, _ key: Key) -> Bool {
        let text = pattern.contains(".") ? key.description : key.name
        return matches(Array(pattern.lowercased().utf8)[...], Array(text.lowercased().utf8)[...])
    }

    /// Backtracks only to the last star, so that the time is at most the product of both lengths.
    private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
        var (rest, open) = (pattern, text)
        var star: (pattern: ArraySlice<UInt8>, text: ArraySlice<UInt8>)?
        while let byte = open.first {
            if rest.first == UInt8(ascii: "*") {
                rest = rest.dropFirst()
                star = (rest, open)
            } else if rest.first == UInt8(ascii: "?") || rest.first == byte {
                rest = rest.dropFirst()
                open = open.dropFirst()
            } else if let last = star {
                star = (last.pattern, last.text.dropFirst())
                (rest, open) = (last.pattern, last.text.dropFirst())
            } else {
                return false
            }
        }
        return rest.allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
