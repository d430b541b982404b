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

extension Text: Comparable {
    public static func < (left: Text, right: Text) -> Bool {
        left.string.precedesInBytes(right.string)
    }
}

extension String {
    /// The order of UTF-8 bytes.
    package func precedesInBytes(_ other: String) -> Bool {
        withBytes(of: other) { left, right in
            for index in 0..<min(left.count, right.count) where left[index] != right[index] { return left[index] < right[index] }
            return left.count < right.count
        }
    }

    /// Both strings' bytes, each in one piece: the views of Swift's own go from byte to byte, which takes 4 times as long.
    fileprivate func withBytes(
        of other: String, _ compare: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in right.withUTF8 { right in compare(left, right) } }
    }
}

extension Text: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, CustomStringConvertible {
    public init(stringLiteral value: String) { self.init(value) }
    public var description: String { string }
}
