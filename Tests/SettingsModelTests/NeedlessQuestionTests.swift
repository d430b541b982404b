import Seeds
@testable import SettingsModel
import Testing

/// How often a merge conflicts, and about what.
@Suite struct NeedlessQuestionTests {
    @Test func conflictsOccurOnlyIfALabelWasRemovedOrRenamedOrChosenOnBothSides() {
        var (conflicts, byReason): (Int, [String: Int]) = (0, [:])
        forSeeds { random in
            let base = random.selectionCase().base
            func side() -> SettingsOption {
                var option = base
                for number in 0..<random.int(1...4) {
                    switch random.int(5) {
                    case 0: option.value = option.labels.randomElement(using: &random)?.value
                    case 1:
                        let text = ExactText("New \(random.int(1000))")
                        option.labels.insert(
                            ChoiceLabel(value: option.labels.newValue(for: text), text: text),
                            at: random.int(option.labels.count + 1))
                    case 2:
                        guard option.labels.count > 1, let gone = option.labels.randomElement(using: &random) else { continue }
                        option.labels.remove(gone.value)
                        if option.value == gone.value { option.value = option.labels.randomElement(using: &random)?.value }
                    case 3:
                        if let label = option.labels.randomElement(using: &random) {
                            option.labels.rename(label.value, to: "Name \(number) \(random.int(1000))")
                        }
                    default:
                        if let label = option.labels.randomElement(using: &random) {
                            option.labels.move(label.value, to: random.int(option.labels.count))
                        }
                    }
                }
                return option
            }
            let (ours, theirs) = (side(), side())
            let merge = OptionMerge(.option(.root), title: "", base: base, ours: ours, theirs: theirs)
            guard !merge.conflicts.isEmpty else { return nil }
            conflicts += 1
            for conflict in merge.conflicts {
                let reason = conflict.reason ?? ""
                let kind =
                    conflict.facet == .value && reason.isEmpty
                    ? "chosen twice"
                    : reason.contains("chosen label was removed")
                        ? "the chosen label removed"
                        : reason.contains("chosen label is in conflict")
                            ? "the chosen label in conflict"
                            : reason.contains("removed on one side and edited")
                                ? "a label removed and renamed"
                                : reason.contains("became")
                                    ? "a label renamed to two names"
                                    : reason.contains("two places")
                                        ? "a label moved to two places"
                                        : reason.contains("opposite orders")
                                            ? "opposite orders"
                                            : reason.contains("both sides added")
                                                ? "one value added with two texts"
                                                : reason.contains("no longer offered")
                                                    ? "no longer offered" : "\(conflict.facet.name): \(reason)"
                byReason[kind, default: 0] += 1
                let sides = [ours, theirs]
                let holds =
                    switch kind {
                    case "chosen twice": ours.value != base.value && theirs.value != base.value && ours.value != theirs.value
                    case "the chosen label removed", "no longer offered":
                        sides.contains { side in sides.contains { $0.value.map { side.labels.label(of: $0) == nil } ?? false } }
                    case "a label removed and renamed":
                        base.labels.contains { old in
                            sides.contains { $0.labels.label(of: old.value) == nil }
                                && sides.contains { $0.labels.label(of: old.value).map { $0 != old } ?? false }
                        }
                    case "a label renamed to two names":
                        base.labels.contains { old in
                            let texts = sides.compactMap { $0.labels.label(of: old.value)?.text }
                            return texts.count == 2 && texts[0] != texts[1] && !texts.contains(old.text)
                        }
                    case "the chosen label in conflict": merge.conflicts.contains { $0.facet == .labels }
                    case "a label moved to two places", "opposite orders", "one value added with two texts":
                        sides.allSatisfy { $0.labels != base.labels }
                    default: false
                    }
                if !holds { return "asked without a reason: \(kind)" }
            }
            return nil
        }
        print(
            "questions: \(conflicts) of \(cases(20_000)); "
                + byReason.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        )
    }
}
