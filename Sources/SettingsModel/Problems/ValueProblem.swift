/// Why an option can't have a value.
package enum ValueProblem: Hashable, Sendable {
    /// Nil: of an option that is just being made.
    case refused(Key?, Option.Refusal)
    case isReadOnly(Key)
    case isSetTwice(Key)
    /// Decided so, the option would not hold together.
    case unfitting(Key, Option.Fault, in: Decision)
    /// Not a KEY=VALUE.
    case isNoCondition(String)
    /// What was to be so is not; `value` as people read it.
    case isNot(Key, value: String, wanted: String)

    /// Where it was decided.
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
