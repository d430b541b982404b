import Foundation
import Testing

@testable import Git
@testable import SettingsModel
@testable import SettingsStore

/// What must hold whatever anybody does.
struct LawTests {
    /// Restoring any earlier version and undoing that gives back exactly the bytes that were there.
    @Test(arguments: 0..<60) func aRestoreAndItsUndoLeaveNoTrace(seed: Int) throws {
        for run in 0..<5 {
            try check(seed: seed * 5 + run)
        }
    }

    private func check(seed: Int) throws {
        var edits = RandomEdits(seed: seed)
        let s = try TemporaryStore.make()
        for _ in 0..<8 { try s.record(&edits) }
        let versions = try s.versions().map(\.version.id)
        let before = try s.allFiles()
        for id in versions {
            let exactly = edits.random.int(3) == 0
            let places =
                edits.random.int(3) == 0 ? [Key.of(RandomEdits.names[edits.random.int(RandomEdits.names.count)])] : []
            var made: Version?
            let error = failure { made = try s.store.reverting.restore(places, from: id, exactly: exactly, s.done()).version }
            if let error { #expect([.conflict, .missing].contains(error.kind), "seed \(seed), \(id.short): \(error)") }
            #expect(try s.store.workTree.draft().isEmpty)
            guard made != nil else {
                #expect(try s.allFiles() == before, "seed \(seed), \(id.short)")
                continue
            }
            if exactly, places.isEmpty {
                let (now, then) = (try s.store.versions.tip().settings(), try s.store.versions.snapshot(id).settings())
                #expect(now == then, "seed \(seed), \(id.short)")
            }
            _ = try s.undo()
            #expect(try s.allFiles() == before, "seed \(seed), \(id.short), exactly \(exactly), \(places)")
        }
        if seed % 10 == 0 { try s.expectSound() }
    }

    /// Undo and redo are a walk along the states that a person's own Dones led to.
    @Test(arguments: 0..<50) func undoAndRedoWalkAlongWhatWasDone(seed: Int) throws {
        var edits = RandomEdits(seed: 10_000 + seed)
        let s = try TemporaryStore.make()
        var states = [try s.allFiles()]
        var place = 0
        var cap = 0
        for step in 0..<20 {
            let note: Comment = "seed \(seed), step \(step)"
            if step % 5 == 0 { try s.reopen() }
            switch edits.random.int(8) {
            case 0, 1, 2:
                let count = 1 + edits.random.int(2)
                guard place >= count else {
                    #expect(failure { _ = try s.undo(count) }?.kind == .no, note)
                    continue
                }
                let outcome = try s.undo(count)
                // Two that cancel out are nothing to take back.
                if outcome.isUnchanged { #expect(states[place] == states[place - count], note) } else { place -= count }
            case 3, 4:
                let count = 1 + edits.random.int(2)
                guard place + count <= cap else {
                    #expect(failure { _ = try s.redo(count) }?.kind == .no, note)
                    continue
                }
                let outcome = try s.redo(count)
                if outcome.isUnchanged { #expect(states[place] == states[place + count], note) } else { place += count }
            case 5 where cap > 0:
                let versions = try s.versions().map(\.version).filter { !$0.parents.isEmpty }
                let version = versions[edits.random.int(versions.count)]
                let isRevert = edits.random.int(2) == 0
                var made: Version?
                let error = failure {
                    let outcome =
                        isRevert
                        ? try s.store.reverting.revert([version.id], s.done())
                        : try s.store.reverting.restore([], from: version.id, s.done())
                    made = outcome.version
                }
                if let error { #expect([.conflict, .usage, .missing].contains(error.kind), note) }
                guard made != nil else {
                    #expect(try s.allFiles() == states[place], note)
                    continue
                }
                states = try Array(states[...place]) + [s.allFiles()]
                place += 1
                cap = place
            default:
                guard try s.record(&edits).version != nil else { continue }
                states = try Array(states[...place]) + [s.allFiles()]
                place += 1
                cap = place
            }
            #expect(try s.allFiles() == states[place], note)
            #expect(try s.store.workTree.draft().isEmpty, note)
            #expect(try s.store.folder.listing().subjects == s.store.versions.tip().subjects().sorted(), note)
        }
        try s.expectSound()
    }

    /// The one who is blamed for a value chose it: their version has it, and the one before theirs does not.
    @Test(arguments: 0..<30) func theOneWhoIsBlamedChoseIt(seed: Int) throws {
        var edits = RandomEdits(seed: 20_000 + seed)
        let s = try TemporaryStore.make()
        let people: [Person] = [.ada, .bob, .carol]
        for _ in 0..<15 {
            switch edits.random.int(4) {
            case 0: _ = try? s.undo(by: people[edits.random.int(3)])
            case 1: _ = try? s.redo(by: people[edits.random.int(3)])
            default: try s.record(&edits, by: people[edits.random.int(3)])
            }
        }
        let tip = try s.store.versions.tip()
        for subject in try tip.subjects() {
            guard case .option(let key) = subject, let option = try tip.option(key) else { continue }
            let version = try #require(try s.store.history.blame([key], at: tip).first?.version, "seed \(seed), \(key)")
            let then = try s.store.versions.snapshot(version.id).settings().options.values
            #expect(then.contains { option.isSame(.value, as: $0) }, "seed \(seed), \(key), \(version.id.short)")
            #expect(
                version.named.undoes.isEmpty && version.named.redoes.isEmpty,
                "seed \(seed), \(key), \(version.message.subject)")
        }
    }
}
