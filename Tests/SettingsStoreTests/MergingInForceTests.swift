import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// What counts while a question is open.
struct MergingInForceTests {
    private static let sides: [(MergeWish.InForce, String?)] = [(.agreed, "0"), (.ours, "1"), (.theirs, "2")]

    @Test(arguments: sides) func aValue(_ side: MergeWish.InForce, _ expected: String?) throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.part(ours: { try s.set("a", 1) }, theirs: { try s.set("a", 2, by: .bob) })
            try s.merge { $0.kept = side }
            #expect(try s.value("a") == expected)
            #expect(try s.open() == ["a value"])
            try s.resolve("a", .ours)
            #expect(try s.value("a") == "1")
            #expect(try s.open() == [])
        }
    }

    @Test(arguments: sides) func anOptionThatOneSideRemoved(_ side: MergeWish.InForce, _ number: String?) throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.part(ours: { try s.set("a", 1) }, theirs: { try s.put("a", nil, by: .bob) })
            try s.merge { $0.kept = side }
            #expect(try s.value("a") == (side == .theirs ? nil : number))
            #expect(try s.open() == ["a existence"])
            try s.resolve("a", .ours)
            #expect(try s.value("a") == "1")
        }
    }

    /// Either side's label list goes with that side's choice.
    @Test func aLabelThatOneSideRemovedAndTheOtherChose() throws {
        for side in MergeWish.InForce.allCases {
            try withStore { s in
                try s.put("l", .language)
                try s.part(
                    ours: { try s.set("l", "fr") }, theirs: { try s.labels("l", by: .bob) { $0.remove("fr") } })
                try s.merge { $0.kept = side }
                #expect(try s.option("l")?.faults() == [])
                #expect(try !s.open().isEmpty)
                #expect(try s.findings().isEmpty)
            }
        }
    }
}
