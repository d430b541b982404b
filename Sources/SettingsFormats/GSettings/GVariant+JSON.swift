import SettingsModel

// How values of GSettings are stored:
//
//     b                   true, false
//     y n q i u x t       the number
//     d                   the number, always with a point or an exponent
//     s o g               the string
//     as                  an array of strings
//     everything else     a string: GVariant's text, as `gsettings get` prints it

extension GVariant {
    /// Nil for numbers that JSON can't express: `inf` and `nan`.
    var json: JSON? {
        switch self {
        case .boolean(let isTrue): return .bool(isTrue)
        case .integer(let number, let type) where type.isInteger: return Number(String(number)).map { .number($0) }
        case .double(let number): return number.isFinite ? Number("\(number)").map { .number($0) } : nil
        case .string(let string, _): return .string(string)
        case .array(let elements, "as"):
            return .array(elements.map { if case .string(let string, _) = $0 { .string(string) } else { .null } })
        default: return .string(text)
        }
    }

    /// The value of `type` that `json` represents in a store.
    init(_ json: JSON, as type: GVariantType) throws(Malformed) {
        switch (json, type) {
        case (.bool(let isTrue), "b"): self = .boolean(isTrue)
        case (.number(let number), "d"): self = .double(number.double)
        case (.number(let number), _) where type.isInteger: self = .integer(try GVariant.whole(number, type), type)
        case (.string(let text), "s"): self = .string(try GVariant.checked(text), type)
        case (.string(let text), "o"):
            guard GVariant.isObjectPath(text.string) else { throw Malformed("'\(text)' is not an object path") }
            self = .string(text.string, type)
        case (.string(let text), "g"):
            guard GVariant.isSignature(text.string) else { throw Malformed("'\(text)' is not a signature") }
            self = .string(text.string, type)
        case (.array(let elements), "as"):
            var strings: [GVariant] = []
            for element in elements { strings.append(try GVariant(element, as: "s")) }
            self = .array(strings, type)
        case (.string(let text), _) where type != "b" && type != "d" && !type.isInteger:
            try self.init(parsing: text.string, as: type)
        default: throw Malformed("\(json.kind) can't be of type '\(type.text)'")
        }
    }

    private static func whole(_ number: Number, _ type: GVariantType) throws(Malformed) -> Int128 {
        guard let bounds = GVariantType.bounds(of: type.letter) else { throw Malformed("'\(type.text)' is not a numeric type") }
        guard number.isOnStep(Number(1), from: Number(0)), let whole = Int128(number.text) ?? Int128(exactly: number.double)
        else {
            throw Malformed("\(number.text) is not a whole number")
        }
        guard bounds.contains(whole) else { throw Malformed("\(number.text) is out of range for type '\(type.text)'") }
        return whole
    }

    private static func checked(_ text: ExactText) throws(Malformed) -> String {
        guard !text.string.utf8.contains(0) else { throw Malformed("a string can't contain a NUL character") }
        return text.string
    }

    /// A value of a suitable type for JSON from another source.
    init(untyped json: JSON) throws(Malformed) {
        switch json {
        case .null: self = .maybe(nil, "mv")
        case .bool(let isTrue): self = .boolean(isTrue)
        case .string(let text): self = .string(try GVariant.checked(text), "s")
        case .number(let number): self = GVariant.number(number)
        case .array(let elements):
            var values: [GVariant] = []
            for element in elements { values.append(try GVariant(untyped: element)) }
            let type = values.first?.type ?? "s"
            if values.allSatisfy({ $0.type == type }) {
                self = .array(values, GVariantType(checked: Array("a".utf8) + type.bytes))
            } else {
                self = .array(values.map { .variant($0) }, "av")
            }
        case .object(let members):
            var entries: [GVariant] = []
            for member in members {
                entries.append(
                    .entry(.string(try GVariant.checked(member.name), "s"), .variant(try GVariant(untyped: member.value))))
            }
            self = .array(entries, "a{sv}")
        }
    }

    private static func number(_ number: Number) -> GVariant {
        guard let whole = Int128(number.text) else { return .double(number.double) }
        let types: [GVariantType] = ["i", "x", "t"]
        let type = types.first { GVariantType.bounds(of: $0.letter)?.contains(whole) ?? false }
        return type.map { .integer(whole, $0) } ?? .double(number.double)
    }
}
