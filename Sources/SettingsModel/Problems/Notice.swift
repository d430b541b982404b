/// What a person should know though nothing failed.
package enum Notice: Hashable, Sendable {
    /// A file that was edited while a version was recorded: the edit stays, as a draft.
    case keepsEdit(path: String)
    /// The branch has moved, the files have not yet; `isForwarded`: to a version that was there already.
    case isNotInStep(Problem, isForwarded: Bool)
    /// What was recorded is; not every file has its usual form yet.
    case isNotTidy(Problem)
    /// A version that was not written to the end: these files have been put in step, and what they held is kept.
    case finished([String])
}
