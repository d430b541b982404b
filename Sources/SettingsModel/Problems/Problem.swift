/// Everything that can go wrong below the interfaces, as facts: each interface derives its own message, hint and exit status.
/// Nothing was changed, unless the case says otherwise.
package indirect enum Problem: Error, Hashable, Sendable {
    case key(KeyProblem)
    case value(ValueProblem)
    case editing(EditingProblem)
    case file(FileProblem)
    case repository(RepositoryProblem)
    case identity(IdentityProblem)
    case recording(RecordingProblem)
    case history(HistoryProblem)
    case branch(BranchProblem)
    case merge(MergeProblem)
    case signing(SigningProblem)
    case confirming(ConfirmingProblem)
    case sync(SyncProblem)
    case tracking(TrackingProblem)
    /// Everything that is wrong with a request of many parts, of which nothing was done.
    case several([Problem])
    /// Whoever asked wants it no longer.
    case interrupted

    /// The kind of error, for scripts and callers that react to it.
    package enum Kind: Hashable, Sendable {
        /// Invalid usage: a malformed key, a value that contradicts another.
        case usage
        /// An unreadable file, a value that an option doesn't allow.
        case badData
        /// Data that is not in a partial clone: nothing is known of it, so that no command may go on without it.
        case incomplete
        /// No such key, store or version.
        case missing
        /// Needs a decision by a person.
        case conflict
        /// There is nothing to do: nothing to undo.
        case no
        case cannotWrite
        case busy
        /// The store's policy rejects it, or the user's own configuration.
        case policy
        /// A program that is needed is missing.
        case unavailable
        case interrupted
    }

    package var kind: Kind {
        switch self {
        case .key(let problem): problem.kind
        case .value(let problem): problem.kind
        case .editing(let problem): problem.kind
        case .file(let problem): problem.kind
        case .repository(let problem): problem.kind
        case .identity(let problem): problem.kind
        case .recording(let problem): problem.kind
        case .history(let problem): problem.kind
        case .branch(let problem): problem.kind
        case .merge(let problem): problem.kind
        case .signing(let problem): problem.kind
        case .confirming(let problem): problem.kind
        case .sync(let problem): problem.kind
        case .tracking(let problem): problem.kind
        case .several(let problems): problems.first?.kind ?? .usage
        case .interrupted: .interrupted
        }
    }

    /// Several problems as one; nil where there are none.
    package static func all(_ problems: [Problem]) -> Problem? { problems.count > 1 ? .several(problems) : problems.first }

    /// Each of several problems, or itself.
    package var each: [Problem] {
        if case .several(let problems) = self { problems } else { [self] }
    }

    /// Whether a file is another program's, see `BadFile.Cause.isNoOption`.
    package var isNoOption: Bool {
        if case .file(.unreadable(let fault, _, _)) = self { return fault.cause == .isNoOption }
        return false
    }

    /// Whether it kept somebody from looking, and so says nothing of what was looked at.
    package var isPassing: Bool { [.busy, .unavailable, .interrupted].contains(kind) }

    /// The conflicts to resolve.
    package var conflicts: [Conflict] {
        switch self {
        case .recording(.changedSince(let conflicts)), .recording(.changedSinceDiscarded(_, let conflicts, _)),
            .history(.notAllFits(let conflicts)), .merge(.unresolved(let conflicts, _, _)):
            conflicts
        default: []
        }
    }

    /// Who made the sides of each conflict, if that was looked up.
    package var origins: [ConflictOrigin] {
        if case .merge(.unresolved(_, let origins, _)) = self { origins } else { [] }
    }
}
