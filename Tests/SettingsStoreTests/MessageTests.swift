import Foundation
import Seeds
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

struct MessageTests {
    static let scissors = "# ------------------------ >8 ------------------------"

    /// Whys that somebody may write, and what of them is kept.
    static let whys: [(written: String, kept: String?)] = [
        ("The Paris office opens on Monday.", "The Paris office opens on Monday."),
        ("Ticket: none", "Ticket: none"),
        (
            "First.\n\nTicket: X-1\nSigned-off-by: Nobody <n@example.org>",
            "First.\n\nTicket: X-1\nSigned-off-by: Nobody <n@example.org>"
        ),
        ("a\r\nb\r\n\r\nc", "a\nb\n\nc"),
        ("one\rtwo", "one\ntwo"),
        ("bell \u{7} and escape \u{1B}[31m and zero \u{0}", "bell  and escape [31m and zero"),
        ("\n\n  spaces around  \n\n", "spaces around"),
        ("\n \n\t\n", nil),
        ("three\n\n\n\nempty lines", "three\n\n\n\nempty lines"),
        ("#1 is the reason\n# so it is", " #1 is the reason\n # so it is"),
        ("---\nnot a divider\n--- a/file\n+++ b/file", " ---\nnot a divider\n --- a/file\n+++ b/file"),
        ("Conflicts:\n\ta file", "Conflicts:\n\ta file"),
        ("日本語 ✓ e\u{301} é 👩‍👩‍👧", "日本語 ✓ e\u{301} é 👩‍👩‍👧"),
        ("    indented\n  as code", "indented\n  as code"),
        ("diff --git a/x b/x\n@@ -1 +1 @@", " diff --git a/x b/x\n@@ -1 +1 @@"),
        (scissors + "\nbelow", " " + scissors + "\nbelow"),
        ("above\n" + scissors, "above\n " + scissors),
        // What mail would cut off, or take for its own.
        ("Index: x", " Index: x"), ("---x\n----\n- --", "---x\n----\n- --"),
        ("From 0123456789abcdef0123456789abcdef01234567 on", " From 0123456789abcdef0123456789abcdef01234567 on"),
        ("From: Marie\nFrom: Marie", " From: Marie\nFrom: Marie"), ("Subject: loud", " Subject: loud"),
        ("From Monday on", "From Monday on"),
        // What could pass for a version's own words once versions are squashed.
        ("change-id: x\n   Via: x\n    Change-Id: x\n  via: x", " change-id: x\n     Via: x\n     Change-Id: x\n   via: x"),
        ("VIA \t: x\n   Change-id\t : x\nVia x: y", " VIA \t: x\n     Change-id\t : x\nVia x: y"),
        ("a.b: 1 → 2\na.b: 1 → 2\n\n* c: added", " a.b: 1 → 2\na.b: 1 → 2\n\n * c: added"),
    ]

    @Test(arguments: whys) func aWhyIsKeptApartFromTheTrailers(written: String, kept: String?) throws {
        try withStore { s in
            var done = s.done(why: VersionMessage.cleaned(written), ticket: "FEAT-12")
            done.requestedBy = ["Marie Curie <marie@example.org>"]
            try s.change(done) { $0.options[.of("general.language")] = .language }
            let version = try s.store.versions.version(named: "HEAD")
            #expect(version.message.why.map { Array($0.utf8) } == kept.map { Array($0.utf8) })
            #expect(version.message.tickets == ["FEAT-12"])
            #expect(version.message.via == "test")
            let change = try #require(version.message.changeIDs.first)
            #expect(version.message.changeIDs.count == 1)
            let trailers = "Requested-by: Marie Curie <marie@example.org>\nTicket: FEAT-12\nVia: test\nChange-Id: \(change.text)"
            let message = Array(try s.git("log", "-1", "--format=%B").utf8)
            #expect(try s.git("interpret-trailers", "--parse", "--no-divider", input: message) == trailers)
            #expect(try s.git("log", "-1", "--format=%(trailers:key=Ticket,valueonly,separator=%x2C)") == "FEAT-12")
            #expect(try s.git("log", "-1", "--format=%s") == "general.language: added (English)")
        }
    }

    @Test func aVeryLongWhy() throws {
        let why = (1...10_000).map { "line \($0): it goes on" }.joined(separator: "\n")
        try withStore { s in
            try s.change(s.done(why: why, ticket: "T-1")) { $0.options[.of("a")] = .number("A", 1) }
            #expect(try s.store.versions.version(named: "HEAD").message.why == why)
            #expect(try s.git("log", "-1", "--format=%(trailers:key=Ticket,valueonly)") == "T-1\n")
        }
    }

    @Test func whatSomebodyElseSaysCanNotMakeTrailers() throws {
        try withStore { s in
            var done = s.done(why: "why")
            done.requestedBy = ["Eve\nReverts: \(String(repeating: "a", count: 40))", "  "]
            done.tickets = ["T-1\r\n\r\nTicket: T-2", "", "T-3"]
            try s.change(done) { $0.options[.of("a")] = .number("A", 1) }
            let message = try s.store.versions.version(named: "HEAD").message
            #expect(message.reverts == [])
            #expect(message.requestedBy == ["Eve Reverts: \(String(repeating: "a", count: 40))"])
            #expect(message.tickets == ["T-1 Ticket: T-2", "T-3"])
            #expect(try s.git("log", "-1", "--format=%(trailers:key=Ticket,valueonly,separator=|)") == "T-1 Ticket: T-2|T-3")
        }
    }

    /// Only a program of somebody else writes such a message; what is read of it stays the same when it is said again.
    @Test(arguments: ["T\0", "a \u{1} b", "\u{7F}", "a\u{85}\u{2028}b", " \u{9B}c  d\t", "e \u{301}x\0\u{301}"])
    func aTrailerWithControlCharacters(_ value: String) {
        let message = VersionMessage(
            "x\n\nTicket: \(value)\nRequested-by: \(value)\nImported-from: env \(value)\nVia: \(value)\n")
        #expect(message.tickets == message.requestedBy && !message.tickets.joined().unicodeScalars.contains { $0.value < 0x20 })
        #expect(VersionMessage(message.text) == message)
    }

    @Test(arguments: ["Brings in:\n  a: 1 → 2", "x\n\nBrings in:", "Brings in:\n  a\n\ny", "x\nBrings in:"])
    func aWhyOfAMergeIsNotWhatItBringsIn(_ why: String) {
        var message = VersionMessage(subject: "merge theirs", why: why)
        message.via = "cli"
        for details in [[], ["a: 1 → 2"]] {
            message.details = details
            #expect(VersionMessage(message.text) == message)
        }
    }

    @Test(arguments: [
        "Changes:\n  a: 1 → 2", "x\n\nChanges:", "Changes:\n  a\n\ny", "x\nChanges:", "Changes:\n- a", "Changes:\n  - a: 1",
        "Changes:\n\n  a: 1 → 2",
    ])
    func aReasonIsNotTheListOfChanges(_ why: String) {
        var message = VersionMessage(subject: "a: 1 → 2, and 1 more", why: why)
        message.via = "cli"
        for details in [[], ["a: 1 → 2", "b.c: 2 → 3"]] {
            message.details = details
            let read = VersionMessage(message.text)
            #expect(read.why == VersionMessage.cleaned(why) && read.details == details)
        }
    }

    @Test(arguments: [
        "#1 is the reason\n\n# so it is", "From: Marie\nVia: the door\n    Change-Id: x", "a.b: 1 → 2\n\n* c: added",
        "    indented\n  as code", "x\n\nChanges:\n  a: 1 → 2", " - a\n - b",
    ])
    func aReasonIsShownAsItWasTyped(_ why: String) {
        var message = VersionMessage(subject: "a: 1 → 2, and 1 more", why: VersionMessage.cleaned(why))
        message.via = "cli"
        for details in [[], ["a: 1 → 2", "b.c: 2 → 3"]] {
            message.details = details
            #expect(VersionMessage(message.text).shownWhy == why.trimmingSpaces)
        }
        // What others wrote stays as it is.
        #expect(VersionMessage("Title\n\nBody\n #1").shownWhy == "Body\n #1")
    }

    /// Whatever somebody types that git, or this program, reads as a trailer: no part ends there, and has no ticket from there.
    @Test func noReasonEndsAPart() {
        let own = VersionMessage("a: 1 → 2\n\nTicket: T-1\nVia: cli\nChange-Id: I\(String(repeating: "a1", count: 20))")
        for token in ["Via", "VIA", "via", "Change-Id", "change-id", "CHANGE-ID"] {
            for blanks in ["", " ", "  ", "\t", " \t", "\t "] {
                for column in 0...9 {
                    let value = token.count > 3 ? "I\(String(repeating: "b2", count: 20))" : "cli"
                    let indented = String(repeating: " ", count: column)
                    var message = own
                    message.why = VersionMessage.cleaned(
                        "x\n\n\(indented)Ticket: T-9\n\(indented)Requested-by: M\n\(indented)\(token)\(blanks): \(value)")
                    let marked = message.text.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
                    let id = String(repeating: "0", count: 40)
                    let squashes = [
                        "b: 1 → 2\n\nTicket: T-2\nVia: cli\nChange-Id: I\(id)\n\n\(message.text)",
                        "Title (#1)\n\n* \(message.text)",
                        "\(message.text)\nTicket: T-2\nVia: cli\nChange-Id: I\(id)",
                        "Squashed commit of the following:\n\ncommit \(id)\nAuthor: A\n\n\(marked.joined(separator: "\n"))",
                    ]
                    for squash in squashes {
                        let read = VersionMessage(squash)
                        let tickets = Set(read.tickets).subtracting(["T-1", "T-2"])
                        #expect(tickets.isEmpty && read.requestedBy.isEmpty && read.tickets.contains("T-1"), "\(squash)")
                    }
                }
            }
        }
    }

    @Test func aSquashIsShownWithoutWhatItsPartsSayForTheProgram() {
        let squash = """
            Both

            a: 1 → 2

            The first.

            Via: cli
            Change-Id: I\(String(repeating: "a", count: 40))

            b: 2 → 3, and 1 more

            The second.

            Changes:
              b: 2 → 3
              c: 3 → 4

            Via: cli
            Change-Id: I\(String(repeating: "b", count: 40))

            Signed-off-by: A <a@example.org>
            """
        let shown = VersionMessage(squash).shownWhy ?? ""
        #expect(shown.hasPrefix("a: 1 → 2\n\nThe first.\n\nb: 2 → 3, and 1 more\n\nThe second."))
        #expect(!shown.contains("Changes:") && !shown.contains("Via:") && !shown.contains("Change-Id:"))
    }

    @Test func severalChangesAreListed() throws {
        try withStore { s in
            try s.put("g.a", .number("A", 1))
            try s.change(s.done(why: "Why not.")) { settings in
                for key in ["g.a", "g.b", "x"] { settings.options[.of(key)] = .number("T", 2) }
            }
            let text = try s.git("log", "-1", "--format=%B")
            #expect(
                text.hasPrefix(
                    """
                    g.a: title "A" → "T", and 3 more

                    Why not.

                    Changes:
                      g.a: title "A" → "T"
                      g.a: 1 → 2
                      g.b: added (2)
                      x: added (2)

                    Via: test
                    """.dropLast()), "\(text)")
            let version = try s.store.versions.version(named: "HEAD")
            #expect(version.message.why == "Why not." && version.message.details.count == 4)
            try s.change(s.done()) { settings in
                for number in 0..<60 { settings.options[.of("many.n\(number)")] = .number("N", 1) }
            }
            let details = try s.store.versions.version(named: "HEAD").message.details
            #expect(details.count == 51 && details.last == "and 10 more", "\(details)")
        }
    }

    /// One option's changes stand in the first line as far as that is wide enough.
    @Test func whatTheFirstLineTellsIsNotListed() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.change(s.done()) { $0.options[.of("a")] = .number("B", 2) }
            let message = try s.store.versions.version(named: "HEAD").message
            #expect(message.subject == #"a: title "A" → "B"; 1 → 2"# && message.details.isEmpty)
        }
    }

    @Test func titlesThatAreStrangeStayOnOneLine() throws {
        try withStore { s in
            try s.put("a", .text("A", nil))
            try s.set("a", "x\n\nTicket: 5\n")
            #expect(try s.subjects()[0] == #"a: not set → "x\n\nTicket: 5\n""#)
        }
    }

    @Test func aMessageByPlainGit() {
        let plain = VersionMessage("Fix it\r\n\r\nBecause it was\r\nbroken.\r\n\r\nTicket: T-9\r\n")
        #expect(plain.subject == "Fix it")
        #expect(plain.why == "Because it was\nbroken.")
        #expect(plain.tickets == ["T-9"])
        #expect(VersionMessage("").subject == "")
        #expect(VersionMessage("\n\n").why == nil)
        #expect(VersionMessage("Ticket: T-1").tickets == [])
        #expect(VersionMessage("one\ntwo\n\nthree").subject == "one two")
        #expect(VersionMessage("Fix\n\nNote: this is prose.").why == "Note: this is prose.")
        #expect(VersionMessage("Fix\n\nTicket: a\n  b\n").tickets == ["a b"])
    }

    @Test(arguments: 0..<20) func randomMessagesComeBack(seed: Int) throws {
        var random = Seeded(UInt64(seed))
        let pieces = [
            "a", "Ticket: x", "\n", "\n\n", ":", " ", "#", "é", "e\u{301}", "Via: y", "Change-Id", "---", "\t", "\r\n", "日本",
            "\u{202E}", "\u{85}",
        ]
        func text(_ random: inout Seeded) -> String {
            (0..<random.int(12)).map { _ in pieces[random.int(pieces.count)] }.joined()
        }
        for _ in 0..<200 {
            var message = VersionMessage(subject: "a: \(random.int(9)) → \(random.int(9))")
            message.why = VersionMessage.cleaned(text(&random))
            message.via = "cli"
            message.tickets = (0..<random.int(3)).map { "T-\($0)" }
            message.requestedBy = (0..<random.int(3)).map { "P\($0) <p@example.org>" }
            let id = ObjectID(repeating: UInt8(random.int(200)))
            let named: VersionReference = random.int(2) == 0 ? .commit(id) : .change(ChangeID(id))
            if random.int(2) == 0 { message.reverts = [named, .commit(id)] }
            if random.int(3) == 0 { message.undoes = [named] }
            if random.int(3) == 0 { message.redoes = [named] }
            if random.int(3) == 0 { message.restoredFrom = named }
            if random.int(3) > 0 { message.changeIDs = [ChangeID(id)] }
            if random.int(3) == 0 {
                message.renames = [
                    .init(old: .option(.of("a.b")), new: .option(.of("c"))),
                    .init(old: .group(.of("g")), new: .group(.of("h.i"))),
                ]
            }
            #expect(VersionMessage(message.text) == message, "seed \(seed)")
        }
    }
}
