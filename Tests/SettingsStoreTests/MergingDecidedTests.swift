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

    /// A merge that decides at once says for which name, and renames only what is called otherwise here.
    @Test(arguments: [MergeWish.Side.ours, .theirs], [true, false])
    func aMergeDecidesAName(_ side: MergeWish.Side, _ isRemoved: Bool) throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.part(
                ours: { try s.rename("a", "b") },
                theirs: { _ = isRemoved ? try s.put("a", nil, by: .bob) : try s.rename("a", "c", by: .bob) })
            let merge = try #require(try s.merge { $0.side = side }.version)
            let name = side == .ours ? "b" : isRemoved ? nil : "c"
            #expect(try s.store.versions.tip().subjects().options.map(\.description) == [name].compactMap { $0 })
            #expect(merge.message.renames.map(\.new.key.description) == (name == "c" ? ["c"] : []))
            let decisions = try s.store.history.changes(of: merge).decisions
            #expect(decisions.map(\.facet) == [.key])
            #expect(decisions.map(\.chosen) == [name.map { .key(.of($0)) }])
            #expect(merge.message.resolves.map(\.subject.key.description) == [name ?? "a"])
        }
    }

    /// What is open is found by the name that each line gave, whichever came first.
    @Test(arguments: [true, false]) func aNameOnOneLineAndAValueOnTheOther(_ isNameFirst: Bool) throws {
        try withStore { s in
            try s.partWithTwoNames()
            try s.merge { $0.kept = .theirs }
            #expect(try s.open() == ["c key", "c value"])
            let name: () throws -> Void = { try s.resolve("c", .ours, .key) }
            let value: () throws -> Void = { try s.set("c", 5, by: .bob) }
            try s.part(ours: isNameFirst ? value : name, theirs: isNameFirst ? name : value, named: "later")
            try s.merge("later")
            #expect(try s.value("b") == "5")
            #expect(try s.open() == [])
        }
    }

    /// A decision about a value weighs as an edit does where the other line renames the option, or removes it.
    @Test(arguments: [true, false]) func aDecisionAboutWhatTheOtherLineRenamedOrRemoved(_ isRemoved: Bool) throws {
        try withStore { s in
            try s.put("a", .number("A", 0))
            try s.part(ours: { try s.set("a", 1) }, theirs: { try s.set("a", 2, by: .bob) })
            try s.merge { $0.kept = .theirs }
            try s.part(
                ours: { try s.resolve("a", .theirs) },
                theirs: {
                    if isRemoved { return _ = try s.put("a", nil, by: .bob) }
                    try s.rename("a", "b", by: .bob)
                    try s.set("b", 3, by: .bob)
                }, named: "later")
            try s.merge("later") { $0.kept = .theirs }
            #expect(try s.open() == [isRemoved ? "a existence" : "b value"])
            try s.resolve(isRemoved ? "a" : "b", .ours)
            #expect(try s.value(isRemoved ? "a" : "b") == "2")
            #expect(try s.open() == [])
        }
    }

    @Test(arguments: [(MergeWish.InForce.ours, "h", "h.b"), (.theirs, "k", "k.c"), (.agreed, "g", "g.a")])
    func aNameInAGroupWhoseNameIsOpen(_ inForce: MergeWish.InForce, _ group: String, _ option: String) throws {
        try withStore { s in
            try s.put("g.a", .number("A", 0))
            try s.part(
                ours: {
                    try s.renameGroup("g", "h")
                    try s.rename("h.a", "h.b")
                },
                theirs: {
                    try s.renameGroup("g", "k", by: .bob)
                    try s.rename("k.a", "k.c", by: .bob)
                })
            try s.merge { $0.kept = inForce }
            #expect(try s.open() == ["\(group) key", "\(option) key"])
            #expect(try s.store.versions.tip().subjects().options == [.of(option)])
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
