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

    /// The name that a side gave is in force, and so is that it removed the option.
    @Test func anOptionThatOneSideRenamedAndTheOtherRemoved() throws {
        for (isOurs, side) in [
            (true, MergeWish.InForce.ours), (true, .theirs), (false, .ours), (false, .theirs), (true, .agreed),
        ] {
            try withStore { s in
                try s.put("a", .number("A", 0))
                let renames: () throws -> Void = {
                    try s.rename("a", "b", by: isOurs ? .ada : .bob)
                    try s.set("b", 1, by: isOurs ? .ada : .bob)
                }
                let removes: () throws -> Void = { try s.put("a", nil, by: isOurs ? .bob : .ada) }
                try s.part(ours: isOurs ? renames : removes, theirs: isOurs ? removes : renames)
                try s.merge { $0.kept = side }
                let keepsName = (side == .ours) == isOurs
                if side != .agreed {
                    #expect(try s.value("b") == (keepsName ? "1" : nil))
                    #expect(try s.option("a") == nil)
                    #expect(try s.open() == [keepsName ? "b key" : "a key"])
                }
                let question = try #require(try s.store.merging.openConflicts().first?.conflict)
                let before = try s.head()
                for (answer, isThere) in [(ConflictAnswer.ours, isOurs), (.theirs, !isOurs)] {
                    try s.resolve(question.subject.key.description, answer)
                    #expect(try s.value("b") == (isThere ? "1" : nil))
                    #expect(try s.option("a") == nil)
                    #expect(try s.open() == [])
                    try s.git("reset", "-q", "--hard", before)
                    try s.reopen()
                }
            }
        }
    }

    /// What is left open is found under the name in force, also once the name is settled.
    @Test func aNameThatIsSettledBeforeTheRest() throws {
        try withStore { s in
            try s.partWithTwoNames()
            try s.merge { $0.kept = .ours }
            #expect(try s.open() == ["b key", "b value"])
            try s.resolve("b", .ours, .key)
            let open = try s.store.merging.openConflicts()
            #expect(open.map(\.conflict.facet) == [.value])
            #expect(open.map(\.conflict.theirs?.json) == [2.json])
            try s.resolve("b", .theirs)
            #expect(try s.value("b") == "2")
        }
    }

    /// A side that decided for what was in force changed no file; what the other set meanwhile is a conflict all the same.
    @Test func aDecisionAndAChange() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.part(ours: { try s.set("a", 1) }, theirs: { try s.set("a", 2, by: .bob) })
            try s.merge { $0.kept = .theirs }
            try s.part(ours: { try s.resolve("a", .theirs) }, theirs: { try s.set("a", 3, by: .bob) }, named: "later")
            #expect(try s.merge("later") { $0.kept = .ours }.version != nil)
            #expect(try s.value("a") == "2")
            #expect(try s.open() == ["a value"])
            try s.resolve("a", .theirs)
            #expect(try s.value("a") == "3")
            #expect(try s.open() == [])
        }
    }

    /// Another merge that asks the same decides nothing, whatever is in force after it.
    @Test func theSameConflictTwice() throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.git("branch", "third")
            try s.part(ours: { try s.set("a", 1) }, theirs: { try s.set("a", 2, by: .bob) })
            try s.merge { $0.kept = .ours }
            try s.git("checkout", "-q", "third")
            try s.reopen()
            try s.set("a", 3, by: .carol)
            try s.git("checkout", "-q", "main")
            try s.reopen()
            try s.merge("third") { $0.kept = .agreed }
            #expect(try s.value("a") == "0")
            #expect(try s.open() == ["a value", "a value"])
            try s.resolve("a", .word("2"))
            #expect(try s.open() == [])
        }
    }

    /// A merge with a conflict chose nothing: neither what is in force, nor what merged beside it.
    @Test func whoChoseWhatIsInForce() throws {
        let dan = Person(name: "Dan Example", email: "dan@example.org")
        for (side, expected) in [(MergeWish.InForce.agreed, Person.carol), (.ours, .ada), (.theirs, .bob)] {
            try withStore { s in
                try s.put("l", .language, by: .carol)
                try s.part(
                    ours: {
                        try s.set("l", "fr")
                        try s.labels("l") { $0.insert(ChoiceLabel(value: .string("it"), text: "Italian"), at: 0) }
                    },
                    theirs: {
                        try s.set("l", "es", by: .bob)
                        try s.labels("l", by: .bob) { $0.rename(.string("en"), to: "British") }
                    })
                try s.merge(by: dan) { $0.kept = side }
                #expect(try s.open() == ["l value"])
                #expect(try s.blamed("l")?.author == expected)
                var filter = HistoryFilter()
                filter.author = "Dan"
                #expect(try s.subjects(filter) == [])
            }
        }
    }

    /// Whoever has both sides in the history decides the conflict of every merge of these sides: what is only in force after
    /// another one was chosen by nobody.
    @Test(arguments: [true, false], [MergeWish.InForce.ours, .theirs])
    func twoMergesOfTheSameSides(_ resolves: Bool, _ inForce: MergeWish.InForce) throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.part(ours: { try s.set("a", 1) }, theirs: { try s.set("a", 2, by: .bob) })
            try s.git("branch", "first", "main")
            try s.merge { $0.kept = inForce }
            try s.git("branch", "-f", "decided")
            try s.git("checkout", "-q", "decided")
            try s.reopen()
            // What the other merge leaves out of force.
            let decision = inForce == .ours ? "2" : "1"
            if resolves { try s.resolve("a", .word(decision)) } else { try s.set("a", inForce == .ours ? 2 : 1) }
            try s.git("checkout", "-q", "-b", "second", "side")
            try s.reopen()
            try s.merge("first", by: .bob) { $0.kept = inForce == .ours ? .theirs : .ours }
            try s.merge("decided", by: .bob)
            #expect(try s.value("a") == decision)
            #expect(try s.open() == [])
            #expect(try s.blamed("a")?.author == (resolves ? .carol : .ada))
        }
    }
}
