extension Option {
    /// Something in an option that can't hold together.
    public struct Problem: Hashable, Sendable {
        public var facet: Facet
        public var reason: String
    }

    /// What doesn't hold: a value that is not offered, of another type, outside its bounds, against its pattern.
    public func problems() -> [Problem] {
        var found: [Problem] = []
        if let value, let reason = fault(of: value) { found.append(Problem(facet: .value, reason: reason)) }
        if let defaultValue, let reason = fault(of: defaultValue, isDefault: true) {
            found.append(Problem(facet: .default, reason: reason))
        }
        if type == .number, let minimum = range.minimum, let maximum = range.maximum, maximum < minimum {
            found.append(Problem(facet: .range, reason: "the minimum \(minimum.text) is above the maximum \(maximum.text)"))
        }
        return found
    }

    /// Why `value` can't be this option's; nil where it can. A default may lie outside the bounds: imported ones do.
    public func fault(of value: JSON, isDefault: Bool = false) -> String? {
        switch type {
        case .choice:
            if labels.index(of: value) != nil { return nil }
            return "the value \(value.compact) is not among its values"
        case .switch:
            let (off, on) = offOn
            return value == off || value == on ? nil : "a switch is \(off.compact) or \(on.compact), not \(value.compact)"
        case .number:
            guard case .number(let number) = value else { return "a number can't be \(value.kind)" }
            return isDefault ? nil : range.fault(of: number)
        case .text:
            guard case .string(let text) = value else { return "a text can't be \(value.kind)" }
            guard !isDefault, let pattern else { return nil }
            return Pattern.fault(of: text, against: pattern)
        case .data: return value.isNull ? "null is no data, but unset" : nil
        }
    }
}

extension Option.Range {
    /// Why `number` is outside; nil where it is inside.
    public func fault(of number: Number) -> String? {
        if let minimum, number < minimum { return "\(number.text) is below the minimum, \(minimum.text)" }
        if let maximum, maximum < number { return "\(number.text) is above the maximum, \(maximum.text)" }
        if let step, !number.isOnStep(step, from: minimum ?? Number(0)) {
            return "\(number.text) is not a step of \(step.text) from \((minimum ?? Number(0)).text)"
        }
        return nil
    }

    public var isEmpty: Bool { minimum == nil && maximum == nil && step == nil }
}
