import SettingsModel

/// The values of a choice.
extension OptionSchema {
    /// One value with its title.
    struct Branch {
        var value: JSON
        var text: ExactText?
        var long: ExactText?
    }

    /// Nil if the setting isn't a choice.
    var enumeration: [Branch]? {
        mutating get {
            if case .array(let values)? = self["enum"] {
                if let value = values.first(where: { !$0.isScalar }) {
                    repaired("the enum contains \(value.kind)", "data, since labels have simple values; kept unchanged")
                    return nil
                }
                let texts = list(["enumItemLabels", "enumNames"], count: values.count)
                let longs = list(["markdownEnumDescriptions", "enumDescriptions"], count: values.count)
                return values.indices.map { Branch(value: values[$0], text: texts[$0], long: longs[$0]) }
            }
            guard dialect == .jsonSchema else { return nil }
            if let value = self["const"], value.isScalar { return [Branch(value: value)] }
            for name in ["oneOf", "anyOf"] as [ExactText] {
                if case .array(let branches)? = self[name], let list = OptionSchema.alternatives(branches) { return list }
            }
            return nil
        }
    }

    /// The texts of a list next to `enum`, by index; a wrong count is reported.
    private mutating func list(_ names: [ExactText], count: Int) -> [ExactText?] {
        guard let name = names.first(where: { if case .array? = self[$0] { true } else { false } }),
            case .array(let elements)? = self[name]
        else { return Array(repeating: nil, count: count) }
        if elements.count != count {
            repaired(
                "there are \(count) values in \"enum\" and \(elements.count) in \"\(name)\"",
                elements.count < count
                    ? "paired from the first; the last values have none" : "paired from the first; the others are kept")
        }
        return (0..<count).map { index in
            guard index < elements.count, let text = elements[index].text, !text.isEmpty else { return nil }
            return text
        }
    }

    /// Alternatives that amount to a list of values: constants, enums, true and false, and null if it has a title.
    static func alternatives(_ branches: [JSON]) -> [Branch]? {
        var list: [Branch] = []
        var hasWords = false
        for branch in branches {
            guard case .object = branch, branch["$ref"] == nil else { return nil }
            let text = branch["title"]?.text
            let long = branch["description"]?.text
            if let value = branch["const"] {
                guard value.isScalar else { return nil }
                list.append(Branch(value: value, text: text, long: long))
                hasWords = true
            } else if case .array(let values)? = branch["enum"] {
                guard values.allSatisfy(\.isScalar) else { return nil }
                list += values.map {
                    Branch(value: $0, text: values.count == 1 ? text : nil, long: values.count == 1 ? long : nil)
                }
                hasWords = true
            } else if branch["type"] == "boolean" {
                list += [Branch(value: .bool(true)), Branch(value: .bool(false))]
            } else if branch["type"] == "null" {
                if text != nil { list.append(Branch(value: .null, text: text, long: long)) }
            } else {
                return nil
            }
        }
        return hasWords ? list : nil
    }

    mutating func labels(of branches: [Branch]) -> Labels {
        var labels: [ChoiceLabel] = []
        var seen: Set<JSON> = []
        for branch in branches {
            guard seen.insert(branch.value).inserted else {
                repaired("the value \(branch.value.compact) appears twice", "one label; the list is kept unchanged")
                continue
            }
            labels.append(
                ChoiceLabel(value: branch.value, text: branch.text ?? OptionSchema.text(of: branch.value), long: branch.long))
        }
        return Labels(labels)
    }

    /// The default label of a value.
    static func text(of value: JSON) -> ExactText { value.text ?? ExactText(value.compact) }
}
