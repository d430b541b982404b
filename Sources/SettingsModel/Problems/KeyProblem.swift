/// What is wrong with a key. A `near` name is one that may have been meant.
package enum KeyProblem: Hashable, Sendable {
    case malformed(String, Key.Malformed)
    /// Some file systems can't tell the names apart.
    case differsByCase(Key, existing: Key)
    case noOption(String, near: [String])
    case noPlace(String, near: [String])
    /// Where an option was looked for.
    case isGroup(String, Key)
    case isEndOfSeveral(String, [Key])
    /// Its file is there, and git ignores it.
    case isIgnored(String, path: String, rule: String)
    /// Neither an option nor a version; with what was wrong with it as an option's key, if it is one.
    indirect case isNothing(String, KeyProblem?)
    /// Where an option or a group was looked for.
    case isVersion(String)

    package var kind: Problem.Kind {
        switch self {
        case .malformed, .differsByCase, .isVersion: .usage
        case .noOption, .noPlace, .isGroup, .isEndOfSeveral, .isIgnored, .isNothing: .missing
        }
    }
}
