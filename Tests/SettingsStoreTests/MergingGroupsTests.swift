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

    @Test(arguments: [(Answer.ours, []), (.theirs, ["g/_group.json"])] as [(Answer, [String])])
    func aRemovalAgainstAnEditOfTheGroup(answer: Answer, left: [String]) throws {
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

    @Test(arguments: [(Answer.ours, []), (.theirs, ["h/_group.json", "h/a.json", "h/b.json"])] as [(Answer, [String])])
    func aRemovalAgainstARename(answer: Answer, left: [String]) throws {
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
}
