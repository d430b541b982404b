package import SettingsModel

/// A message for an error, and a hint on what to do about it.
package struct Explanation: Hashable, Sendable {
    package var reason: String
    package var hint: String?

    init(_ reason: String, hint: String? = nil) {
        self.reason = reason
        self.hint = hint
    }
}

/// The command line's messages for problems. Each interface has its own, because the remedies differ.
package enum CommandLineHints {
    package static func explanation(of problem: Problem) -> Explanation {
        switch problem {
        case .key(let problem): explanation(of: problem)
        case .value(let problem): explanation(of: problem)
        case .editing(let problem): explanation(of: problem)
        case .file(let problem): explanation(of: problem)
        case .repository(let problem): explanation(of: problem)
        case .recording(let problem): explanation(of: problem)
        case .history(let problem): explanation(of: problem)
        case .merge(let problem): explanation(of: problem)
        case .signing(let problem): explanation(of: problem)
        case .confirming(let problem): explanation(of: problem)
        case .sync(let problem): explanation(of: problem)
        }
    }

    package static func reason(_ problem: Problem) -> String { explanation(of: problem).reason }

    /// The message for a notice.
    package static func words(_ notice: Notice) -> String {
        switch notice {
        case .keepsEdit(let path): return "\(path) was edited by hand meanwhile; the edit is kept as a draft"
        case .isNotInStep(let problem, let isForwarded):
            let what = isForwarded ? "merged" : "recorded"
            return "\(what), but the files are not up to date yet (\(reason(problem))); the next command tries again"
        case .isNotWritten(let paths, let problem, let isForwarded):
            return "\(isForwarded ? "merged" : "recorded"), but \(notWritten(paths, problem))"
        case .isStillNotWritten(let paths, let problem): return notWritten(paths, problem)
        case .isNotTidy(let problem):
            return "recorded, but not every file is normalized yet (\(reason(problem))); 'settings done' tries again"
        case .isNotReported(let problem):
            return "not every change or conflict is reported here (\(reason(problem))); \(fetchesEveryObject)"
        case .mayLackVersions: return cutOff("earlier versions with that ticket may be missing")
        case .tookBack, .nothingLeft, .cannotTakeBack, .setsWaiting, .bringsBack: return confirmationWords(notice)
        case .opensConflicts(let conflicts):
            let names = Set(conflicts.map(\.subject)).sorted().map(\.key.description)
            let isOne = conflicts.count == 1
            return "\(isOne ? "the conflict" : "conflicts") about \(some(of: names)) \(isOne ? "is" : "are") open again; "
                + "'settings conflicts' shows \(isOne ? "it" : "them")"
        case .programsNotStarted(let key, let value, let others, let remote, let isNamed):
            let more = others > 0 ? " and \(counted(others, "other value"))" : ""
            let (them, are, theyAre) = others > 0 ? ("them", "are", "they are") : ("it", "is", "it is")
            let trust = isNamed ? "'settings remote trust \(remote)' allows \(them), or " : ""
            return
                "\(configurationKey(key)) = '\(value.visible)'\(more) in this repository's configuration \(are) not used for "
                + "\(remote); if \(theyAre) yours, \(trust)move \(them) to your own configuration (~/.gitconfig)"
        case .isPublished(let id, let remote):
            return "\(id.short) is on \(remote), so others may have it; 'settings sync' sends this version there"
        case .lagsBehind(let remote, let count):
            return
                "\(remote) is fetched from another address than it is pushed to, which lacks \(counted(count, "version")) that "
                + "\(count == 1 ? "was" : "were") pushed"
        case .lostMergeDriver(let path, let files) where !files.isEmpty:
            return
                "what came in changed \(path): it does not name the merge driver for \(some(of: files)), so git merges "
                + "\(files.count > 1 ? "these files" : "this file") as text"
        case .lostMergeDriver(let path, _):
            return
                "what came in changed \(path): it no longer names the merge driver, so git merges the store's files as text; "
                + "'settings setup' adds it, or reports what prevents it"
        case .laidBack(let paths):
            return "a command that brought in other versions was interrupted; your edits of \(names(of: paths)) were kept"
        case .caughtUp(let paths, let base, let edited):
            let what =
                "the branch was moved elsewhere while this work tree stayed at \(base.short): \(names(of: paths)) "
                + "now \(paths.count == 1 ? "has" : "have") the content of the last version"
            return edited.isEmpty ? what : what + ", with your edits of \(names(of: edited))"
        case .finished(let paths):
            return
                "an interrupted write was completed: \(names(of: paths)) now \(paths.count == 1 ? "has" : "have") the content of the last "
                + "version; 'settings discard --undo' restores what was there before"
        }
    }

    private static func notWritten(_ paths: [String], _ problem: Problem) -> String {
        let isOne = paths.count == 1
        return
            "\(names(of: paths)) \(isOne ? "does" : "do") not have the content of the last version yet (\(reason(problem))); the "
            + "next command tries again, and until then 'git commit -a' would record what the \(isOne ? "file holds" : "files hold")"
    }

    private static func names(of paths: [String]) -> String {
        paths.count > 3 ? "\(paths.count) files" : paths.joined(separator: ", ")
    }

    /// The first ones of many names.
    package static func some(of names: [String]) -> String {
        names.prefix(8).joined(separator: ", ") + (names.count > 8 ? " and \(names.count - 8) more" : "")
    }

    /// What is missing because a shallow clone lacks earlier versions.
    package static func cutOff(_ what: String) -> String { "\(what): this is a shallow clone; \(unshallow)" }

    static let unshallow = "'git fetch --unshallow' fetches the rest"

    /// Where all changes of a version are.
    static func wholeVersion(_ id: VersionID) -> String { "'settings show \(id.short)' lists them" }
}
