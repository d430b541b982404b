extension String {
    /// Whether it sorts first by UTF-8 bytes.
    package func precedesInBytes(_ other: String) -> Bool {
        withBytes(of: other) { left, right in
            for index in 0..<min(left.count, right.count) where left[index] != right[index] { return left[index] < right[index] }
            return left.count < right.count
        }
    }

    /// The bytes of both strings in contiguous memory; comparing Swift's views byte by byte takes 4 times as long.
    package func withBytes(
        of other: String, _ compare: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in right.withUTF8 { right in compare(left, right) } }
    }
}
