/// A length of time as people write it: `10m`, `90s`, `1h30m`, `2 hours`, `1 day 12 hours`.
package struct TimeSpan: Hashable, Sendable {
    package var seconds: Int64

    package init(seconds: Int64) { self.seconds = seconds }

    /// Nil for anything else, for nothing at all, and for what no calendar could hold.
    package init?(_ text: String) {
        var rest = text.lowercased()[...]
        var total: Int64 = 0
        var count = 0
        while true {
            rest = rest.drop { $0 == " " || count > 0 && $0 == "," }
            if rest.isEmpty { break }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count).drop { $0 == " " }
            let unit = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(unit.count)
            guard (1...9).contains(digits.count), let number = Int64(digits), let length = Self.length(of: unit) else {
                return nil
            }
            total += number * length
            count += 1
        }
        guard count > 0 else { return nil }
        seconds = total
    }

    private static func length(of unit: Substring) -> Int64? {
        switch unit {
        case "s", "sec", "secs", "second", "seconds": 1
        case "m", "min", "mins", "minute", "minutes": 60
        case "h", "hr", "hrs", "hour", "hours": 3600
        case "d", "day", "days": 86400
        case "w", "week", "weeks": 7 * 86400
        default: nil
        }
    }

    /// "10 minutes", "1 hour 30 minutes".
    package var words: String {
        var rest = max(seconds, 0)
        var parts: [String] = []
        for (name, length) in [("day", Int64(86400)), ("hour", 3600), ("minute", 60), ("second", 1)] {
            let count = rest / length
            rest %= length
            if count > 0 { parts.append("\(count) \(name)\(count == 1 ? "" : "s")") }
        }
        return parts.isEmpty ? "0 seconds" : parts.joined(separator: " ")
    }
}
