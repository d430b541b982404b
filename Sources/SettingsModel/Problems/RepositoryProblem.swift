/// What is wrong with a git repository, or in the way there. A `reason` is git's own.
package enum RepositoryProblem: Hashable, Sendable {
    case isInNone(folder: String)
    /// Its files can be read all the same.
    case belongsToOther(root: String, reason: String)
    case unreadableConfiguration(reason: String)
    case cannotOpen(root: String, reason: String)
    /// It was found, and looks damaged.
    case cannotOpenDamaged(root: String, reason: String)
    case cannotRead(root: String, reason: String)
    case isNone(root: String, reason: String)
    case isBare(root: String)
    case workTreeElsewhere(root: String, workTree: String)
    case isOutside(folder: String, workTree: String)

    case isInUse(reason: String)
    case objectIsMissing(reason: String)
    case objectIsTooLarge(reason: String)
    /// A partial clone left it with its remote.
    case objectIsPromised(reason: String)
    case isCorrupt(reason: String)
    case notFound(reason: String)
    /// `branch`: its whole name.
    case branchIsLost(branch: String, last: VersionID)
    /// git's index has an extension that only git can read: `link` where it is split, `sdir` where it is sparse.
    case unknownIndex(extension: String)
    case failed(reason: String)

    /// `operation`: merge, rebase, …
    case isInTheMiddle(of: String)
    /// There is no commit for git to make that a message could be added to.
    case hasNoMessage
    /// `line`: what the file lacks.
    case attributesWithoutDriver(file: String, line: String)

    package var kind: Problem.Kind {
        switch self {
        case .isInNone, .isNone, .isBare, .workTreeElsewhere, .isOutside, .notFound: .missing
        case .belongsToOther, .cannotOpen, .cannotOpenDamaged, .cannotRead, .unknownIndex, .failed: .cannotWrite
        case .unreadableConfiguration, .objectIsMissing, .objectIsTooLarge, .objectIsPromised, .isCorrupt, .branchIsLost:
            .badData
        case .isInUse: .busy
        case .isInTheMiddle, .attributesWithoutDriver: .conflict
        case .hasNoMessage: .usage
        }
    }
}
