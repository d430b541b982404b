package import SettingsModel

/// Exit statuses: all there are, and what the help and the manual say of them.
package enum ExitStatus: Int32, CaseIterable {
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

    package init(_ kind: Problem.Kind) {
        self =
            switch kind {
            case .usage: .usage
            case .badData, .incomplete: .badData
            case .missing: .missing
            case .conflict: .conflict
            case .no: .no
            case .cannotWrite: .cannotWrite
            case .busy, .interrupted: .busy
            case .policy: .policy
            case .unavailable: .unavailable
            }
    }

    /// What it means, as the help says it.
    package var meaning: String {
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
    package var name: String { "\(self)" }
}
