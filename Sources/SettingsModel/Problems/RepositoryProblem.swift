/// What is wrong with a git repository, or with its location. A `reason` is git's own message.
package enum RepositoryProblem: Hashable, Sendable {
    case isInNone(folder: String)
    /// Its files are still readable.
    case belongsToOther(root: String, reason: String)
    case unreadableConfiguration(reason: String, isOfEnvironment: Bool = false)
    case cannotOpen(root: String, reason: String)
    /// It exists and seems to be damaged.
    case cannotOpenDamaged(root: String, reason: String)
    case cannotRead(root: String, reason: String)
    case isNone(root: String, reason: String, RepositoryRepair?)
    case isBare(root: String)
    /// No store in the last version of a bare repository.
    case bareHoldsNoStore(root: String)
    case usesSHA256(root: String)
    case workTreeElsewhere(root: String, workTree: String)
    case isOutside(folder: String, workTree: String)
    /// Where no store is named: stores, counted from the repository's root.
    case severalStores([String], root: String)
    /// What `settings.store` of the repository's own configuration names.
    case configuredStoreIsOutside(String, root: String)
    case configuredStoreIsMissing(String, path: String)
    /// It was there when it was opened.
    case isGone(folder: String)

    case isInUse(reason: String)
    case objectIsMissing(reason: String)
    case objectIsTooLarge(reason: String)
    /// The repository is a partial clone, and only the remote has the object.
    case objectIsPromised(reason: String)
    case isCorrupt(reason: String)
    /// A pack, its index, the multi-pack-index or the commit-graph.
    case indexIsDamaged(path: String, reason: String)
    /// The repository's HEAD leads to no branch.
    case headIsDamaged(reason: String)
    /// git's upkeep removed a pack that was about to be read.
    case isBeingRepacked(reason: String)
    /// The system has no descriptor, process or memory left.
    case isOutOfResources(reason: String)
    /// The system refuses access: permissions, or a file system that is read-only.
    case isDenied(reason: String)
    case isFull(reason: String)
    case notFound(reason: String)
    /// `branch`: its full name.
    case branchIsLost(branch: String, last: VersionID)
    /// git's index has an extension that only git can read: `link` if it is split, `sdir` if it is sparse.
    case unknownIndex(extension: String)
    case failed(reason: String)

    /// `operation`: merge, rebase, …
    case isInTheMiddle(of: String)
    /// git is about to make no commit to which a message could be added.
    case hasNoMessage
    /// `line`: the line that is missing from the file.
    /// git converts what it records of a file, which this program doesn't.
    case convertsFile(path: String, attribute: String)
    case attributesWithoutDriver(file: String, line: String)
    /// The user's own configuration of git names another program as the merge driver.
    case driverIsForeign(file: String, key: String, value: String)
    /// A note of unfinished work inside git's folder, which only a newer version of this program can read.
    case noteIsOfLaterVersion(path: String)
    /// Another process packs the history.
    case isBeingMaintained
    /// A command of git's, run on a git directory. `reason`: the line that says why, if it printed one.
    case gitFailed([String], directory: String, reason: String? = nil)
    /// As `gitFailed`, because it could not be started or a signal ended it.
    case gitWasStopped([String], directory: String)

    package var kind: Problem.Kind {
        switch self {
        case .isNone(_, _, .nameBranch?), .isNone(_, _, .makeReferences?), .isNone(_, _, .cloneAnew?),
            .isNone(_, _, .nameFolder?):
            .badData
        case .isInNone, .isNone, .isBare, .bareHoldsNoStore, .usesSHA256, .workTreeElsewhere, .isOutside, .isGone, .notFound,
            .severalStores,
            .configuredStoreIsOutside, .configuredStoreIsMissing:
            .missing
        case .belongsToOther, .cannotOpen, .cannotOpenDamaged, .cannotRead, .unknownIndex, .isDenied, .isFull, .failed,
            .gitFailed,
            .noteIsOfLaterVersion:
            .cannotWrite
        case .unreadableConfiguration, .objectIsMissing, .objectIsTooLarge, .isCorrupt, .indexIsDamaged, .headIsDamaged,
            .branchIsLost:
            .badData
        case .objectIsPromised: .incomplete
        case .isInUse, .isBeingMaintained, .isBeingRepacked, .isOutOfResources, .gitWasStopped: .busy
        case .isInTheMiddle, .attributesWithoutDriver, .convertsFile, .driverIsForeign: .conflict
        case .hasNoMessage: .usage
        }
    }
}
