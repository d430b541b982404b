/// Text that compares by its UTF-8 bytes.
///
/// Swift's `String` considers "é" and "e" + "◌́" equal; in a store they are different bytes, hence different values.
public struct ExactText: Hashable, Sendable {
    public var string: String

    public init(_ string: String) {
        self.string = string
    }

    public var isEmpty: Bool { string.isEmpty }
    /// Whether nothing of it is seen.
    package var isBlank: Bool { string.allSatisfy(\.isWhitespace) }

    public static func == (left: ExactText, right: ExactText) -> Bool {
        left.string.withBytes(of: right.string) { left, right in
            left.count == right.count && left.indices.allSatisfy { left[$0] == right[$0] }
        }
    }

    public func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}

extension ExactText: Comparable {
    public static func < (left: ExactText, right: ExactText) -> Bool {
        left.string.precedesInBytes(right.string)
    }
}

extension ExactText: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, CustomStringConvertible {
    public init(stringLiteral value: String) { self.init(value) }
    public var description: String { string }
}
