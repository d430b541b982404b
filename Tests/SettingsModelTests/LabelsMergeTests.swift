@testable import SettingsModel
import Seeds
import Testing

/// Laws of merging two edits of one label list.
@Suite struct LabelsMergeTests {
    private func sides(_ random: inout Seeded) -> (base: Labels, ours: Labels, theirs: Labels) {
        var base = random.labels(0)
        for index in 0..<random.int(1...8) {
            base.insert(
                ChoiceLabel(value: .string("\(index)"), text: ExactText(random.chance(80) ? "Label \(index)" : "Twin")),
                at: base.count)
        }
        var (ours, theirs) = (base, base)
        for _ in 0..<(random.chance(50) ? 10 : random.int(1...10)) { random.edit(&ours) }
        for _ in 0..<(random.chance(50) ? 10 : random.int(1...10)) { random.edit(&theirs) }
        return (base, ours, theirs)
    }

    @Test func aMergeOfLabelListsIsSymmetric() {
        var conflicts = 0
        forSeeds { random in
            let (base, ours, theirs) = sides(&random)
            switch (
                LabelsMerge(base: base, ours: ours, theirs: theirs).result,
                LabelsMerge(base: base, ours: theirs, theirs: ours).result
            ) {
            case (.merged(let left), .merged(let right)):
                return left == right ? nil : "\(left.map(\.text)) and \(right.map(\.text))"
            case (.conflict, .conflict):
                conflicts += 1
                return nil
            default: return "a conflict one way only"
            }
        }
        print("merges of label lists, up to 10 edits a side: \(conflicts) conflicts in \(cases(20_000))")
    }

    @Test func mergingAListWithItsBaseOrWithItselfChangesNothing() {
        forSeeds { random in
            let (base, ours, _) = sides(&random)
            for (left, right) in [(ours, base), (base, ours), (ours, ours)] {
                guard case .merged(let merged) = LabelsMerge(base: base, ours: left, theirs: right).result else {
                    return "a conflict"
                }
                if merged != ours { return "\(ours.map(\.text)) becomes \(merged.map(\.text))" }
            }
            return nil
        }
    }

    @Test func labelsThatNeitherSideTouchedKeepTheirOrder() {
        var merges = 0
        forSeeds { random in
            let (base, ours, theirs) = sides(&random)
            guard case .merged(let merged) = LabelsMerge(base: base, ours: ours, theirs: theirs).result else { return nil }
            // A label with a new value may also have moved, which values alone don't show.
            let gotValue = base.contains { label in
                [ours, theirs].contains { $0.label(of: label.value) == nil && $0.contains { $0.text == label.text } }
            }
            if gotValue { return nil }
            merges += 1
            func order(_ labels: Labels, _ values: Set<JSON>) -> [JSON] { labels.map(\.value).filter { values.contains($0) } }
            let shared = base.map(\.value).asSet().intersection(merged.map(\.value))
                .intersection(ours.map(\.value)).intersection(theirs.map(\.value))
            let pairs = shared.flatMap { one in shared.map { (one, $0) } }
            for (one, other) in pairs where one != other {
                let both: Set<JSON> = [one, other]
                let old = order(base, both)
                // Neither side reversed the pair or moved one of the two, so they must keep their order.
                if order(ours, both) == old, order(theirs, both) == old, order(ours, shared) == order(base, shared),
                    order(theirs, shared) == order(base, shared), order(merged, both) != old
                {
                    return "\(old) is turned round"
                }
            }
            return nil
        }
        #expect(merges > 0)
    }

    @Test func everyLabelOfTheResultComesFromOneSideAndWasNotRemovedByTheOther() {
        forSeeds { random in
            let (base, ours, theirs) = sides(&random)
            guard case .merged(let merged) = LabelsMerge(base: base, ours: ours, theirs: theirs).result else { return nil }
            if merged.map(\.value).asSet().count != merged.count { return "a value appears twice" }
            for label in merged where ours.label(of: label.value) == nil && theirs.label(of: label.value) == nil {
                return "\(label.value.compact) comes from nowhere"
            }
            for label in base
            where ours.label(of: label.value) == nil && ours.only(text: label.text) == nil
                && theirs.label(of: label.value) == label
            {
                if merged.contains(label) { return "\(label.text) was removed" }
            }
            return nil
        }
    }

    @Test func afterTenEditsOnBothSidesTheSelectionIsStillTheLabelThatWasChosen() {
        var (wrong, conflicts) = (0, 0)
        forSeeds { random in
            var (base, ours, theirs) = sides(&random)
            base = Labels(base.entries, writesValues: true)
            // The chosen label keeps its value, so that it can be identified.
            guard let chosen = ours.randomElement(using: &random), base.label(of: chosen.value) != nil else { return nil }
            for label in theirs where label.value == chosen.value { theirs.rename(label.value, to: label.text) }
            func option(_ labels: Labels, _ value: JSON?) -> SettingsOption {
                SettingsOption(title: "", type: .choice, value: value, labels: labels)
            }
            let merge = OptionMerge(
                .option(.root), title: "", base: option(base, nil), ours: option(ours, chosen.value), theirs: option(theirs, nil)
            )
            if !merge.conflicts.isEmpty {
                conflicts += 1
                return nil
            }
            if merge.option.value == chosen.value { return nil }
            // The other side changed the label's value: the text identifies the label.
            if let value = merge.option.value, merge.option.labels.label(of: value)?.text == chosen.text { return nil }
            wrong += 1
            return "\(chosen) was chosen, \(merge.option.value ?? .null) is selected"
        }
        print("selection after ten edits: \(conflicts) conflicts, \(wrong) wrong in \(cases(20_000))")
    }

    @Test func mergingTheResultWithEitherSideAgainChangesNothing() {
        forSeeds { random in
            let (base, ours, theirs) = sides(&random)
            guard case .merged(let merged) = LabelsMerge(base: base, ours: ours, theirs: theirs).result else { return nil }
            let again = LabelsMerge(base: ours, ours: merged, theirs: ours).result
            return again == .merged(merged) ? nil : "merging \(ours.map(\.text)) again changes \(merged.map(\.text))"
        }
    }
}
