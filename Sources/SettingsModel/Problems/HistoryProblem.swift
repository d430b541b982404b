/// Why a version can't be named, found or reverted.
package enum HistoryProblem: Hashable, Sendable {
    case hasNoVersion
    /// As `noVersion`, where no time is wanted. `isTime`: it is one.
    case noRevision(String, isTime: Bool)
    case noVersion(String)
    /// As `noVersion`, where a shallow clone may just not have it.
    case noVersionInClone(String)
    case isSeveral(String)
    case isNoTime(String)
    /// As it was written, and in seconds since 1970.
    case isInFuture(String, Int64)
    /// The store was created later.
    case isBeforeFirst(String, Version?)
    /// The shallow clone begins later, with this version.
    case isBeforeClone(String, Version)
    /// The shallow clone begins with it, and doesn't have what it changed.
    case isFirstOfClone(VersionID)
    /// `madeAgain`: the version of the history that git made of it, as by a rebase.
    case isNotInHistory(VersionID, madeAgain: VersionID? = nil)
    /// The range has no versions. `isReversed`: its end is before its start.
    case isEmptyRange(VersionID, VersionID, isReversed: Bool)
    /// Some of what the merge brought in is not in the range.
    case rangeHasMerge(VersionID, VersionID, Version)
    /// `squashed`: a version that squashed one with the ticket and others.
    case noneWithTicket([String], squashed: VersionID? = nil)
    /// Nothing that these changed is in force any more.
    /// `changed`: whether they changed anything there. `since`: the version that chose again what they had chosen.
    case hasNothingToRevert([VersionID], in: [Key] = [], changed: Bool = true, since: VersionID? = nil)
    case unreadable(Problem, change: Bool)

    case invalidTag(String)
    case tagIsThere(String)
    case noTag(String, near: [String])
    case tagMeansOther(String, NameMeaning)

    case nothingToUndo, nothingToRedo
    /// The last version undid one that isn't in this history.
    case undidUnknown(VersionID)
    case fewerToUndo(Int), fewerToRedo(Int)
    /// A shallow clone has no more of the caller's own versions than this many.
    case cloneBegins(Int)
    case lastIsMerge(Version)
    /// Nobody confirmed the caller's own latest version, or several of them: they were taken back already.
    case lastIsTakenBack(Version, by: Version, count: Int)
    /// With the caller's own latest one that could be taken back, if there is any.
    case lastIsOthers(Version, own: Version?)

    case wereNever([Key])
    /// Not all values of that version can be restored.
    case notAllFits([Conflict])

    package var kind: Problem.Kind {
        switch self {
        case .hasNoVersion, .noVersion, .noVersionInClone, .noRevision, .isSeveral, .isNoTime, .isInFuture, .isBeforeFirst,
            .isBeforeClone,
            .isFirstOfClone, .isNotInHistory, .isEmptyRange, .noneWithTicket, .hasNothingToRevert,
            .noTag,
            .wereNever:
            .missing
        case .unreadable: .badData
        case .invalidTag, .tagMeansOther: .usage
        case .tagIsThere, .notAllFits, .rangeHasMerge: .conflict
        case .nothingToUndo, .nothingToRedo, .undidUnknown, .fewerToUndo, .fewerToRedo, .cloneBegins, .lastIsTakenBack,
            .lastIsOthers:
            .no
        // What a merge left open is for a person to decide first.
        case .lastIsMerge(let merge): merge.message.conflicts.isEmpty ? .no : .conflict
        }
    }
}
