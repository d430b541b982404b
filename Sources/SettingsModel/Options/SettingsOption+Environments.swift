// Values per environment: `"for": {"prod": {"value": "de"}}`. The member is reserved: it is kept as it is, and written between
// `help` and `labels`. What cannot be read as such entries has no meaning yet, and nothing is said of it.

extension SettingsOption {
    /// The value that an environment has.
    package struct EnvironmentValue: Hashable, Sendable {
        package var environment: ExactText
        package var value: JSON

        /// Where its value is in the option's file.
        package func position(in file: [UInt8]) -> BadFile.Position? {
            JSON.position(of: [.member("for"), .member(environment), .member("value")], in: file)
        }
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
}
