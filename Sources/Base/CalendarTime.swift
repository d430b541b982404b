/// A date of the Gregorian calendar and a time of day, in no particular time zone.
package struct CalendarTime: Hashable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour = 0
    package var minute = 0
    package var second = 0

    package init(year: Int, month: Int, day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// What a clock in UTC shows so many seconds after the beginning of 1970.
    package init(seconds: Int64) {
        let days = Self.quotient(seconds, 86400)
        let rest = Int(seconds - days * 86400)
        // Counted from 1 March of the year 0, so that a leap day is the last day of its year; an era is 400 years.
        let shifted = days + 719_468
        let era = Self.quotient(shifted, 146_097)
        let dayOfEra = Int(shifted - era * 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        year = yearOfEra + Int(era) * 400 + (month <= 2 ? 1 : 0)
        (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
    }

    /// Seconds since the beginning of 1970, if this is what a clock in UTC shows. Parts may lie beyond their ranges: day 0 is
    /// the last one of the month before, month 13 the first one of the next year.
    package var seconds: Int64 {
        let months = Int64(year) * 12 + Int64(month) - 1
        let normalYear = Self.quotient(months, 12)
        let normalMonth = Int(months - normalYear * 12) + 1
        let yearFromMarch = normalMonth <= 2 ? normalYear - 1 : normalYear
        let era = Self.quotient(yearFromMarch, 400)
        let yearOfEra = yearFromMarch - era * 400
        let monthFromMarch = Int64(normalMonth > 2 ? normalMonth - 3 : normalMonth + 9)
        let dayOfYear = (153 * monthFromMarch + 2) / 5
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear + Int64(day) - 1 - 719_468
        return days * 86400 + Int64(hour) * 3600 + Int64(minute) * 60 + Int64(second)
    }

    /// From 0 for Sunday to 6 for Saturday. All parts must be within their ranges.
    package var weekday: Int {
        let days = Self.quotient(seconds, 86400) + 4
        return Int(days - Self.quotient(days, 7) * 7)
    }

    /// Whether there is such a day.
    package var isDate: Bool {
        let back = CalendarTime(seconds: seconds)
        return back.year == year && back.month == month && back.day == day
    }

    /// Rounded down.
    private static func quotient(_ number: Int64, _ divisor: Int64) -> Int64 {
        number >= 0 ? number / divisor : (number + 1) / divisor - 1
    }
}
