import Foundation
import Surroundings
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// In Central European time (see `Surroundings`), at noon of Friday, 20 November 2026.
struct WhenTests {
    static let now: Int64 = 1_795_172_400

    private func time(_ text: String, now: Int64 = now, _ edge: When.Edge = .end) -> String? {
        _ = Surroundings.root
        guard case .moment(let seconds) = When(text, now: now, bareDate: edge) else { return nil }
        return Time.local(seconds).rfc3339
    }

    @Test(arguments: [
        ("2026-11-20", "2026-11-20T23:59:59+01:00"),
        ("2026-07-20", "2026-07-20T23:59:59+02:00"),
        ("2026-11-20 18:00", "2026-11-20T18:00:00+01:00"),
        ("2026-11-20T18:00", "2026-11-20T18:00:00+01:00"),
        ("2026-11-20 18:00:30", "2026-11-20T18:00:30+01:00"),
        ("2026-11-20T18:00:00Z", "2026-11-20T19:00:00+01:00"),
        ("2026-11-20T18:00:00.123+05:30", "2026-11-20T13:30:00+01:00"),
        ("2026-11-20 18:00:00-08:00", "2026-11-21T03:00:00+01:00"),
        ("18:00", "2026-11-20T18:00:00+01:00"),
        ("7:05", "2026-11-20T07:05:00+01:00"),
        ("now", "2026-11-20T12:00:00+01:00"),
        ("today", "2026-11-20T23:59:59+01:00"),
        ("yesterday", "2026-11-19T23:59:59+01:00"),
        ("Yesterday 18:00", "2026-11-19T18:00:00+01:00"),
        ("3 days ago", "2026-11-17T12:00:00+01:00"),
        ("1 hour ago", "2026-11-20T11:00:00+01:00"),
        ("90 seconds ago", "2026-11-20T11:58:30+01:00"),
        ("2 weeks ago", "2026-11-06T12:00:00+01:00"),
        ("5 months ago", "2026-06-20T12:00:00+02:00"),
        ("1 year ago", "2025-11-20T12:00:00+01:00"),
        ("  2026-11-20  ", "2026-11-20T23:59:59+01:00"),
    ])
    func moments(text: String, expected: String) {
        #expect(time(text) == expected)
    }

    @Test func aBareDateSinceIsItsBeginning() {
        #expect(time("2026-11-20", .beginning) == "2026-11-20T00:00:00+01:00")
        #expect(time("yesterday", .beginning) == "2026-11-19T00:00:00+01:00")
        #expect(time("2026-11-20 18:00", .beginning) == "2026-11-20T18:00:00+01:00")
    }

    @Test func daysOnWhichTheClocksChange() {
        #expect(time("2026-03-29", .beginning) == "2026-03-29T00:00:00+01:00")
        #expect(time("2026-03-29") == "2026-03-29T23:59:59+02:00")
        #expect(time("2026-10-25", .beginning) == "2026-10-25T00:00:00+02:00")
        #expect(time("2026-10-25") == "2026-10-25T23:59:59+01:00")
        // Half past midnight on the day after the clocks went forward.
        let after: Int64 = 1_774_823_400
        #expect(Time.local(after).rfc3339 == "2026-03-30T00:30:00+02:00")
        #expect(time("yesterday", now: after) == "2026-03-29T23:59:59+02:00")
        #expect(time("1 day ago", now: after) == "2026-03-29T00:30:00+01:00")
    }

    @Test(arguments: [
        "HEAD~2", "v1.0", "3f2a91c", "main", "", "2026", "2026-13-01", "2026-00-10", "2026-02-30", "2025-02-29", "2026-11-31",
        "20261120",
        "25:00", "18:60", "12:00 yesterday later", "3 fortnights ago", "-3 days ago", "days ago", "1234567d", "12345d",
        "2026-+1-05",
        "2026-11-20T18:00:00+99:99", "2026-11-20 25:00:00Z", "HEAD@{yesterday}", "yesterday-release", "99999999999999 days ago",
    ])
    func anythingElseIsARevision(text: String) {
        #expect(When(text, now: Self.now) == .revision(text))
    }

    @Test func aLeapDay() {
        #expect(time("2028-02-29") == "2028-02-29T23:59:59+01:00")
    }

    @Test func theVersionOfAMoment() throws {
        try withStore { s in
            let one = try s.put("a", .number("A", 1))
            let two = try s.set("a", 2)
            func at(_ seconds: Int64) throws -> VersionID {
                try s.store.history.version(at: .moment(seconds), written: "then").id
            }
            #expect(try at(two.time.seconds) == two.id)
            #expect(try at(two.time.seconds - 1) == one.id)
            #expect(try at(.max) == two.id)
            #expect(failure { _ = try at(1) }?.kind == .missing)
            #expect(try s.store.history.version(at: .revision("HEAD~1"), written: "").id == one.id)
            #expect(try s.store.history.version(at: .revision(String(one.id.hex.prefix(12))), written: "").id == one.id)
            #expect(failure { _ = try s.store.history.version(at: .revision("nonsense"), written: "") }?.kind == .missing)
            #expect(failure { _ = try s.store.history.version(at: .revision(""), written: "") }?.kind == .missing)
            _ = try s.store.tags.add("launch", one.id, s.done(why: "Launch"))
            #expect(try s.store.history.version(at: .revision("launch"), written: "").id == one.id)
            #expect(failure { _ = try s.store.tags.add("launch", two.id, s.done()) }?.kind == .conflict)
            #expect(failure { _ = try s.store.tags.add("bad name", two.id, s.done()) }?.kind == .usage)
        }
    }

    @Test func momentsGoAlongFirstParents() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.git("checkout", "-q", "-b", "side")
            let side = try s.set("a", 2)
            try s.git("checkout", "-q", "main")
            let main = try s.put("b", .number("B", 1))
            let later = try s.put("c", .number("C", 1))
            try s.git("merge", "-q", "-m", "merged", "side")
            #expect(try s.store.history.version(at: .moment(side.time.seconds), written: "").message.subject == "a: added (1)")
            #expect(try s.store.history.version(at: .moment(main.time.seconds), written: "").id == main.id)
            #expect(try s.store.history.version(at: .moment(later.time.seconds + 1), written: "").id == later.id)
        }
    }
}
