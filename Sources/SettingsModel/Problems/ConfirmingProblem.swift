/// Why a version can't be confirmed, extended or given up.
package enum ConfirmingProblem: Hashable, Sendable {
    /// None of the caller's own; others' may.
    case nothingWaits(others: [Version])
    /// With what became of it; nil if it never had to be confirmed, or another process was faster.
    case doesNotWait(Version, Confirmation.State?)
    /// An extension would shorten its time.
    case waitsLonger(Confirmation)

    package var kind: Problem.Kind {
        switch self {
        case .nothingWaits, .doesNotWait: .no
        case .waitsLonger: .usage
        }
    }
}
