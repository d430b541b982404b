public import SettingsModel

/// An option as a program reads it: its key, the type of its values, and what counts where the store has nothing to say.
///
///     let language = Setting(try Key("general.language"), default: "en")
public struct Setting<Value: SettingsValue>: Sendable {
    public let key: Key
    public let defaultValue: Value

    public init(_ key: Key, default value: Value) {
        self.key = key
        defaultValue = value
    }
}

/// A type that an option's values can be read as: `Bool`, `Int`, `Double`, `String`, arrays of them, enumerations whose raw
/// values are one of them, and `JSON` itself.
public protocol SettingsValue: Sendable {
    /// Nil where it is none of this type.
    init?(json: JSON)
    var json: JSON { get }
}

extension JSON: SettingsValue {
    public init?(json: JSON) { self = json }
    public var json: JSON { self }
}

extension Bool: SettingsValue {
    public init?(json: JSON) {
        guard case .bool(let value) = json else { return nil }
        self = value
    }

    public var json: JSON { .bool(self) }
}

extension Int: SettingsValue {
    /// Nil for numbers with a fraction and those that are out of range; `10.0` is 10.
    public init?(json: JSON) {
        guard case .number(let number) = json, let whole = number.whole, let value = Int(whole.text) else { return nil }
        self = value
    }

    public var json: JSON { .number(self) }
}

extension Double: SettingsValue {
    /// The nearest to what the file has.
    public init?(json: JSON) {
        guard case .number(let number) = json, number.double.isFinite else { return nil }
        self = number.double
    }

    /// Null for what is no number: no option takes that.
    public var json: JSON { Number("\(self)").map { .number($0) } ?? .null }
}

extension String: SettingsValue {
    public init?(json: JSON) {
        guard case .string(let text) = json else { return nil }
        self = text.string
    }

    public var json: JSON { .string(self) }
}

extension Array: SettingsValue where Element: SettingsValue {
    public init?(json: JSON) {
        guard case .array(let items) = json else { return nil }
        self = []
        for item in items {
            guard let element = Element(json: item) else { return nil }
            append(element)
        }
    }

    public var json: JSON { .array(map(\.json)) }
}

extension SettingsValue where Self: RawRepresentable, RawValue: SettingsValue {
    public init?(json: JSON) {
        guard let raw = RawValue(json: json) else { return nil }
        self.init(rawValue: raw)
    }

    public var json: JSON { rawValue.json }
}
