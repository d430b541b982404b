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

extension String {
    /// Whether it sorts first by UTF-8 bytes.
    package func precedesInBytes(_ other: String) -> Bool {
        withBytes(of: other) { left, right in
            for index in 0..<min(left.count, right.count) where left[index] != right[index] { return left[index] < right[index] }
            return left.count < right.count
        }
    }

    /// The bytes of both strings in contiguous memory; comparing Swift's views byte by byte takes 4 times as long.
    fileprivate func withBytes(
        of other: String, _ compare: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in right.withUTF8 { right in compare(left, right) } }
    }
}

extension ExactText: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, CustomStringConvertible {
    public init(stringLiteral value: String) { self.init(value) }
    public var description: String { string }
}
