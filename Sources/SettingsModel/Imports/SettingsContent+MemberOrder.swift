extension SettingsContent {
    /// These settings with each object in the order that `known` has it in, where nothing else differs: none of the formats
    /// gives the order of an object's members a meaning, and some of them sort the members when they are written.
    package func keepingMemberOrder(of known: SettingsContent) -> SettingsContent {
        var kept = self
        for (key, option) in options {
            guard let old = known.options[key], option != old else { continue }
            kept.options[key]?.value = option.value.map { $0.inOrder(of: old.value) }
            kept.options[key]?.defaultValue = option.defaultValue.map { $0.inOrder(of: old.defaultValue) }
            for (name, value) in option.other { kept.options[key]?.other[name] = value.inOrder(of: old.other[name]) }
        }
        for (key, group) in groups {
            guard let old = known.groups[key], group != old else { continue }
            for (name, value) in group.other { kept.groups[key]?.other[name] = value.inOrder(of: old.other[name]) }
        }
        return kept
    }
}

extension JSON {
    /// `known` if it differs in the order of members alone.
    fileprivate func inOrder(of known: JSON?) -> JSON {
        guard let known, self != known, !isScalar, sorted == known.sorted else { return self }
        return known
    }

    private var sorted: JSON {
        switch self {
        case .null, .bool, .number, .string: self
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members):
            .object(members.map { Member($0.name, $0.value.sorted) }.sorted { $0.name < $1.name })
        }
    }
}
