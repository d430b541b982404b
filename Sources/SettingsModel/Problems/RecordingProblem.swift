/// Why nothing was recorded, discarded or brought back.
package enum RecordingProblem: Hashable, Sendable {
    /// The store's policy requires it.
    case isDemanded(Demanded)
    case isBusy(seconds: Int)
    /// git's index is locked by this file, which was created `age` seconds ago, and was waited for.
    case indexIsLocked(String, age: Int64, seconds: Int)
    /// The same, and git waits for a hook that started this program.
    case isInHook
    case isNotAt(VersionID, but: VersionID?)
    case changedSince([Conflict])
    case removesStore
    case ignored(Subject, rule: String, file: String)
    /// git has no other copy of a file that it ignores.
    case ignoredIsInTheWay(String, rule: String, file: String)
    case handEdited(Subject, HandEdit)
    /// A file that is not part of the store.
    case otherIsHandEdited(String)
    /// Someone selected another label by editing the index, which programs don't read.
    case indexEdited(Disagreement)
    case unreadableDraft(Problem)
    /// Nobody can tell whether these files were edited, or are older than the last version.
    case mayBeBehind([Subject])
    /// The file of the last version that is to be changed, or of an earlier one that is to be restored.
    case lastIsUnreadable(BadFile, path: String, in: VersionID)
    /// What is staged is not what the person looked at.
    case stagedSince
    /// Without other changes of the same option, this one would leave it invalid.
    case needsOthers(Key, SettingsOption.Fault)
    /// Nothing at all, or nothing of an option or a group.
    case nothingDiscarded(of: Key?)
    /// `kept`: what git prints of it, as `git show` takes it; nil for a file that was removed.
    case changedSinceDiscarded(Subject, [Conflict], kept: String?)
    case editedSinceDiscarded(Subject, HandEdit, kept: String?)
    /// The version is on the branch, but the disk failed before the write was durable.
    case mayBeLost(VersionID, reason: Problem)

    package enum Demanded: Hashable, Sendable {
        case why, requestedBy, ticket
    }

    package indirect enum HandEdit: Hashable, Sendable {
        case removed, made, edited, editedMeanwhile
        /// What `done` would refuse, too.
        case unrecordable(Problem)
    }

    package var kind: Problem.Kind {
        switch self {
        case .isDemanded: .policy
        case .isBusy, .indexIsLocked, .isInHook: .busy
        case .isNotAt, .changedSince, .ignored, .ignoredIsInTheWay, .handEdited, .otherIsHandEdited, .changedSinceDiscarded,
            .editedSinceDiscarded, .stagedSince, .needsOthers, .mayBeBehind:
            .conflict
        case .removesStore: .usage
        case .indexEdited, .unreadableDraft, .lastIsUnreadable: .badData
        case .nothingDiscarded: .no
        case .mayBeLost: .cannotWrite
        }
    }
}
