/// One alternative of a choice.
public struct ChoiceLabel: Hashable, Sendable {
    /// The stable name for programs: a string, number, boolean or null; unique within its option.
    public var value: JSON
    public var text: ExactText
    /// The long form, shown if there is room; either all labels of an option have one or none.
    public var long: ExactText?

    public init(value: JSON, text: ExactText, long: ExactText? = nil) {
        self.value = value
        self.text = text
        self.long = long
    }
}

/// The labels of a choice, in order.
public struct Labels: Hashable, Sendable {
    public private(set) var entries: [ChoiceLabel]
    /// False only if the file leaves `values` out, so that each label is its own value.
    public private(set) var writesValues: Bool

    public init(_ entries: [ChoiceLabel] = [], writesValues: Bool = false) {
        self.entries = entries
        self.writesValues = writesValues
        normalise()
    }

    /// A label whose value differs from its text requires `values` in the file; one long label requires long labels for all.
    private mutating func normalise() {
        if entries.contains(where: { $0.value != .string($0.text) }) { writesValues = true }
        if entries.contains(where: { $0.long != nil }) {
            for index in entries.indices where entries[index].long == nil { entries[index].long = entries[index].text }
        }
    }

    public func index(of value: JSON) -> Int? { entries.firstIndex { $0.value == value } }
    public func label(of value: JSON) -> ChoiceLabel? { entries.first { $0.value == value } }

    /// The only label with that text; nil if there is none or several.
    public func only(text: ExactText) -> ChoiceLabel? {
        let matches = entries.filter { $0.text == text }
        return matches.count == 1 ? matches[0] : nil
    }

    /// A value here with the text that another value has in one of `others`, where it has another text itself; nil where each has
    /// a text that one of them gives it, or a new one.
    package func exchanged(since others: [Labels]) -> (label: ChoiceLabel, former: ExactText)? {
        let others = others.map { LabelIndex($0) }
        for label in entries {
            let texts = others.compactMap { other in other.index(of: label.value).map { other.labels[$0].text } }
            guard let former = texts.first, !texts.contains(label.text),
                others.contains(where: { $0.only(text: label.text) != nil })
            else { continue }
            return (label, former)
        }
        return nil
    }

    /// The label here that corresponds to `label` of `other`: the one with its value, or else the one with its text if that is
    /// unique on both sides and its value isn't on the other side.
    package func counterpart(of label: ChoiceLabel, in other: Labels) -> ChoiceLabel? {
        if let same = self.label(of: label.value) { return same }
        guard other.only(text: label.text) != nil, let match = only(text: label.text), other.label(of: match.value) == nil
        else { return nil }
        return match
    }
}

extension Labels: RandomAccessCollection {
    public var startIndex: Int { entries.startIndex }
    public var endIndex: Int { entries.endIndex }
    public subscript(index: Int) -> ChoiceLabel { entries[index] }
}

/// Edits. Indices are positions in the current list.
extension Labels {
    public mutating func insert(_ label: ChoiceLabel, at index: Int) {
        entries.insert(label, at: index)
        normalise()
    }

    public mutating func remove(_ value: JSON) {
        entries.removeAll { $0.value == value }
    }

    public mutating func rename(_ value: JSON, to text: ExactText) {
        guard let index = index(of: value) else { return }
        entries[index].text = text
        normalise()
    }

    public mutating func move(_ value: JSON, to target: Int) {
        guard let index = index(of: value) else { return }
        let label = entries.remove(at: index)
        entries.insert(label, at: Swift.min(Swift.max(target, 0), entries.count))
    }

    /// Whether every value is a number.
    var areNumbers: Bool { !isEmpty && allSatisfy { if case .number = $0.value { true } else { false } } }

    /// The value of a new label as a person typed it: a number where all the others are.
    func value(named word: String) -> JSON {
        if areNumbers, let number = Number(word) { .number(number) } else { .string(ExactText(word)) }
    }

    /// A new value derived from a label's text: `Français (CA)` → `francais-ca`, then `francais-ca-2`.
    /// In a list that leaves `values` out, it is the text itself.
    public func newValue(for text: ExactText) -> JSON {
        var values = NewValues(self)
        return values.value(for: text)
    }

    /// Lower-case letters and digits with single hyphens between them; Latin letters lose their diacritics.
    static func stem(of text: ExactText) -> String {
        var words: [String] = []
        var word = ""
        for scalar in text.string.unicodeScalars {
            if let letters = letters(of: scalar) {
                word += letters
            } else if !word.isEmpty {
                words.append(word)
                word = ""
            }
        }
        if !word.isEmpty { words.append(word) }
        return words.isEmpty ? "label" : words.joined(separator: "-")
    }

    /// Nil if the scalar separates words.
    package static func letters(of scalar: Unicode.Scalar) -> String? {
        if scalar == "ß" || scalar == "ẞ" { return "ss" }
        if scalar == "'" || scalar == "\u{2019}" { return "" }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return scalar.isLatinMark ? "" : String(scalar)
        case .decimalNumber: return properties.numericValue.map { String(Int($0)) }
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .spacingMark:
            if !scalar.isASCII, let base = scalar.latinBase { return base }
            return properties.lowercaseMapping
        default: return nil
        }
    }
}

/// Values for labels that are added to a list one after another; see `Labels.newValue`.
package struct NewValues {
    private var taken: Set<JSON>
    /// How often each stem has been numbered so far.
    private var counts: [String: Int] = [:]
    private let areTexts: Bool

    package init(_ labels: Labels) {
        taken = Set(labels.map(\.value))
        areTexts = !labels.writesValues && !labels.isEmpty
    }

    package mutating func take(_ value: JSON) { taken.insert(value) }

    package mutating func value(for text: ExactText) -> JSON {
        let own = JSON.string(text)
        if areTexts, taken.insert(own).inserted { return own }
        let stem = Labels.stem(of: text)
        var count = counts[stem] ?? 1
        while true {
            let candidate = JSON.string(count == 1 ? stem : "\(stem)-\(count)")
            count += 1
            counts[stem] = count
            if taken.insert(candidate).inserted { return candidate }
        }
    }
}

extension Unicode.Scalar {
    /// Whether this is a combining diacritic of Latin letters.
    fileprivate var isLatinMark: Bool { (0x300...0x36F).contains(value) }

    /// `ç` is "LATIN SMALL LETTER C WITH CEDILLA", hence "c"; `æ` is "LATIN SMALL LETTER AE", hence "ae".
    fileprivate var latinBase: String? {
        guard let name = properties.name, name.hasPrefix("LATIN ") else { return nil }
        let words = name.split(separator: " ")
        guard words.count >= 4, words[2] == "LETTER" || words[2] == "LIGATURE", words[3].count <= 2 else { return nil }
        return words[3].lowercased()
    }
}
