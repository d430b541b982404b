public import SettingsModel

/// What a Done is to change, made on a snapshot: others may record versions meanwhile.
public struct SettingsEdit: Sendable {
    /// What the edit is made on.
    public let snapshot: SettingsSnapshot
    private var content: SettingsContent

    package init(_ snapshot: SettingsSnapshot) {
        self.snapshot = snapshot
        content = snapshot.content
    }

    /// As it is, with what was set so far.
    public subscript<Value>(_ setting: Setting<Value>) -> Value {
        content.options[setting.key]?.effectiveValue.flatMap { Value(json: $0) } ?? setting.defaultValue
    }

    /// Throws `.missing` where there is no such option, `.badData` for what it doesn't allow and where it is read-only.
    public mutating func set<Value>(_ setting: Setting<Value>, to value: Value) throws(SettingsError) {
        try set(setting.key, to: value)
    }

    public mutating func set(_ key: Key, to value: some SettingsValue) throws(SettingsError) {
        try apply(.json(value.json), to: key)
    }

    /// Selects the label of a choice.
    public mutating func select(_ key: Key, label: String) throws(SettingsError) { try apply(.label(label), to: key) }

    /// Takes the value away, so that the option's own default is in force.
    public mutating func unset(_ key: Key) throws(SettingsError) { try apply(.json(nil), to: key) }

    private mutating func apply(_ wish: Wish, to key: Key) throws(SettingsError) {
        if content.options[key] == nil { throw SettingsError(snapshot.fault(of: key)) }
        do throws(Problem) { try content.set([(key, wish)]) } catch { throw SettingsError(error) }
    }

    package var changes: [Change] { content.changes(since: snapshot.content) }
}
