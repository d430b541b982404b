/// Why a file that a store keeps in step was not read, written or tracked. Paths count from the repository's root, or are absolute.
package enum TrackingProblem: Hashable, Sendable {
    /// Several files or entries, each with what is wrong with it.
    case several([Problem])
    /// An entry of `_store.json`.
    case isNotFollowed(TrackedFile.Fault)
    /// A file that somebody named to be tracked; the reason begins with a verb.
    case cannotTrack(String, reason: String)
    /// The program can't read other programs' formats, and the version would change an option of this file's group.
    case hasNoFormats(String)
    /// The file can't be read, or can't be given these values.
    case refused(String, Refusal, TrackedFile? = nil)
    /// What somebody made of the file can't be read.
    case isUnreadable(String, Refusal)
    /// Something else is in the place of the file; the reason begins with a verb.
    case isReplaced(String, reason: String)
    /// A file that only its owner may read would be recorded with what looks like secrets. `group`: of the file, if it is tracked.
    case holdsSecrets(String, [Key], group: Key?)
    /// These options were edited in the file, or other lines were where none is named, and would be overwritten.
    case isEdited(String, [Key])
    /// Commits that are not the store's changed these options in the file, and what is recorded would be written over that.
    case hasOthers(String, [Key])
    /// These options come back with the file, which a commit that is not the store's has changed since it was last tracked.
    case isChangedSinceTracked(String, [Key])
    /// git's index has a text of the file that neither the last version nor the file has.
    case isStagedOtherwise(String)
    /// It is in git's index as it was edited, where what is staged is to be recorded.
    case isStaged(String)
    /// git could not merge it.
    case isInConflict(String)
    /// A file that somebody named to be tracked, and the store, which has other values for options that it keeps.
    case differs(String, [Change], TrackedFile)
    /// The file and the store both changed these options since they were last in step.
    case bothChanged(String, [Key])
    /// Both sides of a merge changed the members of these options, and one of them in a commit that is not the store's.
    case bothSidesChanged(String, [Key])
    /// The file has values of commits that are not the store's.
    case isAhead([TrackedState.Difference], String)
    /// The store has values that the file has not.
    case isBehind([TrackedState.Difference], String)
    /// An option's own file was edited, and so was its member in a tracked file.
    case isEditedTwice(Key, String)
    case isNotTracked(String)
    /// A member of two files.
    case isClaimedTwice(Key, String, String)
    /// The user has no folder for configuration, in which it is remembered which files are tracked that no version has.
    case hasNoHome
    case isTracked(String, group: Key)
    /// `file`: how it is or would be tracked, where options could be written there.
    case isMissing(String, TrackedFile? = nil)
    /// The group of a file has no option: it was renamed or removed by plain git.
    case hasNoOptions(String, Key)
    /// It is named by `_store.json` and not in the last version. `isThere`: in the work tree.
    case isNotInHistory(String, isThere: Bool)
    /// The last version has it, and the work tree does not.
    case isRemoved(String)
    /// Nothing is tracked.
    case tracksNothing
    /// A value in the file is not one that the option can have.
    case isUnfitting(String, Key, reason: String, TrackedFile, recorded: Bool)
    /// A folder or a link on the way to a file that root would write, which another user may change.
    case isOthers(String)

    package var kind: Problem.Kind {
        switch self {
        case .several(let problems): problems.first?.kind ?? .badData
        case .hasNoFormats: .unavailable
        case .refused, .isUnreadable, .isReplaced, .isNotFollowed, .cannotTrack, .isAhead, .isBehind, .isUnfitting: .badData
        case .holdsSecrets, .isEdited, .isStaged, .isInConflict, .hasOthers, .isChangedSinceTracked, .isStagedOtherwise, .differs,
            .bothChanged, .bothSidesChanged, .isEditedTwice, .isTracked, .isClaimedTwice:
            .conflict
        case .isNotTracked, .isMissing, .hasNoOptions, .isNotInHistory, .isRemoved, .tracksNothing, .hasNoHome: .missing
        case .isOthers: .policy
        }
    }
}

extension Problem {
    /// What is wrong with several tracked files, as one problem; nil where nothing is.
    package static func tracking(_ problems: [Problem]) -> Problem? {
        problems.count > 1 ? .tracking(.several(problems)) : problems.first
    }
}
