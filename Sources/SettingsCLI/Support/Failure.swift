import SettingsModel
import SettingsStore
import SettingsText

/// Exit statuses: all there are, and what the help and the manual say of them.
enum ExitStatus: Int32, CaseIterable {
    case success = 0
    /// The answer is no, or there is nothing to do.
    case no = 1
    case conflict = 2
    case usage = 64
    case badData = 65
    case missing = 66
    /// A program that is needed can't be run.
    case unavailable = 69
    case cannotWrite = 74
    case busy = 75
    case policy = 77

    init(_ kind: Problem.Kind) {
        self =
            switch kind {
            case .usage: .usage
            case .badData, .incomplete: .badData
            case .missing: .missing
            case .conflict: .conflict
            case .no: .no
            case .cannotWrite: .cannotWrite
            case .busy: .busy
            case .policy: .policy
            case .unavailable: .unavailable
            }
    }

    /// What it means, as the help says it.
    var meaning: String {
        switch self {
        case .success: "success or yes"
        case .no: "no"
        case .conflict: "conflict"
        case .usage: "invalid usage"
        case .badData: "bad data"
        case .missing: "no such key, store, version or remote"
        case .unavailable: "a program is missing or too old"
        case .cannotWrite: "cannot read or write"
        case .busy: "busy or offline: try again later"
        case .policy: "refused: a reason (-m) or a signature is required, or the remote refuses"
        }
    }

    /// Its name in JSON.
    var name: String { "\(self)" }
}

/// A command's failure in words.
struct Failure: Error, CustomStringConvertible {
    var status: ExitStatus
    /// Nil if the status suffices.
    var reason: String?
    var hint: String?
    /// The file that can't be read, and where.
    var file: (path: String, position: BadFile.Position?)?
    var conflicts: [Conflict] = []
    /// Whether they are those of two branches.
    var isOfMerge = false
    /// Who made the sides of each conflict, if known.
    var origins: [ConflictOrigin] = []

    init(_ status: ExitStatus, _ reason: String? = nil, hint: String? = nil) {
        self.status = status
        self.reason = reason
        self.hint = hint
    }

    init(_ problem: Problem) {
        status = ExitStatus(problem.kind)
        let explanation = CommandLineHints.explanation(of: problem)
        reason = explanation.reason
        hint = explanation.hint
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
        for (index, conflict) in conflicts.enumerated() {
            output.error(StyledText("    ") + (isOfMerge ? phrases.conflict(conflict) : phrases.refusal(conflict)))
            guard origins.indices.contains(index) else { continue }
            for line in phrases.sides(origins[index]) { output.error(StyledText("        ") + line) }
        }
        if let hint { output.error(StyledText("hint: ", .faint) + StyledText(hint)) }
    }

    /// The same as JSON.
    func document(_ reports: Reports) -> JSON {
        let rows = conflicts.enumerated().map { index, conflict in
            guard origins.indices.contains(index) else { return reports.conflict(conflict) }
            let origin = origins[index]
            return reports.conflict(
                conflict, ["oursBy": reports.reference(origin.ours), "theirsBy": reports.reference(origin.theirs)])
        }
        return Reports.document([
            "error": .object([
                "exitStatus": .number(Int(status.rawValue)),
                "kind": .string(status.name),
                "reason": reason.map { .string($0) } ?? .null,
                "hint": hint.map { .string($0) },
                "path": file.map { .string($0.path) },
                "line": file?.position.map { .number($0.line) },
                "column": file?.position.map { .number($0.column) },
            ]),
            "conflicts": rows.isEmpty ? nil : .array(rows),
        ])
    }
}
