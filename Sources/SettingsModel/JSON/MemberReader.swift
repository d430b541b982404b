/// Takes each member of a file's object once, and gives the position of an invalid one.
struct MemberReader {
    private let bytes: [UInt8]
    private var members: [JSON.Member]

    init(_ bytes: [UInt8]) throws(BadFile) {
        self.bytes = bytes
        let json = try JSON(parsing: bytes)
        guard case .object(let members) = json else {
            throw BadFile("the file contains \(json.kind), not an object", at: JSON.position(of: [], in: bytes))
        }
        self.members = members
    }

    mutating func take(_ name: ExactText) -> JSON? {
        members.firstIndex { $0.name == name }.map { members.remove(at: $0).value }
    }

    /// The members that were not taken.
    var rest: [ExactText: JSON] {
        members.isEmpty ? [:] : Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    }

    mutating func text(_ name: ExactText) throws(BadFile) -> ExactText? {
        guard let value = take(name), !value.isNull else { return nil }
        guard let text = value.text else { throw wrong(name, "must be a string, not \(value.kind)") }
        return text
    }

    mutating func number(_ name: ExactText) throws(BadFile) -> Number? {
        guard let value = take(name), !value.isNull else { return nil }
        guard case .number(let number) = value else { throw wrong(name, "must be a number, not \(value.kind)") }
        return number
    }

    mutating func array(_ name: ExactText) throws(BadFile) -> [JSON]? {
        guard let value = take(name), !value.isNull else { return nil }
        guard case .array(let elements) = value else { throw wrong(name, "must be an array, not \(value.kind)") }
        return elements
    }

    mutating func texts(_ name: ExactText) throws(BadFile) -> [ExactText]? {
        guard let elements = try array(name) else { return nil }
        var texts: [ExactText] = []
        for (index, element) in elements.enumerated() {
            guard let text = element.text else { throw wrong(name, index, "must be a string, not \(element.kind)") }
            texts.append(text)
        }
        return texts
    }

    /// How a value does not fit the option, whose other members were not taken yet.
    var misfitOfValue: BadFile.Misfit {
        members.contains { $0.name == "readOnly" && $0.value == .bool(true) } ? .readOnlyValue : .value
    }

    /// The error for the invalid member `name`.
    func wrong(_ name: ExactText, _ reason: String, hint: String? = nil, misfit: BadFile.Misfit? = nil) -> BadFile {
        BadFile("\"\(name)\" \(reason)", at: JSON.position(of: [.member(name)], in: bytes), hint: hint, misfit: misfit)
    }

    /// The error for an invalid element of the member `name`.
    func wrong(_ name: ExactText, _ index: Int, _ reason: String, hint: String? = nil) -> BadFile {
        BadFile(
            "\"\(name)\": element \(index) \(reason)",
            at: JSON.position(of: [.member(name), .element(index)], in: bytes), hint: hint
        )
    }
}
