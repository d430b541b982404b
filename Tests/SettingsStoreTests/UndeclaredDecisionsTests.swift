import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// What merges decided without saying so.
struct UndeclaredDecisionsTests {
    /// A merge by this program says what it decided; what a side brought along is of an option about which it does.
    @Test func thisProgramSaysAllOfIt() throws {
        let count = TemporaryStore.cases(30, atMost: 200)
        var decided = 0
        for seed in 1...count {
            let s = try TemporaryStore.make()
            var edits = RandomEdits(seed: 4_000 + seed)
            for _ in 0..<4 { try s.record(&edits) }
            for round in 0..<3 {
                try s.part(
                    ours: { for _ in 0..<2 { try s.record(&edits, by: .ada) } },
                    theirs: { for _ in 0..<2 { try s.record(&edits, by: .bob) } })
                let way = edits.random.int(5)
                do {
                    try s.merge { wish in
                        switch way {
                        case 0: wish.side = .ours
                        case 1: wish.side = .theirs
                        default: wish.kept = MergeWish.InForce.allCases[way - 2]
                        }
                        wish.neverForwards = true
                    }
                } catch let error as Problem where error.kind == .conflict {
                    // A side that doesn't fit.
                    try s.merge { $0.kept = .agreed }
                }
                try s.git("branch", "-q", "-D", "side")
                let tip = try #require(try s.store.versions.tip().id)
                let merge = try s.store.versions.version(tip)
                guard merge.isMerge else { continue }
                decided += merge.message.resolves.isEmpty ? 0 : 1
                guard let found = try s.store.history.undeclared(merge.id, from: merge.parents) else { continue }
                let said = Set(merge.message.resolves.map(\.subject))
                let note = "seed \(seed), round \(round), way \(way): \(merge.message.text)"
                #expect(found.questions.isEmpty, "\(note)\(found.questions)")
                #expect(found.choices.allSatisfy { said.contains($0.subject) }, "\(note)\(found.choices)")
            }
        }
        #expect(decided > 0)
    }
}
