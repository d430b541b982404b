/// What can go wrong below the interfaces, as facts: each interface makes its own sentence, hint and status of them.
/// Nothing was changed, unless the case says so.
package indirect enum Problem: Error, Hashable, Sendable {
    case key(KeyProblem)
    case value(ValueProblem)
    case editing(EditingProblem)
    case file(FileProblem)
    case repository(RepositoryProblem)
    case recording(RecordingProblem)
    case history(HistoryProblem)
    case merge(MergeProblem)

    /// What to do about it in general, for whoever decides by it: a script, or the code that goes on.
    package enum Kind: Hashable, Sendable {
        /// Wrong words: a malformed key, a value that contradicts another.
        case usage
        /// A file that can't be read, a value that an option doesn't have.
        case badData
        /// No such key, store or version.
        case missing
        /// A person must decide.
        case conflict
        /// The answer is no: nothing to undo.
        case no
        case cannotWrite
        case busy
        /// The store's policy refuses.
        case policy
    }

    package var kind: Kind {
        switch self {
        case .key(let problem): problem.kind
        case .value(let problem): problem.kind
        case .editing(let problem): problem.kind
        case .file(let problem): problem.kind
        case .repository(let problem): problem.kind
        case .recording(let problem): problem.kind
        case .history(let problem): problem.kind
        case .merge(let problem): problem.kind
        }
    }

    /// What a person has to decide.
    package var conflicts: [Conflict] {
        switch self {
        case .recording(.changedSince(let conflicts)), .recording(.changedSinceDiscarded(_, let conflicts)),
            .history(.notAllFits(let conflicts)), .merge(.unresolved(let conflicts, _)):
            conflicts
        default: []
        }
    }

    /// Who made the sides of each conflict, where that was looked up.
    package var origins: [ConflictOrigin] {
        if case .merge(.unresolved(_, let origins)) = self { origins } else { [] }
    }
}
