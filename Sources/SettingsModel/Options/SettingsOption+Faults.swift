extension SettingsOption {
    /// An inconsistency in an option.
    public struct Fault: Hashable, Sendable {
        public var facet: Facet
        public var reason: String
    }

    /// All inconsistencies: a value that is not offered, of the wrong type, out of bounds or not matching its pattern.
    public func faults() -> [Fault] {
        var found = memberFaults
        if let value, let reason = fault(of: value) { found.append(Fault(facet: .value, reason: reason)) }
        if let defaultValue, let reason = fault(of: defaultValue, isDefault: true) {
            found.append(Fault(facet: .default, reason: reason))
        }
        if type == .number, let minimum = range.minimum, let maximum = range.maximum, maximum < minimum {
            found.append(Fault(facet: .range, reason: "the minimum \(minimum.text) is above the maximum \(maximum.text)"))
        }
        if type != .choice, labels != Labels() { found.append(Fault(facet: .labels, reason: "only a choice has labels")) }
        if type != .number, !range.isEmpty { found.append(Fault(facet: .range, reason: "only a number has bounds")) }
        return found
    }

    /// As `faults`, and a default that is out of bounds or doesn't match the pattern if the default of none of `states` is, and
    /// what is wrong with the values for environments in none of them.
    package func faults(comparedWith states: [SettingsOption]) -> [Fault] {
        let found = faults() + environmentMisfits(comparedWith: states).map { Fault(facet: .member("for"), reason: $0.reason) }
        guard let reason = defaultMisfit, states.allSatisfy({ $0.defaultMisfit == nil }),
            !found.contains(where: { $0.facet == .default })
        else { return found }
        return found + [Fault(facet: .default, reason: reason)]
    }

    /// Why the default would be invalid as a value.
    private var defaultMisfit: String? { defaultValue.flatMap { fault(of: $0) } }

    /// Known members whose value has the wrong type. On other types of option they are treated like unknown members.
    private var memberFaults: [Fault] {
        var found: [Fault] = []
        func require(_ name: ExactText, _ kinds: String, _ fits: (JSON) -> Bool) {
            guard let value = other[name], !fits(value) else { return }
            found.append(Fault(facet: .member(name), reason: "must be \(kinds), not \(value.kind)"))
        }
        func isBoolean(_ value: JSON) -> Bool { if case .bool = value { true } else { false } }
        require("readOnly", "true or false", isBoolean)
        require("key", "a string") { $0.text != nil }
        if type == .text {
            require("masked", "true or false", isBoolean)
            require("placeholder", "a string") { $0.text != nil }
            require("pattern", "a string") { $0.text != nil }
            if let pattern, let fault = Pattern.fault(in: pattern) {
                found.append(Fault(facet: .member("pattern"), reason: "is invalid: \(fault)"))
            }
        }
        if type == .switch {
            require("values", "[off, on], two different strings, numbers or booleans") { pair in
                guard case .array(let words) = pair, words.count == 2 else { return false }
                return words.allSatisfy(\.isScalar) && words[0] != words[1] && !words.contains(.null)
            }
        }
        for name in type.reservedMembers where other[name] != nil {
            found.append(Fault(facet: .member(name), reason: "has a reserved meaning in \(type.noun)"))
        }
        return found
    }

    /// Why `value` is invalid for this option; nil if it is valid. A default may be out of bounds, because imported ones are.
    public func fault(of value: JSON, isDefault: Bool = false) -> String? {
        switch type {
        case .choice:
            if labels.index(of: value) != nil { return nil }
            return "the value \(value.compact) is not among the option's values"
        case .switch:
            let (off, on) = offOn
            return value == off || value == on ? nil : "expected \(off.compact) or \(on.compact), not \(value.compact)"
        case .number:
            guard case .number(let number) = value else { return "expected a number, not \(value.kind)" }
            return isDefault ? nil : range.fault(of: number) ?? gsettingsFault(of: value)
        case .text:
            guard case .string(let text) = value else { return "expected a string, not \(value.kind)" }
            guard !isDefault, let pattern else { return nil }
            return Pattern.fault(of: text, against: pattern)
        case .data:
            if value.isNull { return "null means that the option is unset; it is not a value" }
            return isDefault ? nil : gsettingsFault(of: value)
        }
    }
}

extension SettingsOption.Kind {
    /// The members of an option's file that `other` never contains.
    fileprivate var reservedMembers: [ExactText] {
        let common: [ExactText] = ["title", "type", "value", "default", "help"]
        return switch self {
        case .choice: common + ["selected", "labels", "values", "longLabels"]
        case .number: common + ["minimum", "maximum", "step"]
        case .switch, .text, .data: common
        }
    }
}

extension SettingsOption.Range {
    /// Why `number` is out of bounds; nil if it is within.
    public func fault(of number: Number) -> String? {
        if let minimum, number < minimum { return "\(number.text) is below the minimum, \(minimum.text)" }
        if let maximum, maximum < number { return "\(number.text) is above the maximum, \(maximum.text)" }
        if let step, !number.isOnStep(step, from: minimum ?? Number(0)) {
            if step == Number(1), isWhole { return "\(number.text) is not a whole number" }
            return "\(number.text) is not a step of \(step.text) from \((minimum ?? Number(0)).text)"
        }
        return nil
    }

    /// Whether only whole numbers are on its steps.
    public var isWhole: Bool {
        guard let step else { return false }
        return [step, minimum ?? Number(0)].allSatisfy { $0.isOnStep(Number(1), from: Number(0)) }
    }

    public var isEmpty: Bool { minimum == nil && maximum == nil && step == nil }
}
