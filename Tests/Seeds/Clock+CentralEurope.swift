package import SettingsModel

extension Clock {
    /// A clock in Central Europe, an hour ahead of UTC and two in summer, without what the machine knows of time zones.
    package static func centralEurope(now: Int64) -> Clock {
        Clock(now: now) { moment in
            let year = CalendarTime(seconds: moment).year
            /// One o'clock UTC on the last Sunday of a month that has 31 days.
            func change(_ month: Int) -> Int64 {
                var day = CalendarTime(year: year, month: month, day: 31)
                day.hour = 1
                return day.seconds - Int64(day.weekday) * 86400
            }
            return change(3) <= moment && moment < change(10) ? 7200 : 3600
        }
    }
}
