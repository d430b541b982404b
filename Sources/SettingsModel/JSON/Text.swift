/// Text that compares by its UTF-8 bytes.
///
/// Swift's `String` calls "é" and "e" + "◌́" equal; in a store they are different bytes, so different values.
public struct Text: Hashable, Sendable {
    public var string: String

    public init(_ string: String) {
        self.string = string
    }

    public var isEmpty: Bool { string.isEmpty }

    public static func == (left: Text, right: Text) -> Bool {
        left.string.utf8.elementsEqual(right.string.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in string.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}

extension Text: Comparable {
    public static func < (left: Text, right: Text) -> Bool {
        left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
    }
}

extension Text: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, CustomStringConvertible {
    public init(stringLiteral value: String) { self.init(value) }
    public var description: String { string }
}
