import Seeds
import Testing

@testable import SettingsModel

/// In Central Europe, at noon of Friday, 20 November 2026, where nothing else is said.
@Suite struct WhenTests {
    static let noon: Int64 = 1_795_172_400

    private func time(_ text: String, now: Int64 = noon, _ edge: When.Edge = .end) -> String? {
        let clock = Clock.centralEurope(now: now)
        guard case .moment(let seconds) = When(text, clock, bareDate: edge) else { return nil }
        return clock.time(seconds).rfc3339
    }

    @Test(arguments: [
        ("2026-11-20", "2026-11-20T23:59:59+01:00"),
        ("2026-07-20", "2026-07-20T23:59:59+02:00"),
        ("2026.11.20", "2026-11-20T23:59:59+01:00"),
        ("2026/11/20", "2026-11-20T23:59:59+01:00"),
        ("11/20/2026", "2026-11-20T23:59:59+01:00"),
        ("20.11.2026", "2026-11-20T23:59:59+01:00"),
        ("3.9.2026 8:00", "2026-09-03T08:00:00+02:00"),
        ("20 Nov 2026", "2026-11-20T23:59:59+01:00"),
        ("November 3, 2025", "2025-11-03T23:59:59+01:00"),
        ("Nov 20", "2026-11-20T23:59:59+01:00"),
        ("21 nov", "2025-11-21T23:59:59+01:00"),
        ("Feb 29", "2024-02-29T23:59:59+01:00"),
        ("2026-11-20 11:00", "2026-11-20T11:00:00+01:00"),
        ("11:00 2026-11-20", "2026-11-20T11:00:00+01:00"),
        ("2026-11-20T11:00", "2026-11-20T11:00:00+01:00"),
        ("2026-11-20 11:00:30", "2026-11-20T11:00:30+01:00"),
        ("2026-11-20T08:00:00Z", "2026-11-20T09:00:00+01:00"),
        ("2026-11-20T08:00:00.123+05:30", "2026-11-20T03:30:00+01:00"),
        ("2026-11-19 18:00:00-08:00", "2026-11-20T03:00:00+01:00"),
        ("2026-11-20 08:00:00 +0100", "2026-11-20T08:00:00+01:00"),
        ("2026-11-20 08:00 UTC", "2026-11-20T09:00:00+01:00"),
        ("Fri, 20 Nov 2026 08:00:00 +0000", "2026-11-20T09:00:00+01:00"),
        ("Fri Nov 20 08:00:00 2026 +0100", "2026-11-20T08:00:00+01:00"),
        ("Fri Nov 20 08:00:00 2026", "2026-11-20T08:00:00+01:00"),
        ("Fri Nov 20 08:00", "2026-11-20T08:00:00+01:00"),
        ("@1795172400", "2026-11-20T12:00:00+01:00"),
        ("@1795172400 +0530", "2026-11-20T12:00:00+01:00"),
        ("1795172400 +0100", "2026-11-20T12:00:00+01:00"),
        ("@0", "1970-01-01T01:00:00+01:00"),
        ("18:00", "2026-11-19T18:00:00+01:00"),
        ("12:00", "2026-11-20T12:00:00+01:00"),
        ("7:05", "2026-11-20T07:05:00+01:00"),
        ("6pm", "2026-11-19T18:00:00+01:00"),
        ("6:30 PM", "2026-11-19T18:30:00+01:00"),
        ("6am", "2026-11-20T06:00:00+01:00"),
        ("12am", "2026-11-20T00:00:00+01:00"),
        ("12pm", "2026-11-20T12:00:00+01:00"),
        ("10:00Z", "2026-11-20T11:00:00+01:00"),
        ("20:00 -0500", "2026-11-20T02:00:00+01:00"),
        ("noon", "2026-11-20T12:00:00+01:00"),
        ("midnight", "2026-11-20T00:00:00+01:00"),
        ("now", "2026-11-20T12:00:00+01:00"),
        ("today", "2026-11-20T23:59:59+01:00"),
        ("today 11:00", "2026-11-20T11:00:00+01:00"),
        ("yesterday", "2026-11-19T23:59:59+01:00"),
        ("Yesterday 18:00", "2026-11-19T18:00:00+01:00"),
        ("18:00 yesterday", "2026-11-19T18:00:00+01:00"),
        ("yesterday at 6pm", "2026-11-19T18:00:00+01:00"),
        ("yesterday noon", "2026-11-19T12:00:00+01:00"),
        ("friday", "2026-11-20T23:59:59+01:00"),
        ("last friday", "2026-11-13T23:59:59+01:00"),
        ("Fri 18:00", "2026-11-13T18:00:00+01:00"),
        ("fri 11:59", "2026-11-20T11:59:00+01:00"),
        ("9am on Monday", "2026-11-16T09:00:00+01:00"),
        ("wednesday", "2026-11-18T23:59:59+01:00"),
        ("last thurs 8:00", "2026-11-19T08:00:00+01:00"),
        ("3 days ago", "2026-11-17T12:00:00+01:00"),
        ("three days ago", "2026-11-17T12:00:00+01:00"),
        ("1 hour ago", "2026-11-20T11:00:00+01:00"),
        ("an hour ago", "2026-11-20T11:00:00+01:00"),
        ("2h", "2026-11-20T10:00:00+01:00"),
        ("90 seconds ago", "2026-11-20T11:58:30+01:00"),
        ("1 hour 30 minutes ago", "2026-11-20T10:30:00+01:00"),
        ("2 weeks ago", "2026-11-06T12:00:00+01:00"),
        ("2.weeks.ago", "2026-11-06T12:00:00+01:00"),
        ("last week", "2026-11-13T12:00:00+01:00"),
        ("last night", "2026-11-19T20:00:00+01:00"),
        ("this morning", "2026-11-20T06:00:00+01:00"),
        ("last evening", "2026-11-19T18:00:00+01:00"),
        ("last year", "2025-11-20T12:00:00+01:00"),
        ("5 months ago", "2026-06-20T12:00:00+02:00"),
        ("1 year ago", "2025-11-20T12:00:00+01:00"),
        ("1 year, 2 months ago", "2025-09-20T12:00:00+02:00"),
        ("  2026-11-20  ", "2026-11-20T23:59:59+01:00"),
    ])
    func moments(text: String, expected: String) {
        #expect(time(text) == expected)
    }

    /// At seven minutes past three on call, `18:00` is yesterday's.
    @Test func aTimeOfDayIsTheLastOne() {
        let night: Int64 = 1_795_140_420
        #expect(time("18:00", now: night) == "2026-11-19T18:00:00+01:00")
        #expect(time("03:07", now: night) == "2026-11-20T03:07:00+01:00")
        #expect(time("03:08", now: night) == "2026-11-19T03:08:00+01:00")
        #expect(time("friday", now: night, .beginning) == "2026-11-20T00:00:00+01:00")
        #expect(time("fri 18:00", now: night) == "2026-11-13T18:00:00+01:00")
    }

    @Test(arguments: [
        "today 18:00", "2026-11-20 12:00:01", "tomorrow", "tomorrow 8:00", "2026-11-21", "2030-01-01T00:00:00Z", "@1795172401",
        "Fri Nov 20 18:00:00 2026", "12/31/2026", "@9223372036854775807",
    ])
    func momentsToComeAreNotTakenForOthers(text: String) {
        guard case .future(let seconds) = When(text, .centralEurope(now: Self.noon)) else {
            Issue.record("\(text) is \(When(text, .centralEurope(now: Self.noon)))")
            return
        }
        #expect(seconds > Self.noon)
    }

    @Test func aBareDateSinceIsItsBeginning() {
        #expect(time("2026-11-20", .beginning) == "2026-11-20T00:00:00+01:00")
        #expect(time("yesterday", .beginning) == "2026-11-19T00:00:00+01:00")
        #expect(time("monday", .beginning) == "2026-11-16T00:00:00+01:00")
        #expect(time("2026-11-20 08:00", .beginning) == "2026-11-20T08:00:00+01:00")
    }

    @Test func daysOnWhichTheClocksChange() {
        let year: Int64 = 1_798_000_000
        #expect(time("2026-03-29", now: year, .beginning) == "2026-03-29T00:00:00+01:00")
        #expect(time("2026-03-29", now: year) == "2026-03-29T23:59:59+02:00")
        #expect(time("2026-10-25", now: year, .beginning) == "2026-10-25T00:00:00+02:00")
        #expect(time("2026-10-25", now: year) == "2026-10-25T23:59:59+01:00")
        // Left out, and shown twice.
        #expect(time("2026-03-29 02:30", now: year) == "2026-03-29T03:30:00+02:00")
        #expect(time("2026-10-25 02:30", now: year) == "2026-10-25T02:30:00+02:00")
        // Half past midnight on the day after the clocks went forward.
        let after: Int64 = 1_774_823_400
        #expect(Clock.centralEurope(now: 0).time(after).rfc3339 == "2026-03-30T00:30:00+02:00")
        #expect(time("yesterday", now: after) == "2026-03-29T23:59:59+02:00")
        #expect(time("1 day ago", now: after) == "2026-03-29T00:30:00+01:00")
    }

    @Test(arguments: [
        "HEAD~2", "v1.0", "3f2a91c", "main", "", "2026", "20261120", "days ago", "1234567d", "12345d",
        "HEAD@{yesterday}", "yesterday-release", "2026-release", "feb", "dec", "may", "1.2.3", "10.4.20261", "fr", "1795172400",
        "last", "ago", "at", "on", "18", "next week", "a", "v2026.11.20", "@", "@x",
    ])
    func anythingElseIsARevision(text: String) {
        #expect(When(text, .centralEurope(now: Self.noon)) == .revision(text))
    }

    @Test(arguments: [
        "25:00", "18:60", "18:00:61", "2026-13-01", "2026-00-10", "2026-02-30", "2025-02-29", "2026-11-31", "13:00pm", "13pm",
        "yesterday 25:00", "12:00 yesterday later", "2026-11-20T18:00:00+99:99", "2026-11-20 25:00:00Z", "32.11.2026",
        "Thu, 20 Nov 2026 18:00:00 +0100", "Nov 31", "Nov 20 2026 2025", "3 fortnights ago", "-3 days ago",
        "99999999999999 days ago",
        "friday monday", "18:00 19:00", "yesterday today",
    ])
    func whatIsMeantAsATimeIsNotARevision(text: String) {
        #expect(When(text, .centralEurope(now: Self.noon)) == .malformed(text))
    }

    /// At 3 a.m. the morning has begun, and the evening is still to come.
    @Test func partsOfTheDay() {
        let early = Self.noon - 9 * 3600
        #expect(time("this morning", now: early) == "2026-11-20T00:00:00+01:00")
        #expect(time("last night", now: early) == "2026-11-19T20:00:00+01:00")
        let evening = When("this evening", .centralEurope(now: Self.noon))
        if case .future = evening {} else { Issue.record("\(evening)") }
        #expect(When("last morning", .centralEurope(now: Self.noon)) == .revision("last morning"))
    }

    @Test func aLeapDay() {
        #expect(time("2028-02-29", now: 1_900_000_000) == "2028-02-29T23:59:59+01:00")
    }
}
