/// Other programs' formats that settings come from and go to, by the names that a person types.
public enum FormatName: String, Hashable, Sendable, CaseIterable {
    case settingsBundle = "settings-bundle"
    case gsettings
    case vscode
    case jsonSchema = "json-schema"
    case flagd
    case json, yaml, toml, plist, env

    /// Whether its names are paths with dots or slashes, so that one may be both a setting and the beginning of others.
    package var hasFlatNames: Bool { [.gsettings, .vscode, .settingsBundle].contains(self) }
}
