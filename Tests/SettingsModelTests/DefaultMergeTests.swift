@testable import SettingsModel
import Testing

/// Defaults that don't fit what the other side changed.
@Suite struct DefaultMergeTests {
    private static let key = Key(unchecked: ["a"])

    private func settings(_ option: SettingsOption) -> SettingsContent { SettingsContent(options: [Self.key: option]) }

    private func number(_ standard: Int?, upTo maximum: Int) -> SettingsOption {
        var option = SettingsOption(title: "A", type: .number, defaultValue: standard.map { .number($0) })
        option.range.maximum = Number(maximum)
        return option
    }

    private func text(_ standard: String, _ pattern: String?) -> SettingsOption {
        var option = SettingsOption(title: "A", type: .text, defaultValue: .string(standard))
        option.other["pattern"] = pattern.map { .string($0) }
        return option
    }

    private func expectConflict(_ base: SettingsOption, narrowed: SettingsOption, changed: SettingsOption) {
        for swaps in [false, true] {
            var merge = SettingsContent.merge(
                base: settings(base), ours: settings(swaps ? changed : narrowed), theirs: settings(swaps ? narrowed : changed))
            #expect(merge.conflicts.map(\.facet) == [.default])
            #expect(merge.conflicts.first?.reason != nil)
            #expect(merge.settings == settings(narrowed))
            #expect(merge.puttingInForce(swaps ? .theirs : .ours).settings == settings(narrowed))
            merge.putInForce(swaps ? .ours : .theirs)
            #expect(merge.settings == settings(changed))
            #expect(merge.conflicts.count == 2)
        }
    }

    @Test func aDefaultAndNarrowerBoundsConflict() {
        expectConflict(number(40, upTo: 100), narrowed: number(40, upTo: 50), changed: number(70, upTo: 100))
        expectConflict(number(nil, upTo: 100), narrowed: number(nil, upTo: 50), changed: number(70, upTo: 100))
    }

    @Test func aDefaultAndAPatternConflict() {
        expectConflict(text("a", nil), narrowed: text("a", "[a-c]"), changed: text("x", nil))
        expectConflict(text("a", "[a-z]"), narrowed: text("a", "[a-c]"), changed: text("x", "[a-z]"))
    }

    @Test func boundsAreHeldBackIfTheDefaultInForceDoesNotFitThem() {
        let merge = SettingsContent.merge(
            base: settings(number(60, upTo: 100)), ours: settings(number(40, upTo: 50)), theirs: settings(number(70, upTo: 100)))
        #expect(merge.conflicts.map(\.facet) == [.default, .bound("maximum")])
        #expect(merge.settings == settings(number(60, upTo: 100)))
    }

    @Test func aDefaultThatWasOutOfBoundsBeforeStaysSo() {
        var titled = number(150, upTo: 100)
        titled.title = "B"
        let merge = SettingsContent.merge(
            base: settings(number(150, upTo: 100)), ours: settings(number(150, upTo: 50)), theirs: settings(titled))
        titled.range.maximum = Number(50)
        #expect(merge == SettingsContent.Merge(settings: settings(titled), conflicts: []))
    }
}
