import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// Defaults that don't fit what the other side changed.
struct MergingDefaultsTests {
    private func narrow(_ s: TemporaryStore) throws {
        try s.change(s.done()) { $0.options[.of("a")]?.range.maximum = Number(50) }
    }

    private func setDefault(_ s: TemporaryStore) throws {
        try s.change(s.done()) { $0.options[.of("a")]?.defaultValue = .number(70) }
    }

    private func withConflict(_ body: (TemporaryStore) throws -> Void) throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try s.part(ours: { try narrow(s) }, theirs: { try setDefault(s) })
            try body(s)
        }
    }

    @Test(
        arguments: MergeWish.InForce.allCases,
        [(ConflictAnswer.ours, nil, 50), (.theirs, 70, nil)] as [(ConflictAnswer, Int?, Int?)])
    func aSideBringsItsBounds(inForce: MergeWish.InForce, wanted: (answer: ConflictAnswer, standard: Int?, maximum: Int?)) throws
    {
        try withConflict { s in
            try s.merge { $0.kept = inForce }
            #expect(try s.open().first == "a default")
            try s.resolve("a", wanted.answer)
            let option = try #require(try s.option("a"))
            #expect(option.defaultValue == wanted.standard.map { .number($0) })
            #expect(option.range.maximum == wanted.maximum.map { Number($0) })
            #expect(try s.open() == [])
        }
    }

    @Test(arguments: [(MergeWish.Side.ours, nil, 50), (.theirs, 70, nil)] as [(MergeWish.Side, Int?, Int?)])
    func aMergeForASide(side: MergeWish.Side, standard: Int?, maximum: Int?) throws {
        try withConflict { s in
            try s.merge { $0.side = side }
            let option = try #require(try s.option("a"))
            #expect(option.defaultValue == standard.map { .number($0) })
            #expect(option.range.maximum == maximum.map { Number($0) })
        }
    }

    @Test func aRevertBringsBackNone() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try setDefault(s)
            let wrong = try #require(try s.change(s.done()) { $0.options[.of("a")]?.defaultValue = .number(5) }.version)
            try narrow(s)
            let before = try s.allFiles()
            let error = failure { _ = try s.store.reverting.revert([wrong.id], s.done()) }
            #expect(error?.kind == .conflict)
            #expect(error?.conflicts.map(\.facet) == [.default])
            #expect(try s.allFiles() == before)
        }
    }

    @Test func aRevertOfTheBoundsMeetsALaterDefault() throws {
        try withStore { s in
            try s.put("a", .number("A", 1))
            try narrow(s)
            let widening = try #require(try s.change(s.done()) { $0.options[.of("a")]?.range.maximum = nil }.version)
            try setDefault(s)
            let error = failure { _ = try s.store.reverting.revert([widening.id], s.done()) }
            #expect(error?.conflicts.map(\.facet) == [.default])
        }
    }

    /// As an import may have set it.
    @Test func aDefaultThatNeverFittedComesBack() throws {
        try withStore { s in
            let range = SettingsOption.Range(maximum: Number(50))
            var option = SettingsOption(title: "A", type: .number, value: .number(1), range: range)
            option.defaultValue = .number(70)
            try s.put("a", option)
            let version = try #require(try s.change(s.done()) { $0.options[.of("a")]?.defaultValue = .number(5) }.version)
            _ = try s.store.reverting.revert([version.id], s.done())
            #expect(try s.option("a")?.defaultValue == .number(70))
        }
    }

    @Test func boundsThatForbidTheDefaultAreNotDefined() throws {
        var definition = OptionDefinition()
        definition.range = SettingsOption.Range(maximum: Number(50))
        var option = SettingsOption(title: "A", type: .number, value: .number(1))
        option.defaultValue = .number(70)
        let error = failure { _ = try definition.option(.of("a"), from: option) }
        #expect(error?.kind == .badData)
        // One that never fitted stays, as imported ones do.
        option.range.maximum = Number(60)
        #expect(try definition.option(.of("a"), from: option).range.maximum == Number(50))
        definition.defaultValue = "20"
        option.range.maximum = nil
        #expect(try definition.option(.of("a"), from: option).defaultValue == .number(20))
    }
}
