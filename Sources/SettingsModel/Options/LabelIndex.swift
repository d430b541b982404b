/// An index of a label list by value and by text, for many lookups.
package struct LabelIndex {
    package let labels: Labels
    private var byValue: [JSON: Int] = [:]
    /// Nil for a text that several labels have.
    private var byText: [ExactText: Int?] = [:]

    package init(_ labels: Labels) {
        self.labels = labels
        byValue.reserveCapacity(labels.count)
        byText.reserveCapacity(labels.count)
        for (index, label) in labels.enumerated() {
            if byValue[label.value] == nil { byValue[label.value] = index }
            byText.updateValue(byText[label.text] == nil ? index : nil, forKey: label.text)
        }
    }

    package func index(of value: JSON) -> Int? { byValue[value] }

    /// The only label with that text; nil if there is none or several.
    package func only(text: ExactText) -> Int? { byText[text] ?? nil }

    /// As `Labels.counterpart`.
    package func counterpart(of label: ChoiceLabel, in other: LabelIndex) -> Int? {
        if let same = index(of: label.value) { return same }
        guard other.only(text: label.text) != nil, let match = only(text: label.text),
            other.index(of: labels[match].value) == nil
        else { return nil }
        return match
    }
}
