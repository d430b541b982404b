import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

struct RevertRangeTests {
    @discardableResult
    private func revert(_ s: TemporaryStore, _ start: String, _ end: String = "HEAD", only places: [Key] = []) throws -> Version {
        let (start, end) = (try s.store.versions.version(named: start), try s.store.versions.version(named: end))
        let range = try s.store.reverting.versions(from: start.id, to: end.id)
        return try #require(try s.store.reverting.revert(range.map(\.id), only: places, s.done(.carol)).version)
    }

    @Test func newestFirstInOneVersion() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.put("b", .number("B", 0))
            let one = try s.set("a", 1)
            try s.write("not a setting", to: "note.txt")
            try s.git("add", "note.txt")
            try s.git("commit", "-q", "-m", "a note")
            let two = try s.set("a", 2)
            try s.set("b", 5)
            let version = try revert(s, one.id.hex + "~1", "HEAD~1")
            #expect(version.named.reverts == [two.id, one.id])
            #expect(try [s.value("a"), s.value("b")] == ["0", "5"])
        }
    }

    /// Only what changed it is named.
    @Test func onlySomeKeys() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.put("b", .number("B", 0))
            let one = try s.set("a", 1)
            try s.set("b", 5)
            let two = try s.set("a", 2)
            #expect(try revert(s, "HEAD~3", only: [.of("a")]).named.reverts == [two.id, one.id])
            #expect(try [s.value("a"), s.value("b")] == ["0", "5"])
        }
    }

    /// A range in which an option was renamed there and back, again and again, renames it once or not at all.
    @Test func renamesThereAndBack() throws {
        try withStore { s in
            let start = try s.put("a", .number("A", 0))
            try s.rename("a", "b")
            for _ in 0..<4 {
                let version = try revert(s, start.id.hex)
                #expect(version.message.renames.map(\.new.key.description) == ["a"])
                let undone = try #require(try s.undo(by: .carol).version)
                #expect(undone.message.renames.count == 1)
            }
            try s.rename("b", "a")
            let problem = #expect(throws: Problem.self) { try revert(s, start.id.hex) }
            #expect(problem?.kind == .missing)
        }
    }

    @Test func nothingInBetween() throws {
        try withStore { s in
            let one = try s.put("a", .number("A", 0))
            let two = try s.set("a", 1)
            #expect(failure { try revert(s, "HEAD", "HEAD") } == .history(.isEmptyRange(two.id, two.id, isReversed: false)))
            #expect(failure { try revert(s, "HEAD", "HEAD~1") } == .history(.isEmptyRange(two.id, one.id, isReversed: true)))
            try s.git("commit", "-q", "--allow-empty", "-m", "nothing")
            #expect(failure { try revert(s, "HEAD~1") }?.kind == .missing)
        }
    }

    @Test func theEndOfAnotherBranch() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.part(theirs: { try s.set("a", 1) })
            #expect(failure { try revert(s, "main", "side") }?.kind == .missing)
            #expect(try s.value("a") == "0")
        }
    }

    /// A merge is taken back with all that it brought in, and with what it decided.
    @Test func mergesOfWhatIsInTheRange() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.put("b", .number("B", 0))
            let start = try s.head()
            try s.part(
                ours: { try s.set("a", 1) },
                theirs: {
                    try s.set("a", 2, by: .bob)
                    try s.set("b", 2, by: .bob)
                })
            try s.merge { $0.side = .theirs }
            try s.set("b", 3)
            try revert(s, start)
            #expect(try [s.value("a"), s.value("b")] == ["0", "0"])
        }
    }

    /// What came from the other side is not in the range, and stays.
    @Test func mergesOfWhatIsNot() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.put("b", .number("B", 0))
            var own: Version?
            try s.part(ours: { own = try s.set("a", 1) }, theirs: { try s.set("b", 2, by: .bob) })
            try s.merge()
            #expect(try revert(s, "side").named.reverts == [try #require(own).id])
            #expect(try [s.value("a"), s.value("b")] == ["0", "2"])
        }
    }

    @Test func mergesThatDecided() throws {
        try withStore { s in
            try partOverNumber(s)
            try s.merge { $0.side = .ours }
            #expect(failure { try revert(s, "side") }?.kind == .conflict)
        }
    }

    @Test func mergesThatLeftConflictsOpen() throws {
        try withStore { s in
            try partOverNumber(s)
            try s.merge { $0.kept = .ours }
            #expect(failure { try revert(s, "side") }?.kind == .conflict)
        }
    }

    private func partOverNumber(_ s: TemporaryStore) throws {
        try s.put("a", .number("A", 0))
        try s.part(ours: { try s.set("a", 1) }, theirs: { try s.set("a", 2, by: .bob) })
    }
}
