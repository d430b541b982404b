/// What the argument parser takes from Foundation: an error's description, and the JSON in which it describes its commands.
///
/// `Scripts/build` compiles this as the module `FoundationEssentials` and puts it before the toolchain's, so that a release
/// needs no Foundation, 4.6 of 24 MB. In the package it is a target of its own name, and tests compare it with Foundation's.

public protocol LocalizedError: Error {
    var errorDescription: String? { get }
}

/// Bytes that are UTF-8, since nothing else is made here.
public struct Data: Sendable {
    fileprivate let text: String
}

extension String {
    public struct Encoding: Equatable, Sendable {
        public static let utf8 = Encoding()
    }

    public init?(data: Data, encoding: Encoding) { self = data.text }
}

/// An encoder whose JSON is, byte for byte, that of Foundation's with the same formatting. Of numbers it takes integers only.
public final class JSONEncoder {
    public struct OutputFormatting: OptionSet, Sendable {
        public static let prettyPrinted = OutputFormatting(rawValue: 1 << 0)
        public static let sortedKeys = OutputFormatting(rawValue: 1 << 1)

        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }
    }

    /// Both must be set; that is what the parser does, and without order the JSON would differ from run to run.
    public var outputFormatting: OutputFormatting = []

    public init() {}

    /// - Throws: What `value` throws, and `EncodingError` for a number that is no integer or for other formatting.
    public func encode(_ value: some Encodable) throws -> Data {
        let node = Node()
        guard outputFormatting == [.prettyPrinted, .sortedKeys] else { throw node.refusal(of: outputFormatting, at: []) }
        try node.set(to: value, at: [])
        var text = ""
        node.write(to: &text, indentation: "\n")
        return Data(text: text)
    }
}

/// A value of JSON that is being made.
private final class Node {
    enum Content {
        case nothing
        /// As it is written.
        case scalar(String)
        case array([Node])
        case object([String: Node])
    }

    var content = Content.nothing

    func set(to value: some Encodable, at path: [any CodingKey]) throws {
        switch value {
        case let text as String: content = .scalar(Self.quoted(text))
        case let flag as Bool: content = .scalar(flag ? "true" : "false")
        case let number as any BinaryInteger: content = .scalar(String(describing: number))
        case is any FloatingPoint: throw refusal(of: value, at: path)
        default: try value.encode(to: NodeEncoder(node: self, codingPath: path))
        }
    }

    /// A new member; one of the same name before is forgotten.
    func member(_ name: String) -> Node {
        var members: [String: Node] = [:]
        if case .object(let earlier) = content { members = earlier }
        let node = Node()
        members[name] = node
        content = .object(members)
        return node
    }

    func element() -> Node {
        let node = Node()
        content = .array(elements + [node])
        return node
    }

    var elements: [Node] {
        guard case .array(let elements) = content else { return [] }
        return elements
    }

    func refusal(of value: Any, at path: [any CodingKey]) -> EncodingError {
        .invalidValue(value, .init(codingPath: path, debugDescription: "this encoder has no JSON for it"))
    }

    /// - Parameter indentation: What begins a line here: a line break and the spaces of what contains this.
    func write(to text: inout String, indentation: String) {
        let inner = indentation + "  "
        switch content {
        case .nothing: text += "null"
        case .scalar(let written): text += written
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                text += (index == 0 ? "" : ",") + inner
                element.write(to: &text, indentation: inner)
            }
            text += (elements.isEmpty ? "\n" : "") + indentation + "]"
        case .object(let members):
            text += "{"
            for (index, name) in members.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }).enumerated() {
                text += (index == 0 ? "" : ",") + inner + Self.quoted(name) + " : "
                members[name]?.write(to: &text, indentation: inner)
            }
            text += (members.isEmpty ? "\n" : "") + indentation + "}"
        }
    }

    /// A string of JSON; RFC 8259, 7, with the escapes that Foundation chooses.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "/": quoted += "\\/"
            case "\u{8}": quoted += "\\b"
            case "\u{C}": quoted += "\\f"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\0"..<" ": quoted += (scalar.value < 16 ? "\\u000" : "\\u00") + String(scalar.value, radix: 16)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

private struct NodeEncoder: Encoder, SingleValueEncodingContainer {
    let node: Node
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .object = node.content {} else { node.content = .object([:]) }
        return KeyedEncodingContainer(Members(node: node, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.content = .array(node.elements)
        return Elements(node: node, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { node.content = .nothing }

    func encode(_ value: some Encodable) throws { try node.set(to: value, at: codingPath) }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: Node
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) { _ = node.member(key.stringValue) }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        try node.member(key.stringValue).set(to: value, at: codingPath + [key])
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { NodeEncoder(node: node.member("super"), codingPath: codingPath) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

    private func encoder(_ key: Key) -> NodeEncoder {
        NodeEncoder(node: node.member(key.stringValue), codingPath: codingPath + [key])
    }
}

private struct Elements: UnkeyedEncodingContainer {
    let node: Node
    let codingPath: [any CodingKey]

    var count: Int { node.elements.count }

    func encodeNil() { _ = node.element() }

    func encode(_ value: some Encodable) throws { try node.element().set(to: value, at: codingPath) }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        encoder.container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder }

    private var encoder: NodeEncoder { NodeEncoder(node: node.element(), codingPath: codingPath) }
}
