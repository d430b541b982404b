internal import CGit2

/// One line of git's configuration, as data.
package struct ConfigurationEntry: Hashable, Sendable {
    /// `remote.origin.url`: the section and the last part in small letters.
    package let name: String
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// The last part of the name.
    package var key: String { name.split(separator: ".").last.map(String.init) ?? "" }
    package var section: String { name.split(separator: ".").first.map(String.init) ?? "" }

    /// What stands between section and key; nil where nothing does.
    package var subsection: String? {
        guard let first = name.firstIndex(of: "."), let last = name.lastIndex(of: "."), first < last else { return nil }
        return String(name[name.index(after: first)..<last])
    }

    /// The name with its case as it is read, however it was spelled.
    package var comparableName: String {
        [section.lowercased(), subsection, key.lowercased()].compactMap(\.self).joined(separator: ".")
    }

    /// As a configuration file has it: https://git-scm.com/docs/git-config#_syntax
    var text: String { "\(header)\n\t\(key) = \(Self.quoted(value))\n" }

    /// The line that begins its section.
    var header: String {
        // A section's name can't hold a line break.
        let subsection = subsection.map { " " + Self.quoted($0.filter { !$0.isNewline }) } ?? ""
        return "[\(section)\(subsection)]"
    }

    private static func quoted(_ text: String) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return "\"\(quoted)\""
    }
}

extension RepositoryConfiguration {
    /// What the repository's own configuration says, with what that includes, in its order.
    package func ownEntries() throws(GitError) -> [ConfigurationEntry] {
        try entries { $0 == GIT_CONFIG_LEVEL_LOCAL || $0 == GIT_CONFIG_LEVEL_LOCAL.next }
    }

    /// What all files say, the weakest first.
    package func allEntries() throws(GitError) -> [ConfigurationEntry] { try entries { _ in true } }

    private func entries(_ isWanted: (git_config_level_t) -> Bool) throws(GitError) -> [ConfigurationEntry] {
        try Configuration.of(git.pointer).entries(isWanted)
    }
}

extension git_config_level_t {
    /// That of a work tree's own configuration, which libgit2 knows from 1.8 on.
    fileprivate var next: git_config_level_t { git_config_level_t(rawValue: rawValue + 1) }
}
