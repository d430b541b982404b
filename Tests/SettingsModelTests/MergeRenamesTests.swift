@testable import SettingsModel
import Seeds
import Testing

/// Renames on one or both of two branches.
@Suite struct MergeRenamesTests {
    typealias Rename = (old: Subject, new: Subject)

    private func option(_ key: String) -> Subject { .option(Seeded.key(key)) }
    private func settings(_ options: [String: Bool]) -> SettingsContent {
        SettingsContent(
            options: Dictionary(
                uniqueKeysWithValues: options.map {
                    (Seeded.key($0.key), SettingsOption(title: "T", type: .switch, value: .bool($0.value)))
                }))
    }

    @Test func anEditFollowsARenameOfItsOption() {
        let merge = SettingsContent.merge(
            base: settings(["a": false]), ours: settings(["b": false]), theirs: settings(["a": true]),
            oursRenames: [(option("a"), option("b"))]
        )
        #expect(merge == SettingsContent.Merge(settings: settings(["b": true]), conflicts: []))
    }

    @Test func theSameRenameOnBothSidesIsOneRename() {
        let renames = [(old: option("a"), new: option("b"))]
        let merge = SettingsContent.merge(
            base: settings(["a": false]), ours: settings(["b": false]), theirs: settings(["b": true]),
            oursRenames: renames, theirsRenames: renames
        )
        #expect(merge == SettingsContent.Merge(settings: settings(["b": true]), conflicts: []))
    }

    @Test func twoDifferentRenamesConflictAndTheOldKeyStays() {
        let merge = SettingsContent.merge(
            base: settings(["a": false]), ours: settings(["b": false]), theirs: settings(["c": true]),
            oursRenames: [(option("a"), option("b"))], theirsRenames: [(option("a"), option("c"))]
        )
        #expect(merge.settings == settings(["a": true]))
        #expect(merge.conflicts.map(\.facet) == [.key])
        #expect(merge.conflicts.map(\.subject) == [option("a")])
    }

    @Test func aRenameAndARemovalConflict() {
        let merge = SettingsContent.merge(
            base: settings(["a": false]), ours: settings(["b": false]), theirs: settings([:]),
            oursRenames: [(option("a"), option("b"))]
        )
        #expect(merge.settings == settings(["a": false]))
        #expect(merge.conflicts.map(\.facet) == [.key])
    }

    @Test func aRenameToAKeyThatTheOtherSideUsesIsAConflict() {
        let merge = SettingsContent.merge(
            base: settings(["a": false]), ours: settings(["b": false]), theirs: settings(["a": false, "b": true]),
            oursRenames: [(option("a"), option("b"))]
        )
        #expect(merge.settings == settings(["a": false, "b": true]))
        #expect(merge.conflicts.map(\.facet) == [.key])
    }

    private func group(_ key: String) -> Subject { .group(Seeded.key(key)) }

    @Test func aGroupThatOneSideRenamesTakesAlongItemsThatTheOtherSideRenamesInIt() {
        let merge = SettingsContent.merge(
            base: settings(["g.a": false, "g.b": false]), ours: settings(["n.a": false, "n.b": true]),
            theirs: settings(["g.c": true, "g.b": false, "g.d": true]),
            oursRenames: [(group("g"), group("n"))], theirsRenames: [(option("g.a"), option("g.c"))]
        )
        #expect(merge == SettingsContent.Merge(settings: settings(["n.c": true, "n.b": true, "n.d": true]), conflicts: []))
    }

    @Test func anOptionMovedOutOfAGroupThatTheOtherSideRenamedStaysMoved() {
        let merge = SettingsContent.merge(
            base: settings(["g.a": false, "g.b": false]), ours: settings(["k.a": false, "g.b": false]),
            theirs: settings(["n.a": true, "n.b": false]),
            oursRenames: [(option("g.a"), option("k.a"))], theirsRenames: [(group("g"), group("n"))]
        )
        #expect(merge == SettingsContent.Merge(settings: settings(["k.a": true, "n.b": false]), conflicts: []))
    }

    @Test func twoDifferentRenamesOfAGroupAreASingleConflict() {
        let merge = SettingsContent.merge(
            base: settings(["g.a": false, "g.b": false]), ours: settings(["n.a": false, "n.b": false]),
            theirs: settings(["m.a": true, "m.b": false]),
            oursRenames: [(group("g"), group("n"))], theirsRenames: [(group("g"), group("m"))]
        )
        #expect(merge.settings == settings(["g.a": true, "g.b": false]))
        #expect(merge.conflicts.map(\.subject) == [group("g")])
    }

    @Test func twoGroupsThatWereMovedIntoEachOtherStayInPlace() {
        let merge = SettingsContent.merge(
            base: settings(["g.a": false, "k.a": false]), ours: settings(["k.g.a": false, "k.a": false]),
            theirs: settings(["g.a": false, "g.k.a": true]),
            oursRenames: [(group("g"), group("k.g"))], theirsRenames: [(group("k"), group("g.k"))]
        )
        #expect(merge.settings == settings(["g.a": false, "k.a": true]))
        #expect(merge.conflicts.map(\.facet) == [.key, .key])
    }

    @Test func twoOptionsThatWereRenamedToTheSameNameKeepTheirOldNames() {
        let merge = SettingsContent.merge(
            base: settings(["a": false, "b": true]), ours: settings(["c": false, "b": true]),
            theirs: settings(["a": false, "c": true]),
            oursRenames: [(option("a"), option("c"))], theirsRenames: [(option("b"), option("c"))]
        )
        #expect(merge.settings == settings(["a": false, "b": true]))
        #expect(merge.conflicts.map(\.subject) == [option("a"), option("b")])
    }

    @Test func editsOfAnOptionThatOneSideRenamedAndTheOtherRemovedAreKeptUntilItIsResolved() {
        let merge = SettingsContent.merge(
            base: settings(["a": false]), ours: settings(["b": true]), theirs: settings([:]),
            oursRenames: [(option("a"), option("b"))]
        )
        #expect(merge.settings == settings(["a": true]))
        #expect(merge.conflicts.map(\.facet) == [.key])
    }

    @Test func aMergeWithRenamesOnBothSidesIsSymmetric() {
        var (conflicts, renamed) = (0, 0)
        forSeeds(20_000) { random in
            let base = random.settings()
            func side() -> (SettingsContent, [Rename]) {
                var side = random.edited(base, random.int(3))
                let renames = random.renames(in: &side, random.int(3))
                side = random.edited(side, random.int(3))
                return (side, side.changes(since: base, renames: renames).compactMap(\.renaming))
            }
            let ((ours, oursRenames), (theirs, theirsRenames)) = (side(), side())
            renamed += oursRenames.count + theirsRenames.count
            let merge = SettingsContent.merge(
                base: base, ours: ours, theirs: theirs, oursRenames: oursRenames, theirsRenames: theirsRenames)
            let other = SettingsContent.merge(
                base: base, ours: theirs, theirs: ours, oursRenames: theirsRenames, theirsRenames: oursRenames)
            if !merge.conflicts.isEmpty { conflicts += 1 }
            if merge.settings != other.settings {
                return "other settings with the sides swapped: \(oursRenames) \(theirsRenames)"
            }
            func words(_ conflict: Conflict, swapped: Bool) -> String {
                let sides = swapped ? (conflict.theirs, conflict.ours) : (conflict.ours, conflict.theirs)
                // Sorted, because the order of a set is undefined.
                return
                    "\(conflict.subject) \(conflict.facet) \(sides.0 == nil) \(sides.1 == nil) \(conflict.facet == .key ? "\(sides)" : "")"
            }
            let (left, right) = (
                merge.conflicts.map { words($0, swapped: false) }.sorted(),
                other.conflicts.map { words($0, swapped: true) }.sorted()
            )
            if left != right {
                return "other conflicts with the sides swapped: \(left) and \(right), \(oursRenames) \(theirsRenames)"
            }
            for (left, right, both) in [(ours, base, false), (base, ours, false), (ours, ours, true)] {
                let merge = SettingsContent.merge(
                    base: base, ours: left, theirs: right, oursRenames: left == ours ? oursRenames : [],
                    theirsRenames: both || left != ours ? oursRenames : []
                )
                if merge != SettingsContent.Merge(settings: ours, conflicts: []) {
                    return "merging with the base or itself changes something: \(oursRenames) \(merge.conflicts)"
                }
            }
            return nil
        }
        print("merges with \(renamed) renames: \(conflicts) conflicts in \(cases(20_000))")
    }
}
