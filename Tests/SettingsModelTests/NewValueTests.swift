import SettingsModel
import Testing

/// Values derived from labels, and texts that are compared by bytes.
@Suite struct NewValueTests {
    @Test(arguments: [
        ("Français (CA)", "francais-ca"), ("Straße", "strasse"), ("Ærø", "aero"), ("日本語", "日本語"), ("👍", "label"), ("", "label"),
        ("  Two  words ", "two-words"), ("Don't ask", "dont-ask"), ("e\u{301}te\u{301}", "ete"), ("ÅNGSTRÖM", "angstrom"),
        ("Łódź", "lodz"),
        ("50 %", "50"), ("v1.2", "v1-2"), ("Русский", "русский"), ("---", "label"), ("İstanbul", "istanbul"), ("Ð", "ð"),
        ("Þ", "þ"),
    ])
    func aValueIsDerivedFromTheLabel(text: String, value: String) {
        let labels = Labels([ChoiceLabel(value: .string("x"), text: "X")], writesValues: true)
        #expect(labels.newValue(for: ExactText(text)) == .string(value))
    }

    @Test func aNumberIsAppendedToAValueThatIsAlreadyUsed() {
        var labels = Labels([], writesValues: true)
        for value in ["francais-ca", "francais-ca-2", "francais-ca-3"] {
            let made = labels.newValue(for: "Français (CA)")
            #expect(made == .string(value))
            labels.insert(ChoiceLabel(value: made, text: "Français (CA)"), at: 0)
        }
    }

    @Test func theLabelIsTheValueInAListThatLeavesValuesOut() {
        let labels = Labels([ChoiceLabel(value: .string("English"), text: "English")])
        #expect(!labels.writesValues)
        #expect(labels.newValue(for: "Français (CA)") == .string("Français (CA)"))
        #expect(labels.newValue(for: "English") == .string("english"))
    }

    @Test func renamingALabelForTheFirstTimeWritesTheValues() {
        var option = SettingsOption(
            title: "T", type: .choice,
            labels: Labels([ChoiceLabel(value: .string("A"), text: "A"), ChoiceLabel(value: .string("B"), text: "B")]))
        #expect(option.json["values"] == nil)
        option.labels.rename(.string("A"), to: "Alpha")
        #expect(option.json["values"] == .array([.string("A"), .string("B")]))
    }

    @Test func textsCompareByBytes() {
        let (composed, decomposed): (ExactText, ExactText) = ("\u{E9}", "e\u{301}")
        #expect(composed.string == decomposed.string)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(decomposed < composed)
        #expect(ExactText("Z") < ExactText("a"))
        #expect(ExactText("\u{FFFF}") < ExactText("\u{10000}"))
        #expect(JSON.string(composed) != JSON.string(decomposed))
    }

    @Test func aGroupsNamesAreShownInItsOrderAllOthersByBytes() {
        let group = SettingsGroup(order: ["z", "gone", "a"])
        #expect(group.ordered(["b", "a", "Z", "z"]) == ["z", "a", "Z", "b"])
        #expect(SettingsGroup().ordered(["b", "a", "Z"]) == ["Z", "a", "b"])
    }

    @Test func aSimilarWordIsSuggestedOnlyOnce() {
        #expect(Nearest.words(to: "wow", among: ["wox", "wox", "woy"]) == ["wox", "woy"])
    }

    @Test func aSuggestionIsNearForTheLengthOfTheWord() {
        #expect(Nearest.words(to: "a", among: ["x", "dark"]).isEmpty)
        #expect(Nearest.words(to: "am", among: ["rm", "named"]).isEmpty)
        #expect(Nearest.words(to: "on", among: ["confirm", "if-version", "json"]).isEmpty)
        #expect(Nearest.words(to: "vil", among: ["vol", "dark"]) == ["vol"])
        #expect(Nearest.words(to: "Fr", among: ["French", "en"]) == ["French"])
        #expect(Nearest.words(to: "vo", among: ["sound.volume", "novo"]) == ["sound.volume"])
        #expect(Nearest.words(to: "lume", among: ["sound.volume"]) == ["sound.volume"])
        #expect(Nearest.words(to: "statsu", among: ["status", "stash"]) == ["status"])
    }
}
