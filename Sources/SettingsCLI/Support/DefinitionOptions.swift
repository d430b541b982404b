import ArgumentParser
import SettingsModel

/// The members of an option, for `add` and `define`.
struct DefinitionOptions: ParsableArguments {
    @Option(name: .long, parsing: .unconditional, help: "The name that people see.")
    var title: String?

    @Option(
        name: .long, parsing: .upToNextOption,
        help: ArgumentHelp(
            "A choice among these labels. VALUE=LABEL also gives the value that programs read.", valueName: "label"))
    var choice: [String] = []

    @Flag(name: .long, help: "A switch, initially off.")
    var `switch` = false

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("A number, initially N.", valueName: "n"))
    var number: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("A text option, initially S.", valueName: "s"))
    var text: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Any JSON.", valueName: "json"))
    var data: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("A number's bounds and step, such as 0..100:5; each part is optional.", valueName: "min..max:step"))
    var range: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("An explanation shown with the option.", valueName: "text"))
    var helpText: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The value that programs read while the option is unset.", valueName: "value"))
    var `default`: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "The label selected in a new choice (default: its first), or in place of a removed one.",
            valueName: "value"))
    var select: String?

    @OptionGroup var rare: RareDefinitionOptions

    func validate() throws {
        if choice.contains(where: { $0.hasSuffix("=") || Self.isBlank($0) }) {
            throw ValidationError("a label must not be empty")
        }
        let kinds = [!choice.isEmpty, `switch`, number != nil, text != nil, data != nil].count { $0 }
        if kinds > 1 { throw ValidationError("an option has one type: --choice, --switch, --number, --text or --data") }
        if let label = repeatedLabel {
            throw ValidationError("the label '\(label)' is given twice: every label of a choice needs its own text")
        }
        if select != nil, rare.unset { throw ValidationError("--select and --unset cannot be used together") }
        if (rare.offValue == nil) != (rare.onValue == nil) {
            throw ValidationError("--off-value and --on-value must be used together")
        }
    }

    /// Labels with values of their own may be equal.
    private var repeatedLabel: String? {
        var seen: Set<String> = []
        return choice.map(Words.plain).first { !$0.contains("=") && !seen.insert($0).inserted }
    }

    private static func isBlank(_ choice: String) -> Bool {
        let word = Words.plain(choice)
        return (word.firstIndex(of: "=").map { word[word.index(after: $0)...] } ?? word[...]).allSatisfy(\.isWhitespace)
    }

    var kind: SettingsOption.Kind? {
        if !choice.isEmpty { return .choice }
        if `switch` { return .switch }
        if number != nil { return .number }
        if text != nil { return .text }
        return data != nil ? .data : nil
    }

    /// The definition as typed.
    var definition: OptionDefinition {
        get throws {
            var definition = OptionDefinition()
            definition.title = title
            definition.kind = kind
            definition.labels = choice.map(Words.plain).map { word in
                guard let equals = word.firstIndex(of: "=") else { return OptionDefinition.NamedLabel(value: nil, text: word) }
                return OptionDefinition.NamedLabel(
                    value: String(word[..<equals]), text: String(word[word.index(after: equals)...]))
            }
            definition.firstValue = number ?? text ?? data
            definition.range = try range.map(bounds)
            definition.help = helpText
            definition.defaultValue = self.default
            definition.selected = select
            definition.isUnset = rare.unset
            definition.placeholder = rare.placeholder
            definition.pattern = rare.pattern
            definition.isMasked = rare.masked
            definition.isReadOnly = rare.readOnly
            if let offValue = rare.offValue, let onValue = rare.onValue {
                definition.switchValues = OptionDefinition.SwitchValues(off: offValue, on: onValue)
            }
            return definition
        }
    }

    /// Parses `0..100:5`.
    private func bounds(_ text: String) throws -> SettingsOption.Range {
        let wrong = Failure(
            .usage, "invalid range '\(text)': expected MIN..MAX[:STEP]",
            hint: "for example 0..100 or 0..100:5; MIN or MAX may be left out")
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2, let dots = parts[0].firstRange(of: "..") else { throw wrong }
        func number(_ text: some StringProtocol) throws -> Number? {
            if text.isEmpty { return nil }
            guard let number = Number(String(text)) else { throw wrong }
            return number
        }
        let step = parts.count == 2 ? try number(parts[1]) : nil
        if let step, !(Number(0) < step) {
            throw Failure(
                .usage, "invalid range '\(text)': the step must be greater than 0",
                hint: "for example 0..100:5; a step of 1 allows whole numbers")
        }
        let (minimum, maximum) = (try number(parts[0][..<dots.lowerBound]), try number(parts[0][dots.upperBound...]))
        if let minimum, let maximum, maximum < minimum {
            throw Failure(
                .badData, "invalid range '\(text)': the minimum, \(minimum.text), is above the maximum, \(maximum.text)",
                hint: "the smaller number comes first: \(maximum.text)..\(minimum.text)")
        }
        return SettingsOption.Range(minimum: minimum, maximum: maximum, step: step)
    }
}

/// Those that few options need: 'help options' explains them, and the help of `add` and `define` leaves them out.
struct RareDefinitionOptions: ParsableArguments {
    @Flag(
        name: .long, help: ArgumentHelp("Create the option without a value.", visibility: Help.visibilityOfListedOptions))
    var unset = false

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("A hint shown while the text is empty.", visibility: Help.visibilityOfListedOptions))
    var placeholder: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "A regular expression that the text must match.", valueName: "regex", visibility: Help.visibilityOfListedOptions))
    var pattern: String?

    @Flag(
        name: .long, inversion: .prefixedNo,
        help: ArgumentHelp("Show the text as dots.", visibility: Help.visibilityOfListedOptions))
    var masked: Bool?

    @Flag(
        name: .long, inversion: .prefixedNo,
        help: ArgumentHelp("Reject changes to the value.", visibility: Help.visibilityOfListedOptions))
    var readOnly: Bool?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "A switch's value for off, with --on-value.", valueName: "value", visibility: Help.visibilityOfListedOptions))
    var offValue: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "A switch's value for on, with --off-value.", valueName: "value", visibility: Help.visibilityOfListedOptions))
    var onValue: String?
}
