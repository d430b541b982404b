import SettingsModel
import SettingsStore
import SettingsText

/// A command's failure in words.
struct Failure: Error, CustomStringConvertible {
    var status: ExitStatus
    /// Nil if the status suffices.
    var reason: String?
    var hint: String?
    /// The things that `reason` counts, one per line.
    var details: [String] = []
    /// The file that can't be read, and where.
    var file: (path: String, position: BadFile.Position?)?
    var conflicts: [Conflict] = []
    /// Whether they are those of two branches.
    var isOfMerge = false
    /// Who made the sides of each conflict, if known.
    var origins: [ConflictOrigin] = []

    init(_ status: ExitStatus, _ reason: String? = nil, hint: String? = nil) {
        self.status = status
        // Whatever word was typed may be an address.
        self.reason = reason.map { Login.hidden(in: Words.unmarked($0)) }
        self.hint = hint.map { Login.hidden(in: $0) }
    }

    init(_ status: ExitStatus, _ explanation: Explanation) {
        self.init(status, explanation.reason, hint: explanation.hint)
        details = explanation.details.map { Login.hidden(in: Words.unmarked($0)) }
    }

    init(_ problem: Problem) {
        self.init(ExitStatus(problem.kind), CommandLineHints.explanation(of: problem))
        switch problem {
        case .file(.unreadable(let fault, let path, _)), .recording(.lastIsUnreadable(let fault, let path, _)):
            file = (path, fault.position)
        default: break
        }
        conflicts = problem.conflicts
        if case .merge = problem { isOfMerge = true }
        origins = problem.origins
    }

    /// The current folder was removed, and a path is counted from it.
    static var nowhere: Failure {
        Failure(
            .missing, "the current folder no longer exists", hint: "change to another folder, or name a store with --store PATH")
    }

    var description: String { [reason, hint].compactMap(\.self).joined(separator: "; ") }

    /// Prints the reason and the hint on standard error.
    func report(_ output: Output, phrases: Phrases) {
        guard let reason else { return }
        output.error(StyledText("settings: ", .warning) + StyledText(reason))
        for detail in details { output.error(StyledText("    \(detail)")) }
        for (index, conflict) in conflicts.enumerated() {
            output.error(StyledText("    ") + (isOfMerge ? phrases.conflict(conflict) : phrases.refusal(conflict)))
            guard origins.indices.contains(index) else { continue }
            for line in phrases.sides(origins[index]) { output.error(StyledText("        ") + line) }
        }
        if let hint { output.error(StyledText("hint: ", .faint) + StyledText(hint)) }
    }

    /// The same as JSON.
    func document(_ reports: Reports) -> JSON {
        reports.failure(
            status: Int(status.rawValue), kind: status.name, Explanation(reason ?? "", hint: hint, details: details),
            path: file?.path,
            at: file?.position, conflicts, origins)
    }
}
