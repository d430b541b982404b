public import SettingsModel
import SettingsText

/// Why something could not be read or recorded. Nothing was changed.
public struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What to do about it depends on this; the command line's exit statuses say the same.
    public var kind: Kind
    /// A sentence for a person.
    public var reason: String
    /// The file that can't be read, from the store's folder on.
    public var path: String?
    /// Where in that file, counted from 1; nil where that is not known.
    public var line: Int?
    /// In characters, counted from 1.
    public var column: Int?
    /// What was to be changed and was changed by somebody else, with both sides.
    public var conflicts: [Conflict] = []

    public enum Kind: String, Hashable, Sendable {
        /// A malformed key, wishes that contradict each other.
        case usage
        /// A file that can't be read, a value that an option doesn't allow.
        case badData
        /// Data that a partial clone doesn't have.
        case incomplete
        /// No such option, store or version.
        case missing
        /// Somebody else changed the same; or git is in the middle of a merge.
        case conflict
        /// There is nothing to take back.
        case nothingToDo
        case cannotWrite
        /// Somebody else is writing; later it may work.
        case busy
        /// The store's policy asks for a reason or a ticket.
        case policy
        /// A program that is needed is missing.
        case unavailable
        /// The task was cancelled, or the settings were closed.
        case cancelled
    }

    public var description: String { reason }

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    package init(_ problem: Problem) {
        self.init(Kind(problem.kind), PageHints.statement(PageHints.words(problem)))
        switch problem {
        case .file(.unreadable(let fault, let path, _)), .recording(.lastIsUnreadable(let fault, let path, _)):
            self.path = path
            line = fault.position?.line
            column = fault.position?.column
        default: break
        }
        conflicts = problem.conflicts
    }

    static let closed = SettingsError(.cancelled, "The settings were closed.")
}

extension SettingsError.Kind {
    init(_ kind: Problem.Kind) {
        switch kind {
        case .usage: self = .usage
        case .badData: self = .badData
        case .incomplete: self = .incomplete
        case .missing: self = .missing
        case .conflict: self = .conflict
        case .no: self = .nothingToDo
        case .cannotWrite: self = .cannotWrite
        case .busy: self = .busy
        case .policy: self = .policy
        case .unavailable: self = .unavailable
        case .interrupted: self = .cancelled
        }
    }
}

/// Does `work`, whose problems become errors.
func explaining<Result>(_ work: () throws(Problem) -> Result) throws(SettingsError) -> Result {
    do throws(Problem) { return try work() } catch { throw SettingsError(error) }
}
