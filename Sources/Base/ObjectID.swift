/// An object's SHA-1 as a value.
package struct ObjectID: Hashable, Sendable {
    // Big-endian, so that the numbers sort like the bytes.
    package let high: UInt64
    package let middle: UInt64
    package let low: UInt32

    /// The empty tree, which git knows without storing it.
    package static let emptyTree = ObjectID(
        high: 0x4b82_5dc6_42cb_6eb9, middle: 0xa060_e54b_f8d6_9288, low: 0xfbee_4904)

    package init(high: UInt64, middle: UInt64, low: UInt32) {
        self.high = high
        self.middle = middle
        self.low = low
    }

    /// The same byte 20 times, which is no object's id in practice.
    package init(repeating byte: UInt8) {
        let bytes = UInt64(byte) &* 0x0101_0101_0101_0101
        (high, middle, low) = (bytes, bytes, UInt32(truncatingIfNeeded: bytes))
    }

    /// The 20 bytes at an address.
    package init(at address: UnsafeRawPointer) {
        high = UInt64(bigEndian: address.loadUnaligned(as: UInt64.self))
        middle = UInt64(bigEndian: address.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        low = UInt32(bigEndian: address.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
    }

    /// The first 64 bits.
    package var beginning: UInt64 { high }

    /// A hash slot among `count`, computed from the first 64 bits.
    package func slot(of count: Int) -> Int { Int(truncatingIfNeeded: high % UInt64(count)) }

    /// Reads exactly 20 bytes.
    package init?(bytes: ArraySlice<UInt8>) {
        guard bytes.count == 20 else { return nil }
        self = bytes.withUnsafeBytes { bytes in bytes.baseAddress.map { ObjectID(at: $0) } } ?? .emptyTree
    }

    /// Parses 40 hexadecimal digits in either case.
    package init?(hex: String) { self.init(hex: hex.utf8) }

    package init?(hex: some Collection<UInt8>) {
        guard let id = hex.withContiguousStorageIfAvailable({ ObjectID(digits: $0) }) ?? ObjectID(hex: Array(hex)) else {
            return nil
        }
        self = id
    }

    private init?(digits: UnsafeBufferPointer<UInt8>) {
        guard digits.count == 40 else { return nil }
        var numbers: (UInt64, UInt64, UInt64) = (0, 0, 0)
        for (position, digit) in digits.enumerated() {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = digit - UInt8(ascii: "A") + 10
            default: return nil
            }
            switch position {
            case ..<16: numbers.0 = numbers.0 << 4 | UInt64(value)
            case ..<32: numbers.1 = numbers.1 << 4 | UInt64(value)
            default: numbers.2 = numbers.2 << 4 | UInt64(value)
            }
        }
        self.init(high: numbers.0, middle: numbers.1, low: UInt32(truncatingIfNeeded: numbers.2))
    }

    package var bytes: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, middle.bigEndian, low.bigEndian)) { Array($0.prefix(20)) }
    }

    package var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: 40) { text in
            for (offset, byte) in bytes.enumerated() {
                text[2 * offset] = digits[Int(byte >> 4)]
                text[2 * offset + 1] = digits[Int(byte & 15)]
            }
            return 40
        }
    }

    /// Seven digits, for display only.
    package var short: String { String(hex.prefix(7)) }
}

extension ObjectID: Comparable {
    /// By bytes, as git sorts ids.
    package static func < (left: ObjectID, right: ObjectID) -> Bool {
        (left.high, left.middle, left.low) < (right.high, right.middle, right.low)
    }
}

extension ObjectID: CustomStringConvertible {
    package var description: String { hex }
}
