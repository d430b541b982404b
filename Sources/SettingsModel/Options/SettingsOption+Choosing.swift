/// A requested value of an option.
public enum Wish: Hashable, Sendable {
    /// A VALUE: matched against values, then labels, then labels ignoring case. A text takes it literally, data as JSON.
    case word(String)
    case label(String)
    /// The label at an index, from 0.
    case index(Int)
    case next
    case previous
    /// An amount to add to a number.
    case plus(Number)
    /// The value itself.
    case json(JSON?)
    case reset
}

extension SettingsOption {
    /// Why an option can't be set to the requested value.
    public struct Refusal: Error, Hashable, Sendable {
        public var reason: String
        public var hint: String?
        /// A cause for which an interface has a specific hint.
        public var cause: Cause?

        public enum Cause: Hashable, Sendable {
            case noDefault, noLabels
            /// A text does not match the option's pattern.
            case mismatch
            /// Several values have that label.
            case sameLabel
        }

        package init(_ reason: String, hint: String? = nil, cause: Cause? = nil) {
            self.reason = reason
            self.hint = hint
            self.cause = cause
        }
    }

    /// The value that `wish` stands for; nil means unset.
    public func value(for wish: Wish) throws(Refusal) -> JSON? {
        let reader = WishReader(option: self)
        let value = try reader.meaning(of: wish)
        // Whoever writes back what was shown would lose the secret.
        if isMasked, value?.text?.string == Wording.dots {
            throw Refusal("'\(Wording.dots)' is shown in place of masked text, and is not its value")
        }
        if let value, let reason = fault(of: value) {
            let isMismatch = type == .text && pattern != nil
            throw Refusal(reason, hint: reader.rangeHint ?? reader.textHint, cause: isMismatch ? .mismatch : nil)
        }
        return value
    }
}

/// What a wish stands for with one option.
private struct WishReader {
    let option: SettingsOption

    typealias Refusal = SettingsOption.Refusal

    /// The expected form of a text with a pattern.
    var textHint: String? {
        guard option.type == .text, option.pattern != nil, let placeholder = option.placeholder, !placeholder.isEmpty else {
            return nil
        }
        return "the expected form is \(placeholder)"
    }

    var rangeHint: String? {
        guard option.type == .number, !option.range.isEmpty else { return nil }
        return "expected a number \(option.range.words)"
    }

    /// What the option can be set to.
    var expected: String {
        switch option.type {
        case .choice:
            if option.labels.isEmpty { return "the option has no labels yet" }
            let shown = option.labels.prefix(8).map(\.text.string).joined(separator: ", ")
            return "expected one of: \(shown)\(option.labels.count > 8 ? ", ... (\(option.labels.count) labels)" : "")"
        case .switch: return "expected on, off or toggle"
        case .number: return rangeHint ?? "expected a number, such as 5 or 0.5"
        case .text: return "give the new text"
        case .data: return "give the new value as JSON"
        }
    }

    func meaning(of wish: Wish) throws(Refusal) -> JSON? {
        switch wish {
        case .word(let word): return try meaning(ofWord: word)
        case .label(let word): return try meaning(ofLabel: word)
        case .index(let index):
            guard option.type == .choice else {
                throw Refusal("only a choice has an index, but this is \(option.type.noun)", hint: expected)
            }
            guard option.labels.indices.contains(index) else {
                throw Refusal(
                    "there is no label \(index)",
                    hint: option.labels.isEmpty
                        ? "the option has no labels yet" : "expected an index from 0 to \(option.labels.count - 1)")
            }
            return option.labels[index].value
        case .next: return try neighbour(1)
        case .previous: return try neighbour(-1)
        case .plus(let step):
            guard option.type == .number else {
                throw Refusal("only a number can be changed by \(step.text), but this is \(option.type.noun)", hint: expected)
            }
            guard case .number(let number)? = option.effectiveValue else {
                throw Refusal("the option is unset, so there is no value to add to", hint: expected)
            }
            guard let sum = number.adding(step) else {
                throw Refusal("\(number.text) and \(step.text) have too many digits to be added exactly")
            }
            return .number(option.range.isWhole ? sum.whole ?? sum : sum)
        case .json(let json): return json
        case .reset:
            guard let defaultValue = option.defaultValue else { throw Refusal("no default is set", cause: .noDefault) }
            return defaultValue
        }
    }

    private func meaning(ofWord word: String) throws(Refusal) -> JSON? {
        switch option.type {
        case .text: return .string(ExactText(word))
        case .data:
            do { return try JSON(parsing: word) } catch {
                let isString = word.first.map { !"{[\"".contains($0) } ?? true
                let quoted = JSON.string(ExactText(word)).compact
                let place = word.contains("\n") ? error.position.map { "line \($0.line): " } ?? "" : ""
                throw Refusal(
                    "invalid JSON: \(place)\(error.reason)",
                    hint: isString
                        ? "write a string with its quotes: '\(quoted)'"
                        : "names and strings need double quotes, and the last member must not be followed by a comma")
            }
        case .number:
            guard let number = Number(word) else { throw Refusal("'\(word)' is not a number", hint: expected) }
            if option.value?.bare == word { return option.value }
            return .number(option.range.isWhole ? number.whole ?? number : number)
        case .switch:
            let (off, on) = option.offOn
            if on.bare == word { return on }
            if off.bare == word { return off }
            switch word.lowercased() {
            case "on": return on
            case "off": return off
            case "toggle": return option.effectiveValue == on ? off : on
            default: throw Refusal("invalid value '\(word)' for a switch: expected on, off or toggle")
            }
        case .choice:
            if let value = option.value, value.bare == word { return value }
            if let label = option.labels.first(where: { $0.value.bare == word }) { return label.value }
            return try meaning(ofLabel: word)
        }
    }

    private func meaning(ofLabel word: String) throws(Refusal) -> JSON? {
        guard option.type == .choice else {
            if option.type == .switch, word.lowercased() == "on" || word.lowercased() == "off" {
                return try meaning(ofWord: word.lowercased())
            }
            throw Refusal("only a choice has labels, but this is \(option.type.noun)", hint: expected)
        }
        for matches in [
            option.labels.filter { $0.text.string.utf8.elementsEqual(word.utf8) },
            option.labels.filter { $0.long?.string.utf8.elementsEqual(word.utf8) ?? false },
            option.labels.filter { $0.text.string.lowercased() == word.lowercased() },
        ] {
            if matches.count == 1 { return matches[0].value }
            if matches.count > 1 {
                throw Refusal(
                    "'\(word)' is the label of \(matches.count) values: \(matches.map(\.value.compact).joined(separator: ", "))",
                    cause: .sameLabel)
            }
        }
        throw Refusal(
            "no such value or label: '\(word)'", hint: labelHint(for: word),
            cause: option.labels.isEmpty ? .noLabels : nil)
    }

    private func labelHint(for word: String) -> String {
        let near = Nearest.words(to: word, among: option.labels.flatMap { [$0.text.string, $0.value.bare] }, limit: 2)
        return Nearest.question(near) ?? expected
    }

    private func neighbour(_ distance: Int) throws(Refusal) -> JSON? {
        switch option.type {
        case .choice:
            // What is unset is on its default.
            guard let selected = option.effectiveValue.flatMap({ option.labels.index(of: $0) }) else {
                guard let label = distance > 0 ? option.labels.first : option.labels.last else {
                    throw Refusal("the option has no labels yet")
                }
                return label.value
            }
            guard option.labels.indices.contains(selected + distance) else {
                throw Refusal(
                    "the \(distance > 0 ? "last" : "first") label, \(option.labels[selected].text), is already selected")
            }
            return option.labels[selected + distance].value
        case .number:
            let step = option.range.step ?? Number(1)
            return try meaning(of: .plus(distance > 0 ? step : step.negated))
        case .switch: return try meaning(ofWord: "toggle")
        case .text, .data: throw Refusal("\(option.type.noun) has no next or previous value", hint: expected)
        }
    }
}

extension SettingsOption.Range {
    /// The bounds in words: "from 0 to 10 in steps of 2".
    public var words: String {
        var words: [String] = []
        switch (minimum, maximum) {
        case (let minimum?, let maximum?): words.append("from \(minimum.text) to \(maximum.text)")
        case (let minimum?, nil): words.append("of at least \(minimum.text)")
        case (nil, let maximum?): words.append("of at most \(maximum.text)")
        case (nil, nil): break
        }
        if let step { words.append("in steps of \(step.text)") }
        return words.joined(separator: " ")
    }
}
