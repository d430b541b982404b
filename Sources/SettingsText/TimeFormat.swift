package import SettingsModel

/// How times are written.
package enum TimeFormat: Hashable, Sendable {
    /// `today 10:42`, `yesterday 18:00`, `Tue 18:05`, `12 Mar 09:10`, `12 Mar 2025`: for a person who reads it at once.
    case clock
    /// `9 hours ago`, as git counts.
    case relative
    /// `2026-11-20 18:00:00 +0100`: for files and pipes, which are read later and elsewhere.
    case iso
    /// `2026-11-20T18:00:00+01:00`.
    case rfc3339
    /// `Fri, 20 Nov 2026 18:00:00 +0100`.
    case rfc2822
    /// `2026-11-20`.
    case short
    /// `Fri Nov 20 18:00:00 2026 +0100`; `local`: without the zone.
    case git(local: Bool)
    /// `1794000000 +0100`.
    case raw
    /// `1794000000`.
    case unix
    /// The directives of strftime(3), with English names.
    case pattern(String)

    /// The words of git's `--date` and `log.date`. Times are local in any case, so `-local` adds nothing, and `human` is `clock`.
    /// `auto:FORMAT` is FORMAT at a terminal. Nil for any other word.
    package init?(_ word: String, isTerminal: Bool) {
        if let rest = word.dropping("auto:") {
            guard let format = TimeFormat(rest, isTerminal: isTerminal) else { return nil }
            self = isTerminal ? format : .iso
            return
        }
        if let pattern = word.dropping("format:") ?? word.dropping("format-local:") {
            self = .pattern(pattern)
            return
        }
        switch word.hasSuffix("-local") ? String(word.dropLast("-local".count)) : word {
        case "iso", "iso8601": self = .iso
        case "iso-strict", "iso8601-strict": self = .rfc3339
        case "relative": self = .relative
        case "human": self = .clock
        case "local": self = .git(local: true)
        case "default": self = .git(local: word != "default")
        case "short": self = .short
        case "rfc", "rfc2822": self = .rfc2822
        case "raw": self = .raw
        case "unix": self = .unix
        default: return nil
        }
    }

    package static let words = "iso, relative, local, short, rfc, human, raw, unix, default or format:STRFTIME"

    /// Whether a time in this format says neither the day nor the zone, so that it is read where it was written.
    var isForNow: Bool { self == .clock || self == .relative }
}

extension Phrases {
    /// A time as `times` has it, in local time.
    package func time(_ time: Time) -> String {
        switch times {
        case .clock: return Phrases.moment(time, clock, isExact: false)
        case .relative: return Phrases.distance(clock.now &- time.seconds)
        case .rfc3339: return clock.time(time.seconds).rfc3339
        case .unix: return String(time.seconds)
        case .raw: return "\(time.seconds) \(written(time, as: "%z"))"
        case .iso: return written(time, as: "%F %T %z")
        case .rfc2822: return written(time, as: "%a, %-d %b %Y %T %z")
        case .short: return written(time, as: "%F")
        case .git(let isLocal): return written(time, as: isLocal ? "%a %b %-d %T %Y" : "%a %b %-d %T %Y %z")
        case .pattern(let pattern): return written(time, as: pattern)
        }
    }

    /// `today 10:42 (9 hours ago)`, where there is room for both; in other formats than that of the clock the time alone.
    package func timeWithDistance(_ time: Time) -> String {
        let words = self.time(time)
        return times == .clock ? "\(words) (\(Phrases.distance(clock.now &- time.seconds)))" : words
    }

    /// A time until which something has to be done: `today 10:42`, `tomorrow 09:10`, `3 Jan 2027 09:10`. Less than a minute
    /// before and after it with its seconds, `today 10:42:31`.
    package func deadline(_ time: Time) -> String {
        times.isForNow ? Phrases.moment(time, clock, isExact: true) : written(time, as: "%F %T %z")
    }

    /// The day of a time: `today`, `yesterday`, `3 Nov`, `3 Nov 2024`.
    package func day(_ time: Time) -> String {
        let words = Phrases.moment(time, clock, isExact: false, namesWeekday: false).split(separator: " ")
        return (words.last?.contains(":") == true ? words.dropLast() : words[...]).joined(separator: " ")
    }

    private static func moment(_ time: Time, _ clock: Clock, isExact: Bool, namesWeekday: Bool = true) -> String {
        let there = clock.calendar(time.seconds)
        let age = clock.now &- time.seconds
        let isNear = isExact && (-60...60).contains(age)
        let timeOfDay = "\(two(there.hour)):\(two(there.minute))\(isNear ? ":\(two(there.second))" : "")"
        let here = clock.calendar(clock.now)
        // Most times are older, and computing a calendar date is slow.
        if (-2 * 86400...8 * 86400).contains(age) {
            switch days(from: there, to: here) {
            case 0: return "today \(timeOfDay)"
            case 1: return "yesterday \(timeOfDay)"
            case -1 where isExact: return "tomorrow \(timeOfDay)"
            case 2...6 where namesWeekday && !isExact: return "\(weekdays[there.weekday].prefix(3)) \(timeOfDay)"
            default: break
            }
        }
        let day = "\(there.day) \(months[there.month - 1].prefix(3))"
        if isExact { return here.year == there.year ? "\(day) \(timeOfDay)" : "\(day) \(there.year) \(timeOfDay)" }
        // The same day a year ago would read like today.
        let isWithinYear = age >= 0 ? age < 364 * 86400 : here.year == there.year
        return isWithinYear ? "\(day) \(timeOfDay)" : "\(day) \(there.year)"
    }

    /// How many days lie between two dates, whatever the time of day.
    private static func days(from start: CalendarTime, to end: CalendarTime) -> Int64 {
        func midnight(_ time: CalendarTime) -> Int64 { CalendarTime(year: time.year, month: time.month, day: time.day).seconds }
        return (midnight(end) - midnight(start)) / 86400
    }

    /// An age in seconds, rounded as git rounds it: `just now`, `9 hours ago`, `1 year, 2 months ago`.
    static func distance(_ age: Int64) -> String {
        func words(_ count: Int64, _ unit: String) -> String { "\(count) \(unit)\(count == 1 ? "" : "s")" }
        if age < 0 { return "in the future" }
        if age < 60 { return "just now" }
        let minutes = (age + 30) / 60
        if minutes < 90 { return "\(words(minutes, "minute")) ago" }
        let hours = (minutes + 30) / 60
        if hours < 36 { return "\(words(hours, "hour")) ago" }
        let days = (hours + 12) / 24
        if days < 14 { return "\(words(days, "day")) ago" }
        if days < 70 { return "\(words((days + 3) / 7, "week")) ago" }
        if days < 365 { return "\(words((days + 15) / 30, "month")) ago" }
        guard days < 1825 else { return "\(words((days + 183) / 365, "year")) ago" }
        let months = (days * 24 + 365) / 730
        return months % 12 == 0
            ? "\(words(months / 12, "year")) ago" : "\(words(months / 12, "year")), \(words(months % 12, "month")) ago"
    }

    /// As strftime(3) in the C locale; a directive that it does not know stays as it is.
    private func written(_ time: Time, as pattern: String) -> String {
        let local = clock.time(time.seconds)
        let there = clock.calendar(time.seconds)
        let zone = "\(local.offset < 0 ? "-" : "+")\(Phrases.two(abs(local.offset) / 60))\(Phrases.two(abs(local.offset) % 60))"
        var result = ""
        var rest = pattern[...]
        while let character = rest.popFirst() {
            guard character == "%", let first = rest.popFirst() else {
                result.append(character)
                continue
            }
            let isBare = first == "-" && rest.first != nil
            let directive = isBare ? rest.removeFirst() : first
            func number(_ value: Int, _ padding: String = "0") -> String {
                value < 10 && !isBare ? padding + String(value) : String(value)
            }
            let hour = there.hour % 12 == 0 ? 12 : there.hour % 12
            let (weekday, month) = (Phrases.weekdays[there.weekday], Phrases.months[there.month - 1])
            switch directive {
            case "Y": result += String(there.year)
            case "y": result += number(there.year % 100)
            case "m": result += number(there.month)
            case "d": result += number(there.day)
            case "e": result += number(there.day, " ")
            case "H": result += number(there.hour)
            case "k": result += number(there.hour, " ")
            case "I": result += number(hour)
            case "l": result += number(hour, " ")
            case "M": result += number(there.minute)
            case "S": result += number(there.second)
            case "p": result += there.hour < 12 ? "AM" : "PM"
            case "a": result += weekday.prefix(3)
            case "A": result += weekday
            case "b", "h": result += month.prefix(3)
            case "B": result += month
            case "u": result += String(there.weekday == 0 ? 7 : there.weekday)
            case "w": result += String(there.weekday)
            case "j":
                let day = Phrases.days(from: CalendarTime(year: there.year, month: 1, day: 1), to: there) + 1
                result += String(repeating: "0", count: isBare ? 0 : 3 - String(day).count) + String(day)
            case "F": result += written(time, as: "%Y-%m-%d")
            case "T", "X": result += written(time, as: "%H:%M:%S")
            case "R": result += written(time, as: "%H:%M")
            case "r": result += written(time, as: "%I:%M:%S %p")
            case "D", "x": result += written(time, as: "%m/%d/%y")
            case "c": result += written(time, as: "%a %b %e %H:%M:%S %Y")
            case "s": result += String(time.seconds)
            case "z", "Z": result += zone
            case "t", "n": result += " "
            case "%": result += "%"
            default: result += isBare ? "%-\(directive)" : "%\(directive)"
            }
        }
        return result
    }

    private static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    ]
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
}

extension String {
    /// What follows `start`; nil where it does not begin so.
    fileprivate func dropping(_ start: String) -> String? { hasPrefix(start) ? String(dropFirst(start.count)) : nil }
}
