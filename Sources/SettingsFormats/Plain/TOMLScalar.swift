import SettingsModel

/// A TOML value without quotes (toml.io/en/v1.0.0).
struct TOMLScalar {
    /// Times and numbers that are not finite are strings.
    var value: JSON
    /// Its kind beyond JSON, or its spelling.
    var mark: ExactText?

    /// The mark of a number that JSON can't express.
    static let notFinite: ExactText = "float"

    /// Nil if `raw` is not a valid value.
    init?(_ raw: String) {
        switch raw {
        case "true": value = .bool(true)
        case "false": value = .bool(false)
        case "inf", "+inf", "-inf", "nan", "+nan", "-nan":
            value = .string(raw)
            mark = TOMLScalar.notFinite
        default:
            if let number = TOMLScalar.number(raw) {
                value = .number(number)
                mark = number.text == raw ? nil : ExactText(raw)
            } else if let kind = TOMLScalar.kindOfTime(raw) {
                value = .string(raw)
                mark = kind
            } else {
                return nil
            }
        }
    }

    private static func number(_ raw: String) -> Number? {
        let bytes = Array(raw.utf8)
        let radix = [("0x", 16), ("0o", 8), ("0b", 2)].first { raw.hasPrefix($0.0) }?.1
        func isDigit(_ index: Int) -> Bool {
            guard bytes.indices.contains(index), bytes[index] < 0x80 else { return false }
            return Character(Unicode.Scalar(bytes[index])).hexDigitValue.map { $0 < radix ?? 10 } ?? false
        }
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "_") {
            guard isDigit(index - 1), isDigit(index + 1) else { return nil }
        }
        let text = raw.filter { $0 != "_" }
        if let radix {
            guard isDigit(2) else { return nil }
            return Int64(text.dropFirst(2), radix: radix).map { Number(Int($0)) }
        }
        guard let number = Number(text.hasPrefix("+") && isDigit(1) ? String(text.dropFirst()) : text) else { return nil }
        return number.isReal && number.double.isFinite || Int64(number.text) != nil ? number : nil
    }

    /// `1979-05-27`, `07:32:00.5`, `1979-05-27T07:32:00`, `1979-05-27 07:32:00-07:00`.
    private static func kindOfTime(_ raw: String) -> ExactText? {
        var bytes = Array(raw.utf8)[...]
        func number(_ count: Int, _ range: ClosedRange<Int>) -> Int? {
            let digits = bytes.prefix(count)
            guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            bytes = bytes.dropFirst(count)
            let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            return range.contains(value) ? value : nil
        }
        func take(_ characters: String) -> Bool {
            guard let first = bytes.first, characters.utf8.contains(first) else { return false }
            bytes = bytes.dropFirst()
            return true
        }
        func isTime() -> Bool {
            guard number(2, 0...23) != nil, take(":"), number(2, 0...59) != nil else { return false }
            // Seconds are optional in TOML 1.1.
            guard take(":") else { return true }
            guard number(2, 0...59) != nil else { return false }
            guard take(".") else { return true }
            let digits = bytes.prefix { (0x30...0x39).contains($0) }.count
            bytes = bytes.dropFirst(digits)
            return digits > 0
        }
        if raw.utf8.dropFirst(2).first == UInt8(ascii: ":") { return isTime() && bytes.isEmpty ? "time" : nil }
        guard let year = number(4, 0...9999), take("-"), let month = number(2, 1...12), take("-"),
            number(2, 1...days(of: month, year)) != nil
        else { return nil }
        if bytes.isEmpty { return "date" }
        guard take("Tt "), isTime() else { return nil }
        if bytes.isEmpty || take("Zz") { return bytes.isEmpty ? "date-time" : nil }
        guard take("+-"), number(2, 0...23) != nil, take(":"), number(2, 0...59) != nil, bytes.isEmpty else { return nil }
        return "date-time"
    }

    private static func days(of month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
