package import SettingsModel

// Values that JSON can't express become an object with one member: {"$date": "2001-01-01T00:00:00Z"}, {"$data": "AAEC"} in
// Base64, {"$real": "nan"}, {"$uid": 5}, {"$set": [...]},
// {"$null": true}. A dictionary that looks like one of these becomes {"$dictionary": {…}}.

extension PropertyList {
    /// The value in JSON; numbers with a point or an exponent are reals.
    package var json: JSON {
        switch self {
        case .dictionary(let members):
            let object = JSON.object(members.entries.map { JSON.Member($0.name, $0.value.json) })
            if members.entries.count == 1, members.entries[0].name.string.hasPrefix("$") {
                return PropertyList.word("$dictionary", object)
            }
            return object
        case .array(let elements): return .array(elements.map(\.json))
        case .string(let text): return .string(text)
        case .integer(let number): return .number(number)
        case .real(let word): return Number(word).map { .number($0) } ?? PropertyList.word("$real", .string(word))
        case .boolean(let isTrue): return .bool(isTrue)
        case .date(let word): return PropertyList.word("$date", .string(word))
        case .data(let bytes): return PropertyList.word("$data", .string(ExactText(Base64.text(of: bytes))))
        case .uid(let number): return PropertyList.word("$uid", .number(Number(String(number)) ?? Number(0)))
        case .set(let elements): return PropertyList.word("$set", .array(elements.map(\.json)))
        case .null: return PropertyList.word("$null", .bool(true))
        }
    }

    private static func word(_ name: ExactText, _ value: JSON) -> JSON { .object([JSON.Member(name, value)]) }

    /// Nil if a property list can't express it: null, and numbers beyond 64 bits.
    package init?(_ json: JSON) {
        switch json {
        case .null: return nil
        case .bool(let isTrue): self = .boolean(isTrue)
        case .number(let number):
            let isReal = number.text.contains { ".eE".contains($0) }
            guard let value = isReal ? PropertyList(real: number.text) : PropertyList(integer: number.text) else { return nil }
            self = value
        case .string(let text): self = .string(text)
        case .array(let values):
            var elements: [PropertyList] = []
            for value in values {
                guard let element = PropertyList(value) else { return nil }
                elements.append(element)
            }
            self = .array(elements)
        case .object(let members):
            if members.count == 1, let value = PropertyList(word: members[0]) {
                self = value
                return
            }
            guard let members = Members(json: members) else { return nil }
            self = .dictionary(members)
        }
    }

    private init?(word member: JSON.Member) {
        switch (member.name.string, member.value) {
        case ("$dictionary", .object(let members)):
            guard let members = Members(json: members) else { return nil }
            self = .dictionary(members)
        case ("$date", .string(let text)) where PropertyList.isDate(text.string): self = .date(text.string)
        case ("$data", .string(let text)):
            guard let bytes = Base64.bytes(of: text.string) else { return nil }
            self = .data(bytes)
        case ("$real", .string(let text)) where ["nan", "inf", "-inf"].contains(text.string): self = .real(text.string)
        case ("$uid", .number(let number)):
            guard let value = UInt64(number.text) else { return nil }
            self = .uid(value)
        case ("$set", .array(let values)):
            let elements = values.compactMap { PropertyList($0) }
            guard elements.count == values.count else { return nil }
            self = .set(elements)
        case ("$null", .bool(true)): self = .null
        default: return nil
        }
    }
}

extension PropertyList.Members {
    fileprivate init?(json members: [JSON.Member]) {
        self.init()
        for member in members {
            guard let value = PropertyList(member.value) else { return nil }
            entries.append(Entry(name: member.name, value: value))
        }
    }
}
