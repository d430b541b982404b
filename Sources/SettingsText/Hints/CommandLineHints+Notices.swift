package import SettingsModel

// Remarks about a command that succeeded.

extension CommandLineHints {
    /// The message for a notice.
    package static func words(_ notice: Notice) -> String { explanation(of: notice).whole }

    package static func explanation(of notice: Notice) -> Explanation {
        switch notice {
        case .keepsEdit(let path): Explanation("\(path) was edited by hand meanwhile; the edit is kept as a draft")
        case .isNotInStep(let problem, let isForwarded):
            Explanation(
                "\(recorded(isForwarded)), but git's index is not up to date yet (\(reason(problem)))",
                hint: "the next command tries again, and until then 'git commit' would record the earlier content")
        case .isNotWritten(let paths, let problem, let isForwarded):
            Explanation("\(recorded(isForwarded)), but \(notWritten(paths, problem))", hint: hint(forUnwritten: paths))
        case .isStillNotWritten(let paths, let problem):
            Explanation(notWritten(paths, problem), hint: hint(forUnwritten: paths))
        case .isNotTidy(let problem):
            Explanation(
                "recorded, but not every file is normalized yet (\(reason(problem)))", hint: "'settings done' tries again")
        case .isNotReported(let problem):
            Explanation("not every change or conflict is reported here (\(reason(problem)))", hint: fetchesEveryObject)
        case .mayLackVersions: explanation(ofCutOff: "earlier versions with that ticket may be missing")
        case .takesBackUnknown(let id):
            Explanation(
                "\(id.short), which has that ticket, reverts a version that isn't in this history, so it was not reverted itself",
                hint: "'settings revert \(id.short)' reverts it")
        case .tookBack, .nothingLeft, .cannotTakeBack, .setsWaiting, .bringsBack: explanation(ofConfirming: notice)
        case .opensConflicts(let conflicts): openAgain(conflicts)
        case .programsNotStarted(let key, let value, let others, let remote, let isNamed):
            notStarted("\(configurationKey(key)) = '\(value.visible)'", others, remote, isNamed)
        case .isPublished(let id, let remote):
            Explanation(
                "\(id.short) is on \(remote), so others may have it", hint: "'settings sync' sends this version there")
        case .lagsBehind(let remote, let count):
            Explanation(
                "\(remote) is fetched from one address and pushed to another; the first lacks \(counted(count, "version")) that "
                    + "\(count == 1 ? "was" : "were") pushed")
        case .lostMergeDriver(let path, let files) where !files.isEmpty:
            Explanation(
                "the fetched versions changed \(path), which does not name the merge driver for \(some(of: files)), so git merges "
                    + "\(files.count > 1 ? "these files" : "this file") as text")
        case .lostMergeDriver(let path, _):
            Explanation(
                "the fetched versions changed \(path), which no longer names the merge driver, so git merges the store's files as text",
                hint: "'settings setup' adds it, or reports what prevents it")
        case .isNotWrittenElsewhere(let path, let problem):
            Explanation(
                "recorded, but \(path) was not written (\(explanation(of: problem).reasons.joined(separator: "; ")))",
                hint: "'settings export' tries again")
        case .isNotAllRecorded(let problem):
            Explanation(
                "recorded the changes that commits made to tracked files, but nothing else: \(reason(problem))",
                hint: explanation(of: problem).hint)
        case .trackedFileDiffers(let problem): explanation(of: problem)
        case .tookOtherLines(let paths):
            Explanation("also recorded other edited lines of \(names(of: paths))")
        case .laidBack(let paths):
            Explanation("a command that updated the files was interrupted; your edits to \(names(of: paths)) were kept")
        case .caughtUp(let paths, let base, let edited):
            Explanation(
                "another process moved the branch while this work tree stayed at \(base.short): \(haveLast(paths, edited))")
        case .finished(let paths, let edited):
            Explanation(
                "an interrupted write was completed: \(haveLast(paths, edited))",
                hint: "'settings discard --undo' restores what was there before")
        }
    }

    private static func recorded(_ isForwarded: Bool) -> String { isForwarded ? "merged" : "recorded" }

    private static func haveLast(_ paths: [String], _ edited: [String]) -> String {
        "\(names(of: paths)) now \(paths.count == 1 ? "has" : "have") the content of the last version"
            + (edited.isEmpty ? "" : ", with your edits to \(names(of: edited))")
    }

    private static func openAgain(_ conflicts: [Conflict]) -> Explanation {
        let names = Set(conflicts.map(\.subject)).sorted().map(\.key.description)
        let (one, are, them) = conflicts.count == 1 ? ("the conflict", "is", "it") : ("conflicts", "are", "them")
        return Explanation(
            "\(one) in \(some(of: names)) \(are) open again", hint: "'settings conflicts' shows \(them)")
    }

    private static func notStarted(_ first: String, _ others: Int, _ remote: String, _ isNamed: Bool) -> Explanation {
        let more = others > 0 ? " and \(counted(others, "other value"))" : ""
        let (them, are, theyAre) = others > 0 ? ("them", "are", "they are") : ("it", "is", "it is")
        let trust = isNamed ? "'settings remote trust \(remote)' allows \(them), or " : ""
        return Explanation(
            "\(first)\(more) in this repository's configuration \(are) not used for \(remote)",
            hint: "if \(theyAre) yours, \(trust)move \(them) to your own configuration (~/.gitconfig)")
    }

    private static func notWritten(_ paths: [String], _ problem: Problem) -> String {
        "\(names(of: paths)) \(paths.count == 1 ? "does" : "do") not have the content of the last version yet (\(reason(problem)))"
    }

    private static func hint(forUnwritten paths: [String]) -> String {
        "the next command tries again, and until then 'git commit -a' would record what the "
            + (paths.count == 1 ? "file holds" : "files hold")
    }

    private static func names(of paths: [String]) -> String {
        paths.count > 3 ? "\(paths.count) files" : paths.joined(separator: ", ")
    }
}
