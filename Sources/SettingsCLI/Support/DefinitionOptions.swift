import ArgumentParser
import SettingsModel
import SettingsStore

/// What an option is: for `add` and `define`.
struct DefinitionOptions: ParsableArguments {
    @Option(name: .long, parsing: .unconditional, help: "What people read.")
    var title: String?

    @Option(
        name: .long, parsing: .upToNextOption,
        help: ArgumentHelp("A choice among these labels. VALUE=LABEL names a label's value for programs.", valueName: "label"))
    var choice: [String] = []

    @Flag(name: .long, help: "On or off.")
    var `switch` = false

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("A number, N at first.", valueName: "n"))
    var number: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("A text, S at first.", valueName: "s"))
    var text: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Any JSON.", valueName: "json"))
    var data: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("A number's bounds and step, as 0..100:5; each may be left out.", valueName: "min..max:step"))
    var range: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Explains the option.", valueName: "text"))
    var helpText: String?

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("What programs get where nothing is set.", valueName: "value"))
    var `default`: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "The label a new choice starts on (default: its first), or that takes the place of a removed one.",
            valueName: "value"))
    var select: String?

    @Flag(name: .long, help: "Start a new option without a value.")
    var unset = false

    @Option(name: .long, parsing: .unconditional, help: "Shown in an empty text.")
    var placeholder: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("A regular expression that a text must match.", valueName: "regex"))
    var pattern: String?

    @Flag(name: .long, inversion: .prefixedNo, help: "Show a text as dots.")
    var masked: Bool?

    @Flag(name: .long, inversion: .prefixedNo, help: "Refuse to set it.")
    var readOnly: Bool?

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("A switch's value for off, with --on-value.", valueName: "value")
    )
    var offValue: String?

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("A switch's value for on, with --off-value.", valueName: "value")
    )
    var onValue: String?

    func validate() throws {
        if choice.contains(where: { $0.isEmpty || $0.hasSuffix("=") }) { throw ValidationError("a label needs a text") }
        let kinds = [!choice.isEmpty, `switch`, number != nil, text != nil, data != nil].count { $0 }
        if kinds > 1 { throw ValidationError("an option has one type: --choice, --switch, --number, --text or --data") }
        if select != nil, unset { throw ValidationError("--select and --unset contradict each other") }
        if (offValue == nil) != (onValue == nil) { throw ValidationError("--off-value and --on-value go together") }
    }

    var kind: SettingsModel.Option.Kind? {
        if !choice.isEmpty { return .choice }
        if `switch` { return .switch }
        if number != nil { return .number }
        if text != nil { return .text }
        return data != nil ? .data : nil
    }

    var isEmpty: Bool {
        kind == nil && title == nil && range == nil && helpText == nil && `default` == nil && select == nil && !unset
            && placeholder == nil && pattern == nil && masked == nil && readOnly == nil && offValue == nil
    }

    /// `existing` with what was named changed; a new option where there is none.
    func option(_ key: Key, from existing: SettingsModel.Option?) throws(StoreError) -> SettingsModel.Option {
        guard let kind = kind ?? existing?.type else {
            throw StoreError(
                .usage, "what is \(key)?", hint: "say --choice LABEL…, --switch, --number N, --text S or --data JSON")
        }
        var option = existing ?? SettingsModel.Option(title: Text(title ?? ""), type: kind)
        let isNew = existing?.type != kind
        if isNew {
            option.type = kind
            option.value = nil
            option.defaultValue = nil
            option.labels = Labels()
            option.range = SettingsModel.Option.Range()
            for member in ["placeholder", "pattern", "masked", "values"] as [Text] { option.other[member] = nil }
        }
        if let title, title.allSatisfy(\.isWhitespace) { throw StoreError(.usage, "the title of \(key) can't be empty") }
        if let title { option.title = Text(title) }
        if existing == nil, title == nil {
            throw StoreError(.usage, "what is the title of \(key)?", hint: "say --title 'What people read'")
        }
        if let helpText { option.help = helpText.isEmpty ? nil : Text(helpText) }
        try defineMembers(of: &option)
        let chosen = option.value.flatMap { option.labels.label(of: $0) }
        if !choice.isEmpty { option.labels = try labels(from: option.labels) }
        let isGone = chosen != nil && option.value.map { option.labels.label(of: $0) == nil } ?? false
        if let chosen, isGone, select == nil, !unset {
            throw StoreError(
                .conflict, "\(key): \(chosen.text) is chosen and would be gone",
                hint: "say what is chosen then, with --select VALUE")
        }
        if !choice.isEmpty, self.default == nil, let value = option.defaultValue, option.labels.label(of: value) == nil {
            throw StoreError(
                .conflict, "\(key): \(value.bare) is the default and would be gone",
                hint: "say what is the default then, with --default VALUE, or '' for none")
        }
        if let range { option.range = try bounds(range) }
        if isNew { option.value = try firstValue(of: option) }
        // What people have chosen since stays.
        let starts = isNew || isGone
        if let select {
            let value = try option.granted(.word(select), key)
            if starts { option.value = value }
        }
        if unset, starts { option.value = nil }
        if let word = self.default {
            option.defaultValue = word.isEmpty && kind != .text ? nil : try option.granted(.word(word), key)
        }
        if let problem = option.problems().first { throw StoreError(.badData, "\(key): \(problem.reason)") }
        return option
    }

    private func defineMembers(of option: inout SettingsModel.Option) throws(StoreError) {
        if placeholder != nil || pattern != nil || masked != nil, option.type != .text {
            throw StoreError(.usage, "--placeholder, --pattern and --masked are for texts")
        }
        if range != nil, option.type != .number { throw StoreError(.usage, "--range is for numbers") }
        if offValue != nil, option.type != .switch { throw StoreError(.usage, "--off-value and --on-value are for switches") }
        if select != nil, option.type != .choice { throw StoreError(.usage, "--select is for choices") }
        if let placeholder { option.other["placeholder"] = .string(placeholder) }
        if let pattern {
            if let fault = Pattern.fault(in: Text(pattern)) { throw StoreError(.badData, fault) }
            option.other["pattern"] = .string(pattern)
        }
        if let masked { option.other["masked"] = masked ? .bool(true) : nil }
        if let readOnly { option.other["readOnly"] = readOnly ? .bool(true) : nil }
        if let offValue, let onValue {
            guard offValue != onValue else { throw StoreError(.usage, "off and on need two values") }
            let wasOn = (option.value.map { $0 == option.offOn.on }, option.defaultValue.map { $0 == option.offOn.on })
            let (off, on) = (JSON.string(offValue), JSON.string(onValue))
            option.other["values"] = .array([off, on])
            option.value = wasOn.0.map { $0 ? on : off }
            option.defaultValue = wasOn.1.map { $0 ? on : off }
        }
    }

    private func firstValue(of option: SettingsModel.Option) throws(StoreError) -> JSON? {
        switch option.type {
        case .choice: option.labels.first?.value
        case .switch: option.offOn.off
        case .number: try parsed(.word(number ?? ""), option)
        case .text: text.map { .string($0) }
        case .data: try parsed(.word(data ?? ""), option)
        }
    }

    private func parsed(_ wish: Wish, _ option: SettingsModel.Option) throws(StoreError) -> JSON? {
        do { return try option.value(for: wish) } catch { throw StoreError(.badData, error.reason, hint: error.hint) }
    }

    /// The labels that were named; those that are there already keep their values.
    private func labels(from old: Labels) throws(StoreError) -> Labels {
        let index = LabelIndex(old)
        let byBareValue = Dictionary(old.enumerated().map { ($1.value.bare, $0) }) { first, _ in first }
        let writesValues = old.isEmpty || old.writesValues
        var newValues = NewValues(Labels(old.entries, writesValues: writesValues))
        var labels: [Label] = []
        var named: Set<JSON> = []
        for word in choice.map(Words.plain) {
            let equals = word.firstIndex(of: "=")
            let text = Text(equals.map { String(word[word.index(after: $0)...]) } ?? word)
            var label: Label
            if let equals {
                let value = String(word[..<equals])
                // Imported values may be numbers.
                let same = index.index(of: .string(value)) ?? byBareValue[value]
                label = same.map { old[$0] } ?? Label(value: .string(value), text: text)
                label.text = text
                newValues.take(label.value)
            } else if let same = index.only(text: text) {
                label = old[same]
            } else {
                label = Label(value: newValues.value(for: text), text: text)
            }
            guard named.insert(label.value).inserted else {
                throw StoreError(
                    .usage, "two labels have the value \(label.value.compact)",
                    hint: "values must be unique; name them as VALUE=LABEL")
            }
            labels.append(label)
        }
        return Labels(labels, writesValues: writesValues)
    }

    /// Reads `0..100:5`.
    private func bounds(_ text: String) throws(StoreError) -> SettingsModel.Option.Range {
        let wrong = StoreError(.usage, "'\(text)' is no range", hint: "write it as 0..100 or 0..100:5; a side may be left out")
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2, let dots = parts[0].firstRange(of: "..") else { throw wrong }
        func number(_ text: some StringProtocol) throws(StoreError) -> Number? {
            if text.isEmpty { return nil }
            guard let number = Number(String(text)) else { throw wrong }
            return number
        }
        let step = parts.count == 2 ? try number(parts[1]) : nil
        if let step, !(Number(0) < step) { throw StoreError(.usage, "the step of '\(text)' must be above 0") }
        return SettingsModel.Option.Range(
            minimum: try number(parts[0][..<dots.lowerBound]), maximum: try number(parts[0][dots.upperBound...]), step: step
        )
    }
}
