#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A parsed WHEN: a moment in local time, or a revision.
package enum When: Hashable, Sendable {
    /// Seconds since 1970.
    case moment(Int64)
    /// An id or its prefix, a tag, `HEAD~2`.
    case revision(String)

    /// Which end of a day a bare date stands for.
    package enum Edge: Hashable, Sendable {
        case beginning, end
    }

    /// Parses `2026-11-20`, `2026-11-20 18:00`, an RFC 3339 time, `18:00`, `yesterday`, `yesterday 18:00`, `3 days ago`;
    /// anything else is a revision. `now` is in seconds since 1970; local time is in the process's time zone.
    package init(_ text: String, now: Int64, bareDate edge: Edge = .end) {
        self = When.moment(text.trimmingSpaces, now: now, edge: edge).map { .moment($0) } ?? .revision(text)
    }

    /// Whether a text that is not a valid time was meant as one: no revision has these forms.
    package static func looksLikeTime(_ text: String) -> Bool {
        let isTime = text.allSatisfy { $0.isASCII && ($0.isNumber || "-:+.TtZz ".contains($0)) }
        guard isTime, text.first?.isNumber == true else { return false }
        let dashes = text.split(separator: "-", omittingEmptySubsequences: false)
        return text.contains(":") || dashes.count == 3 && dashes[0].count == 4
    }

    private static func moment(_ text: String, now: Int64, edge: Edge) -> Int64? {
        let lower = text.lowercased()
        if lower == "now" { return now }
        if let time = rfc3339(text) { return time }
        if let time = ago(lower, now: now) { return time }
        let words = lower.split(whereSeparator: { $0 == " " || $0 == "t" && text.contains("-") }).map(String.init)
        guard let first = words.first, words.count <= 2 else { return nil }
        guard var day = day(first, now: now) else {
            guard words.count == 1, let clock = clock(first) else { return nil }
            var today = local(now)
            (today.tm_hour, today.tm_min, today.tm_sec) = clock
            return seconds(today)
        }
        if words.count == 2 {
            guard let clock = clock(words[1]) else { return nil }
            (day.tm_hour, day.tm_min, day.tm_sec) = clock
        } else {
            (day.tm_hour, day.tm_min, day.tm_sec) = edge == .beginning ? (0, 0, 0) : (23, 59, 59)
        }
        return seconds(day)
    }

    private static func day(_ word: String, now: Int64) -> tm? {
        var today = local(now)
        switch word {
        case "today": return today
        case "yesterday":
            today.tm_mday -= 1
            return today
        default:
            let parts = word.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
                let year = Int32(parts[0]), let month = Int32(parts[1]), let day = Int32(parts[2]),
                parts.joined().allSatisfy(\.isWholeNumber), (1...12).contains(month), (1...days(in: month, year)).contains(day)
            else { return nil }
            var date = tm()
            (date.tm_year, date.tm_mon, date.tm_mday) = (year - 1900, month - 1, day)
            return date
        }
    }

    private static func days(in month: Int32, _ year: Int32) -> Int32 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// `18:00` or `18:00:30`.
    private static func clock(_ word: String) -> (Int32, Int32, Int32)? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy(\.isWholeNumber) }),
            let hour = Int32(parts[0]), let minute = Int32(parts[1]), let second = Int32(parts.count == 3 ? parts[2] : "0"),
            hour < 24, minute < 60, second < 61
        else { return nil }
        return (hour, minute, second)
    }

    /// `3 days ago`, `1 hour ago`, `2d`.
    private static func ago(_ text: String, now: Int64) -> Int64? {
        var words = text.split(separator: " ").map(String.init)
        // No longer than this: four characters may be the prefix of an id.
        if words.count == 1, words[0].count < 4, let last = words[0].last, "smhdw".contains(last),
            let count = Int32(words[0].dropLast()), count >= 0
        {
            words = [String(count), ["s": "second", "m": "minute", "h": "hour", "d": "day", "w": "week"][last] ?? "", "ago"]
        }
        guard words.count == 3, words[2] == "ago", let count = Int32(words[0] == "a" || words[0] == "an" ? "1" : words[0]),
            (0...100_000_000).contains(count)
        else { return nil }
        var time = local(now)
        switch words[1].hasSuffix("s") ? String(words[1].dropLast()) : words[1] {
        case "second": return now - Int64(count)
        case "minute": return now - Int64(count) * 60
        case "hour": return now - Int64(count) * 3600
        case "day": time.tm_mday -= min(count, 3_000_000)
        case "week": time.tm_mday -= min(count, 400_000) * 7
        case "month": time.tm_mon -= min(count, 100_000)
        case "year": time.tm_year -= min(count, 10_000)
        default: return nil
        }
        return seconds(time)
    }

    /// `2026-11-20T18:00:00Z`, `2026-11-20 18:00:00+01:00`.
    private static func rfc3339(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20,
            bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " "),
            var date = day(String(text.prefix(10)), now: 0), let clock = clock(String(text.dropFirst(11).prefix(8)))
        else { return nil }
        var zone = text.dropFirst(19)
        if zone.hasPrefix(".") { zone = zone.dropFirst().drop(while: \.isWholeNumber) }
        var offset: Int64 = 0
        if zone.lowercased() != "z" {
            guard zone.count == 6, let sign = zone.first, "+-".contains(sign) else { return nil }
            let parts = zone.dropFirst().split(separator: ":")
            guard parts.count == 2, let hours = Int64(parts[0]), let minutes = Int64(parts[1]), hours < 24, minutes < 60 else {
                return nil
            }
            offset = (hours * 3600 + minutes * 60) * (sign == "-" ? -1 : 1)
        }
        (date.tm_hour, date.tm_min, date.tm_sec) = clock
        return Int64(timegm(&date)) - offset
    }

    private static func local(_ seconds: Int64) -> tm {
        var time = time_t(seconds)
        var parts = tm()
        localtime_r(&time, &parts)
        return parts
    }

    private static func seconds(_ parts: tm) -> Int64 {
        var parts = parts
        parts.tm_isdst = -1
        return Int64(mktime(&parts))
    }
}
