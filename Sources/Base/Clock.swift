/// What time it is, and which time zone is meant where none is named.
package struct Clock: Sendable {
    /// Seconds since 1970.
    package var now: Int64
    /// Seconds east of UTC that clocks of that zone show at a moment.
    private let offset: @Sendable (_ moment: Int64) -> Int

    package init(now: Int64, offset: @escaping @Sendable (_ moment: Int64) -> Int) {
        self.now = now
        self.offset = offset
    }

    /// A clock of a zone that is always as far east of UTC.
    package init(now: Int64, minutesEast: Int = 0) {
        self.init(now: now) { _ in minutesEast * 60 }
    }

    /// A moment with its offset in this zone.
    package func time(_ moment: Int64) -> Time {
        Time(seconds: moment, offset: offset(Time.shown(moment)) / 60)
    }

    /// What a clock of this zone shows at a moment.
    package func calendar(_ moment: Int64) -> CalendarTime {
        let shown = Time.shown(moment)
        return CalendarTime(seconds: Time.shown(shown + Int64(offset(shown))))
    }

    /// The moment at which a clock of this zone shows `calendar`: the first one where it shows it twice; where it leaves it
    /// out, as if it hadn't been put forward yet. Its parts may lie beyond their ranges.
    package func moment(_ calendar: CalendarTime) -> Int64 {
        let utc = calendar.seconds
        let before = Int64(offset(utc - 86400))
        let after = Int64(offset(utc + 86400))
        for candidate in [before, after] where Int64(offset(utc - candidate)) == candidate { return utc - candidate }
        return utc - before
    }
}
