import Testing

@testable import SettingsModel

@Suite struct TimeSpanTests {
    @Test(arguments: [
        ("10m", 600), ("90s", 90), ("1h30m", 5400), ("2 hours", 7200), ("1 day 12 hours", 129_600), ("1h, 5m", 3900),
        ("2H", 7200), (" 3 min ", 180), ("1w", 604_800), ("0s", 0), ("1 hr 1 sec", 3601), ("0", 0), ("1500ms", 1),
        ("999999999w", 999_999_999 * 604_800),
    ])
    func lengthsOfTime(_ text: String, _ seconds: Int64) { #expect(TimeSpan(text)?.seconds == seconds) }

    @Test(arguments: [
        "", " ", "10", "m", "ten minutes", "-5m", "1.5h", "10m ago", "5 parsecs", "9999999999s", "1h 30", ",1h", "1h;2m", "00",
        String(repeating: "999999999w", count: 20),
    ])
    func anythingElse(_ text: String) { #expect(TimeSpan(text) == nil) }

    @Test(arguments: [(600, "10 minutes"), (5400, "1 hour 30 minutes"), (86401, "1 day 1 second"), (0, "0 seconds")])
    func words(_ seconds: Int64, _ words: String) { #expect(TimeSpan(seconds: seconds).words == words) }

    @Test func partsOfASecond() {
        #expect(TimeSpan("1s50ms")?.milliseconds == 1050)
        #expect(TimeSpan(milliseconds: 1050).words == "1 second 50 milliseconds")
    }

    @Test(arguments: [
        "2026-11-20T18:00:00+01:00", "2026-11-20T17:00:00Z", "0001-01-01T00:00:00Z", "9998-12-31T23:59:59-11:30",
        "2024-02-29T00:00:00+05:45",
    ])
    func timesComeBack(_ text: String) { #expect(Time(rfc3339: text)?.rfc3339 == text) }

    @Test(arguments: [
        "", "2026-11-20", "2026-02-30T00:00:00Z", "2026-11-20T24:00:00Z", "2026-11-20 18:00:00Z", "2026-11-20T18:00:00",
        "2026-11-20T18:00:00+0100", "2026-13-20T18:00:00Z", "0000-01-01T00:00:00Z", "2026-11-20T18:00:00+25:00",
        "2026-11-2OT18:00:00Z",
    ])
    func noTimes(_ text: String) { #expect(Time(rfc3339: text) == nil) }

    @Test func trailersOfConfirmations() throws {
        let id = try #require(VersionID(hex: String(repeating: "ab", count: 20)))
        let deadline = try #require(Time(rfc3339: "2026-11-20T18:00:00+01:00"))
        var message = VersionMessage(subject: "confirmed: a: 1 → 2", why: "Works.")
        message.via = "cli"
        message.confirmBy = deadline
        message.confirms = [.init(.commit(id), deadline: deadline)]
        message.extends = [.init(.commit(id), deadline: nil)]
        message.unconfirmed = [.init(.change(ChangeID(id)), deadline: deadline)]
        #expect(VersionMessage(message.text) == message)
        #expect(message.ownDeadline == nil)
        #expect(message.text.contains("\nConfirms: \(id.hex) 2026-11-20T18:00:00+01:00\n"))
        let odd = VersionMessage("x\n\nVia: cli\nConfirm-by: soon\nConfirms: zz\nUnconfirmed: \(id.hex) never\n")
        #expect(odd.confirmBy == nil && odd.confirms.isEmpty && odd.unconfirmed == [.init(.commit(id), deadline: nil)])
    }
}
