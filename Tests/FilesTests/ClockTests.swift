import Files
import Foundation
import Seeds
import Testing

@testable import Base

/// The calendar is our own, as the model calls no library: it agrees with the C library's.
@Suite struct ClockTests {
    @Test func theCalendarIsThatOfTheSystem() {
        var seeded = Seeded(1)
        for _ in 0..<20_000 {
            // The years 1 to 9999.
            let seconds = Int64(seeded.next() % 315_537_897_600) - 62_135_596_800
            var (time, parts) = (time_t(seconds), tm())
            gmtime_r(&time, &parts)
            let calendar = CalendarTime(seconds: seconds)
            #expect(calendar.year == Int(parts.tm_year) + 1900 && calendar.month == Int(parts.tm_mon) + 1)
            #expect(calendar.day == Int(parts.tm_mday) && calendar.hour == Int(parts.tm_hour))
            #expect(calendar.minute == Int(parts.tm_min) && calendar.second == Int(parts.tm_sec))
            #expect(calendar.weekday == Int(parts.tm_wday) && calendar.seconds == seconds && calendar.isDate)
        }
    }

    @Test func partsBeyondTheirRangesAreCarried() {
        var seeded = Seeded(2)
        for _ in 0..<20_000 {
            var calendar = CalendarTime(
                year: 1970 + seeded.int(200), month: seeded.int(400) - 200, day: seeded.int(80_000) - 40_000)
            (calendar.hour, calendar.minute, calendar.second) = (seeded.int(24), seeded.int(60), seeded.int(60))
            var parts = tm()
            (parts.tm_year, parts.tm_mon, parts.tm_mday) = (
                Int32(calendar.year) - 1900, Int32(calendar.month) - 1, Int32(calendar.day)
            )
            (parts.tm_hour, parts.tm_min, parts.tm_sec) = (
                Int32(calendar.hour), Int32(calendar.minute), Int32(calendar.second)
            )
            #expect(calendar.seconds == Int64(timegm(&parts)))
        }
    }

    /// In the zone of the process, whichever that is.
    @Test func localTimesAreThoseOfTheSystem() {
        var seeded = Seeded(3)
        let clock = Clock.local(now: 0)
        for _ in 0..<5000 {
            let seconds = Int64(seeded.next() % 4_000_000_000)
            var (time, parts) = (time_t(seconds), tm())
            localtime_r(&time, &parts)
            let calendar = clock.calendar(seconds)
            #expect(calendar.day == Int(parts.tm_mday) && calendar.hour == Int(parts.tm_hour))
            // The hour that a clock shows twice may be either.
            #expect(clock.calendar(clock.moment(calendar)) == calendar)
            #expect(clock.time(seconds).offset == parts.tm_gmtoff / 60)
        }
    }
}
