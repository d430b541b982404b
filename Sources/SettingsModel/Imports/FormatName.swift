/// The formats of other programs that settings are imported from and exported to, by the names used on the command line.
public enum FormatName: String, Hashable, Sendable, CaseIterable {
    case settingsBundle = "settings-bundle"
    case gsettings
    case vscode
    case jsonSchema = "json-schema"
    case flagd
    case json, yaml, toml, plist, env, ini
    case gitConfig = "git-config"
    case properties, systemd
    case keyFile = "keyfile"
    case postgreSQL = "postgresql"
    case mySQL = "my-cnf"
    case npm = "npmrc"
    case editorConfig = "editorconfig"
    case php = "php-ini"

    /// Whether it is a dialect of key files: lines of keys and values, which are texts or lists of texts.
    package var isKeyFile: Bool {
        [.ini, .gitConfig, .properties, .systemd, .keyFile, .postgreSQL, .mySQL, .npm, .editorConfig, .php].contains(self)
    }

    /// What the format is told of where a file lies: the folder of a key file tells which program reads it.
    package func name(of path: String) -> String { isKeyFile ? path : path.split(separator: "/").last.map(String.init) ?? path }

    /// Whether its names are dotted or slashed paths, so that a name may be both a setting and a prefix of others.
    package var hasFlatNames: Bool { [.gsettings, .vscode, .settingsBundle].contains(self) }
}
