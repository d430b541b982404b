/// A length of time as people write it: `10m`, `90s`, `1h30m`, `50ms`, `2 hours`, `1 day 12 hours`, `0`.
package struct TimeSpan: Hashable, Sendable {
    package let milliseconds: Int64

    package init(seconds: Int64) { milliseconds = seconds * 1000 }
    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Whole seconds.
    package var seconds: Int64 { milliseconds / 1000 }

    package var duration: Duration { .milliseconds(milliseconds) }

    /// The moment that it leads to from now.
    package func end(at clock: Clock) -> Time { clock.time(clock.now + seconds) }

    /// Nil for anything else, for nothing at all, and for what no calendar could hold.
    package init?(_ text: String) {
        var rest = text.lowercased()[...]
        var total: Int64 = 0
        var count = 0
        if text == "0" {
            milliseconds = 0
            return
        }
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
            let sum = total.addingReportingOverflow(number * length)
            if sum.overflow { return nil }
            total = sum.partialValue
            count += 1
        }
        guard count > 0 else { return nil }
        milliseconds = total
    }

    private static func length(of unit: Substring) -> Int64? {
        switch unit {
        case "ms", "millisecond", "milliseconds": 1
        case "s", "sec", "secs", "second", "seconds": 1000
        case "m", "min", "mins", "minute", "minutes": 60_000
        case "h", "hr", "hrs", "hour", "hours": 3_600_000
        case "d", "day", "days": 86_400_000
        case "w", "week", "weeks": 7 * 86_400_000
        default: nil
        }
    }

    /// "10 minutes", "1 hour 30 minutes".
    package var words: String {
        var rest = max(milliseconds, 0)
        var parts: [String] = []
        let units = [
            ("day", Int64(86_400_000)), ("hour", 3_600_000), ("minute", 60_000), ("second", 1000), ("millisecond", 1),
        ]
        for (name, length) in units {
            let count = rest / length
            rest %= length
            if count > 0 { parts.append("\(count) \(name)\(count == 1 ? "" : "s")") }
        }
        return parts.isEmpty ? "0 seconds" : parts.joined(separator: " ")
    }
}
