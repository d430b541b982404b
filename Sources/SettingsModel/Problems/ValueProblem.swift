/// Why an option can't have a value.
package enum ValueProblem: Hashable, Sendable {
    /// The key is nil for an option that is being created.
    case refused(Key?, SettingsOption.Refusal)
    case isReadOnly(Key)
    case isSetTwice(Key)
    /// This resolution would leave the option invalid.
    case unfitting(Key, SettingsOption.Fault, in: Decision)
    /// The word doesn't have the form KEY=VALUE.
    case isNoCondition(String)
    /// The value is not the expected one; `value` is in words.
    case isNot(Key, value: String, wanted: String)

    /// What the decision is part of.
    package enum Decision: Hashable, Sendable {
        case merge, question
    }

    package var kind: Problem.Kind {
        switch self {
        case .refused, .isReadOnly: .badData
        case .isSetTwice, .isNoCondition: .usage
        case .unfitting, .isNot: .conflict
        }
    }
}
