import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// The same conflict, left open by several merges.
struct CrosswiseMergesTests {
    /// Ada and Bob each merge what the other one had, and then all of it.
    private func withCrosswiseMerges(_ body: (TemporaryStore) throws -> Void) throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.part(ours: { try s.set("a", 2) }, theirs: { try s.set("a", 3, by: .bob) })
            try s.merge { $0.kept = .ours }
            try s.git("checkout", "-q", "side")
            try s.reopen()
            try s.merge("main~1", by: .bob) { $0.kept = .ours }
            try s.git("checkout", "-q", "main")
            try s.reopen()
            try s.merge { $0.kept = .agreed }
            try body(s)
        }
    }

    @Test func oneConflictWithThePeopleWhoMadeIt() throws {
        try withCrosswiseMerges { s in
            #expect(try s.open() == ["a value"])
            #expect(try s.store.merging.openCount() == 1)
            let open = try #require(try s.store.merging.openConflicts().first)
            #expect([open.conflict.ours?.json, open.conflict.theirs?.json] == [2.json, 3.json])
            #expect([open.origin.ours?.author, open.origin.theirs?.author] == [.ada, .bob])
            try s.resolve("a", .theirs)
            #expect(try s.open().isEmpty)
        }
    }

    /// Whoever removed it is named, and not who brought it back.
    @Test func theOneWhoRemovedIt() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.part(ours: { try s.put("a", nil) }, theirs: { try s.rename("a", "b", by: .bob) })
            try s.merge { $0.kept = .ours }
            #expect(try s.open() == ["a key"])
            for (branch, answer, person) in [("one", ConflictAnswer.ours, Person.ada), ("two", .theirs, .bob)] {
                try s.git("checkout", "-q", "-b", branch, "main")
                try s.reopen()
                try s.resolve("a", answer, by: person)
            }
            try s.merge("one", by: .bob) { $0.kept = .theirs }
            #expect(try s.open() == ["b existence"])
            try s.git("checkout", "-q", "-b", "three", "main")
            try s.reopen()
            try s.resolve("a", .theirs, by: .carol)
            try s.merge("two", by: .carol) { $0.kept = .theirs }
            let open = try s.store.merging.openConflicts()
            #expect(open.map { $0.origin.ours?.author } == [.carol])
            #expect(open.map { $0.origin.theirs?.author } == [.ada])
        }
    }
}
