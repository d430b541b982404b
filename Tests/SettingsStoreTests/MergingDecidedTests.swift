import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// What counts as a decision about an open conflict, and whose it was.
struct MergingDecidedTests {
    @Test func aLaterRenameSettlesAName() throws {
        try withStore { s in
            try s.put("a", .language)
            try s.part(ours: { try s.rename("a", "b") }, theirs: { try s.rename("a", "c", by: .bob) })
            try s.merge { $0.kept = .theirs }
            #expect(try s.open() == ["c key"])
            try s.set("c", "fr")
            #expect(try s.open() == ["c key"])
            try s.rename("c", "d")
            #expect(try s.open() == [])
            try s.undo()
            #expect(try s.open() == ["c key"])
        }
    }

    @Test func aLaterRenameSettlesTheNameOfAGroup() throws {
        try withStore { s in
            try s.put("g.a", .language)
            try s.part(ours: { try s.renameGroup("g", "h") }, theirs: { try s.renameGroup("g", "k", by: .bob) })
            try s.merge { $0.kept = .theirs }
            #expect(try s.open() == ["k key"])
            try s.rename("k.a", "k.b")
            #expect(try s.open() == ["k key"])
            try s.renameGroup("k", "m")
            #expect(try s.open() == [])
        }
    }

    /// The type of either side fits what was decided, unlike what else that side has.
    @Test func aTypeKeepsADecidedValue() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.part(
                ours: { try s.put("a", SettingsOption(title: "A", type: .data, value: .number(2))) },
                theirs: {
                    let range = SettingsOption.Range(maximum: Number(50))
                    try s.put("a", SettingsOption(title: "A", type: .number, value: .number(3), range: range), by: .bob)
                })
            try s.merge { $0.kept = .theirs }
            let open = try s.open()
            #expect(open.contains("a value"))
            try s.resolve("a", .word("7"), .value)
            #expect(try s.open().contains("a type"))
            try s.resolve("a", .ours, .type)
            #expect(try s.option("a")?.type == .data)
            #expect(try s.value("a") == "7")
        }
    }

    /// No file shows a decision for what is in force already.
    @Test func aDecisionForWhatIsInForceHasAnAuthor() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.part(ours: { try s.set("a", 1) }, theirs: { try s.set("a", 2, by: .bob) })
            try s.merge { $0.kept = .theirs }
            try s.part(ours: { try s.set("a", 5, by: .bob) }, theirs: { try s.resolve("a", .theirs) }, named: "other")
            try s.merge("other") { $0.kept = .agreed }
            let open = try #require(try s.store.merging.openConflicts().first { $0.conflict.ours?.json == .number(5) })
            #expect([open.origin.ours?.author, open.origin.theirs?.author] == [.bob, .carol])
        }
    }
}
