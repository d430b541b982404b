import SettingsModel

/// The meaning of a plain scalar of YAML: a word without quotes and without a tag.
///
/// The rules are those of YAML 1.1 (yaml.org/type), as in PyYAML and Ruby, with the additions of YAML 1.2 (chapter
/// 10.3): `yes`, `on`, `010` and `1:30` are not strings.
enum YAMLScalar: Hashable {
    case null
    case bool(Bool)
    /// A number in JSON's grammar.
    case number(Number)
    /// A number that JSON can't express: `.inf`, `.nan`.
    case notFinite
    case timestamp
    case string

    enum Dialect {
        /// `yes`, `no`, `on` and `off` are booleans.
        case yaml11
        /// They are strings, as in YAML 1.2 and in readers of both versions (Go's yaml.v3).
        case yaml12
        /// Numbers, too, are those of the core schema of YAML 1.2: `010` is ten, and `1_000` and `1:30` are strings.
        case core
    }

    init(plain text: String, _ dialect: Dialect) {
        self = YAMLScalar.word(text, dialect) ?? YAMLScalar.number(text, dialect) ?? .string
    }

    /// Whether YAML 1.2 gives the same meaning to a word that is not a string here.
    static func isUniversal(_ text: String) -> Bool {
        guard YAMLScalar(plain: text, .yaml12) != .string else { return false }
        let digits = text.drop { $0 == "-" || $0 == "+" }
        let isOldOctal = digits.count > 1 && digits.hasPrefix("0") && digits.utf8.dropFirst().allSatisfy(\.isDigit)
        return !isOldOctal && !digits.hasPrefix("0b") && !digits.contains("_") && !digits.contains(":")
    }

    private static func word(_ text: String, _ dialect: Dialect) -> YAMLScalar? {
        switch text {
        case "", "~", "null", "Null", "NULL": .null
        case "true", "True", "TRUE": .bool(true)
        case "false", "False", "FALSE": .bool(false)
        case "yes", "Yes", "YES", "on", "On", "ON": dialect == .yaml11 ? .bool(true) : .string
        case "no", "No", "NO", "off", "Off", "OFF": dialect == .yaml11 ? .bool(false) : .string
        case ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF": .notFinite
        default: nil
        }
    }

    private static func number(_ text: String, _ dialect: Dialect) -> YAMLScalar? {
        guard let first = text.utf8.first,
            first.isDigit || first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
                || first == UInt8(ascii: ".")
        else { return nil }
        if isTimestamp(text) { return .timestamp }
        let isNegative = first == UInt8(ascii: "-")
        let digits = text.utf8.dropFirst(isNegative || first == UInt8(ascii: "+") ? 1 : 0)
        let isOfCore = dialect == .core
        if isOfCore, text.contains(where: { $0 == "_" || $0 == ":" }) || Substring(digits).hasPrefix("0b") { return nil }
        guard let magnitude = integer(digits, isOfCore) ?? real(digits) ?? sexagesimal(digits) else { return nil }
        return Number(isNegative ? "-" + magnitude : magnitude).map { .number($0) }
    }

    private static func integer(_ digits: Substring.UTF8View, _ isOfCore: Bool) -> String? {
        let text = String(Substring(digits).filter { $0 != "_" })
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where text.hasPrefix(prefix) {
            return unsigned(text.dropFirst(2), radix)
        }
        guard let first = digits.first, first.isDigit, text.utf8.allSatisfy(\.isDigit) else { return nil }
        if text.count > 1, first == UInt8(ascii: "0") { return unsigned(text.dropFirst(1), isOfCore ? 10 : 8) }
        return text
    }

    /// The integer in decimal, of any length that a machine's integer may have; nil if it isn't one.
    private static func unsigned(_ text: Substring, _ radix: Int) -> String? {
        guard !text.isEmpty, text.first != "-", text.first != "+" else { return nil }
        return UInt128(text, radix: radix).map { String($0) }
    }

    /// Normalises `1.5`, `.5`, `5.` and `1e3`: JSON's grammar requires digits on both sides of the point.
    private static func real(_ digits: Substring.UTF8View) -> String? {
        var whole = ""
        var fraction: String?
        var rest = Substring(digits)
        func take(_ text: inout Substring) -> String {
            let taken = text.prefix { $0.isASCII && ($0.isNumber || $0 == "_") }
            text = text[taken.endIndex...]
            return taken.filter { $0 != "_" }
        }
        if let first = digits.first, first.isDigit { whole = take(&rest) }
        if rest.first == "." {
            rest.removeFirst()
            if rest.first == "_" { return nil }
            fraction = take(&rest)
        }
        guard !(whole.isEmpty && (fraction ?? "").isEmpty) else { return nil }
        var exponent = ""
        if rest.first == "e" || rest.first == "E" {
            exponent = String(rest.removeFirst())
            if let sign = rest.first, sign == "+" || sign == "-" { exponent.append(rest.removeFirst()) }
            let power = rest.prefix { $0.isASCII && $0.isNumber }
            guard !power.isEmpty else { return nil }
            exponent += power
            rest = rest[power.endIndex...]
        }
        guard rest.isEmpty, fraction != nil || !exponent.isEmpty else { return nil }
        let leading = whole.drop { $0 == "0" }
        let point = fraction.map { "." + ($0.isEmpty ? "0" : $0) } ?? ""
        return (leading.isEmpty ? "0" : leading) + point + exponent
    }

    /// The value of a sexagesimal number: `1:30` is 90.
    private static func sexagesimal(_ digits: Substring.UTF8View) -> String? {
        let parts = Substring(digits).split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first, first.utf8.first?.isDigit == true else { return nil }
        let last = parts[parts.count - 1].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard last.count == 2 || first.first != "0" else { return nil }
        var total: Int128 = 0
        for (index, part) in (parts.dropLast() + [last[0]]).enumerated() {
            let plain = index == 0 ? part.filter { $0 != "_" } : String(part)
            guard plain.utf8.allSatisfy(\.isDigit), let value = Int128(plain), index == 0 || value < 60 && plain.count <= 2,
                total < 1_000_000_000_000_000_000
            else { return nil }
            total = total * 60 + value
        }
        guard last.count == 2 else { return String(total) }
        let fraction = last[1].filter { $0 != "_" }
        guard fraction.utf8.allSatisfy(\.isDigit) else { return nil }
        return "\(total).\(fraction.isEmpty ? "0" : fraction)"
    }

    /// `2001-12-14`, `2001-12-14t21:59:43.10-05:00`, `2001-12-14 21:59:43.10 -5`.
    private static func isTimestamp(_ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        func digits(_ counts: ClosedRange<Int>) -> Bool {
            let count = bytes.prefix(counts.upperBound) { $0.isDigit }
            bytes = bytes.dropFirst(count)
            return counts.contains(count)
        }
        func take(_ characters: String) -> Bool {
            guard let first = bytes.first, characters.utf8.contains(first) else { return false }
            bytes = bytes.dropFirst()
            return true
        }
        guard digits(4...4), take("-"), digits(1...2), take("-"), digits(1...2) else { return false }
        if bytes.isEmpty { return text.utf8.count == 10 }
        if !take("Tt") {
            guard take(" \t") else { return false }
            while take(" \t") {}
        }
        guard digits(1...2), take(":"), digits(2...2), take(":"), digits(2...2) else { return false }
        if take(".") { while digits(1...1) {} }
        while take(" \t") {}
        if bytes.isEmpty || take("Z") { return bytes.isEmpty }
        guard take("+-"), digits(1...2) else { return false }
        if take(":") { guard digits(2...2) else { return false } }
        return bytes.isEmpty
    }
}

extension Collection {
    /// The number of leading elements, up to `limit`, that fit.
    fileprivate func prefix(_ limit: Int, _ fits: (Element) -> Bool) -> Int { prefix(limit).prefix(while: fits).count }
}
