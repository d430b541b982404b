// Values per environment: `"for": {"prod": {"value": "de"}}`. The member is reserved: it is kept as it is, and written between
// `help` and `labels`. What cannot be read as such entries has no meaning and leaves the file readable, but is reported.

extension SettingsOption {
    /// The value that an environment has.
    package struct EnvironmentValue: Hashable, Sendable {
        package var environment: ExactText
        package var value: JSON
    }

    /// What is wrong with the values for environments.
    package struct EnvironmentFault: Hashable, Sendable {
        var path: [JSON.PathStep]
        package var reason: String

        /// Where it is in the option's file.
        package func position(in file: [UInt8]) -> BadFile.Position? { JSON.position(of: path, in: file) }
    }

    /// The values of the environments that have one, as far as they can be read.
    package var environmentValues: [EnvironmentValue] {
        guard case .object(let entries)? = other["for"] else { return [] }
        return entries.compactMap { entry in
            guard case .object? = Optional(entry.value), let value = entry.value["value"] else { return nil }
            // Unset, unless a label has this value.
            if value.isNull, labels.label(of: .null) == nil { return nil }
            return EnvironmentValue(environment: entry.name, value: value)
        }
    }

    /// The values of environments that the option doesn't have.
    package var misfitEnvironmentValues: [EnvironmentValue] { environmentValues.filter { fault(of: $0.value) != nil } }

    /// Those of the others that no state before had either: what an edit leads to.
    func misfitEnvironmentValues(comparedWith states: [SettingsOption]) -> [EnvironmentValue] {
        let misfits = misfitEnvironmentValues
        return misfits.isEmpty ? [] : misfits.filter { one in !states.contains { $0.misfitEnvironmentValues.contains(one) } }
    }

    /// What is wrong with the values for environments, but for what one of `states` had already.
    package func environmentFaults(comparedWith states: [SettingsOption] = []) -> [EnvironmentFault] {
        guard other["for"] != nil else { return [] }
        let known = Set(states.flatMap(\.malformedEnvironments))
        return malformedEnvironments.filter { !known.contains($0) } + environmentMisfits(comparedWith: states)
    }

    /// Those of them that are about values the option doesn't have. What is malformed has no meaning, so it is nothing that a
    /// change or a merge could be in conflict with.
    func environmentMisfits(comparedWith states: [SettingsOption]) -> [EnvironmentFault] {
        misfitEnvironmentValues(comparedWith: states).map { entry in
            let value = isMasked ? "a value" : "the value \(entry.value.compact)"
            return EnvironmentFault(
                path: [.member("for"), .member(entry.environment), .member("value")],
                reason:
                    "\"for\" has \(value) for \(entry.environment), but \(fault(of: entry.value) ?? "it is not one of the option's values")"
            )
        }
    }

    /// What is not of the form `{"prod": {"value": …}}`.
    private var malformedEnvironments: [EnvironmentFault] {
        guard let all = other["for"] else { return [] }
        guard case .object(let entries) = all else {
            let reason = "\"for\" must be an object such as {\"prod\": {\"value\": …}}, not \(all.kind)"
            return [EnvironmentFault(path: [.member("for")], reason: reason)]
        }
        return entries.compactMap { entry in
            let path: [JSON.PathStep] = [.member("for"), .member(entry.name)]
            if entry.name == "" {
                return EnvironmentFault(path: path, reason: "\"for\" has an environment without a name")
            }
            guard case .object = entry.value else {
                let reason = "\"for\" must have an object {\"value\": …} for \(entry.name), not \(entry.value.kind)"
                return EnvironmentFault(path: path, reason: reason)
            }
            if entry.value["value"] != nil { return nil }
            return EnvironmentFault(path: path, reason: "\"for\" has no \"value\" for \(entry.name): expected {\"value\": …}")
        }
    }
}
