/// A JSON value that keeps the order of members and the text of numbers.
public enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Number)
    case string(ExactText)
    case array([JSON])
    case object([Member])

    public struct Member: Hashable, Sendable {
        public var name: ExactText
        public var value: JSON

        public init(_ name: ExactText, _ value: JSON) {
            self.name = name
            self.value = value
        }
    }

    public static func string(_ string: String) -> JSON { .string(ExactText(string)) }
    public static func number(_ integer: Int) -> JSON { .number(Number(integer)) }

    /// An object with the members whose value is not nil.
    public static func object(_ members: KeyValuePairs<ExactText, JSON?>) -> JSON {
        .object(members.compactMap { name, value in value.map { Member(name, $0) } })
    }

    public var isNull: Bool { self == .null }

    /// Whether it is null, a boolean, a number or a string: the values that a label may have.
    public var isScalar: Bool {
        switch self {
        case .null, .bool, .number, .string: true
        case .array, .object: false
        }
    }

    public var text: ExactText? {
        if case .string(let text) = self { text } else { nil }
    }

    public subscript(name: ExactText) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The kind of value, for an error.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The value as a command prints it: a string without quotes, anything else as compact JSON.
    public var bare: String {
        if case .string(let text) = self { text.string } else { compact }
    }
}

extension JSON: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self = .string(ExactText(value)) }
}
