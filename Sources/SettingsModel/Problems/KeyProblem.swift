/// What is wrong with a key. `near` are similar names that may have been meant.
package indirect enum KeyProblem: Hashable, Sendable {
    case malformed(String, Key.Malformed)
    /// A path that leaves the store, whose folder is given.
    case isOutside(String, store: String)
    /// A word with a slash at its end where a new option is named.
    case namesGroup(String)
    /// The group that contains everything can't be removed or renamed.
    case isRoot(String)
    /// Some file systems don't distinguish the names.
    case differsByCase(Key, existing: Key)
    case noOption(String, near: [String])
    case noPlace(String, near: [String])
    /// Somebody made its file, or the files in a group, by hand, and nobody recorded them yet; nor the store, if not `inStore`.
    case isNotRecorded(Key, isGroup: Bool, inStore: Bool)
    /// The last version has it, but its file is gone.
    case isWithoutFile(Key)
    /// There was such an option until this version.
    case wasRemoved(Key, by: Version)
    /// `today`: the name that it has now, if it is there.
    case wasRenamed(Key, to: Key, today: Key?, by: Version)
    /// A group was named where an option is expected.
    case isGroup(String, Key)
    /// A word with a slash at its end; the option of that name, if there is one.
    case noGroup(String, option: Key?, near: [String])
    case isAmbiguous(String, [Key])
    /// Its file exists, but git ignores it.
    case isIgnored(String, path: String, rule: String)
    /// The word names a file that is tracked for this group.
    case isTrackedFile(String, group: Key)
    /// The word names neither an option nor a version; with the problem of the key, if it is one.
    case isNothing(String, KeyProblem?)
    /// A version was named where an option or a group is expected.
    case isVersion(String)

    package var kind: Problem.Kind {
        switch self {
        case .malformed, .isOutside, .namesGroup, .isRoot, .differsByCase, .isVersion: .usage
        case .noOption, .noPlace, .noGroup, .isNotRecorded, .isWithoutFile, .wasRemoved, .wasRenamed, .isGroup,
            .isAmbiguous, .isIgnored, .isNothing, .isTrackedFile:
            .missing
        }
    }
}
