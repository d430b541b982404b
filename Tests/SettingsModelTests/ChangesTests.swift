@testable import SettingsModel
import Testing

/// The changes between two states are complete.
@Suite struct ChangesTests {
    @Test func applyingTheChangesSinceAnEarlierStateGivesTheLaterState() {
        forSeeds { random in
            let a = random.settings()
            let b = random.chance(50) ? random.settings() : random.edited(a, 4)
            let changes = b.changes(since: a)
            if try a.applying(changes) != b { return "the changes don't lead to b" }
            if changes.isEmpty != (a == b) { return "there are \(changes.count) changes" }
            return nil
        }
    }

    @Test func invertedChangesRestoreTheOriginalBytes() {
        forSeeds { random in
            let a = random.settings()
            let b = random.chance(50) ? random.settings() : random.edited(a, 4)
            let changes = b.changes(since: a)
            let back = try b.applying(changes.inverted)
            if back != a { return "the inverted changes don't lead back" }
            for subject in a.subjects where back[subject]?.file != a[subject]?.file { return "\(subject.path) has other bytes" }
            return changes.inverted.inverted.asSet() == changes.asSet() ? nil : "inverting twice is not the identity"
        }
    }

    @Test func changesWithRenamesCanBeAppliedAndInverted() {
        var believed = 0
        forSeeds { random in
            let a = random.settings()
            var b = random.edited(a, random.int(3))
            let renames = random.renames(in: &b, random.int(1...3))
            b = random.edited(b, random.int(3))
            let changes = b.changes(since: a, renames: renames)
            believed += changes.count { $0.renaming != nil }
            if try a.applying(changes) != b { return "the changes don't lead to b: \(renames)" }
            if try b.applying(changes.inverted) != a { return "the inverted changes don't lead back: \(renames)" }
            // As a reader gets them from a version's trailers.
            let trailers = changes.compactMap(\.renaming)
            if b.changes(since: a, renames: trailers) != changes { return "the renames of the changes give other changes" }
            return nil
        }
        #expect(believed > 1000)
    }

    @Test func applyingChangesTwiceHasTheSameEffectAsOnce() {
        forSeeds(5_000) { random in
            let a = random.settings()
            let b = random.edited(a, 4)
            let changes = b.changes(since: a)
            return try b.applying(changes) == b ? nil : "changes made already are made again"
        }
    }
}
