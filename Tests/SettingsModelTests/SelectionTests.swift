@testable import SettingsModel
import Seeds
import Testing

/// The selected index follows its label.
@Suite struct SelectionTests {
    @Test func theSelectionFollowsItsLabel() {
        var wrong = 0
        var conflicts = 0
        forSeeds(100_000) { random in
            let sides = random.selectionCase()
            let merge = OptionMerge(.option(.root), title: "", base: sides.base, ours: sides.chooser, theirs: sides.editor)
            if !merge.conflicts.isEmpty {
                conflicts += 1
                // Otherwise, a conflict is correct only if both sides chose.
                let bothChose = sides.editor.value != sides.base.value
                return sides.isRemoved || bothChose ? nil : "a conflict without a reason: \(merge.conflicts)"
            }
            guard merge.option.value != sides.chosen else { return nil }
            wrong += 1
            return "\(sides.chosen.compact) was chosen, \((merge.option.value ?? .null).compact) is selected"
        }
        print("selection: \(cases(100_000)) cases, \(conflicts) conflicts, \(wrong) wrong")
        #expect(wrong == 0)
    }

    @Test func theSelectionFollowsItsLabelIfLabelsAreTheirOwnValues() {
        forSeeds { random in
            let sides = random.selectionCase(values: false)
            let merge = OptionMerge(.option(.root), title: "", base: sides.base, ours: sides.editor, theirs: sides.chooser)
            if !merge.conflicts.isEmpty { return nil }
            return merge.option.value == sides.chosen
                ? nil : "\(sides.chosen.compact) was chosen, not \(merge.option.value ?? .null)"
        }
    }

    @Test func germanIsSelectedInDESIGNmdsExample() throws {
        let base = SettingsOption(
            title: "Language", type: .choice, value: .string("en"),
            labels: Labels([
                ChoiceLabel(value: .string("en"), text: "English"), ChoiceLabel(value: .string("fr"), text: "French"),
                ChoiceLabel(value: .string("de"), text: "German"),
            ]))
        var ours = base
        ours.value = .string("de")
        var theirs = base
        theirs.labels.insert(ChoiceLabel(value: .string("ar"), text: "Arabic"), at: 1)
        let key = try Key("language")
        let merged = SettingsContent.merge(
            base: SettingsContent(options: [key: base]), ours: SettingsContent(options: [key: ours]),
            theirs: SettingsContent(options: [key: theirs])
        )
        #expect(merged.conflicts.isEmpty)
        #expect(merged.settings.options[key]?.selected == 3)
        #expect(merged.settings.options[key]?.value == .string("de"))
    }

    @Test func aDefaultFollowsItsLabelLikeTheValue() {
        forSeeds { random in
            var sides = random.selectionCase()
            for option in [\SelectionCase.base, \.chooser, \.editor] {
                sides[keyPath: option].defaultValue = sides[keyPath: option].value
                sides[keyPath: option].value = nil
            }
            let merge = OptionMerge(.option(.root), title: "", base: sides.base, ours: sides.chooser, theirs: sides.editor)
            if !merge.conflicts.isEmpty { return merge.conflicts.contains { $0.facet == .value } ? "the value conflicts" : nil }
            return merge.option.defaultValue == sides.chooser.defaultValue ? nil : "another default"
        }
    }
}
