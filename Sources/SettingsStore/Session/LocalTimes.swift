import SettingsModel

// Versions and deadlines carry the time zone in which they were recorded. What is said about them is in the reader's.

extension Confirmation {
    func at(_ clock: Clock) -> Confirmation {
        var local = self
        local.deadline = clock.time(deadline.seconds)
        return local
    }
}

extension Version {
    func at(_ clock: Clock) -> Version {
        Version(
            id: id, parents: parents, author: author, committer: committer, time: clock.time(time.seconds), message: message,
            renames: renames, named: named)
    }
}

extension Notice {
    func at(_ clock: Clock) -> Notice {
        switch self {
        case .tookBack(let confirmation, let id, let left): .tookBack(confirmation.at(clock), by: id, left: left)
        case .nothingLeft(let confirmation): .nothingLeft(confirmation.at(clock))
        case .cannotTakeBack(let confirmation, let problem): .cannotTakeBack(confirmation.at(clock), problem)
        case .setsWaiting(let confirmation, let changes): .setsWaiting(confirmation.at(clock), changes)
        case .bringsBack(let confirmation): .bringsBack(confirmation.at(clock))
        case .keepsEdit, .isNotInStep, .isNotWritten, .isStillNotWritten, .isNotTidy, .isNotReported, .mayLackVersions,
            .takesBackUnknown,
            .finished, .caughtUp, .laidBack, .opensConflicts,
            .programsNotStarted, .isPublished, .lagsBehind, .lostMergeDriver, .tookOtherLines, .isNotWrittenElsewhere,
            .isNotAllRecorded, .trackedFileDiffers:
            self
        }
    }
}

extension Problem {
    func at(_ clock: Clock) -> Problem {
        switch self {
        case .history(.isBeforeFirst(let text, let first?)): .history(.isBeforeFirst(text, first.at(clock)))
        case .history(.isBeforeClone(let text, let first)): .history(.isBeforeClone(text, first.at(clock)))
        case .confirming(.waitsLonger(let confirmation)): .confirming(.waitsLonger(confirmation.at(clock)))
        default: self
        }
    }
}
