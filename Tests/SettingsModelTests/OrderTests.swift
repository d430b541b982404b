import Testing

@testable import SettingsModel

/// The order of a group when options are added to it, and how such orders merge.
struct OrderTests {
    private func names(_ text: String) -> [ExactText] { text.split(separator: " ").map { ExactText(String($0)) } }

    /// The order after adding a name to a group of options and groups.
    private func adding(
        _ name: String, to options: String, groups: String = "", order: String? = nil, isGroup: Bool = false
    ) -> String? {
        SettingsGroup(order: order.map(names)).order(
            appending: ExactText(name), to: Set(names(options) + names(groups)), peers: Set(names(isGroup ? groups : options))
        ).map { $0.map(\.string).joined(separator: " ") }
    }

    @Test func anOrderIsWrittenIfByteOrderDiffers() {
        #expect(adding("b", to: "") == nil)
        #expect(adding("c", to: "a b") == nil)
        #expect(adding("a", to: "b") == "b a")
        #expect(adding("b", to: "a c") == "a c b")
        // Options are shown before groups anyway.
        #expect(adding("a", to: "", groups: "b") == nil)
        #expect(adding("a", to: "z", groups: "b", isGroup: true) == "b z a")
    }

    @Test func aCompleteOrderIsContinued() {
        #expect(adding("c", to: "a b", order: "b a") == "b a c")
        #expect(adding("c", to: "a b", order: "b gone a") == "b gone a c")
        #expect(adding("a", to: "b", groups: "g", order: "g b") == "g b a")
    }

    @Test func anOrderOfSomeNamesIsCompletedOnlyIfNeeded() {
        #expect(adding("d", to: "a b c", order: "c") == nil)
        #expect(adding("b", to: "a c d", order: "d") == "d a c b")
    }

    @Test func aNameThatIsListedKeepsItsPlace() {
        #expect(adding("a", to: "b", order: "a b") == nil)
        #expect(adding("a", to: "b", groups: "a") == nil)
    }

    private static let option = SettingsOption(title: "Option", type: .switch)

    private func content(_ options: String, order: String? = nil, title: ExactText? = nil) throws -> SettingsContent {
        var settings = SettingsContent()
        for name in names(options) { settings.options[try Key("general.\(name)")] = Self.option }
        if order != nil || title != nil {
            settings.groups[try Key("general")] = SettingsGroup(title: title, order: order.map(names))
        }
        return settings
    }

    private func shown(_ settings: SettingsContent) -> String { Sections(settings).rows.map(\.key.name).joined(separator: " ") }

    @Test func twoAddsMerge() throws {
        for (base, ours, theirs) in [
            (try content("b"), try content("b a", order: "b a"), try content("b aa", order: "b aa")),
            (
                try content("b a", order: "b a"), try content("b a c", order: "b a c"), try content("b a d", order: "b a d")
            ),
            (
                try content("m", title: "M"), try content("m a", order: "m a", title: "M"),
                try content("m c", order: "m c", title: "M")
            ),
            (try content("m"), try content("m a", order: "m a"), try content("m z")),
            (try content("m"), try content("m a", order: "m a"), try content("m b", order: "m b", title: "M")),
        ] {
            let merge = SettingsContent.merge(base: base, ours: ours, theirs: theirs)
            #expect(merge.conflicts == [])
            #expect(Set(merge.settings.options.keys) == Set(ours.options.keys).union(theirs.options.keys))
            #expect(merge == SettingsContent.merge(base: base, ours: theirs, theirs: ours))
            let (names, known) = (shown(merge.settings), shown(base))
            #expect(names.hasPrefix(known), "\(names)")
        }
    }

    @Test func anAddIsTakenBackAfterAnother() throws {
        let (before, after, now) = (try content("b"), try content("b a", order: "b a"), try content("b a c", order: "b a c"))
        let reverted = SettingsContent.merge(base: after, ours: now, theirs: before)
        #expect(reverted.conflicts == [])
        #expect(shown(reverted.settings) == "b c")
        let titled = try content("b a", order: "b a", title: "General")
        let kept = SettingsContent.merge(base: after, ours: titled, theirs: before)
        #expect(kept.conflicts == [])
        #expect(kept.settings.groups.values.map(\.title) == ["General"])
    }

    @Test func otherDisagreementsOnAGroupAreConflicts() throws {
        let base = try content("a b", order: "b a", title: "A")
        let other = try content("a b", order: "b a", title: "B")
        let gone = try content("a b")
        #expect(SettingsContent.merge(base: base, ours: other, theirs: gone).conflicts.map(\.facet) == [.title])
        #expect(SettingsContent.merge(base: gone, ours: base, theirs: other).conflicts.map(\.facet) == [.title])
        let unordered = try content("a b", title: "A")
        let rearranged = try content("a b", order: "a b", title: "A")
        #expect(SettingsContent.merge(base: base, ours: rearranged, theirs: unordered).conflicts.map(\.facet) == [.order])
    }

    private func subject(_ before: SettingsContent, _ after: SettingsContent) -> String {
        Wording().message(of: after.changes(since: before)).subject
    }

    @Test func theOrderOfAnAddedOptionIsNotTold() throws {
        let (base, added) = (try content("b"), try content("b a", order: "b a"))
        let changes = added.changes(since: base)
        #expect(changes.count == 2)
        #expect(changes.told.map(\.subject) == [.option(try Key("general.a"))])
        #expect(subject(base, added) == "general.a: added")
        #expect(subject(added, base) == "general.a: removed")
        #expect(subject(added, try content("b a c", order: "b a c")) == "general.c: added")
    }

    @Test func anOrderThatPeopleChangedIsTold() throws {
        let base = try content("a b", order: "b a")
        let moved = try content("a b", order: "a b")
        #expect(moved.changes(since: base).told.count == 1)
        let movedAndAdded = try content("a b c", order: "a b c")
        #expect(movedAndAdded.changes(since: base).told.count == 2)
        let titled = try content("b a", order: "b a", title: "General")
        #expect(titled.changes(since: try content("b")).told.count == 2)
        // An option that is removed may have been listed elsewhere meanwhile.
        #expect(try content("b c", order: "a b c").changes(since: content("a b c", order: "b a c")).told.count == 1)
        #expect(try content("c b", order: "c b").changes(since: content("a b c", order: "b a c")).told.count == 2)
    }
}
