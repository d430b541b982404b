import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// What becomes of an open conflict when the side that is not in force is reverted.
struct SideNotInForceTests {
    /// Ada has 4, by way of 2, and Bob 3, which is in force.
    private func withConflict(_ body: (TemporaryStore, _ ours: [VersionID]) throws -> Void) throws {
        try withStore { s in
            var ours: [VersionID] = []
            try s.put("a", .number("A", 1))
            try s.put("b", .number("B", 1))
            try s.part(
                ours: { for value in [2, 4] { ours.append(try s.set("a", value).id) } }, theirs: { try s.set("a", 3, by: .bob) })
            try s.merge { $0.kept = .theirs }
            try body(s, ours)
        }
    }

    private func revert(_ s: TemporaryStore, _ ids: [VersionID], only places: [Key] = []) throws -> Version? {
        try s.store.reverting.revert(ids, only: places, s.done(.carol)).version
    }

    @Test(arguments: [[], [Key.of("a")]]) func allOfIt(_ places: [Key]) throws {
        try withConflict { s, ours in
            let version = try #require(try revert(s, ours, only: places))
            #expect(version.message.resolves.map(\.text) == ["a value"])
            #expect(version.named.reverts == ours.reversed())
            #expect(try s.value("a") == "3" && s.open().isEmpty)
            #expect(try s.blamed("a")?.author == .bob)
            try s.undo(by: .carol)
            #expect(try s.value("a") == "3" && s.open() == ["a value"])
            try s.redo(by: .carol)
            #expect(try s.open().isEmpty)
        }
    }

    /// What is left of that side still conflicts.
    @Test func partOfIt() throws {
        try withConflict { s, ours in
            #expect(failure { _ = try revert(s, [ours[1]]) }?.kind == .conflict)
            #expect(failure { _ = try revert(s, ours, only: [.of("b")]) }?.kind == .missing)
            let open = try s.open()
            #expect(open == ["a value"])
        }
    }

    @Test func bothSides() throws {
        try withConflict { s, ours in
            let theirs = try s.store.versions.version(named: "HEAD^2").id
            _ = try revert(s, ours + [theirs])
            #expect(try s.value("a") == "1" && s.open().isEmpty)
        }
    }

    /// The option that the other side kept in force.
    @Test func theRemoval() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            var removal: Version?
            try s.part(ours: { removal = try s.put("a", nil) }, theirs: { try s.set("a", 3, by: .bob) })
            try s.merge { $0.kept = .theirs }
            #expect(try s.open() == ["a existence"])
            _ = try revert(s, [try #require(removal).id])
            #expect(try s.value("a") == "3" && s.open().isEmpty)
        }
    }
}
