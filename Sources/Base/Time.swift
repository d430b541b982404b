/// A point in time as git keeps it.
package struct Time: Hashable, Sendable {
    /// Seconds since 1970, UTC.
    package var seconds: Int64
    /// Minutes east of UTC where it was recorded.
    package var offset: Int

    package init(seconds: Int64, offset: Int) {
        self.seconds = seconds
        self.offset = offset
    }
}

extension Time {
    /// Clamped to the years 1 to 9999, which RFC 3339 can express; a commit may have any time.
    static func shown(_ seconds: Int64) -> Int64 { max(-62_135_596_800, min(253_402_300_799, seconds)) }

    /// RFC 3339 with the recorded offset.
    package var rfc3339: String {
        let parts = CalendarTime(seconds: Self.shown(Self.shown(seconds) + Int64(offset) * 60))
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        let year = String(repeating: "0", count: max(0, 4 - String(parts.year).count)) + String(parts.year)
        let zone = offset == 0 ? "Z" : "\(offset < 0 ? "-" : "+")\(two(abs(offset) / 60)):\(two(abs(offset) % 60))"
        let date = "\(year)-\(two(parts.month))-\(two(parts.day))"
        return "\(date)T\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second))\(zone)"
    }
}
