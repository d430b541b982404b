@testable import SettingsModel
import Seeds
import Testing

/// Groups that one side removed with everything in them.
@Suite struct RemovedGroupTests {
    private let group = Subject.group(Seeded.key("g"))

    private func settings(_ options: [String], _ groups: [String: SettingsGroup] = [:]) -> SettingsContent {
        func keyed<Item>(_ items: [(String, Item)]) -> [Key: Item] {
            Dictionary(uniqueKeysWithValues: items.map { (Seeded.key($0.0), $0.1) })
        }
        return SettingsContent(
            groups: keyed(groups.map { ($0.key, $0.value) }),
            options: keyed(options.map { ($0, SettingsOption(title: "T", type: .switch, value: .bool(false))) }))
    }

    private static let edits: [SettingsGroup] = [
        SettingsGroup(title: "G", footer: "F"), SettingsGroup(title: "G", style: .page), SettingsGroup(title: "H"),
        SettingsGroup(title: "G", order: ["b", "a"]), SettingsGroup(title: "G", other: ["x": .bool(true)]), SettingsGroup(),
    ]

    @Test(arguments: edits, [true, false]) func anEditOfAGroupAndItsRemovalConflict(edited: SettingsGroup, swaps: Bool) {
        // An option that has the group's name is not in it.
        let base = settings(["g", "g.a", "g.b"], ["g": SettingsGroup(title: "G")])
        let (removed, changed) = (settings(["g"]), settings(["g", "g.a", "g.b"], ["g": edited]))
        let merge = SettingsContent.merge(
            base: base, ours: swaps ? changed : removed, theirs: swaps ? removed : changed)
        #expect(merge.conflicts.map(\.subject) == [group])
        #expect(merge.conflicts.map(\.facet) == [.existence])
        #expect(merge.settings.options.keys.map(\.description) == ["g"])
        #expect(merge.puttingInForce(swaps ? .ours : .theirs).settings.groups[Seeded.key("g")] == edited)
        #expect(merge.puttingInForce(swaps ? .theirs : .ours).settings == removed)
    }

    @Test func aFileForAGroupStaysWhereTheOtherSideRemovedAllThatIsInIt() {
        let merge = SettingsContent.merge(
            base: settings(["g.a"]), ours: settings([]), theirs: settings(["g.a"], ["g": SettingsGroup(title: "G")]))
        #expect(merge.conflicts.isEmpty)
        #expect(merge.settings == settings([], ["g": SettingsGroup(title: "G")]))
    }

    @Test func aRemovedFileOfAGroupThatIsStillThereMergesByMember() {
        let merge = SettingsContent.merge(
            base: settings(["g.a", "g.b"], ["g": SettingsGroup(title: "G")]), ours: settings(["g.a"]),
            theirs: settings(["g.a", "g.b"], ["g": SettingsGroup(title: "G", footer: "F")]))
        #expect(merge.conflicts.isEmpty)
        #expect(merge.settings == settings(["g.a"], ["g": SettingsGroup(footer: "F")]))
    }

    private func merge(
        _ base: SettingsContent, removed: SettingsContent, renamed: SettingsContent, _ renames: [(old: Subject, new: Subject)],
        swaps: Bool
    ) -> SettingsContent.Merge {
        swaps
            ? SettingsContent.merge(base: base, ours: renamed, theirs: removed, oursRenames: renames)
            : SettingsContent.merge(base: base, ours: removed, theirs: renamed, theirsRenames: renames)
    }

    @Test(arguments: [true, false], [nil, "F"]) func aRenameOfAGroupAndItsRemovalConflict(
        swaps: Bool, footer: ExactText?
    ) {
        let file = SettingsGroup(title: "G", footer: footer)
        let renamed = settings(["a", "h.a", "h.b", "h.c"], ["h": file])
        let merge = merge(
            settings(["a", "g.a", "g.b"], ["g": SettingsGroup(title: "G")]), removed: settings(["a"]), renamed: renamed,
            [(group, .group(Seeded.key("h")))], swaps: swaps)
        #expect(
            merge.conflicts.map { "\($0.subject.path) \($0.facet)" } == [
                "h/_group.json existence", "h/a.json key", "h/b.json key",
            ])
        #expect(merge.conflicts.allSatisfy { (swaps ? $0.theirs : $0.ours) == nil && (swaps ? $0.ours : $0.theirs) != nil })
        #expect(merge.settings == settings(["a", "h.a", "h.b", "h.c"], ["h": SettingsGroup(title: "G")]))
        #expect(merge.puttingInForce(swaps ? .ours : .theirs).settings == renamed)
        // What the other side added is there in any case.
        #expect(merge.puttingInForce(swaps ? .theirs : .ours).settings == settings(["a", "h.c"]))
    }

    @Test func anOptionThatWasRemovedFromARenamedGroupStaysRemoved() {
        let merge = merge(
            settings(["g.a", "g.b"]), removed: settings(["g.b"]), renamed: settings(["h.a", "h.b"]),
            [(group, .group(Seeded.key("h")))], swaps: false)
        #expect(merge == SettingsContent.Merge(settings: settings(["h.b"]), conflicts: []))
    }

    @Test func aRemovedGroupWithinARenamedOneStaysRemoved() {
        let merge = merge(
            settings(["g.a", "g.k.b"], ["g.k": SettingsGroup(title: "K")]), removed: settings(["g.a"]),
            renamed: settings(["h.a", "h.k.b"], ["h.k": SettingsGroup(title: "K")]), [(group, .group(Seeded.key("h")))],
            swaps: false)
        #expect(merge == SettingsContent.Merge(settings: settings(["h.a"]), conflicts: []))
    }
}
