import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// Decisions that somebody took back, with an undo or a revert, and decided again.
struct TakenBackDecisionsTests {
    enum Way: CaseIterable { case undo, revert, revertByAnother }

    /// Ada has 2 and Bob 3, which is in force.
    private func withQuestion(_ key: String = "a", _ body: (TemporaryStore) throws -> Void) throws {
        try withStore { s in
            try s.put(key, .number("A", 1))
            try s.part(ours: { try s.set(key, 2) }, theirs: { try s.set(key, 3, by: .bob) })
            try s.merge { $0.kept = .theirs }
            try s.git("branch", "-q", "-D", "side")
            #expect(try s.open() == ["\(key) value"])
            try body(s)
        }
    }

    private func revert(_ s: TemporaryStore, _ id: VersionID? = nil, by person: Person = .carol) throws -> Version {
        let tip = try #require(try s.store.versions.tip().id)
        return try #require(try s.store.reverting.revert([id ?? tip], s.done(person)).version)
    }

    private func takeBack(_ s: TemporaryStore, _ way: Way) throws {
        switch way {
        case .undo: try s.undo(by: .carol)
        case .revert: _ = try revert(s)
        case .revertByAnother: _ = try revert(s, by: .ada)
        }
    }

    private func decideAgain(_ s: TemporaryStore, _ way: Way) throws {
        switch way {
        case .undo: try s.redo(by: .carol)
        case .revert, .revertByAnother: try takeBack(s, way)
        }
    }

    /// What is open, which the cache knows as well.
    private func open(_ s: TemporaryStore) throws -> [String] {
        #expect(try s.store.merging.openCount() == s.open().count)
        return try s.open()
    }

    @Test(arguments: Way.allCases, [ConflictAnswer.ours, .theirs]) func oneThatWasTakenBackDecidesNothing(
        _ way: Way, _ answer: ConflictAnswer
    ) throws {
        try withQuestion { s in
            try s.part(
                ours: {
                    try s.resolve("a", answer)
                    try takeBack(s, way)
                    #expect(try open(s) == ["a value"])
                }, theirs: { try s.set("a", 7, by: .bob) })
            try s.merge("side") { $0.kept = .ours }
            #expect(try s.value("a") == "7")
            #expect(try open(s) == [])
        }
    }

    enum Moment: CaseIterable { case behind, before, renamed }

    /// Also where it was taken back before the lines part, and has another name since.
    @Test(arguments: Way.allCases, Moment.allCases) func oneThatIsDecidedAgainCounts(_ way: Way, _ moment: Moment) throws {
        for answer in [ConflictAnswer.ours, .theirs] {
            try withQuestion { s in
                func decide() throws {
                    try s.resolve("a", answer)
                    try takeBack(s, way)
                }
                if moment != .behind { try decide() }
                let taker = try #require(try s.store.versions.tip().id)
                let key = moment == .renamed ? "b" : "a"
                try s.part(
                    ours: {
                        if moment == .behind { try decide() }
                        if moment == .renamed {
                            try s.rename("a", "b")
                            let again = try revert(s, taker, by: way == .revertByAnother ? .ada : .carol)
                            if answer == .theirs { #expect(again.message.subject == "b: decided: 3") }
                        } else {
                            try decideAgain(s, way)
                        }
                        #expect(try open(s) == [])
                    }, theirs: { try s.set("a", 7, by: .bob) })
                #expect(failure { try s.merge("side") }?.kind == .conflict)
                try s.merge("side") { $0.kept = .ours }
                #expect(try s.value(key) == (answer == .ours ? "2" : "3"))
                #expect(try open(s) == ["\(key) value"])
            }
        }
    }

    /// One after the other, each of what came before it.
    @Test(arguments: [ConflictAnswer.ours, .theirs]) func revertsOfReverts(_ answer: ConflictAnswer) throws {
        try withQuestion { s in
            try s.resolve("a", answer)
            for round in 0..<5 {
                _ = try revert(s, by: round == 3 ? .ada : .carol)
                #expect(try open(s) == (round % 2 == 0 ? ["a value"] : []), "round \(round)")
                #expect(try s.value("a") == (round % 2 == 0 || answer == .theirs ? "3" : "2"))
            }
            try s.undo(by: .carol)
            #expect(try open(s) == [])
            try s.redo(by: .carol)
            #expect(try open(s) == ["a value"])
        }
    }

    @Test(arguments: [ConflictAnswer.ours, .theirs]) func revertsOfAnUndoAndOfARedo(_ answer: ConflictAnswer) throws {
        try withQuestion { s in
            let first = try #require(try s.resolve("a", answer).version)
            let undo = try #require(try s.undo(by: .carol).version)
            #expect(try revert(s).named.reverts == [undo.id])
            #expect(try open(s) == [])
            try s.undo(by: .carol)
            #expect(try open(s) == ["a value"])
            // Nothing to take back any more.
            #expect(throws: Problem.history(.hasNothingToRevert([first.id]))) {
                try s.store.reverting.revert([first.id], s.done(.carol))
            }
        }
        try withQuestion { s in
            try s.resolve("a", answer)
            try s.undo(by: .carol)
            let redo = try #require(try s.redo(by: .carol).version)
            #expect(try revert(s).named.reverts == [redo.id])
            #expect(try open(s) == ["a value"])
            let again = try revert(s)
            #expect(try open(s) == [])
            let decisions = try s.store.history.changes(of: again).decisions
            #expect(decisions.map(\.isTakenBack) == (answer == .theirs ? [false] : []))
        }
    }

    /// A revert of other options takes no decision back.
    @Test(arguments: [ConflictAnswer.ours, .theirs]) func revertsOfOtherOptions(_ answer: ConflictAnswer) throws {
        try withQuestion { s in
            try s.put("n", .number("N", 1))
            let change = Change(
                .option(.of("n")), title: "N", facet: .value, before: .value(1.json, words: nil, isMasked: false),
                after: .value(5.json, words: nil, isMasked: false))
            try s.part(
                ours: {
                    let decision = try #require(
                        try s.store.merging.settle(
                            [Settlement(.option(.of("a")), .value, answer)], with: [change], s.done(.carol)
                        ).version)
                    let only = [Key.of("n")]
                    #expect(try s.store.reverting.revert([decision.id], only: only, s.done(.carol)).version != nil)
                    #expect(try open(s) == [])
                    _ = try revert(s)
                    #expect(try open(s) == [])
                }, theirs: { try s.set("a", 7, by: .bob) })
            #expect(try s.value("a") == (answer == .ours ? "2" : "3"))
            #expect(failure { try s.merge("side") }?.kind == .conflict)
        }
    }

    // MARK: One side of an open conflict

    /// Ada decides for 2, and Carol, who knows nothing of that, for 3. Ada's is in force.
    private func withTwoDecisions(_ body: (TemporaryStore, _ ada: VersionID, _ carol: VersionID) throws -> Void) throws {
        try withQuestion { s in
            try s.part(ours: { try s.resolve("a", .theirs) }, theirs: { try s.resolve("a", .ours, by: .ada) })
            let carol = try #require(try s.store.versions.tip().id)
            let ada = try s.store.versions.version(named: "side").id
            try s.merge("side") { $0.kept = .theirs }
            #expect(try open(s) == ["a value"])
            #expect(try s.value("a") == "2")
            try body(s, ada, carol)
        }
    }

    @Test func aSideIsRevertedBehindTheMerge() throws {
        try withTwoDecisions { s, ada, _ in
            _ = try revert(s, ada, by: .bob)
            #expect(try s.value("a") == "3")
            #expect(try open(s) == [])
            _ = try revert(s)
            #expect(try s.value("a") == "2")
            #expect(try open(s) == ["a value"])
            try s.undo(by: .carol)
            #expect(try open(s) == [])
        }
    }

    /// The one for what was not in force: what is left is in force.
    @Test func theOtherSideIsReverted() throws {
        try withTwoDecisions { s, _, carol in
            let revert = try revert(s, carol)
            #expect(revert.message.subject == "a: decided: 2")
            #expect(try s.value("a") == "2")
            #expect(try open(s) == [])
        }
    }

    /// On the side itself, by somebody who doesn't know the merge.
    @Test(arguments: [true, false]) func aSideIsTakenBackBesideTheMerge(_ isUndo: Bool) throws {
        try withTwoDecisions { s, ada, _ in
            try s.rename("a", "b")
            try s.git("checkout", "-q", "side")
            try s.reopen()
            if isUndo { try s.undo(by: .ada) } else { _ = try revert(s, ada) }
            #expect(try open(s) == ["a value"])
            try s.git("checkout", "-q", "main")
            try s.reopen()
            try s.merge("side")
            #expect(try s.value("b") == "3")
            #expect(try open(s) == [])
            try s.git("checkout", "-q", "side")
            try s.reopen()
            if isUndo { try s.redo(by: .ada) } else { _ = try revert(s) }
            try s.git("checkout", "-q", "main")
            try s.reopen()
            // The merge before has decided otherwise.
            #expect(failure { try s.merge("side") }?.kind == .conflict)
            try s.merge("side") { $0.kept = .theirs }
            #expect(try s.value("b") == "2")
            #expect(try open(s) == ["b value"])
        }
    }

    /// Nobody chose what is in force then: it is asked about.
    @Test func aSideIsTakenBackThatIsNotInForce() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.part(ours: { try s.set("a", 2) }, theirs: { try s.set("a", 3, by: .bob) })
            let ours = try #require(try s.store.versions.tip().id)
            try s.merge { $0.kept = .ours }
            _ = try revert(s, ours)
            #expect(try s.value("a") == "1")
            #expect(try open(s) == ["a value"])
        }
    }

    /// A revert of the merge itself takes one side: what the merge left open is no question any more.
    @Test func theMergeIsReverted() throws {
        try withTwoDecisions { s, _, _ in
            _ = try revert(s)
            #expect(try s.value("a") == "3")
            #expect(try open(s) == [])
        }
    }

    @Test func bothSidesAreTakenBack() throws {
        try withTwoDecisions { s, ada, carol in
            _ = try revert(s, ada)
            _ = try revert(s, carol)
            // That of the first merge.
            #expect(try open(s) == ["a value"])
            let conflict = try #require(try s.store.merging.openConflicts().first).conflict
            #expect([conflict.base?.json, conflict.ours?.json, conflict.theirs?.json] == [1.json, 2.json, 3.json])
        }
    }
}
