/// A number exactly as it was written: `1`, `1.0` and `1e0` are kept apart.
///
/// Equality compares the text; `isEqual(to:)` and `<` compare the numbers.
public struct Number: Hashable, Sendable {
    /// The number in JSON's grammar (RFC 8259, section 6).
    public let text: String

    /// Nil if `text` is not a valid JSON number.
    public init?(_ text: String) {
        var reader = JSONReader(Array(text.utf8))
        guard (try? reader.scanNumber()) != nil, reader.isAtEnd else { return nil }
        self.text = text
    }

    public init(_ integer: Int) {
        text = String(integer)
    }

    init(checked text: String) {
        self.text = text
    }

    /// The nearest double; infinite if the number is out of range.
    public var double: Double { Double(text) ?? .nan }

    public func isEqual(to other: Number) -> Bool { text == other.text || Figures(self) == Figures(other) }

    public static func < (left: Number, right: Number) -> Bool { Figures(left) < Figures(right) }

    /// The exact sum; nil if it has more than 36 digits.
    public func adding(_ other: Number) -> Number? {
        guard let left = Decimal(self), let right = Decimal(other) else { return nil }
        return left.adding(right).map { Number(checked: $0.text) }
    }

    public var negated: Number {
        Number(checked: text.hasPrefix("-") ? String(text.dropFirst()) : "-" + text)
    }

    /// The number written as an integer, `5` for `5.0` and `0.5e1`; nil if it isn't an integer or has more than 36 digits.
    public var whole: Number? {
        Decimal(self)?.whole.map { Number(checked: $0) }
    }

    /// Whether this is `origin` plus a whole number of `step`s; true if that can't be computed exactly.
    public func isOnStep(_ step: Number, from origin: Number) -> Bool {
        guard let distance = adding(origin.negated).flatMap(Decimal.init), let step = Decimal(step) else { return true }
        return distance.isMultiple(of: step)
    }
}

/// 0.digits × 10^exponent without zeros at either end of the digits, so that numbers of any size compare exactly.
private struct Figures: Comparable {
    var isNegative = false
    var digits: [UInt8] = []
    var exponent = 0

    init(_ number: Number) {
        let parts = number.text.utf8.split(maxSplits: 1) { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
        var isFraction = false
        for byte in parts[0] {
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "0") where digits.isEmpty: if isFraction { exponent -= 1 }
            default:
                digits.append(byte)
                if !isFraction { exponent += 1 }
            }
        }
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        guard !digits.isEmpty else {
            self = Figures.zero
            return
        }
        // Powers beyond 10^18 count as equally large: no file has enough digits to make up the difference.
        if parts.count == 2 {
            let limit = 1_000_000_000_000_000_000
            let power = String(parts[1]) ?? "0"
            exponent += Swift.max(-limit, Swift.min(limit, Int(power) ?? (power.hasPrefix("-") ? -limit : limit)))
        }
    }

    private init() {}
    private static let zero = Figures()

    private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

    static func < (left: Figures, right: Figures) -> Bool {
        guard left.sign == right.sign else { return left.sign < right.sign }
        let (small, large) = left.isNegative ? (right, left) : (left, right)
        if small.exponent != large.exponent { return small.exponent < large.exponent }
        return small.digits.lexicographicallyPrecedes(large.digits)
    }
}

/// digits × 10^exponent, exact.
struct Decimal {
    var digits: Int128
    var exponent: Int

    /// Nil if the number has too many digits.
    init?(_ number: Number) {
        var digits: Int128 = 0
        var exponent = 0
        var isNegative = false
        var isFraction = false
        var bytes = number.text.utf8.makeIterator()
        while let byte = bytes.next() {
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                let rest = String(decoding: IteratorSequence(bytes).map { $0 }, as: UTF8.self)
                guard let power = Int(rest.hasPrefix("+") ? String(rest.dropFirst()) : rest), abs(power) < 1000 else {
                    return nil
                }
                exponent += power
                bytes = "".utf8.makeIterator()
            default:
                guard digits < Decimal.bound else { return nil }
                digits = digits * 10 + Int128(byte - UInt8(ascii: "0"))
                if isFraction { exponent -= 1 }
            }
        }
        self.digits = isNegative ? -digits : digits
        self.exponent = exponent
    }

    private init(digits: Int128, exponent: Int) {
        self.digits = digits
        self.exponent = exponent
    }

    private static let bound: Int128 = 1_000_000_000_000_000_000_000_000_000_000_000_000

    /// Both digits with the smaller exponent; nil if either overflows.
    private func aligned(with other: Decimal) -> (Int128, Int128, Int)? {
        let exponent = min(self.exponent, other.exponent)
        guard let left = scaled(to: exponent), let right = other.scaled(to: exponent) else { return nil }
        return (left, right, exponent)
    }

    private func scaled(to exponent: Int) -> Int128? {
        if digits == 0 { return 0 }
        var result = digits
        for _ in 0..<(self.exponent - exponent) {
            guard abs(result) < Decimal.bound else { return nil }
            result *= 10
        }
        return result
    }

    func adding(_ other: Decimal) -> Decimal? {
        guard let (left, right, exponent) = aligned(with: other) else { return nil }
        return Decimal(digits: left + right, exponent: exponent)
    }

    func isMultiple(of step: Decimal) -> Bool {
        guard step.digits != 0, let (left, right, _) = aligned(with: step) else { return true }
        return left % right == 0
    }

    /// The number without a decimal point; nil if it has a fraction.
    var whole: String? {
        scaled(to: min(exponent, 0)).flatMap { figures in
            var (figures, exponent) = (figures, min(exponent, 0))
            while exponent < 0, figures.isMultiple(of: 10) { (figures, exponent) = (figures / 10, exponent + 1) }
            return exponent == 0 ? String(figures) : nil
        }
    }

    /// Plain notation with as few digits as the value needs, but no fewer decimals than its exponent says.
    var text: String {
        guard exponent < 0 else { return String(digits) + (digits == 0 ? "" : String(repeating: "0", count: exponent)) }
        var figures = String(digits.magnitude)
        if figures.count <= -exponent { figures = String(repeating: "0", count: -exponent - figures.count + 1) + figures }
        let point = figures.index(figures.endIndex, offsetBy: exponent)
        return (digits < 0 ? "-" : "") + figures[..<point] + "." + figures[point...]
    }
}
