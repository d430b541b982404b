import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// Groups that one side removed, and the other renamed or changed.
struct MergingGroupsTests {
    private func withGroup(_ body: (TemporaryStore) throws -> Void) throws {
        try withStore { s in
            try s.change(s.done()) {
                $0.options[.of("g.a")] = .number("A", 1)
                $0.options[.of("g.b")] = .number("B", 1)
                $0.groups[.of("g")] = SettingsGroup(title: "G")
            }
            try body(s)
        }
    }

    private func removeGroup(_ s: TemporaryStore) throws {
        try s.change(s.done()) {
            for key in ["g.a", "g.b"] { $0.options[.of(key)] = nil }
            $0.groups[.of("g")] = nil
        }
    }

    private func names(_ s: TemporaryStore) throws -> [String] {
        try s.store.versions.tip().subjects().map(\.path).sorted().filter { $0 != "_store.json" }
    }

    @Test(arguments: [(ConflictAnswer.ours, []), (.theirs, ["g/_group.json"])] as [(ConflictAnswer, [String])])
    func aRemovalAgainstAnEditOfTheGroup(answer: ConflictAnswer, left: [String]) throws {
        for inForce in MergeWish.InForce.allCases {
            try withGroup { s in
                try s.part(
                    ours: { try removeGroup(s) },
                    theirs: { try s.change(s.done(.bob)) { $0.groups[.of("g")]?.footer = "F" } })
                let refusal = failure { try s.merge() }
                #expect(refusal?.kind == .conflict)
                try s.merge { $0.kept = inForce }
                #expect(try s.open() == ["g existence"])
                let open = try #require(try s.store.merging.openConflicts().first)
                #expect([open.origin.ours?.author, open.origin.theirs?.author] == [.ada, .bob])
                try s.resolve("g", answer)
                #expect(try names(s) == left)
                #expect(try s.open() == [])
            }
        }
    }

    @Test func aGroupThatOnlyLostItsFileIsNotRemoved() throws {
        try withGroup { s in
            try s.part(
                ours: {
                    try s.change(s.done()) {
                        $0.options[.of("g.a")] = nil
                        $0.groups[.of("g")] = nil
                    }
                },
                theirs: { try s.change(s.done(.bob)) { $0.groups[.of("g")]?.footer = "F" } })
            #expect(try s.merge().version != nil)
            #expect(try names(s) == ["g/_group.json", "g/b.json"])
        }
    }

    @Test(
        arguments: [(ConflictAnswer.ours, []), (.theirs, ["h/_group.json", "h/a.json", "h/b.json"])]
            as [(ConflictAnswer, [String])])
    func aRemovalAgainstARename(answer: ConflictAnswer, left: [String]) throws {
        for inForce in MergeWish.InForce.allCases {
            try withGroup { s in
                try s.part(ours: { try removeGroup(s) }, theirs: { try s.renameGroup("g", "h", by: .bob) })
                let refusal = failure { try s.merge() }
                #expect(refusal?.kind == .conflict)
                try s.merge { $0.kept = inForce }
                #expect(try s.open() == ["h existence", "h.a key", "h.b key"])
                for open in try s.store.merging.openConflicts() {
                    #expect([open.origin.ours?.author, open.origin.theirs?.author] == [.ada, .bob])
                }
                for key in ["h", "h.a", "h.b"] { try s.resolve(key, answer) }
                #expect(try names(s) == left)
                #expect(try s.open() == [])
            }
        }
    }

    @Test func aRemovedGroupStaysWithWhatTheOtherSideAdded() throws {
        for isMirrored in [false, true] {
            try withGroup { s in
                let add = { () throws -> Void in
                    _ = try s.change(s.done(.bob)) {
                        $0.options[.of("g.c")] = .number("C", 1)
                        $0.groups[.of("g")]?.order = ["b", "c", "a"]
                    }
                }
                let remove = { () throws -> Void in try removeGroup(s) }
                try s.part(ours: isMirrored ? add : remove, theirs: isMirrored ? remove : add)
                try s.merge()
                #expect(try names(s) == ["g/_group.json", "g/c.json"])
                let group = try s.store.versions.tip().settings().groups[.of("g")]
                #expect(group == SettingsGroup(title: "G", order: ["c"]))
            }
        }
    }

    @Test(arguments: [(ConflictAnswer.ours, []), (.theirs, ["g/_group.json", "g/a.json"])] as [(ConflictAnswer, [String])])
    func aRemovedGroupFollowsAnOptionInConflict(answer: ConflictAnswer, left: [String]) throws {
        func part(_ s: TemporaryStore) throws {
            try s.part(ours: { try removeGroup(s) }, theirs: { try s.set("g.a", 5) })
        }
        for inForce in MergeWish.InForce.allCases {
            try withGroup { s in
                try part(s)
                try s.merge { $0.kept = inForce }
                #expect(try s.open() == ["g.a existence"])
                try s.resolve("g.a", answer)
                #expect(try names(s) == left, "\(inForce)")
            }
        }
        try withGroup { s in
            try part(s)
            try s.merge { $0.side = answer == .ours ? .ours : .theirs }
            #expect(try names(s) == left)
        }
    }
}
