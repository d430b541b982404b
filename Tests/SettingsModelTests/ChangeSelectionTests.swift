import Seeds
import Testing

@testable import SettingsModel

/// Some of the changes between two states, without the others.
@Suite struct ChangeSelectionTests {
    @Test func allChangesLeadToTheLaterStateAndNoneToTheEarlierOne() {
        forSeeds(5_000) { random in
            let (selection, later) = random.selection()
            if selection.content(with: []) != selection.base { return "no change changes something" }
            return selection.content(with: Set(selection.changes.indices)) == later ? nil : "the changes don't lead to the end"
        }
    }

    @Test func everyChangeCanBeAppliedWithWhatItNeeds() {
        var (applied, tried, alone) = (0, 0, 0)
        forSeeds(5_000) { random in
            let (selection, _) = random.selection()
            let (groups, requirements) = selection.groups()
            if groups.flatMap({ $0 }).sorted() != Array(selection.changes.indices) { return "not every change is in one group" }
            if groups.compactMap(\.last) != groups.compactMap(\.last).sorted() { return "the groups are not in order" }
            func content(_ chosen: Set<Int>) -> SettingsContent? {
                var all = chosen
                var open = Array(chosen)
                while let next = open.popLast() {
                    for more in requirements[next] where all.insert(more).inserted { open.append(more) }
                }
                return selection.content(with: Set(all.flatMap { groups[$0] }))
            }
            for group in groups.indices {
                if content([group]) == nil { return "\(groups[group]) can't be applied with \(requirements[group])" }
                if requirements[group].isEmpty { alone += 1 }
            }
            guard !groups.isEmpty else { return nil }
            tried += 1
            if content(Set(groups.indices.filter { _ in random.chance(50) })) != nil { applied += 1 }
            return nil
        }
        #expect(applied * 100 >= tried * 98, "\(applied) of \(tried)")
        #expect(alone > 1000)
    }

    @Test func theChoiceOfANewLabelNeedsTheLabel() throws {
        var old = SettingsOption(title: "Language", type: .choice)
        old.labels = Labels([ChoiceLabel(value: "en", text: "English")])
        old.value = "en"
        var new = old
        new.labels = Labels([ChoiceLabel(value: "fr", text: "French"), ChoiceLabel(value: "en", text: "English")])
        new.value = "fr"
        new.help = "Shown in every menu."
        let key = try Key("general.language")
        let base = SettingsContent(options: [key: old])
        let changes = SettingsContent(options: [key: new]).changes(since: base)
        let selection = ChangeSelection(base: base, changes: changes)
        let (groups, requirements) = selection.groups()
        let place = Dictionary(uniqueKeysWithValues: changes.enumerated().map { ($1.facet, $0) })
        let (value, labels, help) = try (#require(place[.value]), #require(place[.labels]), #require(place[.help]))
        #expect(groups == [[0], [1], [2]])
        #expect(requirements[value] == [labels])
        #expect(requirements[labels] == [] && requirements[help] == [])
        #expect(selection.content(with: [value]) == nil)
        let added = try #require(selection.content(with: [labels])?.options[key])
        #expect(added.value == "en" && added.selected == 1)
    }

    @Test func anAddedOptionCanBeHadWithoutItsLaterChangesAndARenamedOneUnderItsOldName() throws {
        var number = SettingsOption(title: "Volume", type: .number)
        number.value = .number(1)
        let (old, new) = (try Key("sound.volume"), try Key("audio.volume"))
        var renamed = number
        renamed.value = .number(7)
        let base = SettingsContent(options: [old: number])
        let later = SettingsContent(options: [new: renamed])
        let changes = later.changes(since: base, renames: [(.option(old), .option(new))])
        let value = try #require(changes.firstIndex { $0.facet == .value })
        let selection = ChangeSelection(base: base, changes: changes)
        #expect(selection.content(with: [value])?.options[old]?.value == .number(7))
        #expect(selection.content(with: [1 - value])?.options[new]?.value == .number(1))
        #expect(selection.groups().requirements == [[], []])

        let added = Change(.option(old), title: "Volume", facet: .existence, before: nil, after: .item(.option(number)))
        let set = Change(
            .option(old), title: "Volume", facet: .value, before: number.content(.number(1)), after: number.content(.number(7)))
        let addition = ChangeSelection(base: SettingsContent(), changes: [added, set])
        #expect(addition.groups().requirements == [[], [0]])
        #expect(addition.content(with: [0])?.options[old]?.value == .number(1))
        #expect(addition.content(with: [0, 1])?.options[old]?.value == .number(7))
        #expect(addition.content(with: [1]) == nil)
    }

    @Test func aTypeAndAValueThatNeedEachOtherAreOneGroup() throws {
        var old = SettingsOption(title: "Proxy", type: .number)
        old.value = .number(1)
        var new = SettingsOption(title: "Proxy", type: .text)
        new.value = "none"
        let key = try Key("net.proxy")
        let base = SettingsContent(options: [key: old])
        let changes = SettingsContent(options: [key: new]).changes(since: base)
        #expect(changes.count == 2)
        #expect(ChangeSelection(base: base, changes: changes).groups().groups == [[0, 1]])
    }
}

extension Seeded {
    /// The changes from a random state to an edited one, in random order except for renames.
    fileprivate mutating func selection() -> (ChangeSelection, later: SettingsContent) {
        let base = settings()
        var later = edited(base, int(4))
        let renames = chance(50) ? renames(in: &later, int(1...2)) : []
        later = edited(later, int(3))
        let changes = later.changes(since: base, renames: renames)
        var (named, others) = (changes.filter { $0.renaming != nil }, changes.filter { $0.renaming == nil })
        others.shuffle(using: &self)
        var order: [Change] = []
        while !named.isEmpty || !others.isEmpty {
            order.append(others.isEmpty || !named.isEmpty && chance(50) ? named.removeFirst() : others.removeFirst())
        }
        return (ChangeSelection(base: base, changes: order), later)
    }
}
