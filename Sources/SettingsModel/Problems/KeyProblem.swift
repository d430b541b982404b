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

    package var kind: Problem.Kind {
        switch self {
        case .malformed, .differsByCase: .usage
        case .noOption, .noPlace, .isGroup, .isEndOfSeveral, .isIgnored: .missing
        }
    }
}
