import Foundation
import Testing

@testable import Files
@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// Every way of waiting for the disk does the same work.
struct DurabilityTests {
    @Test(arguments: Files.Durability.allCases) func everyKindOfVersion(durability: Files.Durability) throws {
        try withStore { s in
            s.store.journal.knownDurability = durability
            try s.put("a", .number("A", 1))
            try s.put("g.h.b", .number("B", 1))
            try s.set("a", 2)
            try s.change(s.done()) { settings in
                for number in 0..<100 { settings.options[.of("many.o\(number)")] = .number("N", number) }
            }
            try s.rename("g.h.b", "k.b")
            try s.edit("a.json", "\"value\": 2", "\"value\":3")
            #expect(try s.store.drafts.record(s.done()).version != nil)
            #expect(try s.undo().version != nil)
            #expect(try s.value("a") == "2")
            #expect(try s.git("reflog", "-1", "--format=%gs") == "settings: \(try s.subjects()[0])")
            #expect(try s.git("reflog", "show", "main", "--format=%gs") == (try s.git("reflog", "--format=%gs")))
        }
    }

    @Test func whoseWordCounts() throws {
        try withStore { s in
            #expect(s.store.journal.safety.source == .default)
            #expect(s.store.journal.safety.durability == .safe(in: [s.root]))
            try s.change(s.done()) { $0.definition?.other["durability"] = "none" }
            #expect(s.store.journal.safety.durability == .none)
            #expect(s.store.journal.safety.source == .store)
            s.store.journal.wantedDurability = .strict
            #expect(s.store.journal.safety.durability == .strict)
            #expect(s.store.journal.safety.source == .command)
            #expect(failure { try s.change(s.done()) { $0.definition?.other["durability"] = "sometimes" } }?.kind == .badData)
        }
    }

    @Test func strictWhereTheSystemIsNotKnownToKeepTheOrder() {
        #expect(Files.Durability.safe(in: ["/proc"]) == .strict)
        #expect(Files.Durability.safe(in: ["/", "/proc"]) == .strict)
        #expect(Files.Durability.safe(in: ["/there/is/none"]) == .strict)
    }

    /// Between the branch and the index no git commits what the index held before.
    @Test func gitWaitsForTheIndex() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            let own = try s.store.journal.ownFolder()
            let lock = try s.store.versions.repository.index.lockIndex(own: own)
            #expect(throws: (any Error).self) { try s.git("commit", "-q", "--allow-empty", "-m", "x") }
            #expect(throws: GitError.self) { _ = try s.store.versions.repository.index.lockIndex() }
            _ = consume lock
            try s.git("commit", "-q", "--allow-empty", "-m", "x")
        }
    }
}
