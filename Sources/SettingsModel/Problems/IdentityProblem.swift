/// Why it isn't known who records a version, or when.
package enum IdentityProblem: Hashable, Sendable {
    /// The user's configuration forbids guessing it.
    case hasNoName, hasNoEmail
    /// What an environment variable says.
    case isNoTime(String, variable: String)
    case clockIsBefore1970

    package var kind: Problem.Kind {
        switch self {
        case .hasNoName, .hasNoEmail: .policy
        case .isNoTime: .usage
        case .clockIsBefore1970: .busy
        }
    }
}
