import Seeds
@testable import SettingsModel
import Testing

/// Tests each rule for label lists. A list is written as `en:English fr:French`; a bare word is a label whose value is its text.
@Suite struct LabelsMergeRulesTests {
    private func list(_ words: String) -> Labels {
        Labels(
            words.split(separator: " ").map { word in
                let parts = word.split(separator: ":")
                return ChoiceLabel(value: .string(String(parts[0])), text: ExactText(String(parts[parts.count - 1])))
            }
        )
    }

    /// The result in the same notation; nil for a conflict.
    private func merge(_ base: String, _ ours: String, _ theirs: String) -> String? {
        func words(_ labels: Labels) -> String {
            labels.map { $0.value == .string($0.text) ? $0.text.string : "\($0.value.bare):\($0.text)" }.joined(separator: " ")
        }
        let left = LabelsMerge(base: list(base), ours: list(ours), theirs: list(theirs)).result
        let right = LabelsMerge(base: list(base), ours: list(theirs), theirs: list(ours)).result
        guard case .merged(let merged) = left, case .merged(let other) = right else {
            if case .conflict = left, case .conflict = right { return nil }
            return "one way only"
        }
        return merged == other ? words(merged) : "not symmetric"
    }

    @Test(arguments: [
        // base, ours, theirs, merged
        ("a b c", "a x b c", "a b c y", "a x b c y"),
        ("a b c", "x a b c", "a b c", "x a b c"),
        ("a", "a y x", "a z", "a y x z"),
        ("a b", "a x b", "a w b", "a w x b"),
        ("", "b a", "c", "b a c"),
        ("a b c", "a c", "a b c", "a c"),
    ])
    func aNewLabelFollowsItsPredecessorTiesByValue(
        base: String, ours: String, theirs: String, merged: String
    ) {
        #expect(merge(base, ours, theirs) == merged)
    }

    @Test(arguments: [
        ("a b c", "c a b", "a b c", "c a b"),
        ("a b c d", "b c d a", "a b d", "b d a"),
        ("a b c d", "a c b d", "a b c d x", "a c b d x"),
        ("a b c", "c a b", "c a b", "c a b"),
    ])
    func aMoveIsTaken(base: String, ours: String, theirs: String, merged: String) {
        #expect(merge(base, ours, theirs) == merged)
    }

    @Test func twoDifferentPlacesForOneLabelAreAConflict() {
        #expect(merge("a b c d", "d a b c", "a d b c") == nil)
    }

    @Test func aLabelThatBothSidesAddedGoesToTheEarlierOfBothPlaces() {
        #expect(merge("a b c", "a x b c", "a b c x") == "a x b c")
    }

    @Test func oppositeOrdersOfNewLabelsAreAConflict() {
        #expect(merge("a", "a x y", "a y x") == nil)
    }

    @Test func textAndValueOfALabelMergeSeparately() {
        #expect(merge("en:English fr", "en:British fr", "fr en:English") == "fr en:British")
        #expect(merge("en:English", "en:British", "en:British") == "en:British")
        #expect(merge("en:English", "en:British", "en:American") == nil)
        #expect(merge("en:English fr", "uk:English fr", "en:English fr de") == "uk:English fr de")
    }

    @Test func aRemovalWinsOverAMove() {
        #expect(merge("a b c", "a b", "c a b") == "a b")
    }

    @Test func aRemovalAndARenameOfOneLabelConflict() {
        #expect(merge("a:A b:B", "a:A", "a:A b:Bee") == nil)
        #expect(merge("a:A b:B", "a:A", "a:A b:B c:C") == "a:A c:C")
    }

    @Test func removalsOfOneLabelOnBothSidesAreOneRemoval() {
        #expect(merge("a b c", "a c", "a c d") == "a c d")
    }

    @Test func aValueThatBothSidesAddedIsOneLabelIfTheTextsAreEqualOrElseAConflict() {
        #expect(merge("a:A", "a:A x:X", "a:A x:X") == "a:A x:X")
        #expect(merge("a:A", "a:A x:X", "a:A x:Y") == nil)
    }

    @Test func aMergeDoesntNumberGeneratedValues() {
        #expect(merge("a:A", "a:A nl:Dutch", "a:A nl:Flemish") == nil)
    }

    @Test func twoLabelsWithTheSameValueAreAConflict() {
        #expect(merge("a:A b:B", "x:A b:B", "a:A x:B") == nil)
    }

    @Test func aLabelWithoutItsOwnValueIsIdentifiedByItsUniqueText() {
        #expect(merge("English French", "en:English fr:French", "English French German") == "en:English fr:French German")
    }

    @Test func theOrderOfAGroupMergesLikeLabelsByName() {
        func group(_ order: String?) -> SettingsContent {
            SettingsContent(groups: [
                Seeded.key("g"): SettingsGroup(
                    title: "G", order: order.map { $0.split(separator: " ").map { ExactText(String($0)) } })
            ])
        }
        func merge(_ base: String?, _ ours: String?, _ theirs: String?) -> String? {
            let left = SettingsContent.merge(base: group(base), ours: group(ours), theirs: group(theirs))
            let right = SettingsContent.merge(base: group(base), ours: group(theirs), theirs: group(ours))
            guard left.settings == right.settings, left.conflicts.isEmpty == right.conflicts.isEmpty else {
                return "not symmetric"
            }
            guard left.conflicts.isEmpty else { return nil }
            return left.settings.groups[Seeded.key("g")]?.order.map { $0.map(\.string).joined(separator: " ") } ?? "none"
        }
        #expect(merge("a b c", "a x b c", "a b c y") == "a x b c y")
        #expect(merge("a b c", "c a b", "a b") == "a b")
        #expect(merge("a b c d", "d a b c", "a d b c") == nil)
        #expect(merge("a b", nil, "a b") == "none")
        #expect(merge("a b", nil, "b a") == nil)
        #expect(merge(nil, "a b", "a b") == "a b")
    }

    @Test func aRemovalConflictsWithAChangeButNotWithAnUnchangedLabel() {
        let key = Seeded.key("a")
        let base = SettingsContent(
            groups: [key: SettingsGroup(title: "A")],
            options: [key: SettingsOption(title: "A", type: .switch, value: .bool(false))])
        var changed = base
        changed.options[key]?.value = .bool(true)
        changed.groups[key]?.title = "B"
        for (ours, theirs) in [(SettingsContent(), changed), (changed, SettingsContent())] {
            let merge = SettingsContent.merge(base: base, ours: ours, theirs: theirs)
            #expect(merge.settings == base)
            // The option has the group's name and is not in it.
            #expect(merge.conflicts.map(\.facet) == [.existence, .existence])
        }
        #expect(
            SettingsContent.merge(base: base, ours: SettingsContent(), theirs: base)
                == SettingsContent.Merge(settings: SettingsContent(), conflicts: []))
    }

    @Test func longLabelsMergeSeparatelyForEachLabel() {
        var base = Labels([
            ChoiceLabel(value: .string("a"), text: "A", long: "Letter A"),
            ChoiceLabel(value: .string("b"), text: "B", long: "Letter B"),
        ])
        base = Labels(base.entries)
        func with(_ long: ExactText, at index: Int) -> Labels {
            var entries = base.entries
            entries[index].long = long
            return Labels(entries)
        }
        let merged = LabelsMerge(base: base, ours: with("The letter A", at: 0), theirs: with("The letter B", at: 1)).result
        guard case .merged(let labels) = merged else { return #expect(Bool(false), "a conflict") }
        #expect(labels.map(\.long) == ["The letter A", "The letter B"])
        guard case .conflict = LabelsMerge(base: base, ours: with("1", at: 0), theirs: with("2", at: 0)).result else {
            return #expect(Bool(false), "no conflict")
        }
    }

    @Test func theLongestRunStaysAndTheEarliestOfSeveral() {
        #expect(LabelsMerge.longestRun([2, 0, 1, 3]) == [0, 1, 3])
        #expect(LabelsMerge.longestRun([1, 0, 3, 2]) == [0, 2])
        #expect(LabelsMerge.longestRun([]) == [])
        forSeeds { random in
            let numbers = Array(0..<random.int(1...7)).shuffled(using: &random)
            return LabelsMerge.longestRun(numbers) == bruteForce(numbers) ? nil : "\(numbers): \(LabelsMerge.longestRun(numbers))"
        }
    }

    /// Tries all subsequences: the longest one, then the smallest.
    private func bruteForce(_ numbers: [Int]) -> [Int] {
        var best: [Int] = []
        for mask in 0..<(1 << numbers.count) {
            let run = numbers.indices.filter { mask >> $0 & 1 == 1 }.map { numbers[$0] }
            guard run == run.sorted() else { continue }
            if run.count > best.count || run.count == best.count && run.lexicographicallyPrecedes(best) { best = run }
        }
        return best
    }
}
