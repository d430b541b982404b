/// Reads a time as people write it.
///
/// - a date: `2026-11-20`, `2026.11.20`, `11/20/2026`, `20.11.2026`, `20 Nov 2026`, `Nov 20`; `today`, `yesterday`, `friday`,
///   `last friday`
/// - a time of day: `18:00`, `18:00:30`, `6pm`, `6:30 pm`, `noon`, `midnight`; by itself the most recent one
/// - both, in either order, and a zone: `yesterday 18:00`, `6pm friday`, `2026-11-20T18:00:00Z`,
///   `Fri, 20 Nov 2026 18:00:00 +0100`, `Fri Nov 20 18:00:00 2026 +0100`
/// - a part of a day: `this morning` (from 6 on), `this afternoon` (12), `this evening` (18), `last evening`, `last night` (20)
/// - a distance: `3 days ago`, `1 year, 2 months ago`, `2.weeks.ago`, `an hour ago`, `last week`, `2d`
/// - a count of seconds since 1970: `@1794038400`, `1794038400 +0100`
///
/// The formats are those of gitdate(5) and of `--date` in git-log(1), and RFC 3339. A day of the week, or of a month without a
/// year, is the most recent one. Names of days and months are English, as git's are.
struct WhenReader {
    enum Outcome {
        /// `beginning` is when what was written begins: for a bare date the beginning of its day.
        case moment(Int64, beginning: Int64)
        case malformed
        case otherwise
    }

    private let text: String
    /// Of the zone that was named, once it was read.
    private(set) var clock: Clock
    private let edge: When.Edge
    private var day: Day?
    private var time: (hour: Int, minute: Int, second: Int)?
    private var hasZone = false
    /// Numbers that wait for the name of a month: a day, or a year.
    private var numbers: [String] = []
    private var month: Int?
    private var weekday: Int?

    private enum Day {
        case date(CalendarTime)
        /// So many days before today.
        case before(Int)
    }

    init(_ text: String, _ clock: Clock, _ edge: When.Edge) {
        self.text = text.lowercased()
        self.clock = clock
        self.edge = edge
    }

    mutating func read() -> Outcome {
        var words = text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "\t" }).map(String.init)
        if words.count == 1, words[0].hasSuffix(".ago") { words = words[0].split(separator: ".").map(String.init) }
        guard !words.isEmpty else { return .otherwise }
        if words == ["now"] { return .moment(clock.now, beginning: clock.now) }
        if let moment = seconds(words) ?? distance(words) { return .moment(moment, beginning: moment) }
        if words.count > 2, words.last == "ago" { return .malformed }
        if let moment = partOfDay(words) { return .moment(moment, beginning: moment) }
        // `2026-11-20T18:00`.
        if words[0].utf8.count > 11, words[0].utf8.dropFirst(10).first == UInt8(ascii: "t"),
            Self.date(String(words[0].prefix(10))) != nil
        {
            words.replaceSubrange(0..<1, with: [String(words[0].prefix(10)), String(words[0].dropFirst(11))])
        }
        var understood = 0
        var index = 0
        while index < words.count {
            let taken = take(words, at: index)
            if taken == 0 { return understood > 0 || Self.looksLikeTime(words[index]) ? .malformed : .otherwise }
            understood += taken
            index += taken
        }
        return finish(wordCount: words.count)
    }

    /// What the word at `index` adds, and how many words belong to it; 0 if it isn't a part of a time.
    private mutating func take(_ words: [String], at index: Int) -> Int {
        let word = words[index]
        let next = index + 1 < words.count ? words[index + 1] : nil
        if word == "at" || word == "on", index + 1 < words.count { return 1 }
        if time == nil, let next, ["am", "pm"].contains(next), take(clock: word + next) { return 2 }
        if time == nil, take(clock: word) { return 1 }
        if time != nil, !hasZone, take(zone: word) { return 1 }
        guard day == nil else { return 0 }
        switch word {
        case "today": day = .before(0)
        case "yesterday": day = .before(1)
        case "tomorrow": day = .before(-1)
        case "last":
            guard let next, let wanted = Self.names(Self.weekdays, next), weekday == nil else { return 0 }
            let passed = (local(clock.now).weekday - wanted + 7) % 7
            day = .before(passed == 0 ? 7 : passed)
            return 2
        default:
            if let date = Self.date(word) {
                day = .date(date)
            } else if weekday == nil, let wanted = Self.names(Self.weekdays, word) {
                weekday = wanted
            } else if month == nil, let wanted = Self.names(Self.months, word) {
                month = wanted + 1
            } else if numbers.count < 2, [1, 2, 4].contains(word.utf8.count), Self.number(word) != nil {
                numbers.append(word)
            } else {
                return 0
            }
        }
        return 1
    }

    /// Puts the parts together.
    private mutating func finish(wordCount: Int) -> Outcome {
        if let month {
            guard day == nil, let date = dayOfMonth(month) else { return wordCount > 1 ? .malformed : .otherwise }
            day = .date(date)
        } else if !numbers.isEmpty {
            return wordCount > 1 ? .malformed : .otherwise
        }
        if case .date(let date)? = day {
            guard date.isDate, weekday.map({ $0 == date.weekday }) ?? true else { return .malformed }
            return moment(on: date)
        }
        if case .before(let days)? = day {
            guard weekday == nil else { return .malformed }
            return moment(on: today(minus: days))
        }
        // The most recent day of the week, or day, on which that time is over.
        let step = weekday == nil ? 1 : 7
        let passed = weekday.map { (local(clock.now).weekday - $0 + 7) % 7 } ?? 0
        guard weekday != nil || time != nil else { return .otherwise }
        for days in [passed, passed + step] {
            let outcome = moment(on: today(minus: days))
            if case .moment(_, let beginning) = outcome, beginning <= clock.now { return outcome }
        }
        return .malformed
    }

    /// `20 Nov 2026` and `Nov 20`; without a year, the most recent one.
    private func dayOfMonth(_ month: Int) -> CalendarTime? {
        let days = numbers.filter { $0.utf8.count <= 2 }
        let years = numbers.filter { $0.utf8.count == 4 }
        guard days.count == 1, let number = Self.number(days[0]) else { return nil }
        if let year = years.first.flatMap({ Self.number($0) }) { return CalendarTime(year: year, month: month, day: number) }
        let year = local(clock.now).year
        // Up to eight years lie between two leap days.
        for back in 0...8 {
            let date = CalendarTime(year: year - back, month: month, day: number)
            guard date.isDate else { continue }
            if case .moment(_, let beginning) = moment(on: date), beginning <= clock.now { return date }
        }
        return nil
    }

    private func today(minus days: Int) -> CalendarTime {
        var date = local(clock.now)
        date.day -= days
        return date
    }

    private func local(_ moment: Int64) -> CalendarTime { clock.calendar(moment) }

    private func moment(on date: CalendarTime) -> Outcome {
        var date = date
        if let time {
            (date.hour, date.minute, date.second) = time
            let moment = clock.moment(date)
            return .moment(moment, beginning: moment)
        }
        (date.hour, date.minute, date.second) = (0, 0, 0)
        let beginning = clock.moment(date)
        if edge == .beginning { return .moment(beginning, beginning: beginning) }
        (date.hour, date.minute, date.second) = (23, 59, 59)
        return .moment(clock.moment(date), beginning: beginning)
    }
}

/// The parts.
extension WhenReader {
    /// `18:00`, `18:00:30.5`, `6pm`, with a zone behind it where there is one.
    private mutating func take(clock word: String) -> Bool {
        if word == "noon" || word == "midnight" {
            time = (word == "noon" ? 12 : 0, 0, 0)
            return true
        }
        let digits = word.prefix { $0.isASCII && ($0.isNumber || $0 == ":" || $0 == ".") }
        var rest = String(word.dropFirst(digits.count))
        let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), var hour = Self.number(parts[0], digits: 1...2) else { return false }
        var (minute, second) = (0, 0)
        if parts.count > 1 {
            guard let number = Self.number(parts[1], digits: 1...2) else { return false }
            minute = number
        }
        if parts.count > 2 {
            let whole = parts[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard let number = Self.number(whole[0], digits: 1...2), whole.count == 1 || whole[1].allSatisfy(\.isNumber) else {
                return false
            }
            second = number
        }
        if rest == "am" || rest == "pm" {
            guard (1...12).contains(hour) else { return false }
            hour = hour % 12 + (rest == "pm" ? 12 : 0)
            rest = ""
        } else if parts.count == 1 {
            return false
        }
        guard hour < 24, minute < 60, second < 61 else { return false }
        if !rest.isEmpty, !take(zone: rest) { return false }
        time = (hour, minute, second)
        return true
    }

    /// `Z`, `UTC`, `+01:00`, `-0800`.
    private mutating func take(zone word: String) -> Bool {
        guard let minutes = Self.zone(word) else { return false }
        clock = Clock(now: clock.now, minutesEast: minutes)
        hasZone = true
        return true
    }

    /// Minutes east of UTC.
    private static func zone(_ word: String) -> Int? {
        if ["z", "utc", "gmt"].contains(word) { return 0 }
        guard let sign = word.first, sign == "+" || sign == "-" else { return nil }
        let digits = word.dropFirst().filter { $0 != ":" }
        guard digits.utf8.count == 4 || digits.utf8.count == 2, let number = number(digits) else { return nil }
        guard word.utf8.count == digits.utf8.count + 1 || word.utf8.dropFirst(3).first == UInt8(ascii: ":") else { return nil }
        let (hours, minutes) = digits.utf8.count == 4 ? (number / 100, number % 100) : (number, 0)
        guard hours < 24, minutes < 60 else { return nil }
        return (hours * 60 + minutes) * (sign == "-" ? -1 : 1)
    }

    /// A date in digits, which may be none of the calendar: `2026-11-20`, `2026.11.20`, `2026/11/20`, `11/20/2026`, `20.11.2026`.
    private static func date(_ word: String) -> CalendarTime? {
        for separator in ["-", ".", "/"] as [Character] {
            let parts = word.split(separator: separator, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            if let year = number(parts[0], digits: 4...4) {
                guard let month = number(parts[1], digits: 2...2), let day = number(parts[2], digits: 2...2) else { return nil }
                return CalendarTime(year: year, month: month, day: day)
            }
            guard separator != "-", let year = number(parts[2], digits: 4...4), let first = number(parts[0], digits: 1...2),
                let second = number(parts[1], digits: 1...2)
            else { return nil }
            return separator == "/"
                ? CalendarTime(year: year, month: first, day: second) : CalendarTime(year: year, month: second, day: first)
        }
        return nil
    }

    /// `@1794038400`, `1794038400 +0100`: the zone changes nothing.
    private func seconds(_ words: [String]) -> Int64? {
        guard words.count == 1 || words.count == 2 && Self.zone(words[1]) != nil else { return nil }
        let isMarked = words[0].hasPrefix("@")
        let digits = words[0].dropFirst(isMarked ? 1 : 0)
        guard isMarked || words.count == 2 && digits.utf8.count > 4, Self.areDigits(digits) else { return nil }
        return Int64(digits)
    }

    /// `3 days ago`, `1 year, 2 months ago`, `last week`, `2d`.
    private func distance(_ words: [String]) -> Int64? {
        // No longer than this: four characters may be the beginning of an id.
        if words.count == 1, words[0].utf8.count < 4, let last = words[0].last, let unit = Self.shortUnits[last],
            let count = Self.number(words[0].dropLast())
        {
            return before([(count, unit)])
        }
        if words.count == 2, words[0] == "last", Self.units.contains(words[1]) { return before([(1, words[1])]) }
        guard words.count >= 3, words.count % 2 == 1, words.last == "ago" else { return nil }
        var parts: [(Int, String)] = []
        for index in stride(from: 0, to: words.count - 1, by: 2) {
            let count = words[index] == "an" ? 1 : Self.counts.firstIndex(of: words[index]) ?? Self.number(words[index])
            let unit = words[index + 1].hasSuffix("s") ? String(words[index + 1].dropLast()) : words[index + 1]
            guard let count, count <= 100_000_000, Self.units.contains(unit) else { return nil }
            parts.append((count, unit))
        }
        return before(parts)
    }

    /// `this morning`, `last night`: when it begins. Before 6 o'clock the morning began at midnight.
    private func partOfDay(_ words: [String]) -> Int64? {
        guard words.count == 2, ["this", "last"].contains(words[0]) else { return nil }
        let isLast = words[0] == "last"
        var date = today(minus: isLast ? 1 : 0)
        switch words[1] {
        case "morning" where !isLast: date.hour = date.hour < 6 ? 0 : 6
        case "afternoon" where !isLast: date.hour = 12
        case "evening": date.hour = 18
        case "night" where isLast: date.hour = 20
        default: return nil
        }
        (date.minute, date.second) = (0, 0)
        return clock.moment(date)
    }

    private func before(_ parts: [(count: Int, unit: String)]) -> Int64 {
        var date = local(clock.now)
        var seconds: Int64 = 0
        for (count, unit) in parts {
            switch unit {
            case "second": seconds += Int64(count)
            case "minute": seconds += Int64(count) * 60
            case "hour": seconds += Int64(count) * 3600
            case "day": date.day -= min(count, 3_000_000)
            case "week": date.day -= min(count, 400_000) * 7
            case "month": date.month -= min(count, 100_000)
            default: date.year -= min(count, 10_000)
            }
        }
        let isOfDays = parts.contains { !["second", "minute", "hour"].contains($0.unit) }
        return (isOfDays ? clock.moment(date) : clock.now) - seconds
    }

    private static let shortUnits: [Character: String] = ["s": "second", "m": "minute", "h": "hour", "d": "day", "w": "week"]
    private static let units = ["second", "minute", "hour", "day", "week", "month", "year"]
    private static let counts = ["zero", "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
    ]

    /// The place of the name that `word` is or begins, by at least three letters.
    private static func names(_ names: [String], _ word: String) -> Int? {
        word.utf8.count < 3 ? nil : names.firstIndex { $0.hasPrefix(word) }
    }

    private static func areDigits(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func number(_ text: some StringProtocol, digits: ClosedRange<Int> = 1...12) -> Int? {
        areDigits(text) && digits.contains(text.utf8.count) ? Int(text) : nil
    }

    /// Whether a word that isn't part of a valid time was meant as one: no revision has these forms.
    private static func looksLikeTime(_ word: String) -> Bool {
        guard word.utf8.first.map({ (0x30...0x39).contains($0) }) == true,
            word.utf8.allSatisfy({ (0x30...0x39).contains($0) || "-:+.tzapm".utf8.contains($0) })
        else { return false }
        let dashes = word.split(separator: "-", omittingEmptySubsequences: false)
        if word.contains(":") || word.hasSuffix("am") || word.hasSuffix("pm") { return true }
        return dashes.count == 3 && dashes[0].utf8.count == 4
    }
}
