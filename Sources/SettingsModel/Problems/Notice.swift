/// A warning or remark about a command that succeeded.
package enum Notice: Hashable, Sendable {
    /// A file was edited while a version was recorded: the edit is kept as a draft.
    case keepsEdit(path: String)
    /// The branch was updated, the files not yet; `isForwarded`: by a fast-forward.
    case isNotInStep(Problem, isForwarded: Bool)
    /// The same where these files could not be written, for the first one's reason.
    case isNotWritten([String], Problem, isForwarded: Bool)
    /// These files, which an earlier command could not write, still can't be written.
    case isStillNotWritten([String], Problem)
    /// The version is recorded, but not every file has been formatted yet.
    case isNotTidy(Problem)
    /// A shallow clone doesn't have earlier versions, which may have the ticket as well.
    case mayLackVersions
    /// This version has the ticket, and takes back a version that isn't in this history: it stays as it is.
    case takesBackUnknown(VersionID)
    /// An interrupted write was completed: these files now have the content of the last version; what they had is kept. Those that
    /// were edited keep the edit.
    case finished([String], edited: [String])
    /// Files that the branch had left behind at a version have the content of the last one; those that were edited keep the edit.
    case caughtUp([String], from: VersionID, edited: [String])
    /// Hand edits that an interrupted command had put aside are in these files again.
    case laidBack([String])
    /// A version that was not confirmed in time was taken back; with the version that did so, and what stays.
    case tookBack(Confirmation, by: VersionID, left: [Change])
    /// What was recorded sets what a version set that waits to be confirmed: taking that back leaves it as it is now.
    case setsWaiting(Confirmation, [Change])
    /// What was recorded puts a version in force again that still had time to be confirmed: it no longer reverts itself.
    case bringsBack(Confirmation)
    /// What was recorded takes back what resolved these conflicts.
    case opensConflicts([Conflict])
    /// Nothing was left of one that was not confirmed in time.
    case nothingLeft(Confirmation)
    /// One that was not confirmed in time can't be taken back yet.
    case cannotTakeBack(Confirmation, Problem)
    /// The repository's own configuration names programs that are not started for a remote, or other ways to reach it that are
    /// not taken: the first of them, and how many more.
    case programsNotStarted(key: String, value: String, others: Int, remote: String, isNamed: Bool)
    /// A version that was taken back is on a remote, so others may have it.
    case isPublished(VersionID, remote: String)
    /// Versions were exchanged, but a partial clone lacks what their changes or conflicts would be read from.
    case isNotReported(Problem)
    /// What is fetched lacks versions that were pushed to another address, as where a mirror is fetched from.
    case lagsBehind(remote: String, count: Int)
    /// A tracked file that no version has could not be given what was recorded.
    case isNotWrittenElsewhere(String, Problem)
    /// How a tracked file and the store stand after versions were exchanged.
    case trackedFileDiffers(TrackingProblem)
    /// What commits had changed in tracked files is recorded, and the rest of what was asked for is not.
    case isNotAllRecorded(Problem)
    /// A version has other lines of these tracked files, too.
    case tookOtherLines([String])
    /// What came in changed this file, so git does not merge these files by meaning; none of the store's where `files` is empty.
    case lostMergeDriver(path: String, files: [String])
}

extension [Notice] {
    /// Whether the files have the content of the version that was recorded, or brought in.
    package var filesAreInStep: Bool {
        !contains { notice in
            switch notice {
            case .isNotInStep, .isNotWritten, .isStillNotWritten: true
            default: false
            }
        }
    }
}
