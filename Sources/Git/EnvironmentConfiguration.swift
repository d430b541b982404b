import Files

/// What the environment puts in place of git's configuration files, and on top of them:
/// https://git-scm.com/docs/git-config#ENVIRONMENT
package struct EnvironmentConfiguration: Sendable {
    /// In place of the user's files: GIT_CONFIG_GLOBAL.
    let user: String?
    /// In place of the machine's file: GIT_CONFIG_SYSTEM.
    let machine: String?
    /// Whether the machine's file isn't read: GIT_CONFIG_NOSYSTEM.
    let hasNoMachine: Bool
    /// What is on top of all files, the strongest last: GIT_CONFIG_COUNT and, from `git -c`, GIT_CONFIG_PARAMETERS.
    let entries: [ConfigurationEntry]
    /// What is wrong with all that, so that git refuses to run; nil where nothing is.
    package let fault: String?

    static let none = EnvironmentConfiguration { _ in nil }

    /// `variable`: its value, which may be empty; nil where it is missing. An empty name of a file means none.
    package init(_ variable: (String) -> String?) {
        user = variable("GIT_CONFIG_GLOBAL")
        machine = variable("GIT_CONFIG_SYSTEM")
        hasNoMachine = !["0", "false", "no", "off", ""].contains(variable("GIT_CONFIG_NOSYSTEM")?.lowercased() ?? "0")
        var entries: [(String, String)] = []
        do {
            entries = try Self.counted(variable) + Self.parameters(variable("GIT_CONFIG_PARAMETERS") ?? "")
            for (key, _) in entries { try Self.check(key) }
            try Self.check(user, from: "GIT_CONFIG_GLOBAL")
            if !hasNoMachine { try Self.check(machine, from: "GIT_CONFIG_SYSTEM") }
            fault = nil
        } catch { fault = error.reason }
        self.entries = entries.map { ConfigurationEntry(name: Self.normal($0), value: $1) }
    }

    private struct Fault: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    private static func counted(_ variable: (String) -> String?) throws(Fault) -> [(String, String)] {
        guard let text = variable("GIT_CONFIG_COUNT"), !text.isEmpty else { return [] }
        guard let count = Int(text), count >= 0 else { throw Fault("the count '\(text)' in GIT_CONFIG_COUNT is not valid") }
        var pairs: [(String, String)] = []
        for number in 0..<count {
            guard let key = variable("GIT_CONFIG_KEY_\(number)") else { throw Fault("GIT_CONFIG_KEY_\(number) is missing") }
            guard let value = variable("GIT_CONFIG_VALUE_\(number)") else { throw Fault("GIT_CONFIG_VALUE_\(number) is missing") }
            pairs.append((key, value))
        }
        return pairs
    }

    /// Refuses a folder in the place of a file. One that is missing is as good as an empty one.
    private static func check(_ file: String?, from variable: String) throws(Fault) {
        guard let file, FileSystem.kind(of: file, following: true) == .folder else { return }
        throw Fault("\(variable) is '\(file)', which is a directory")
    }

    /// Refuses what git refuses as a key: a section and a name of letters, digits and hyphens, with anything but a line break
    /// between them.
    private static func check(_ key: String) throws(Fault) {
        func isPart(_ text: Substring) -> Bool {
            text.utf8.allSatisfy {
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                    || $0 == UInt8(ascii: "-")
            }
        }
        guard let first = key.firstIndex(of: "."), let last = key.lastIndex(of: "."), first != key.startIndex else {
            throw Fault("the key '\(key)' has no section")
        }
        let name = key[key.index(after: last)...]
        guard isPart(key[..<first]), isPart(name), name.first?.isLetter == true, !key.contains(where: \.isNewline) else {
            throw Fault("the key '\(key)' is not valid")
        }
    }

    /// The value of a key on top of all files.
    func value(_ key: String) -> String? { entries.isEmpty ? nil : values(key).last }

    func values(_ key: String) -> [String] {
        let name = Self.normal(key)
        return entries.filter { $0.name == name }.map(\.value)
    }

    /// In place of the machine's file, and of the user's; nil where it is looked for as ever, empty where none is read.
    var files: (machine: String?, user: String?) { (hasNoMachine ? "" : machine, user) }

    /// The section and the last part in small letters.
    private static func normal(_ key: String) -> String {
        guard let first = key.firstIndex(of: "."), let last = key.lastIndex(of: ".") else { return key.lowercased() }
        return key[..<first].lowercased() + key[first..<last] + key[last...].lowercased()
    }

    /// `'key'='value' …`, or `'key=value' …` as older versions of git write it. A quote in a value is written as `'\''`.
    private static func parameters(_ text: String) throws(Fault) -> [(String, String)] {
        var pairs: [(String, String)] = []
        var (word, key): (String, String?) = ("", nil)
        var isQuoted = false
        func finish() {
            if let key {
                pairs.append((key, word))
            } else if let equals = word.firstIndex(of: "=") {
                pairs.append((String(word[..<equals]), String(word[word.index(after: equals)...])))
            } else if !word.isEmpty {
                pairs.append((word, "true"))
            }
            (word, key) = ("", nil)
        }
        var characters = text.makeIterator()
        while let character = characters.next() {
            switch character {
            case "'": isQuoted.toggle()
            case "\\" where !isQuoted: if let next = characters.next() { word.append(next) }
            case "=" where !isQuoted && key == nil: (key, word) = (word, "")
            case " " where !isQuoted: finish()
            case _ where !isQuoted: throw Fault("GIT_CONFIG_PARAMETERS is not valid")
            default: word.append(character)
            }
        }
        if isQuoted { throw Fault("GIT_CONFIG_PARAMETERS is not valid") }
        finish()
        return pairs
    }
}
