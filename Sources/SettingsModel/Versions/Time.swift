#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

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
    /// A time in the process's time zone.
    package static func local(_ seconds: Int64) -> Time {
        var time = time_t(shown(seconds))
        var parts = tm()
        localtime_r(&time, &parts)
        return Time(seconds: seconds, offset: parts.tm_gmtoff / 60)
    }

    /// Clamped to the years 1 to 9999, which RFC 3339 can express; a commit may have any time.
    private static func shown(_ seconds: Int64) -> Int64 { max(-62_135_596_800, min(253_402_300_799, seconds)) }

    /// Year, month, day, hour, minute and second in the recorded time zone, or, with `here`, in the process's time zone.
    package func calendar(here: Bool = false) -> (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        let offset = here ? Time.local(seconds).offset : offset
        var time = time_t(Self.shown(Self.shown(seconds) + Int64(offset) * 60))
        var parts = tm()
        gmtime_r(&time, &parts)
        return (
            Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday), Int(parts.tm_hour), Int(parts.tm_min),
            Int(parts.tm_sec)
        )
    }

    /// RFC 3339 with the recorded offset.
    package var rfc3339: String {
        let (year, month, day, hour, minute, second) = calendar()
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        let years = String(repeating: "0", count: max(0, 4 - String(year).count)) + String(year)
        let zone = offset == 0 ? "Z" : "\(offset < 0 ? "-" : "+")\(two(abs(offset) / 60)):\(two(abs(offset) % 60))"
        return "\(years)-\(two(month))-\(two(day))T\(two(hour)):\(two(minute)):\(two(second))\(zone)"
    }
}
